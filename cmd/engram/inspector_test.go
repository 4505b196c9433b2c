package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestInspector lets a client that others wrote, in another language, speak with
// the real process: the MCP Inspector. ENGRAM_INSPECTOR is its executable,
// node_modules/.bin/mcp-inspector of @modelcontextprotocol/inspector. It checks
// answers against the schemas of tools by itself.
func TestInspector(t *testing.T) {
	inspector := os.Getenv("ENGRAM_INSPECTOR")
	if inspector == "" {
		t.Skip("ENGRAM_INSPECTOR names no inspector; CONTRIBUTING.md says how to get one")
	}
	engram, err := exec.LookPath("engram")
	if err != nil {
		t.Fatal(err)
	}
	repo := testRepo(t)
	runHere("", "--repo", repo, "init")
	t.Run("stdio", func(t *testing.T) {
		inspect(t, inspector, repo, engram, "mcp", "--profile", "team")
	})
	t.Run("http", func(t *testing.T) {
		inspect(t, inspector, repo, serveProcess(t, repo, "--profile", "team").URL, "--transport", "http")
	})
}

// inspect reads and writes with one process of the inspector a request, as its
// command line does.
func inspect(t *testing.T, inspector, repo string, server ...string) {
	t.Helper()
	ask := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(inspector, append(append([]string{"--cli"}, server...), args...)...)
		cmd.Dir = repo
		out, err := cmd.Output()
		if err != nil || !json.Valid(out) {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	has := func(answer string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if !strings.Contains(answer, text) {
				t.Errorf("%q is not in %.2000s", text, answer)
			}
		}
	}
	call := func(tool string, args ...string) string {
		t.Helper()
		rest := []string{"--method", "tools/call", "--tool-name", tool}
		for _, arg := range args {
			rest = append(rest, "--tool-arg", arg)
		}
		return ask(rest...)
	}
	has(ask("--method", "tools/list"), `"engram_status"`, `"engram_audit"`, `"outputSchema"`)
	has(call("engram_status"), `"ready"`)
	has(call("engram_commit", "content=The gateway times out after 30 seconds.", "scope=gateway", "key=architecture/limits/timeout"), `"fact_id"`)
	has(call("engram_query", "topic=When does the gateway time out?", "limit=3"), `"architecture/limits/timeout"`, `"has_open_conflict"`)
	has(ask("--method", "resources/list"), `"engram://conflicts"`)
	has(ask("--method", "resources/read", "--uri", "engram://fact/architecture/limits/timeout"), "30 seconds")
	has(ask("--method", "prompts/list"), `"recall"`)
	has(ask("--method", "prompts/get", "--prompt-name", "recall", "--prompt-args", "topic=gateways"), "work on: gateways")
}
