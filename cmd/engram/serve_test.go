package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	claudeToken = "a-token-for-claude-only"
	codexToken  = "a-token-for-codex-alone"
	plainToken  = "a-token-for-whoever-has-it"
)

// served is what engram serve --json says of itself.
type served struct {
	Address       string   `json:"address"`
	URL           string   `json:"url"`
	API           string   `json:"api_url"`
	TokenRequired bool     `json:"token_required"`
	Agents        []string `json:"agents"`
}

// serving is an `engram serve` that runs as a process of its own.
type serving struct {
	cmd    *exec.Cmd
	stderr *bytes.Buffer
	start  string // the object it printed
	served
}

func serveProcess(t *testing.T, repo string, args ...string) *serving {
	t.Helper()
	s := &serving{stderr: &bytes.Buffer{}}
	s.cmd = exec.Command("engram", append([]string{"--repo", repo, "serve", "--json", "--listen", "127.0.0.1:0"}, args...)...)
	s.cmd.Stderr = s.stderr
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() })
	var object json.RawMessage
	if err := json.NewDecoder(bufio.NewReader(stdout)).Decode(&object); err != nil {
		t.Fatalf("what it printed: %v", err)
	}
	s.start = string(object)
	if err := json.Unmarshal(object, &s.served); err != nil {
		t.Fatal(err)
	}
	return s
}

// interrupt ends it as Ctrl-C does, and returns its exit status.
func (s *serving) interrupt(t *testing.T) int {
	t.Helper()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(20*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer timer.Stop()
	_ = s.cmd.Wait()
	return s.cmd.ProcessState.ExitCode()
}

// bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func mcpClient(t *testing.T, url string, token bearer) (*sdk.ClientSession, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	transport := &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: token}, MaxRetries: -1}
	// The newest version in which a client says once who it is.
	return sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
}

func callTool(t *testing.T, c *sdk.ClientSession, name string, args map[string]any) (map[string]any, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := c.CallTool(ctx, &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	out, _ := r.StructuredContent.(map[string]any)
	return out, r.Content[0].(*sdk.TextContent).Text
}

func tokenFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestServe: a client with a token works as its agent, nobody works as another's,
// and Ctrl-C ends the server while clients listen.
func TestServe(t *testing.T) {
	repo := testRepo(t)
	if r := runHere("", "--repo", repo, "init"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	s := serveProcess(t, repo, "--token-file", tokenFile(t, "claude "+claudeToken+"\ncodex "+codexToken+"\n"+plainToken+"\n"))
	if !s.TokenRequired || !slices.Equal(s.Agents, []string{"claude", "codex"}) || s.URL != "http://"+s.Address+"/mcp" {
		t.Errorf("it says %s", s.start)
	}
	if diff := cmp.Diff([]string{"address", "agents[]", "api_url", "schema_version", "token_required", "url"}, fieldsOf(t, "serve", s.start)); diff != "" {
		t.Errorf("fields differ (-promised +printed):\n%s", diff)
	}
	if _, err := mcpClient(t, s.URL, "none-of-these-tokens"); err == nil {
		t.Error("a client without a token connects")
	}
	claude, err := mcpClient(t, s.URL, claudeToken)
	if err != nil {
		t.Fatal(err)
	}
	committed, text := callTool(t, claude, "engram_commit", map[string]any{"scope": "auth", "content": "Sessions live 15 minutes.", "key": "domain/auth/session"})
	if committed["key"] != "domain/auth/session" {
		t.Fatalf("commit: %s", text)
	}
	if _, text := callTool(t, claude, "engram_commit", map[string]any{"scope": "auth", "content": "Sessions live 30 minutes.", "agent_id": "codex"}); !strings.Contains(text, "error (usage)") {
		t.Errorf("claude writes as codex: %s", text)
	}
	if r := runHere("", "--repo", repo, "get", "domain/auth/session", "--json"); !strings.Contains(r.stdout, `"agent_id": "claude"`) {
		t.Errorf("who wrote it: %s", r.stdout)
	}
	for token, agent := range map[bearer]string{codexToken: "codex", plainToken: ""} {
		other, err := mcpClient(t, s.URL, token)
		if err != nil {
			t.Fatal(err)
		}
		if status, text := callTool(t, other, "engram_status", nil); status["agent_id"] != agent {
			t.Errorf("with %s one is %v: %s", token, status["agent_id"], text)
		}
	}
	if status := s.interrupt(t); status != 0 && runtime.GOOS != "windows" {
		t.Errorf("exit status %d: %s", status, s.stderr)
	}
	if strings.Contains(s.stderr.String(), claudeToken) || strings.Contains(s.stderr.String(), "Sessions") {
		t.Errorf("it logs what it must not: %s", s.stderr)
	}
	if out, err := exec.Command("git", "-C", repo, "status", "--porcelain").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("git status: %s %v", out, err)
	}
}

// TestServeBehindAProxy: a name that is allowed reaches MCP as well, which has a
// guard of its own in the library.
func TestServeBehindAProxy(t *testing.T) {
	repo := testRepo(t)
	s := serveProcess(t, repo, "--token-file", tokenFile(t, plainToken), "--allow-host", "memory.example")
	for host, want := range map[string]int{"memory.example": 200, "evil.example": 403} {
		req, err := http.NewRequestWithContext(t.Context(), "POST", s.URL, strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		resp, err := (&http.Client{Transport: bearer(plainToken)}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %d, want %d", host, resp.StatusCode, want)
		}
	}
	get := func(path string) int {
		resp, err := http.Get("http://" + s.Address + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if got := get("/readyz"); got != 503 {
		t.Errorf("/readyz without a memory: %d", got)
	}
	if r := runHere("", "--repo", repo, "init"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	time.Sleep(1100 * time.Millisecond) // for as long, an answer stands
	if got := get("/readyz"); got != 200 {
		t.Errorf("/readyz with one: %d", got)
	}
}

func TestServePortTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r := runHere("", "--repo", testRepo(t), "serve", "--listen", l.Addr().String())
	if r.status != 2 || !strings.Contains(r.stderr, l.Addr().String()) || !strings.Contains(r.stderr, "hint: another engram serve") {
		t.Errorf("%+v", r)
	}
}

// TestServeTokenOfTheEnvironment: ENGRAM_TOKEN is as good as a file, and one that
// is none is no reason to go without.
func TestServeTokenOfTheEnvironment(t *testing.T) {
	for value, want := range map[string]string{
		"short":                      "ENGRAM_TOKEN: line 1: a token has 16 to 512 characters",
		"claude " + codexToken:       "token 2 is the same as one before it",
		"claude codex " + codexToken: "ENGRAM_TOKEN: line 1: is neither TOKEN nor AGENT TOKEN",
	} {
		r := runWith(map[string]string{"ENGRAM_TOKEN": value}, "", "--repo", testRepo(t), "serve", "--listen", "127.0.0.1:0", "--token-file", tokenFile(t, codexToken))
		if r.status != 2 || !strings.Contains(r.stderr, want) || strings.Contains(r.stderr, codexToken) {
			t.Errorf("%s: %+v", value, r)
		}
	}
}
