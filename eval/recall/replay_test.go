package recall

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// made writes a small transcript: a digest and the result of a call are needed again after a
// window of 2,000 tokens has been compacted.
func made(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	n := 0
	line := func(role string, content any) {
		n++
		raw, err := json.Marshal(map[string]any{
			"type": role, "uuid": fmt.Sprint("u", n), "sessionId": "made", "timestamp": fmt.Sprintf("2026-01-02T10:%02d:%02dZ", n/60, n%60),
			"message": map[string]any{"role": role, "content": content},
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(raw, '\n'))
	}
	call := func(id, command, result string) {
		line("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": "Bash", "input": map[string]any{"command": command}}})
		line("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "content": result}})
	}
	say := func(text string) { line("assistant", []any{map[string]any{"type": "text", "text": text}}) }
	line("user", "Release the gateway, please.")
	call("c1", "make image of the gateway", "pushed the image of the gateway as 4be1c07d99aa to the registry\nthe layers of the gateway are three")
	for i := range 30 {
		call(fmt.Sprint("f", i), fmt.Sprint("compile part ", i), strings.Repeat(fmt.Sprintf("compiled module %d without a warning\n", i), 12))
	}
	say("Now I deploy the image of the gateway, 4be1c07d99aa, to the cluster.")
	call("c2", "make image of the gateway", "the same again")
	name := filepath.Join(t.TempDir(), "made.jsonl")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestReplay: what was evicted and is needed again is asked for, recall finds it, and truncation,
// which kept the newest half of the window, does not.
func TestReplay(t *testing.T) {
	in := ReplayInput{Files: []string{made(t)}, Windows: []int{2000}, PerFile: 10}
	r, err := Replay(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]float64)
	for _, row := range r.Rows {
		found[row.Condition+" "+row.kind()] = row.Exact
		if row.Condition == OneHop && row.Kind == Repeat && row.Avoided == 0 {
			t.Error("the tokens of the result that was found are not counted")
		}
	}
	for key, want := range map[string]float64{
		OneHop + " digest": 1, OneHop + " repeated call": 1, Grep + " digest": 1, Truncation + " digest": 0, Truncation + " repeated call": 0,
	} {
		if got, ok := found[key]; !ok || got != want {
			t.Errorf("%s: %v, want %v (asked: %v)", key, got, want, ok)
		}
	}
}

// TestReplayReal replays one transcript of the measurement data.
func TestReplayReal(t *testing.T) {
	data := os.Getenv("ENGRAM_DATA")
	if data == "" {
		t.Skip("ENGRAM_DATA does not name the folder of measurement data")
	}
	files, err := filepath.Glob(filepath.Join(data, "sessions", "swe-agent", "*.traj"))
	if err != nil || len(files) == 0 {
		t.Skip("there are no transcripts in ENGRAM_DATA/sessions")
	}
	in := ReplayInput{Files: files[:1], Windows: []int{4000}, PerFile: 3}
	first, err := Replay(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	if first.Traces+first.Skipped != 1 {
		t.Errorf("%d transcripts were replayed, %d skipped", first.Traces, first.Skipped)
	}
}

func TestKindOf(t *testing.T) {
	for s, want := range map[string]Kind{
		"--dry-run": Flag, "8080": Number, "4be1c07d99aa": Digest, "cmd/x.go": Path, "round.go": Path,
		"os.WriteFile": Name, "ECONNREFUSED": Failure, "ValueError": Failure, "userName": Name,
	} {
		if got := kindOf(s); got != want {
			t.Errorf("%s is a %s, want %s", s, got, want)
		}
	}
}

// TestNeedlesInTranscript: the events of a transcript take the place of the made ones, and the
// needles stand in the middle of what its tools printed.
func TestNeedlesInTranscript(t *testing.T) {
	if testing.Short() {
		t.Skip("it fills a window five times")
	}
	in := NeedlesInput{Traces: 1, Seed: 3, Files: []string{made(t), long(t)}, Window: 16_000}
	r, err := Needles(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]float64)
	for _, row := range r.Rows {
		if row.Cycle == cycles {
			found[row.Condition+" "+row.kind()] = row.Exact
		}
	}
	for _, kind := range []Kind{Hash, Path, Failure, Parameter} {
		if got, ok := found[OneHop+" "+string(kind)]; !ok || got != 1 {
			t.Errorf("%s: found %v (asked: %v)", kind, got, ok)
		}
		if got := found[Truncation+" "+string(kind)]; got != 0 {
			t.Errorf("%s: truncation found it, so that it was never evicted", kind)
		}
	}
	if _, err := Needles(t.Context(), NeedlesInput{Traces: 1, Files: []string{os.DevNull}}, nil); err == nil {
		t.Error("a file that is no transcript fills a window")
	}
}

// long writes a transcript with long output of tools.
func long(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for i := range 20 {
		text := ""
		for k := range 60 {
			text += fmt.Sprintf("test %d of package %d took %d ms and passed without a warning\n", k, i, (k*7+i)%90)
		}
		raw, err := json.Marshal(map[string]string{"role": "tool", "content": text})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(raw, '\n'))
	}
	name := filepath.Join(t.TempDir(), "long.jsonl")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
