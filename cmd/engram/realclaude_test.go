//go:build unix

package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func newClaude(t *testing.T) *client {
	c := newClient(t, "claude-code", "claude")
	c.env = append(c.env, "ANTHROPIC_BASE_URL="+c.model.URL, "ANTHROPIC_API_KEY=sk-scripted", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
		"DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
	c.mustRun("engram", "setup", "claude-code")
	return c
}

func (c *client) claude(args ...string) []string {
	return append([]string{"--allowedTools", "Bash,Write,Read", "--permission-mode", "acceptEdits", "--output-format", "json", "-p"}, args...)
}

// TestRealClaude: what a real Claude Code does in a turn is in its session, and a line of
// code and a fact lead to it.
func TestRealClaude(t *testing.T) {
	c := newClaude(t)
	c.model.play(
		move{say: "I write the time-out down.", tool: "Write", input: map[string]any{"file_path": filepath.Join(c.repo, "gateway.txt"), "content": "timeout = 30s\n"}},
		move{tool: "Bash", input: map[string]any{"command": "git add gateway.txt && git commit -m 'Give the gateway a time-out'", "description": "Commit"}},
		move{tool: "Bash", input: map[string]any{"command": "engram commit 'The gateway waits 30 seconds.' --scope gateway --json", "description": "Keep the fact"}},
		move{say: "The gateway now gives up after 30 seconds."},
	)
	out := c.mustRun(c.program, c.claude("Give the gateway a time-out of 30 seconds.")...)
	var result struct {
		ID string `json:"session_id"`
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil || result.ID == "" {
		t.Fatalf("%v: %s", err, out)
	}
	c.checkTurn(result.ID, "session-start", "prompt", "tool", "stop", "end")

	// The same session goes on, and is compacted.
	c.mustRun("engram", "task", "set", "--session", result.ID, "--goal", "Give every service a time-out", "--next", "Look at the billing service")
	c.model.play(move{say: "<summary>The gateway has a time-out.</summary>"})
	c.mustRun(c.program, c.claude("/compact", "--resume", result.ID)...)
	compacted := slices.ContainsFunc(c.hooksRun("session-start"), func(input map[string]any) bool { return input["source"] == "compact" })
	if before := len(c.hooksRun("pre-compact")); before != 1 || !compacted {
		t.Errorf("%d pre-compact hooks, session-start after it: %t", before, compacted)
	}
	c.sealed(result.ID)
	c.want(c.events(result.ID), "system_note", "The gateway has a time-out.")

	// Its next request has the state of its task and what left its window.
	c.model.play(move{say: "I look at billing next."})
	c.mustRun(c.program, c.claude("Go on.", "--resume", result.ID)...)
	asked := c.model.lastAsked()
	for _, want := range []string{"Go on.", "Give every service a time-out", "Look at the billing service", "[Events T1–T", "gateway.txt", "engram_recall", "engram recall QUERY"} {
		if !strings.Contains(asked, want) {
			t.Errorf("after the compaction the model was not told %q: %s", want, asked)
		}
	}
}

// TestRealClaudeKilled: Claude Code is killed in the middle of an answer. What its
// transcript has is in the session, which is listed and goes on.
func TestRealClaudeKilled(t *testing.T) {
	c := newClaude(t)
	c.model.play(
		move{say: "I look around.", tool: "Bash", input: map[string]any{"command": "cat README.md", "description": "Read"}},
		move{say: "It is a gateway, and", stall: true},
	)
	c.killMidTurn(c.claude("What is this?")...)
	transcripts, _ := filepath.Glob(filepath.Join(c.home, ".claude", "projects", "*", "*.jsonl"))
	if len(transcripts) != 1 {
		t.Fatalf("the transcripts are %v", transcripts)
	}
	id := strings.TrimSuffix(filepath.Base(transcripts[0]), ".jsonl")
	c.checkKilled(id, transcripts[0])
	c.model.play(move{say: "A gateway."})
	c.mustRun(c.program, c.claude("Go on.", "--resume", id)...)
	c.checkResumed(id, transcripts[0])
}
