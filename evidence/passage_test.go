package evidence_test

import (
	"strings"
	"testing"

	"engram/evidence"
)

func TestPassage(t *testing.T) {
	const text = "# Refunds\n\nA refund is paid once,\n  and never twice.\n\nLimits are per day.\n"
	for name, c := range map[string]struct {
		passage     string
		first, last int
	}{
		"bytes":                   {"Limits are per day.", 6, 6},
		"bytes over lines":        {"A refund is paid once,\n  and never twice.", 3, 4},
		"folded":                  {"A refund is paid once, and never twice.", 3, 4},
		"cut inside a line":       {"is paid once,   and never", 3, 4},
		"other ends of lines":     {"A refund is paid once,\r\n  and never twice.\r\n\r\nLimits are", 3, 6},
		"blank lines around":      {"\n\nLimits are per day.\n\n", 6, 6},
		"not there":               {"A refund is paid three times.", 0, 0},
		"too short to tell":       {"and", 0, 0},
		"empty":                   {"", 0, 0},
		"no text":                 {"Limits \xff are per day", 0, 0},
		"longer than the content": {text + text, 0, 0},
	} {
		first, last, found := evidence.Passage([]byte(text), c.passage)
		if first != c.first || last != c.last || found != (c.first > 0) {
			t.Errorf("%s: lines %d to %d (%v), want %d to %d", name, first, last, found, c.first, c.last)
		}
	}
	if _, _, found := evidence.Passage([]byte("a\x00b, which is no text"), "which is no text"); found {
		t.Error("found in what is no text")
	}
}

func FuzzPassage(f *testing.F) {
	f.Add("one\n two  three\n", "two three")
	f.Add("a\u00a0b c d e f g h", "b c d e f g")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, content, passage string) {
		first, last, found := evidence.Passage([]byte(content), passage)
		if !found {
			return
		}
		span, err := evidence.Lines([]byte(content), first, last)
		if err != nil {
			t.Fatalf("lines %d to %d of %q: %v", first, last, content, err)
		}
		fold := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		if !strings.Contains(fold(string(span.Text)), fold(passage)) {
			t.Errorf("lines %d to %d of %q do not have %q", first, last, content, passage)
		}
	})
}
