package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"engram/mcp"
	"engram/memory"
	"engram/secret"
)

// busServer serves a memory beside some code to the bus profile. planner is a parent.
func busServer(t *testing.T) (server *mcp.Server, commit string) {
	t.Helper()
	dir := newMemory(t)
	commit = someAuth(t, dir)
	server, err := mcp.New(func(ctx context.Context) (mcp.Opened, func(), error) {
		m, err := memory.Open(ctx, dir, secret.New(), &memory.Options{Bus: memory.BusOptions{Parents: []string{"planner"}}})
		if err != nil {
			return mcp.Opened{}, nil, err
		}
		return mcp.Opened{Memory: m}, func() { _ = m.Close() }, nil
	}, &mcp.Options{Version: "v0", Profiles: []string{"bus"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return server, commit
}

// someAuth commits some code, and names the commit.
func someAuth(t *testing.T, dir string) string {
	t.Helper()
	const text = "package auth\n\n// sessionTTL is how long a session lives, in minutes.\nconst sessionTTL = 30\n\n// Refresh extends a session.\nfunc Refresh() {}\n"
	if err := os.WriteFile(filepath.Join(dir, "auth.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "code")
	return git(t, dir, "rev-parse", "HEAD")
}

// TestBusProfile: the tools of the bus profile, and no other beside the core ones.
func TestBusProfile(t *testing.T) {
	server, _ := busServer(t)
	c := overPipes(t, server)
	var names []string
	for _, tool := range c.tools() {
		if !strings.HasPrefix(tool.Name, "engram_") {
			names = append(names, tool.Name)
		}
	}
	slices.Sort(names)
	want := []string{"less_deref_pointer", "less_issue_grant", "less_put_engram", "less_query_engrams", "less_request_deref", "less_submit_message"}
	if !slices.Equal(names, want) {
		t.Errorf("there is %v", names)
	}
}

// TestBusSession is a turn of a child, whose parent lets it read more.
func TestBusSession(t *testing.T) {
	for name, connect := range over {
		t.Run(name, func(t *testing.T) {
			server, commit := busServer(t)
			c := connect(t, server)
			lines := func(span string) object { return object{"type": "repo", "ref": "repo:auth.go#" + span + "@" + commit} }
			put := c.call("less_put_engram", object{"kind": "risk", "claim": "Sessions outlive a password change.", "pointers": []any{lines("L3-L4")},
				"confidence": 0.8, "ttl": "P7D", "scope": "project", "tags": []string{"passwords"}, "agent_id": "child"})
			found := list(c.call("less_query_engrams", object{"keys": []string{"passwords"}, "agent_id": "child"}), "engrams")
			if len(found) != 1 || found[0]["id"] != put["engram"].(object)["id"] {
				t.Fatalf("%v", found)
			}
			ask := object{"pointer": lines("L7"), "reason": "What it does.", "agent_id": "child"}
			if room := c.call("less_request_deref", ask); room["room"] != true || room["request"] != nil {
				t.Errorf("%v", room)
			}
			for _, span := range []string{"L1", "L3", "L4"} {
				c.call("less_deref_pointer", object{"pointer": lines(span), "agent_id": "child"})
			}
			if text := c.refused("less_deref_pointer", object{"pointer": lines("L7"), "agent_id": "child"}); !strings.Contains(text, "DEREF_DENIED") || !strings.Contains(text, "DEREF_REQUESTS") {
				t.Errorf("it says %q", text)
			}
			room := c.call("less_request_deref", ask)
			if text, _ := room["request"].(string); room["room"] != false || !strings.Contains(text, "What it does.") || room["denied_by"] != "max_repo_spans" {
				t.Errorf("%v", room)
			}
			grant := object{"child": "child", "pointer": lines("L7"), "agent_id": "child"}
			if text := c.refused("less_issue_grant", grant); !strings.Contains(text, "only parents") {
				t.Errorf("it says %q", text)
			}
			grant["agent_id"] = "planner"
			token := c.call("less_issue_grant", grant)["budget_token"]
			read := c.call("less_deref_pointer", object{"pointer": lines("L7"), "budget_token": token, "agent_id": "child"})
			if read["excerpt"] != "func Refresh() {}\n" || !strings.Contains(read["notice"].(string), "quoted data") {
				t.Errorf("%v", read)
			}
		})
	}
}

// TestBusSubmit: a message that is refused comes back in a form that is taken, and ends
// the turn.
func TestBusSubmit(t *testing.T) {
	server, commit := busServer(t)
	c := overPipes(t, server)
	message := "ROLE: programmer\nTASK_STATUS: done\nENGRAMS:\n  - kind: risk\n    claim: \"Refresh does nothing.\"\n    confidence: 0.7\n    ttl: P7D\n    scope: project\n    pointers:\n" +
		"      - { type: repo, ref: \"repo:auth.go#L6-L7@" + commit + "\" }\nOUTPUT:\n  summary: \"" + strings.Repeat("There is more to say. ", 300) + "\"\n"
	text := c.refused("less_submit_message", object{"message": message, "agent_id": "child"})
	_, resend, found := strings.Cut(text, "send this instead:\n")
	if !found || !strings.Contains(text, "BUDGET_EXCEEDED") || !strings.Contains(text, "max_inline_tokens") {
		t.Fatalf("it says %q", text)
	}
	c.call("less_deref_pointer", object{"pointer": object{"type": "repo", "ref": "repo:auth.go#L1@" + commit}, "agent_id": "child"})
	if r := c.call("less_submit_message", object{"message": resend, "agent_id": "child"}); len(list(r, "engrams")) != 1 {
		t.Errorf("%v", r)
	}
	fenced := "Here it is:\n```yaml\nROLE: programmer\nTASK_STATUS: done\nENGRAMS: []\nOUTPUT:\n  summary: Nothing found.\n```\n"
	text = c.refused("less_submit_message", object{"message": fenced, "agent_id": "child"})
	if _, resend, _ := strings.Cut(text, "send this instead:\n"); !strings.Contains(text, "outside the fence") || !strings.HasPrefix(resend, "ROLE: programmer") {
		t.Errorf("it says %q", text)
	}
	// Prose has no form to send again, and is shown what one looks like.
	if text := c.refused("less_submit_message", object{"message": "All done, tests pass.", "agent_id": "child"}); !strings.Contains(text, "in its place:\n") || !strings.Contains(text, "TASK_STATUS:") || strings.Contains(text, "send this") {
		t.Errorf("it says %q", text)
	}
	room := c.call("less_request_deref", object{"pointer": object{"type": "repo", "ref": "repo:auth.go#L1@" + commit}, "reason": "x", "agent_id": "child"})
	if turn := room["turn"].(object); turn["repo_spans"] != 0.0 {
		t.Errorf("the turn goes on: %v", turn)
	}
}

// TestBusResend: what is offered in the place of an engram that was refused is taken; an
// excerpt that was refused has nothing to call again.
func TestBusResend(t *testing.T) {
	server, commit := busServer(t)
	c := overPipes(t, server)
	text := c.refused("less_put_engram", object{"kind": "risk", "claim": "Refresh does nothing.", "confidence": 0.3, "ttl": "P7D", "scope": "org", "agent_id": "child",
		"pointers": []any{object{"type": "repo", "ref": "repo:auth.go#L6-L7"}}})
	_, resend, _ := strings.Cut(text, "send this instead:\n")
	var args object
	if err := json.Unmarshal([]byte(resend), &args); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	r := c.call("less_put_engram", args)
	engram := r["engram"].(object)
	if engram["scope"] != "run" || !strings.HasSuffix(list(engram, "pointers")[0]["ref"].(string), "@"+commit) || engram["provenance"].(object)["created_by"] != "child" {
		t.Errorf("%v", r)
	}
	pull := object{"pointer": object{"type": "repo", "ref": "repo:auth.go#L1@" + commit}, "agent_id": "child"}
	for range 3 {
		c.call("less_deref_pointer", pull)
	}
	if text := c.refused("less_deref_pointer", pull); strings.Contains(text, "send this instead") || !strings.Contains(text, "ask the parent") || !strings.Contains(text, "DEREF_REQUESTS:") {
		t.Errorf("it says %q", text)
	}
}

// TestBusInstructions tell of the tools, in what clients keep of them.
func TestBusInstructions(t *testing.T) {
	server, _ := busServer(t)
	told := overPipes(t, server).InitializeResult().Instructions
	if len(told) > 2048 {
		t.Errorf("they have %d bytes", len(told))
	}
	for _, tool := range []string{"less_query_engrams", "less_deref_pointer", "less_request_deref", "less_put_engram", "less_submit_message"} {
		if !strings.Contains(told, tool) {
			t.Errorf("they say nothing of %s", tool)
		}
	}
}

// TestBusBadInput: what makes no sense is refused, objects inside arguments included.
func TestBusBadInput(t *testing.T) {
	server, commit := busServer(t)
	c := overPipes(t, server)
	pointer := object{"type": "repo", "ref": "repo:auth.go#L1@" + commit}
	engram := func(change object) object {
		o := object{"kind": "risk", "claim": "Refresh does nothing.", "pointers": []any{pointer}, "confidence": 0.7, "ttl": "P7D", "scope": "project"}
		for k, v := range change {
			o[k] = v
		}
		return o
	}
	for name, tt := range map[string]struct {
		tool string
		args object
		want string
	}{
		"no evidence":          {"less_put_engram", engram(object{"pointers": []any{}}), "INVALID"},
		"no commit":            {"less_put_engram", engram(object{"pointers": []any{object{"type": "repo", "ref": "repo:auth.go"}}}), "INVALID"},
		"unknown nested field": {"less_put_engram", engram(object{"pointers": []any{object{"type": "repo", "ref": "x", "line": 1}}}), `pointers has no field "line"`},
		"missing nested field": {"less_put_engram", engram(object{"pointers": []any{object{"ref": "x"}}}), "pointers lacks type"},
		"no object":            {"less_deref_pointer", object{"pointer": "repo:auth.go"}, "pointer"},
		"another type":         {"less_deref_pointer", object{"pointer": object{"type": "artifact", "ref": pointer["ref"]}}, "pointer.type"},
		"no reference":         {"less_deref_pointer", object{"pointer": object{"type": "repo", "ref": "auth.go"}}, "pointer.ref"},
		"beyond the project":   {"less_put_engram", engram(object{"scope": "org"}), "parent"},
		"two questions":        {"less_query_engrams", object{"keys": []string{"x"}, "question": "y"}, "or question: "},
		"a reason is missing":  {"less_request_deref", object{"pointer": pointer, "reason": " "}, "reason"},
		"no duration":          {"less_issue_grant", object{"child": "x", "pointer": pointer, "lifetime": "soon", "agent_id": "planner"}, "lifetime"},
	} {
		if text := c.refused(tt.tool, tt.args); !strings.Contains(text, tt.want) || !strings.Contains(text, "error (") {
			t.Errorf("%s: it says %q", name, text)
		}
	}
}

// TestBusBadTexts: whatever agents send, the answer is not that engram failed.
func TestBusBadTexts(t *testing.T) {
	server, commit := busServer(t)
	c := overPipes(t, server)
	check := func(tool string, args object) {
		t.Helper()
		if text := c.refused(tool, args); strings.Contains(text, "(failure)") {
			t.Errorf("%s %.100v: %.200s", tool, args, text)
		}
	}
	for _, text := range []string{"", "I am done.", "{", "[]", "ROLE: x", "a: &b [*b]", "\x00", strings.Repeat("[", 5000), strings.Repeat("x", 70<<10), "SHARED_BRIEF_MICRO: []\nROLE: x\nBUDGETS: {}\n"} {
		check("less_submit_message", object{"message": text, "agent_id": "child"})
		check("less_submit_message", object{"message": text, "agent_id": "child", "budget_tokens": []string{"eg1.x"}})
	}
	for _, ref := range []string{"", "repo:", "x", "repo:a\x00b@0123abc", "repo:auth.go@", "repo:../x@" + commit, "repo:auth.go#L0@" + commit, "repo:auth.go@" + strings.Repeat("0", 40), strings.Repeat("a", 9000)} {
		pointer := object{"type": "repo", "ref": ref}
		check("less_deref_pointer", object{"pointer": pointer, "agent_id": "child"})
		check("less_put_engram", object{"kind": "risk", "claim": "Sessions outlive.", "pointers": []any{pointer}, "confidence": 0.8, "ttl": "P7D", "scope": "project", "agent_id": "child"})
	}
}

// TestBusIsNotGoneRound: where the bus is on, the tools of plain memory neither write for
// an agent that is no parent nor hand it what it would have to pay for.
func TestBusIsNotGoneRound(t *testing.T) {
	dir := newMemory(t)
	var agent string
	serve := func(name string) client {
		agent = name
		server, err := mcp.New(func(ctx context.Context) (mcp.Opened, func(), error) {
			m, err := memory.Open(ctx, dir, secret.New(), &memory.Options{Bus: memory.BusOptions{Parents: []string{"planner"}}})
			if err != nil {
				return mcp.Opened{}, nil, err
			}
			return mcp.Opened{Memory: m, Agent: agent}, func() { _ = m.Close() }, nil
		}, &mcp.Options{Version: "v0", Profiles: mcp.Profiles()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = server.Close() })
		return overPipes(t, server)
	}
	parent := serve("planner")
	parent.call("engram_delegate", object{"flow": "pay", "id": "1", "child": "child", "task": "Look."})
	parent.call("engram_delegate", object{"flow": "pay", "id": "2", "child": "other", "task": "Look."})
	long := strings.Repeat("a long detail ", 100)
	done := parent.call("engram_commit", object{"content": "Refunds are paid once.", "key": "domain/pay/once", "detail": long})
	child := serve("child")
	for tool, args := range map[string]object{
		"engram_commit":   {"content": "It is not so.", "key": "domain/pay/once", "operation": "delete"},
		"mem_save":        {"title": "A title", "content": "func main() { run() }"},
		"engram_audit":    {},
		"engram_delegate": {"flow": "pay", "id": "3", "child": "other", "task": "Do as I say."},
	} {
		if text := child.refused(tool, args); !strings.Contains(text, "for parents") || !strings.Contains(text, "less_put_engram") {
			t.Errorf("%s: %s", tool, text)
		}
	}
	for result, refused := range map[string]object{
		"BUDGET_EXCEEDED": {"key": "sdd/pay/1/child", "result": "Much.", "detail": strings.Repeat(long, 3)},
		"may not state":   {"key": "sdd/pay/2/other", "result": "Nothing."},
	} {
		if text := child.refused("engram_report", refused); !strings.Contains(text, result) {
			t.Errorf("%s: %s", result, text)
		}
	}
	child.call("engram_report", object{"key": "sdd/pay/1/child", "result": "Nothing."})
	got := child.call("engram_get", object{"key": "domain/pay/once", "history": 3})
	fact, versions := got["fact"].(object), got["versions"]
	if fact["claim"] != "Refunds are paid once." || fact["detail"] != nil || versions != nil {
		t.Errorf("%v", got)
	}
	ref := "sam:domain/pay/once@" + done["fact_id"].(string)
	if notes, _ := got["notes"].([]any); len(notes) != 2 || !strings.Contains(notes[0].(string), ref) {
		t.Errorf("notes: %v", got["notes"])
	}
	pulled := child.call("less_deref_pointer", object{"pointer": object{"type": "sam", "ref": ref}})
	if text, _ := pulled["excerpt"].(string); !strings.Contains(text, "a long detail") {
		t.Errorf("%v", pulled)
	}
	recalled := list(child.call("engram_recall", object{"queries": []string{"how often are refunds paid?"}}), "items")
	if len(recalled) != 1 || recalled[0]["text"] != "Refunds are paid once." || recalled[0]["pointer"] != "domain/pay/once" {
		t.Errorf("recalled: %v", recalled)
	}
	if fact := parent.call("engram_get", object{"key": "domain/pay/once"})["fact"].(object); fact["detail"] == nil {
		t.Error("a parent does not see the detail")
	}
}
