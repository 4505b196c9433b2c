package transcript_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/session"
	"engram/session/transcript"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// whole reads a transcript of any format: its lines, or the frame and the items.
func whole(t testing.TB, f transcript.Format, content []byte) []session.Record {
	t.Helper()
	if !f.Document() {
		all, _ := records(t, f, content)
		return all
	}
	items, frame, err := f.Split(content)
	if err != nil {
		r, _ := f.Line(content, transcript.Meta{})
		return []session.Record{r}
	}
	raws := make([][]byte, len(items))
	for i := range items {
		raws[i] = items[i].Raw
	}
	if joined, err := f.Join(frame, raws); err != nil || !bytes.Equal(joined, content) {
		t.Fatalf("joined %.500q\nwant   %.500q\nerror %v", joined, content, err)
	}
	r, meta := f.Frame(frame, transcript.Meta{})
	all := []session.Record{r}
	for _, item := range items {
		if r, meta = f.Line(item.Raw, meta); item.Key != "" && !r.Unique {
			t.Errorf("an item with the id %q is not unique", item.Key)
		}
		all = append(all, r)
	}
	return all
}

// rendered is a record with its events, a line each.
func rendered(number int, r session.Record) string {
	var b strings.Builder
	for _, e := range r.Events {
		fmt.Fprintf(&b, "%d %s %s", number, e.Kind, strings.Join(e.Tags, ","))
		for _, field := range []struct{ name, value string }{
			{"agent", e.Agent}, {"sub", e.SubAgent}, {"model", e.Model}, {"branch", e.Branch}, {"tool", e.Tool}, {"call", e.Call},
			{"paths", strings.Join(e.Paths, ",")}, {"commits", strings.Join(e.Commits, ",")}, {"facts", strings.Join(e.Facts, ",")},
		} {
			if field.value != "" {
				fmt.Fprintf(&b, " %s=%s", field.name, field.value)
			}
		}
		if e.Failed {
			b.WriteString(" failed")
		}
		if !e.At.IsZero() {
			b.WriteString(" " + e.At.Format("15:04:05.999"))
		}
		for _, blob := range e.Blobs {
			fmt.Fprintf(&b, " blob=%s/%d", blob.MediaType, len(blob.Data))
		}
		fmt.Fprintf(&b, " %q\n", e.Text)
	}
	return b.String()
}

