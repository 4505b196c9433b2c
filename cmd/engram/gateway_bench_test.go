package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkGateway times requests to `engram serve`, one after the other, as an agent
// sees them, with as many facts as BenchmarkMCP has. The child's budget is wide.
func BenchmarkGateway(b *testing.B) {
	dir := b.TempDir()
	engram := filepath.Join(dir, "engram")
	mustRun(b, "", nil, "go", "build", "-ldflags", "-s -w", "-o", engram, ".")
	repo := manyFacts(b, engram, filepath.Join(dir, "repo"))
	var code strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&code, "// Step %d of a long file.\n", i)
	}
	if err := os.WriteFile(filepath.Join(repo, "long.go"), []byte(code.String()), 0o644); err != nil {
		b.Fatal(err)
	}
	mustRun(b, repo, nil, "git", "add", "long.go")
	mustRun(b, repo, nil, "git", "commit", "-q", "-m", "code")
	out, err := exec.Command("git", "-C", repo, "rev-parse", "HEAD").Output()
	if err != nil {
		b.Fatal(err)
	}
	commit, url := strings.TrimSpace(string(out)), benchServe(b, engram, repo)
	deref := func(i int) string {
		return fmt.Sprintf(`{"pointer":{"type":"repo","ref":"repo:long.go#L%d-L%d@%s"}}`, i%1900+1, i%1900+20, commit)
	}
	for _, c := range []struct {
		name, method, path, agent string
		body                      func(i int) string
	}{
		{"deref-of-an-agent", "POST", "/pointer/deref", "child", deref},
		{"deref-of-a-person", "POST", "/pointer/deref", "", deref},
		{"query-by-keys", "GET", "/engram/query?k=12&keys=timeout,gateway,", "child", nil},
		{"query-by-question", "GET", "/engram/query?k=12&q=timeout+of+the+gateway+", "child", nil},
		{"healthz", "GET", "/healthz", "", nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				body, path := "", url+c.path
				if c.body != nil {
					body = c.body(i)
				} else if strings.Contains(path, "?") {
					path += strconv.Itoa(i)
				}
				at := time.Now()
				benchRequest(b, c.method, path, c.agent, body)
				took = append(took, time.Since(at))
			}
			reportTimes(b, took)
		})
	}
}

// benchServe starts a server and is where it listens.
func benchServe(b *testing.B, engram, repo string) string {
	b.Helper()
	cmd := exec.Command(engram, "serve", "--listen", "127.0.0.1:0", "--json")
	cmd.Dir, cmd.Env = repo, append(os.Environ(), "ENGRAM_BUS_MAX_REPO_SPANS=1000000", "ENGRAM_BUS_MAX_DEREF_TOKENS=1000000")
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	var s served
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&s); err != nil {
		b.Fatal(err)
	}
	benchRequest(b, "GET", s.API+"/engram/query?keys=timeout", "child", "") // it is warm
	return s.API
}

func benchRequest(b *testing.B, method, url, agent, body string) {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), method, url, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if agent != "" {
		req.Header.Set("Engram-Agent", agent)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		b.Fatalf("%s %s: %d %s", method, url, resp.StatusCode, text)
	}
}
