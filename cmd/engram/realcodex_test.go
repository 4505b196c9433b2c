//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func newCodex(t *testing.T) *client {
	c := newClient(t, "codex", "codex")
	c.env = append(c.env, "SCRIPTED_KEY=none")
	c.file(filepath.Join(c.home, ".codex", "config.toml"), fmt.Sprintf(`model = "gpt-5"
model_provider = "scripted"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = %q
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`, c.model.URL+"/v1"))
	c.mustRun("engram", "setup", "codex")
	// It names the program itself, as the one on the PATH is another one.
	hooks := filepath.Join(c.home, ".codex", "hooks.json")
	text, err := os.ReadFile(hooks)
	if err != nil {
		t.Fatal(err)
	}
	c.file(hooks, strings.ReplaceAll(string(text), c.engram, c.wrapper))
	return c
}

// codex are the arguments of a run without questions: Codex asks whether new hooks may run.
func codex(args ...string) []string {
	return append([]string{"exec", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"}, args...)
}

// rollout is the one transcript of Codex, and the session that it is of.
func (c *client) rollout() (path, id string) {
	c.t.Helper()
	files, _ := filepath.Glob(filepath.Join(c.home, ".codex", "sessions", "*", "*", "*", "rollout-*.jsonl"))
	if len(files) != 1 {
		c.t.Fatalf("the transcripts are %v", files)
	}
	name := strings.TrimSuffix(filepath.Base(files[0]), ".jsonl")
	return files[0], name[len(name)-36:]
}

// shellOfCodex is a call of Codex's shell.
func shellOfCodex(say, command string) move {
	return move{say: say, tool: "exec_command", input: map[string]any{"cmd": command, "login": false}}
}

// TestRealCodex is TestRealClaude with Codex.
func TestRealCodex(t *testing.T) {
	c := newCodex(t)
	c.model.play(
		shellOfCodex("I write the time-out down.", "echo 'timeout = 30s' > gateway.txt"),
		shellOfCodex("", "git add gateway.txt && git commit -m 'Give the gateway a time-out'"),
		shellOfCodex("", "engram commit 'The gateway waits 30 seconds.' --scope gateway --json"),
		move{say: "The gateway now gives up after 30 seconds."},
	)
	c.mustRun(c.program, codex("Give the gateway a time-out of 30 seconds.")...)
	_, id := c.rollout()
	c.checkTurn(id, "session-start", "prompt", "tool", "stop")

	// The same session goes on.
	c.model.play(move{say: "It is 30 seconds."})
	c.mustRun(c.program, codex("resume", id, "How long does it wait?")...)
	path, _ := c.rollout()
	c.checkLate(id, path, "It is 30 seconds.")
}

// TestRealCodexKilled is TestRealClaudeKilled with Codex.
func TestRealCodexKilled(t *testing.T) {
	c := newCodex(t)
	c.model.play(shellOfCodex("I look around.", "cat README.md"), move{say: "It is a gateway, and", stall: true})
	c.killMidTurn(codex("What is this?")...)
	path, id := c.rollout()
	c.checkKilled(id, path)
	c.model.play(move{say: "Nothing but a gateway."})
	c.mustRun(c.program, codex("resume", id, "Go on.")...)
	c.checkLate(id, path, "Nothing but a gateway.")
}

// checkLate is checkResumed for a client that has no hook for its end. It writes after its
// last hook; what the process that seals did not wait for comes with an import.
func (c *client) checkLate(id, transcript, last string) {
	c.t.Helper()
	for begin := time.Now(); !strings.Contains(c.mustRun("engram", "session", "show", id, "--json"), last); time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			c.t.Fatalf("no event has %q", last)
		}
	}
	c.mustRun("engram", "session", "import", transcript)
	c.mustRun("engram", "session", "seal", id)
	c.checkResumed(id, transcript)
}