func TestFormats(t *testing.T) {
	for name, format := range map[string]transcript.Format{
		"claude-code.jsonl": transcript.ClaudeCode, "codex.jsonl": transcript.Codex, "codex-old.jsonl": transcript.Codex,
		"gemini.json": transcript.Gemini, "gemini-lines.jsonl": transcript.GeminiLines, "opencode.json": transcript.OpenCode,
		"opencode-storage.jsonl": transcript.OpenCodeStorage, "jsonl.jsonl": transcript.JSONLines, "swe-agent.traj": transcript.SWEAgent,
	} {
		t.Run(name, func(t *testing.T) {
			content, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			if f := transcript.Detect("x", content); f != format {
				t.Errorf("detected %q, want %q", f, format)
			}
			if f := transcript.Detect("x", content[:min(len(content), 300)]); f != format {
				t.Errorf("detected %q in the beginning, want %q", f, format)
			}
			var b strings.Builder
			for i, r := range whole(t, format, content) {
				b.WriteString(rendered(i, r))
				checkRestored(t, r)
			}
			golden := filepath.Join("testdata", strings.TrimSuffix(name, filepath.Ext(name))+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRealDocumentsAreReadAndRestored(t *testing.T) {
	for name, content := range transcripts(t) {
		if strings.HasSuffix(name, ".jsonl") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			f := transcript.Detect(name, content[:min(len(content), 4096)])
			if !f.Document() {
				t.Fatalf("detected %q", f)
			}
			got := map[string]int{}
			for _, r := range whole(t, f, content) {
				for _, e := range r.Events {
					got[string(e.Kind)]++
				}
				checkRestored(t, r)
			}
			if diff := cmp.Diff(secondDocument(t, content), got); diff != "" {
				t.Errorf("kinds (-second reader +this one):\n%s", diff)
			}
		})
	}
}

// secondDocument counts the kinds in a document as an independent reader does.
func secondDocument(t *testing.T, content []byte) map[string]int {
	var d map[string]any
	if err := json.Unmarshal(content, &d); err != nil {
		return map[string]int{"system_note": 1}
	}
	counts := map[string]int{"system_note": 1}
	acted := false
	list, _ := d["history"].([]any)
	for _, h := range list {
		m := h.(map[string]any)
		switch role := m["role"]; {
		case m["is_demo"] == true || role == "system":
			counts["system_note"]++
		case role == "assistant":
			if m["content"] != "" {
				counts["agent_message"]++
			}
			if calls, ok := m["tool_calls"].([]any); ok {
				counts["tool_call"] += len(calls)
			} else if m["action"] != nil && m["action"] != "" {
				counts["tool_call"]++
			}
		case role == "tool" || acted:
			counts["tool_result"]++
		default:
			counts["user_message"]++
		}
		acted = m["role"] == "assistant"
	}
	messages, _ := d["messages"].([]any)
	for _, each := range messages {
		m := each.(map[string]any)
		before := counts["system_note"] + counts["agent_message"] + counts["user_message"] + counts["tool_call"] + counts["tool_result"]
		switch m["type"] {
		case "user":
			counts["user_message"]++
		case "gemini":
			if thoughts, _ := m["thoughts"].([]any); len(thoughts) > 0 {
				counts["agent_message"]++
			}
			if m["content"] != "" {
				counts["agent_message"]++
			}
			calls, _ := m["toolCalls"].([]any)
			for _, c := range calls {
				call := c.(map[string]any)
				counts["tool_call"]++
				if call["result"] != nil || call["status"] == "error" || call["status"] == "cancelled" {
					counts["tool_result"]++
				}
			}
		}
		if before == counts["system_note"]+counts["agent_message"]+counts["user_message"]+counts["tool_call"]+counts["tool_result"] {
			counts["system_note"]++
		}
	}
	return counts
}

func TestDamagedInput(t *testing.T) {
	big := `{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"` + strings.Repeat(`a \"line\" of output\n`, 50<<20/21) + `"}]}}`
	image := base64.StdEncoding.EncodeToString([]byte("not an image"))
	for name, c := range map[string]struct {
		raw, kind, tag, text string
	}{
		"empty":             {"", "system_note", transcript.TagBlank, ""},
		"blank":             {" \t\r", "system_note", transcript.TagBlank, ""},
		"NUL":               {"\x00\x00", "system_note", session.TagMalformed, ""},
		"NUL in a string":   {"{\"type\":\"user\",\"message\":{\"content\":\"a\x00b\"}}", "system_note", session.TagMalformed, ""},
		"cut off":           {`{"type":"user","message":{"content":"a`, "system_note", session.TagMalformed, ""},
		"two objects":       {`{"type":"user"}{"type":"user"}`, "system_note", session.TagMalformed, ""},
		"deep":              {strings.Repeat(`{"message":`, 20000), "system_note", session.TagMalformed, ""},
		"deep but whole":    {`{"a":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`, "system_note", transcript.TagOther, ""},
		"not UTF-8":         {"{\"type\":\"user\",\"message\":{\"content\":\"a\xff\xfeb\"}}", "user_message", "", "a\uFFFD\uFFFDb"},
		"input not UTF-8":   {"{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"tool_use\",\"input\":{\"a\":\"" + strings.Repeat("\xff", 99) + "\"}}]}}", "tool_call", "", `{"a":"` + "\uFFFD" + `"}`},
		"lone surrogate":    {`{"type":"user","message":{"content":"a\ud800b"}}`, "user_message", "", "a\uFFFDb"},
		"escapes":           {`{"type":"user","message":{"content":"\u001b]0;x\u0007\u202e\u0000"}}`, "user_message", "", "\x1b]0;x\a\u202e\x00"},
		"wrong types":       {`{"type":["user"],"message":"x","timestamp":{},"uuid":1,"cwd":[],"isSidechain":"true"}`, "system_note", transcript.TagOther, ""},
		"blocks of rubbish": {`{"type":"user","message":{"content":[1,null,[],{"type":{}},{"type":"image","source":{"data":"!!"}},{"type":"image","source":{"data":"` + image + `"}}]}}`, "system_note", transcript.TagOther, ""},
		"far time":          {`{"type":"user","message":{"content":"x"},"timestamp":"0000-01-01T00:00:00+23:59"}`, "user_message", "", "x"},
		"long":              {big, "tool_result", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := transcript.ClaudeCode.Line([]byte(c.raw), transcript.Meta{})
			e := r.Events[0]
			if string(e.Kind) != c.kind || c.tag != "" && !slices.Contains(e.Tags, c.tag) || c.text != "" && e.Text != c.text {
				t.Errorf("got %s %v %.100q", e.Kind, e.Tags, e.Text)
			}
			if len(c.raw) < 1<<20 {
				checkRestored(t, r)
			} else if len(e.Text) < len(c.raw)*8/10 {
				t.Errorf("the text has %d bytes of %d", len(e.Text), len(c.raw))
			}
		})
	}
}

func TestDocumentsThatAreNone(t *testing.T) {
	for _, doc := range []string{"", "[]", "{", `{"messages":[{"id":"a"},`, "\x00"} {
		if items, frame, err := transcript.Gemini.Split([]byte(doc)); err == nil {
			t.Errorf("%q: got items %v and frame %q", doc, items, frame)
		}
		if r, _ := transcript.Gemini.Line([]byte(doc), transcript.Meta{}); string(r.Raw) != doc || len(r.Events) != 1 {
			t.Errorf("%q: got %+v", doc, r)
		}
	}
	if _, err := transcript.Gemini.Join([]byte(`{"messages":[[2,","]]}`), [][]byte{[]byte("1")}); err == nil {
		t.Error("joined an item into a frame of two")
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       transcript.Format
	}{
		{"notes.txt", "hello", ""},
		{"a.jsonl", "", ""},
		{"a.json", `{"name":"x","version":"1"}`, ""},
		{"rollout-1.jsonl", "{\"cut", transcript.Codex},
		{"x", "garbage\n{\"type\":\"user\",\"uuid\":\"1\"}\n", transcript.ClaudeCode},
		{"x.jsonl", "\xef\xbb\xbf{\"role\":\"user\",\"content\":\"x\"}", transcript.JSONLines},
		{"x.json", `{"sessionId":"1","projectHash":"2","messages":[]}`, transcript.Gemini},
		{"x.jsonl", `{"sessionId":"1","projectHash":"2","messages":[]}`, transcript.GeminiLines},
		{"x.traj", `{"environment":"a","trajectory":[{"action":"`, transcript.SWEAgent},
	} {
		if got := transcript.Detect(c.name, []byte(c.head)); got != c.want {
			t.Errorf("Detect(%q, %q) = %q, want %q", c.name, c.head, got, c.want)
		}
	}
}

func TestPlacesAndCommands(t *testing.T) {
	env := map[string]string{}
	getenv := func(name string) string { return env[name] }
	var got []string
	for _, f := range transcript.Formats() {
		got = append(got, fmt.Sprint(f, " ", f.Document(), " ", f.ResumeCommand("ID")))
		for _, pattern := range f.Places("/home/ada", getenv, "/home/ada/my.shop") {
			if _, err := filepath.Match(pattern, ""); err != nil {
				t.Errorf("%s: %v", pattern, err)
			}
			got = append(got, "  "+pattern)
		}
	}
	want := strings.Split(strings.TrimSpace(`
claude-code false [claude --resume ID]
  /home/ada/.claude/projects/-home-ada-my-shop/*.jsonl
  /home/ada/.claude/projects/-home-ada-my-shop/*/subagents/*.jsonl
codex false [codex resume ID]
  /home/ada/.codex/sessions/*/*/*/rollout-*.jsonl
  /home/ada/.codex/sessions/rollout-*.jsonl
  /home/ada/.codex/archived_sessions/rollout-*.jsonl
gemini true [gemini --resume ID]
  /home/ada/.gemini/tmp/63dc19738dbb/chats/session-*.json
  /home/ada/.gemini/tmp/63dc19738dbb/chats/*/*.json
  /home/ada/.gemini/tmp/my.shop/chats/session-*.json
  /home/ada/.gemini/tmp/my.shop/chats/*/*.json
gemini-lines false [gemini --resume ID]
  /home/ada/.gemini/tmp/63dc19738dbb/chats/session-*.jsonl
  /home/ada/.gemini/tmp/63dc19738dbb/chats/*/*.jsonl
  /home/ada/.gemini/tmp/my.shop/chats/session-*.jsonl
  /home/ada/.gemini/tmp/my.shop/chats/*/*.jsonl
opencode true [opencode --session ID]
opencode-storage false [opencode --session ID]
  /home/ada/.local/share/opencode/storage/session/*/*.json
jsonl false []
swe-agent true []`), "\n")
	for i, line := range got { // of the digest, 12 digits are enough
		if at := strings.Index(line, "/tmp/"); at > 0 && len(line) > at+69 && line[at+69] == '/' {
			got[i] = line[:at+17] + line[at+69:]
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	env["CLAUDE_CONFIG_DIR"] = "/a[b]"
	if got := transcript.ClaudeCode.Places("/home/ada", getenv, "/x")[0]; got != `/a\[b]/projects/-x/*.jsonl` {
		t.Errorf("got %s", got)
	}
}

func FuzzLine(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.jsonl")
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, line := range bytes.Split(content, []byte("\n")) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		transcript.Detect("x.jsonl", raw)
		for _, format := range transcript.Formats() {
			r, meta := format.Line(raw, transcript.Meta{})
			checkRestored(t, r)
			again, _ := format.Line(raw, meta)
			checkRestored(t, again)
		}
	})
}

func FuzzSplit(f *testing.F) {
	for _, name := range []string{"gemini.json", "opencode.json", "swe-agent.traj"} {
		content, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte(`{"messages":[1 , 2,3],"messages":[4]}`))
	f.Add([]byte(`{"messages":[[1]]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		for _, format := range []transcript.Format{transcript.Gemini, transcript.OpenCode, transcript.SWEAgent} {
			for _, r := range whole(t, format, doc) {
				checkRestored(t, r)
			}
		}
	})
}
