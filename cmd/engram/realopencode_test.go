//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func newOpenCode(t *testing.T) *client {
	c := newClient(t, "opencode", "opencode")
	c.env = append(c.env, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1")
	c.file(filepath.Join(c.home, ".config", "opencode", "opencode.json"), `{
  "$schema": "https://opencode.ai/config.json", "model": "scripted/one", "share": "disabled",
  "provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "name": "Scripted",
    "options": {"baseURL": "`+c.model.URL+`/v1", "apiKey": "none"},
    "models": {"one": {"name": "One", "limit": {"context": 100000, "output": 4000}}}}}
}
`)
	c.mustRun("engram", "setup", "opencode")
	return c
}

func shellOfOpenCode(say, command string) move {
	return move{say: say, tool: "bash", input: map[string]any{"command": command, "description": "Run it"}}
}

// texts counts how often events say something.
func texts(events []clientEvent, kind, text string) (n int) {
	for _, e := range events {
		if e.Kind == kind && strings.Contains(e.Text, text) {
			n++
		}
	}
	return n
}

// exported waits until a session is what OpenCode itself writes of it, but for the order of
// fields.
func (c *client) exported(id string) {
	c.t.Helper()
	messages := func(text string) string {
		var doc struct{ Messages any }
		if err := json.Unmarshal([]byte(text), &doc); err != nil {
			c.t.Fatalf("%v: %.300s", err, text)
		}
		ordered, _ := json.MarshalIndent(doc.Messages, "", " ")
		return string(ordered)
	}
	want, got := messages(c.mustRun(c.program, "export", id)), ""
	for begin := time.Now(); time.Since(begin) < 10*time.Second; time.Sleep(200 * time.Millisecond) {
		if got = messages(c.mustRun("engram", "session", "export", id)); got == want {
			return
		}
	}
	c.t.Errorf("the session has\n%s\nOpenCode has\n%s", got, want)
}

// TestRealOpenCode is TestRealClaude with OpenCode, whose hooks are those of a plugin.
func TestRealOpenCode(t *testing.T) {
	c := newOpenCode(t)
	c.model.play(
		move{say: "I write the time-out down.", tool: "write", input: map[string]any{"filePath": filepath.Join(c.repo, "gateway.txt"), "content": "timeout = 30s\n"}},
		shellOfOpenCode("", "git add gateway.txt && git commit -m 'Give the gateway a time-out'"),
		shellOfOpenCode("", "engram commit 'The gateway waits 30 seconds.' --scope gateway --json"),
		move{say: "The gateway now gives up after 30 seconds."},
	)
	c.mustRun(c.program, "run", "Give the gateway a time-out of 30 seconds.")
	c.untilKept("The gateway now gives up")
	id := c.sessions()[0]
	c.checkTurn(id, "session-start", "prompt", "tool", "stop")
	c.exported(id)

	// Another turn in another process: it is told the fact, and nothing is kept twice.
	c.model.play(move{say: "It waits 30 seconds."})
	c.mustRun(c.program, "run", "--session", id, "How long does the gateway wait?")
	c.untilKept("It waits 30 seconds.")
	if asked := c.model.lastAsked(); !strings.Contains(asked, "the-gateway-waits-30-seconds") {
		t.Errorf("the agent is not told the fact: %.2000s", asked)
	}
	c.sealed(id)
	before := c.events(id)
	for _, text := range []string{"I write the time-out down.", "The gateway now gives up", "It waits 30 seconds."} {
		if n := texts(before, "agent_message", text); n != 1 {
			t.Errorf("%q is there %d times", text, n)
		}
	}
	c.exported(id)
	c.mustRun("engram", "session", "import", "--all")
	if after := c.events(id); len(after) > len(before)+1 { // the frame
		t.Errorf("import added %d events", len(after)-len(before))
	}
	copies, _ := filepath.Glob(filepath.Join(c.repo, ".git", "engram", "sessions", "opencode", "*"))
	if len(copies) > 0 {
		t.Errorf("unscanned copies are left: %v", copies)
	}
	if t.Failed() {
		for _, e := range c.events(id) {
			t.Logf("%+v", e)
		}
	}
}

// untilKept waits until a session has a message of the agent: OpenCode does not wait for what
// keeps it.
func (c *client) untilKept(text string) {
	c.t.Helper()
	for begin := time.Now(); time.Since(begin) < 20*time.Second; time.Sleep(100 * time.Millisecond) {
		if slices.ContainsFunc(c.sessions(), func(id string) bool { return texts(c.events(id), "agent_message", text) > 0 }) {
			return
		}
	}
	log, _ := os.ReadFile(c.log())
	c.t.Fatalf("no session has %q\n%s", text, log)
}

// TestRealOpenCodeKilled: what a killed OpenCode has is taken up when it starts again.
func TestRealOpenCodeKilled(t *testing.T) {
	c := newOpenCode(t)
	c.model.play(shellOfOpenCode("I look around.", "cat README.md"), move{say: "It is a gateway, and", stall: true})
	c.killMidTurn("run", "What is this?")
	c.model.play(move{say: "A gateway."})
	c.mustRun(c.program, "run", "Begin another one.")
	c.untilKept("I look around.")
	c.untilKept("A gateway.")
	var killed string
	for _, id := range c.sessions() {
		if events := c.events(id); texts(events, "user_message", "What is this?") > 0 {
			killed = id
			c.want(events, "tool_call", "README.md")
			c.want(events, "tool_result", "A gateway.")
		}
	}
	c.sealed(killed)
	c.exported(killed)
	c.model.play(move{say: "I went on."})
	c.mustRun(c.program, "run", "--session", killed, "Go on.")
	c.untilKept("I went on.")
	c.sealed(killed)
	c.exported(killed)
	if n := texts(c.events(killed), "agent_message", "I look around."); n != 1 {
		t.Errorf("a message of the killed one is there %d times", n)
	}
}

// TestRealOpenCodeCompacts: after a compaction the agent is told how to find what left.
func TestRealOpenCodeCompacts(t *testing.T) {
	c := newOpenCode(t)
	c.model.play(
		shellOfOpenCode("I look around.", "cat README.md"),
		move{say: "It is a gateway.", tool: "bash", used: 99_000, input: map[string]any{"command": "echo once more", "description": "Run it"}},
	)
	c.mustRun(c.program, "run", "What is this?")
	c.untilKept("It is a gateway.")
	id := c.sessions()[0]
	c.sealed(id)
	if len(c.hooksRun("pre-compact")) == 0 {
		t.Error("no pre-compact hook ran")
	}
	again := slices.DeleteFunc(c.hooksRun("session-start"), func(in map[string]any) bool { return in["source"] != "compact" })
	if len(again) == 0 {
		t.Error("the hook did not run after the compaction")
	}
	c.model.play(move{say: "A gateway it is."})
	c.mustRun(c.program, "run", "--session", id, "What did I ask at first?")
	if asked := c.model.lastAsked(); !strings.Contains(asked, "engram recall") && !strings.Contains(asked, "engram_recall") {
		t.Errorf("the agent is not told how to recall: %.3000s", asked)
	}
	c.exported(id)
	if t.Failed() {
		log, _ := os.ReadFile(c.log())
		t.Logf("%s", log)
		for _, e := range c.events(id) {
			t.Logf("%+v", e)
		}
	}
}
