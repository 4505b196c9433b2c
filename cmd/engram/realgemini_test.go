//go:build unix

package main

import (
	"path/filepath"
	"testing"
)

func newGemini(t *testing.T) *client {
	c := newClient(t, "gemini", "gemini")
	c.env = append(c.env, "GOOGLE_GEMINI_BASE_URL="+c.model.URL, "GEMINI_API_KEY=none", "GEMINI_CLI_TRUST_WORKSPACE=true")
	c.file(filepath.Join(c.home, ".gemini", "settings.json"), `{
  "general": {"disableAutoUpdate": true, "disableUpdateNag": true, "enableAutoUpdate": false},
  "privacy": {"usageStatisticsEnabled": false},
  "security": {"auth": {"selectedType": "gemini-api-key"}}
}
`)
	c.mustRun("engram", "setup", "gemini")
	return c
}

// geminiArgs are the arguments of a run without questions.
func geminiArgs(prompt string, args ...string) []string {
	return append([]string{"--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-flash", "-p", prompt}, args...)
}

func shellOfGemini(say, command string) move {
	return move{say: say, tool: "run_shell_command", input: map[string]any{"command": command, "description": "Run it"}}
}

// TestRealGemini is TestRealClaude with Gemini CLI.
func TestRealGemini(t *testing.T) {
	c := newGemini(t)
	c.model.play(
		move{say: "I write the time-out down.", tool: "write_file", input: map[string]any{"file_path": filepath.Join(c.repo, "gateway.txt"), "content": "timeout = 30s\n"}},
		shellOfGemini("", "git add gateway.txt && git commit -m 'Give the gateway a time-out'"),
		shellOfGemini("", "engram commit 'The gateway waits 30 seconds.' --scope gateway --json"),
		move{say: "The gateway now gives up after 30 seconds."},
	)
	c.mustRun(c.program, geminiArgs("Give the gateway a time-out of 30 seconds.")...)
	c.checkTurn(c.sessions()[0], "session-start", "prompt", "tool", "stop", "end")
}

// TestRealGeminiKilled is TestRealClaudeKilled with Gemini CLI.
func TestRealGeminiKilled(t *testing.T) {
	c := newGemini(t)
	c.model.play(shellOfGemini("I look around.", "cat README.md"), move{say: "It is a gateway, and", stall: true})
	c.killMidTurn(geminiArgs("What is this?")...)
	transcripts, _ := filepath.Glob(filepath.Join(c.home, ".gemini", "tmp", "*", "chats", "*.jsonl"))
	if ids := c.sessions(); len(ids) != 1 || len(transcripts) != 1 {
		t.Fatalf("the sessions are %v, the transcripts %v", ids, transcripts)
	}
	id := c.sessions()[0]
	c.checkKilled(id, transcripts[0])
	c.model.play(move{say: "A gateway."})
	c.mustRun(c.program, geminiArgs("Go on.", "--resume", "latest")...)
	c.checkResumed(id, transcripts[0])
}
