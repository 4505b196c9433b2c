package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestDisputesShowEverywhere: two commits clash, and every surface says so at once, without
// an audit. Before that, none says that the first fact is undisputed.
func TestDisputesShowEverywhere(t *testing.T) {
	repo := testRepo(t)
	if err := os.WriteFile(filepath.Join(repo, "api.go"), []byte("package api\n\nconst port = 8080\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"add", "api.go"}, {"commit", "--quiet", "-m", "port"}} {
		if out, err := exec.Command("git", append([]string{"-C", repo}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	engram := func(args ...string) result {
		t.Helper()
		r := runHere("", append([]string{"--repo", repo}, args...)...)
		if r.status != 0 {
			t.Fatalf("engram %v: %d\n%s", args, r.status, r.stderr)
		}
		return r
	}
	commit := func(claim, key, agent string) result {
		return engram("commit", claim, "--key", key, "--scope", "api", "--agent", agent, "--pointer", "api.go:3")
	}
	const keyA, keyB = "domain/api/port", "domain/api/listener"
	asked := [][]string{
		{"list"}, {"query", "port", "of", "the", "API"}, {"why", filepath.Join(repo, "api.go") + ":3"}, {"get", keyA},
	}
	engram("init")
	commit("The API listens on port 8080.", keyA, "ann")
	for _, args := range append(asked, []string{"brief"}) {
		if r := engram(append(args, "--json")...); !strings.Contains(r.stdout, `"has_open_conflict": null`) || strings.Contains(r.stdout, `"has_open_conflict": false`) {
			t.Errorf("%v, before anything was compared: %s", args, r.stdout)
		}
		if r := engram(args...); strings.Contains(strings.ToLower(r.stdout+r.stderr), "in an open conflict") || strings.Contains(r.stderr, "disputed") {
			t.Errorf("%v warns of nothing: %s%s", args, r.stdout, r.stderr)
		}
	}

	second := commit("The API listens on port 9090.", keyB, "ben")
	if !strings.HasSuffix(second.stdout, "\t"+keyA+"\n") || !strings.HasPrefix(second.stderr, "warning: contradicts "+keyA+": ") {
		t.Errorf("the commit says %q and %q", second.stdout, second.stderr)
	}
	for _, args := range asked {
		if r := engram(append(args, "--json")...); !strings.Contains(r.stdout, `"has_open_conflict": true`) || strings.Contains(r.stdout, `"has_open_conflict": false`) {
			t.Errorf("%v --json: %s", args, r.stdout)
		}
		mark := "\tdisputed\n"
		if args[0] == "get" {
			mark = "\ndisputed\ttrue\n"
		}
		if r := engram(args...); !strings.Contains(r.stdout, mark) || !strings.Contains(r.stderr, "disputed") {
			t.Errorf("%v: %s%s", args, r.stdout, r.stderr)
		}
	}
	for _, args := range [][]string{{"brief"}, {"hook", "session-start"}} {
		if r := engram(args...); strings.Count(r.stdout, "IN AN OPEN CONFLICT") != 2 || !strings.Contains(r.stdout, "## Open conflicts: 1") {
			t.Errorf("%v: %s", args, r.stdout)
		}
	}
	if r := engram("brief", "--json"); strings.Count(r.stdout, `"has_open_conflict": true`) != 2 {
		t.Errorf("brief --json: %s", r.stdout)
	}
	if r := engram("status"); !strings.Contains(r.stdout, "open_conflicts\t1\n") {
		t.Errorf("status: %s", r.stdout)
	}
	disputedOverHTTP(t, serveProcess(t, repo, "--profile", "compat"), keyA)
}

// disputedOverHTTP asks the tools and the endpoints of a server.
func disputedOverHTTP(t *testing.T, s *serving, key string) {
	t.Helper()
	disputed := func(where, text string) {
		t.Helper()
		text = strings.ReplaceAll(text, `": `, `":`)
		if !strings.Contains(text, `"has_open_conflict":true`) || strings.Contains(text, `"has_open_conflict":false`) {
			t.Errorf("%s: %s", where, text)
		}
	}
	c, err := mcpClient(t, s.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for tool, args := range map[string]map[string]any{
		"engram_query": {"topic": "port of the API"}, "engram_get": {"key": key},
		"mem_search": {"query": "port of the API"}, "mem_get_observation": {"id": key}, "mem_context": nil,
	} {
		_, text := callTool(t, c, tool, args)
		disputed(tool, text)
	}
	if status, _ := callTool(t, c, "engram_status", nil); status["open_conflicts"] != 1.0 {
		t.Errorf("%v", status)
	}
	if _, text := callTool(t, c, "engram_commit", map[string]any{"content": "The API listens on port 7070.", "scope": "api"}); !strings.Contains(text, `"conflicts_detected":2`) {
		t.Errorf("engram_commit: %s", text)
	}
	resource := func(uri string) string {
		t.Helper()
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(uri, err)
		}
		return r.Contents[0].Text
	}
	disputed("engram://fact", resource("engram://fact/"+key))
	if text := resource("engram://brief"); strings.Count(text, "IN AN OPEN CONFLICT") != 3 {
		t.Errorf("engram://brief: %s", text)
	}
	for _, path := range []string{"/engram/query?q=port+of+the+API", "/engram/" + key} {
		r, err := http.Get(s.API + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		disputed(path, string(text))
	}
}
