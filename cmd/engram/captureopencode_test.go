//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// openCodeCopy is what OpenCode's plugin writes of a session, with the parts of its second
// message.
func openCodeCopy(folder, id, parent, title, parts string) string {
	if parent != "" {
		parent = fmt.Sprintf(`"parentID": %q, `, parent)
	}
	return fmt.Sprintf(`{
  "info": {"id": %q, %s"directory": %q, "title": %q, "version": "1.18.33", "time": {"created": 1772359200000, "updated": 1772359300000}},
  "messages": [
    {"info": {"id": "msg_1", "sessionID": %[1]q, "role": "user", "time": {"created": 1772359200000}}, "parts": [{"id": "prt_1", "type": "text", "text": "Fix %[1]s"}]},
    {"info": {"id": "msg_2", "sessionID": %[1]q, "role": "assistant", "time": {"created": 1772359201000}}, "parts": [%[5]s]}
  ]
}`, id, parent, folder, title, parts)
}

// TestCaptureOpenCode: of a message that OpenCode changes while it works, each part is kept
// once; a sub-agent belongs to its session; a copy is removed when it was read.
func TestCaptureOpenCode(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	c := newCaptured(t)
	folder := filepath.Join(c.repo, ".git", "engram", "sessions", "opencode")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	tell := func(event, id, doc string) {
		t.Helper()
		file := filepath.Join(folder, id+".json")
		if err := os.WriteFile(file, []byte(doc), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(c.engram, "hook", event, "--client", "opencode")
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"ses_1","transcript_path":%q,"cwd":%q}`, file, c.repo))
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%s: %v\n%s", event, err, out)
		}
		for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			if _, err := os.Stat(file); os.IsNotExist(err) {
				return
			}
			if time.Since(begin) > 20*time.Second {
				t.Fatalf("%s: the copy is not read", event)
			}
		}
	}
	output := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(c.engram, append([]string{"--repo", c.repo}, args...)...).Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return string(out)
	}
	const said = `{"id": "prt_2", "type": "text", "text": "I look."}`
	call := func(state string) string {
		return said + `, {"id": "prt_3", "type": "tool", "callID": "call_1", "tool": "bash", "state": {` + state + `"input": {"command": "ls"}}}`
	}
	const done = `"status": "completed", "output": "tax.go", `
	tell("tool", "ses_1", openCodeCopy(c.repo, "ses_1", "", "New", call(`"status": "running", `)))
	tell("stop", "ses_1", openCodeCopy(c.repo, "ses_1", "", "Tax", call(done)+`, {"id": "prt_4", "type": "text", "text": "Done."}`))
	tell("subagent", "ses_2", openCodeCopy(c.repo, "ses_2", "ses_1", "Sub", said))
	// The same with its fields in another order is nothing new.
	tell("stop", "ses_1", strings.ReplaceAll(openCodeCopy(c.repo, "ses_1", "", "Tax", call(done)+`, {"id": "prt_4", "type": "text", "text": "Done."}`),
		`"role": "user", "time": {"created": 1772359200000}`, `"time": {"created": 1772359200000}, "role": "user"`))

	mustRun(t, c.repo, nil, c.engram, "session", "seal", "ses_1")
	got := output("session", "show", "ses_1", "--all", "--full", "--json")
	for text, want := range map[string]int{`"text": "Fix ses_1"`: 1, `"text": "Fix ses_2"`: 1, `"text": "I look."`: 2, `"kind": "tool_call"`: 1, `"text": "tax.go"`: 1, `"text": "Done."`: 1} {
		if n := strings.Count(got, text); n != want {
			t.Errorf("%s is there %d times, not %d", text, n, want)
		}
	}
	list := output("session", "list", "--json")
	if strings.Count(list, `"session_id"`) != 1 || !strings.Contains(list, `"opencode"`) {
		t.Errorf("%s", list)
	}
	export := output("session", "export", "ses_1")
	if strings.Contains(export, "running") || !strings.Contains(export, `"title": "Tax"`) {
		t.Errorf("not the newest version: %s", export)
	}
	if t.Failed() {
		t.Log(got)
	}
}
