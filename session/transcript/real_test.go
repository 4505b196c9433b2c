package transcript_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/session"
	"engram/session/transcript"
)

// transcripts returns the real transcripts that are measured with, by name.
func transcripts(t testing.TB) map[string][]byte {
	t.Helper()
	data := os.Getenv("ENGRAM_DATA")
	if data == "" {
		t.Skip("ENGRAM_DATA does not name the folder of measurement data")
	}
	found := map[string][]byte{}
	for _, pattern := range []string{"entire-cli/*", "swe-agent/*"} {
		names, _ := filepath.Glob(filepath.Join(data, "sessions", pattern))
		for _, name := range names {
			content, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			found[filepath.Base(name)] = content
		}
	}
	if len(found) == 0 {
		t.Skip("there are no transcripts in ENGRAM_DATA/sessions")
	}
	return found
}

// pass is a previewer that shows the beginning.
func pass(_, _, mediaType string, data []byte) (string, string) {
	return strings.ToValidUTF8(string(data[:min(len(data), 20)]), "?"), mediaType
}

// checkRestored fails if a record cannot be restored to the byte from the lines of its
// events.
func checkRestored(t testing.TB, r session.Record) {
	t.Helper()
	if len(r.Events) == 0 {
		t.Fatalf("no event was read from %.200q", r.Raw)
	}
	events, artifacts := session.Assemble(r, session.Place{Session: "s", At: time.Unix(1, 0)}, 0, pass)
	var read []session.Event
	for i := range events {
		line, err := session.AppendLine(nil, &events[i])
		if err != nil {
			t.Fatalf("write the events of %.200q: %v", r.Raw, err)
		}
		e, err := session.ParseLine(bytes.TrimSpace(line))
		if err != nil {
			t.Fatalf("read the events of %.200q: %v", r.Raw, err)
		}
		read = append(read, e)
	}
	raw, err := session.Restore(read, func(digest string) ([]byte, error) {
		for _, a := range artifacts {
			if a.Digest == digest {
				return a.Data, nil
			}
		}
		return nil, fmt.Errorf("no artifact %s", digest)
	})
	if err != nil || !bytes.Equal(raw, r.Raw) {
		t.Fatalf("restored %.500q\nwant     %.500q\nerror %v", raw, r.Raw, err)
	}
}

// records reads a whole transcript.
func records(t testing.TB, f transcript.Format, content []byte) (all []session.Record, meta transcript.Meta) {
	t.Helper()
	for _, line := range bytes.Split(bytes.TrimSuffix(content, []byte("\n")), []byte("\n")) {
		var r session.Record
		r, meta = f.Line(line, meta)
		all = append(all, r)
	}
	return all, meta
}

// second counts kinds in a line of Claude Code as an independent reader does.
func second(line []byte, counts map[string]int) {
	var d map[string]any
	if len(bytes.TrimSpace(line)) == 0 || json.Unmarshal(line, &d) != nil {
		counts["system_note"]++
		return
	}
	message, _ := d["message"].(map[string]any)
	kind := map[any]string{"user": "user_message", "assistant": "agent_message"}[d["type"]]
	if kind == "" || message == nil {
		counts["system_note"]++
		return
	}
	if d["isMeta"] == true || d["isCompactSummary"] == true {
		kind = "system_note"
	}
	of := func(text string) string {
		for _, start := range []string{"<command-", "<local-command-", "<bash-", "Caveat: The messages", "[Request interrupted", "<system-reminder>"} {
			if kind == "user_message" && strings.HasPrefix(text, start) {
				return "system_note"
			}
		}
		return kind
	}
	if text, ok := message["content"].(string); ok {
		counts[of(text)]++
		return
	}
	last := ""
	for _, b := range message["content"].([]any) {
		block := b.(map[string]any)
		now := map[any]string{"tool_use": "tool_call", "tool_result": "tool_result", "thinking": "thinking"}[block["type"]]
		if block["type"] == "text" {
			now = of(block["text"].(string))
			if now == last { // texts that follow each other are one event
				continue
			}
		}
		last = now
		if now == "thinking" {
			now = "agent_message"
		}
		counts[now]++
	}
}

func TestRealLinesAreReadAndRestored(t *testing.T) {
	total := map[string]int{}
	for name, content := range transcripts(t) {
		if !strings.HasSuffix(name, ".jsonl") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if f := transcript.Detect(name, content[:min(len(content), 4096)]); f != transcript.ClaudeCode {
				t.Errorf("detected %q", f)
			}
			all, meta := records(t, transcript.ClaudeCode, content)
			got, want := map[string]int{}, map[string]int{}
			for _, r := range all {
				second(r.Raw, want)
				for _, e := range r.Events {
					got[string(e.Kind)]++
					total[string(e.Kind)]++
					total["commits"] += len(e.Commits)
					total["paths"] += len(e.Paths)
					for _, tag := range e.Tags {
						total["tag "+tag]++
					}
				}
				checkRestored(t, r)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("kinds (-second reader +this one):\n%s", diff)
			}
			if meta.Session == "" && len(all) > 1 && !strings.Contains(string(content), "file-history") {
				t.Errorf("no session is known: %+v", meta)
			}
		})
	}
	t.Log(total)
}

func BenchmarkLine(b *testing.B) {
	var lines [][]byte
	size := 0
	for name, content := range transcripts(b) {
		if strings.HasSuffix(name, ".jsonl") {
			lines = append(lines, bytes.Split(content, []byte("\n"))...)
			size += len(content)
		}
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		var meta transcript.Meta
		for _, line := range lines {
			_, meta = transcript.ClaudeCode.Line(line, meta)
		}
	}
}
