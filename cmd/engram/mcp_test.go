package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMCPSession is a session of the official client with the real process, as a
// child and over HTTP: from a repository without a memory to a contradiction that
// is settled.
func TestMCPSession(t *testing.T) {
	for name, transport := range map[string]func(*testing.T, string) sdk.Transport{
		"stdio": func(_ *testing.T, repo string) sdk.Transport {
			cmd := exec.Command("engram", "mcp", "--profile", "team")
			cmd.Dir, cmd.Stderr = repo, os.Stderr
			return &sdk.CommandTransport{Command: cmd}
		},
		"http": func(t *testing.T, repo string) sdk.Transport {
			return &sdk.StreamableClientTransport{Endpoint: serveProcess(t, repo, "--profile", "team").URL}
		},
	} {
		t.Run(name, func(t *testing.T) {
			session, err := sdk.NewClient(&sdk.Implementation{Name: "scripted", Version: "1"}, nil).Connect(t.Context(), transport(t, freshRepo(t)), nil)
			if err != nil {
				t.Fatal(err)
			}
			scriptedSession(t, session)
			if err := session.Close(); err != nil {
				t.Error("it ended with", err)
			}
		})
	}
}

// scriptedSession is what an agent and its user do on the first day.
func scriptedSession(t *testing.T, session *sdk.ClientSession) {
	t.Helper()
	call := func(tool string, args map[string]any) map[string]any {
		t.Helper()
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatal(tool, err)
		}
		text := r.Content[0].(*sdk.TextContent).Text
		if r.IsError {
			t.Fatalf("%s: %s", tool, text)
		}
		var answer map[string]any
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatal(tool, err)
		}
		return answer
	}
	first := func(answer map[string]any, field string) map[string]any {
		t.Helper()
		list, _ := answer[field].([]any)
		if len(list) != 1 {
			t.Fatalf("%d %s: %v", len(list), field, answer)
		}
		return list[0].(map[string]any)
	}
	if s := call("engram_status", nil); s["status"] != "unconfigured" {
		t.Fatalf("%v", s)
	}
	call("engram_init", map[string]any{"anonymous_mode": false, "anon_agents": false})
	call("engram_commit", map[string]any{"content": "The gateway times out after 30 seconds.", "scope": "gateway", "provenance": "gateway.go:12"})
	question := map[string]any{"topic": "When does the gateway time out?"}
	if hit := first(call("engram_query", question), "results"); hit["agent_id"] != "scripted" {
		t.Errorf("%v", hit)
	}
	second := call("engram_commit", map[string]any{"content": "The gateway times out after 90 seconds.", "scope": "gateway", "provenance": "gateway_test.go:40"})
	call("engram_audit", nil)
	conflict := first(call("engram_conflicts", nil), "conflicts")
	call("engram_resolve", map[string]any{
		"conflict_id": conflict["conflict_id"], "resolution_type": "winner", "winning_claim_id": second["fact_id"], "resolution": "The test shows 90.",
	})
	if hit := first(call("engram_query", question), "results"); hit["key"] != second["key"] {
		t.Errorf("%v", hit)
	}
	task := call("engram_delegate", map[string]any{"flow": "gateway", "id": "1", "child": "scripted", "task": "Find out why there are two limits."})
	call("engram_report", map[string]any{"key": task["key"], "result": "A test had its own.", "findings": []any{map[string]any{"text": "The test says 90.", "pointers": []any{second["key"]}}}})
	if finding := first(call("engram_task", map[string]any{"action": "findings", "from": task["key"]}), "findings"); finding["text"] != "The test says 90." {
		t.Errorf("%v", finding)
	}
}

// TestMCPClientGone: a client goes away while it writes. What was acknowledged is
// there, and the process is not.
func TestMCPClientGone(t *testing.T) {
	repo := testRepo(t)
	runHere("", "--repo", repo, "init")
	cmd := exec.Command("engram", "mcp")
	cmd.Dir = repo
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"short-lived","version":"1"}}}`)
	for i := range 30 {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"engram_commit","arguments":{"content":"Shard %d is in rack %d.","scope":"racks","key":"domain/racks/shard-%d"}}}`+"\n", i, i, i, i)
	}
	var acknowledged []int
	lines := bufio.NewScanner(out)
	for answers := 0; answers < 9 && lines.Scan(); answers++ { // that of initialize among them
		var answer struct {
			ID     json.RawMessage
			Result struct{ StructuredContent struct{ Key string } }
		}
		if err := json.Unmarshal(lines.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		var id int
		if json.Unmarshal(answer.ID, &id) == nil && answer.Result.StructuredContent.Key != "" {
			acknowledged = append(acknowledged, id)
		}
	}
	out.Close()
	in.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended: // by what, nobody is there to hear
	case <-time.After(30 * time.Second):
		_ = cmd.Process.Kill()
		t.Fatal("the process is left over")
	}
	if len(acknowledged) != 8 {
		t.Fatalf("%d were acknowledged", len(acknowledged))
	}
	list := runHere("", "--repo", repo, "list").stdout
	for _, i := range acknowledged {
		if !strings.Contains(list, fmt.Sprintf("domain/racks/shard-%d\t", i)) {
			t.Errorf("shard %d was acknowledged and is not there:\n%s", i, list)
		}
	}
	if out, err := exec.Command("git", "-C", repo, "fsck", "--strict").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// freshRepo is a repository without a memory.
func freshRepo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"config", "user.name", "Ada"}, {"config", "user.email", "ada@example.com"}, {"commit", "-q", "--allow-empty", "-m", "first"},
	} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return dir
}
