package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"
)

// BenchmarkMCP times a server as its client sees it, over stdio: from fork to the
// answer to initialize and to tools/list, and calls of a server that is warm; and
// reads what an idle one has in memory. The memory has 100,000 facts, or as many as
// ENGRAM_MCP_FACTS says, or is that of the scratch repository ENGRAM_MCP_REPO.
// `git version` and `git grep` stand beside it, and ENGRAM_MCP_PEER, a command that
// starts another server: its start alone is timed.
func BenchmarkMCP(b *testing.B) {
	dir := b.TempDir()
	engram := filepath.Join(dir, "engram")
	mustRun(b, "", nil, "go", "build", "-ldflags", "-s -w", "-o", engram, ".")
	repo := os.Getenv("ENGRAM_MCP_REPO")
	if repo == "" {
		repo = manyFacts(b, engram, filepath.Join(dir, "repo"))
	}
	start := []string{engram, "mcp"}
	b.Run("initialize", func(b *testing.B) { benchStart(b, repo, start, "") })
	b.Run("tools-list", func(b *testing.B) { benchStart(b, repo, start, "tools/list") })
	if peer := os.Getenv("ENGRAM_MCP_PEER"); peer != "" {
		b.Run("peer-initialize", func(b *testing.B) { benchStart(b, repo, []string{"sh", "-c", "exec " + peer}, "") })
		b.Run("peer-tools-list", func(b *testing.B) { benchStart(b, repo, []string{"sh", "-c", "exec " + peer}, "tools/list") })
	}
	for _, c := range [][]string{{"git", "version"}, {"git", "grep", "-ciE", "timeout|gateway", "engram"}} {
		b.Run("git-"+c[1], func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				at := time.Now()
				mustRun(b, repo, nil, c[0], c[1:]...)
				took = append(took, time.Since(at))
			}
			reportTimes(b, took)
		})
	}
	topics := []string{"timeout of the gateway", "how are tokens refreshed", "retries of the scheduler", "which port do metrics use", "limit of open connections"}
	for _, c := range []struct {
		name string
		args func(i int) map[string]any
	}{
		{"engram_query", func(i int) map[string]any {
			return map[string]any{"topic": topics[i%len(topics)] + " " + strconv.Itoa(i)}
		}},
		{"engram_commit", func(i int) map[string]any {
			return map[string]any{"content": fmt.Sprintf("Probe %d of run %d holds.", i, time.Now().UnixNano()), "scope": "bench"}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := startPeer(b, repo, start)
			defer p.stop()
			for i := range 10 {
				p.use(b, c.name, c.args(1_000_000+i))
			}
			var took []time.Duration
			for b.Loop() {
				args := c.args(len(took))
				at := time.Now()
				p.use(b, c.name, args)
				took = append(took, time.Since(at))
			}
			reportTimes(b, took)
		})
	}
	b.Run("idle", func(b *testing.B) {
		p := startPeer(b, repo, start)
		defer p.stop()
		time.Sleep(10 * time.Second)
		for b.Loop() {
			b.ReportMetric(p.resident(b), "RSS-MB")
		}
		p.use(b, "engram_query", map[string]any{"topic": topics[0]})
		time.Sleep(10 * time.Second)
		b.ReportMetric(p.resident(b), "RSS-after-a-query-MB")
	})
}

// manyFacts is a repository with facts that no agent's hourly rate binds, audited
// as far as a server can tell.
func manyFacts(b *testing.B, engram, repo string) string {
	b.Helper()
	n := 100_000
	if text := os.Getenv("ENGRAM_MCP_FACTS"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	mustRun(b, "", nil, "git", "init", "-q", "-b", "main", repo)
	mustRun(b, repo, nil, "git", "config", "user.name", "Ada")
	mustRun(b, repo, nil, "git", "config", "user.email", "ada@example.com")
	mustRun(b, repo, nil, "git", "commit", "-q", "--allow-empty", "-m", "first")
	mustRun(b, repo, nil, engram, "init")
	mustRun(b, repo, []byte("format: 1\nrate_limit: 0\n"), engram, "policy", "set", "--file", "-")
	mustRun(b, repo, factsAsYAML(n, 1), engram, "import", "-", "--format", "yaml")
	mustRun(b, repo, nil, "git", "gc", "--quiet")
	mustRun(b, repo, nil, engram, "query", "timeout")
	tip, err := exec.Command("git", "-C", repo, "rev-parse", "engram").Output()
	if err == nil {
		err = os.MkdirAll(filepath.Join(repo, ".git", "engram", "audit"), 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(repo, ".git", "engram", "audit", "engram.json"), fmt.Appendf(nil, `{"revision":%q}`, bytes.TrimSpace(tip)), 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
	return repo
}

// benchStart times a process from fork to its answer to initialize, or to method.
func benchStart(b *testing.B, repo string, command []string, method string) {
	var took []time.Duration
	for b.Loop() {
		at := time.Now()
		p := startPeer(b, repo, command)
		if method != "" {
			p.ask(b, method, `{}`)
		}
		took = append(took, time.Since(at))
		p.stop()
	}
	reportTimes(b, took)
}

func reportTimes(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
}

// peerProcess is a server that has answered initialize.
type peerProcess struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Reader
	last    int
}

func startPeer(b *testing.B, repo string, command []string) *peerProcess {
	b.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = repo
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	p := &peerProcess{cmd: cmd, in: in, answers: bufio.NewReader(out)}
	p.ask(b, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *peerProcess) ask(b *testing.B, method, params string) []byte {
	b.Helper()
	p.last++
	fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", p.last, method, params)
	answer, err := p.answers.ReadBytes('\n')
	if err != nil || bytes.Contains(answer, []byte(`"isError":true`)) || bytes.Contains(answer, []byte(`"error":{`)) {
		b.Fatalf("%s: %v: %.500s", method, err, answer)
	}
	return answer
}

func (p *peerProcess) use(b *testing.B, tool string, args map[string]any) {
	b.Helper()
	params, err := json.Marshal(map[string]any{"name": tool, "arguments": args})
	if err != nil {
		b.Fatal(err)
	}
	p.ask(b, "tools/call", string(params))
}

// resident is what the process has in memory, in MB; 0 where nobody can tell.
func (p *peerProcess) resident(b *testing.B) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		b.Log(err)
		return 0
	}
	kilobytes, _ := strconv.Atoi(string(regexp.MustCompile(`VmRSS:\s+(\d+)`).FindSubmatch(status)[1]))
	return float64(kilobytes) / 1024
}

func (p *peerProcess) stop() {
	p.in.Close()
	_ = p.cmd.Wait()
}
