package facts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"engram/facts"
)

var (
	hexA = strings.Repeat("a", 40)
	hexB = strings.Repeat("b1", 20)
	hexC = strings.Repeat("0c", 20)
)

func TestAddPurged(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"format: 1\n", "format: 1\npurged:\n  - A\n  - B\n"},
		{"# ours\nformat: 1 # the first\nlater: {a: [1, 2]}", "# ours\nformat: 1 # the first\nlater: {a: [1, 2]}\npurged:\n  - A\n  - B\n"},
		{"format: 1\r\n", "format: 1\r\npurged:\r\n  - A\r\n  - B\r\n"},
		{"\ufeffformat: 1\n", "\ufeffformat: 1\npurged:\n  - A\n  - B\n"},
		{"format: 1\npurged:\n  - C # why\nnamespaces: [web]\n", "format: 1\npurged:\n  - A\n  - B\n  - C # why\nnamespaces: [web]\n"},
		{"purged: # some\n# of them\n- \"C\"\nformat: 1\n", "purged: # some\n# of them\n- A\n- B\n- \"C\"\nformat: 1\n"},
		{"purged: [ C ]\nformat: 1\n", "purged: [ A, B, C ]\nformat: 1\n"},
		{"purged: [] # none\nformat: 1\n", "purged: [A, B] # none\nformat: 1\n"},
		{"purged:\nformat: 1\n", "purged: [A, B]\nformat: 1\n"},
		{"{format: 1, purged: [C]}", "{format: 1, purged: [A, B, C]}"},
		{"format: 1\npurged: [B, A]\n", "format: 1\npurged: [B, A]\n"},
		{"format: 1\npurged: [A]\n", "format: 1\npurged: [B, A]\n"},
	} {
		full := strings.NewReplacer("A", hexA, "B", hexB, "C", hexC).Replace
		got, err := facts.AddPurged([]byte(full(c.text)), []string{hexA, hexB, hexA})
		if diff := cmp.Diff(full(c.want), string(got)); err != nil || diff != "" {
			t.Errorf("%q: %v %s", c.text, err, diff)
		}
		m, err := facts.ParseManifest(got)
		if err != nil || !slices.Contains(m.Purged, hexA) || !slices.Contains(m.Purged, hexB) || m.Format != 1 {
			t.Errorf("%q becomes %+v, %v", c.text, m, err)
		}
	}
}

func TestAddPurgedRefuses(t *testing.T) {
	for _, text := range []string{"", "format: 2\n", "{format: 1}", "format: 1\n...\n", "format: 1\npurged: [short]\n", "format: 1\npurged: !!null null\n",
		"format: 1\nx: " + strings.Repeat("a", facts.MaxFile-40)} {
		if got, err := facts.AddPurged([]byte(text), []string{hexA}); err == nil {
			t.Errorf("%.40q becomes %.80q", text, got)
		}
	}
}

// FuzzAddPurged: whatever the file looks like, it stays what it was but for the
// commits, or there is an error.
func FuzzAddPurged(f *testing.F) {
	for _, text := range []string{"format: 1\n", "{format: 1, purged: [" + hexB + "]}", "purged:\n- " + hexB + "\nformat: 1\nnamespaces: [a]", "purged: # x\nformat: 1\r\n", "\"purged\" : [\n]\nformat: 1", "? purged\n: - " + hexB + "\n? format\n: 1"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before, _ := facts.ParseManifest(text)
		got, err := facts.AddPurged(text, []string{hexA})
		if err != nil {
			return
		}
		after, err := facts.ParseManifest(got)
		if err != nil || !slices.Contains(after.Purged, hexA) {
			t.Fatalf("%q becomes %q: %v", text, got, err)
		}
		after.Purged = slices.DeleteFunc(after.Purged, func(c string) bool { return c == hexA })
		before.Purged = slices.DeleteFunc(before.Purged, func(c string) bool { return c == hexA })
		if diff := cmp.Diff(before, after, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q becomes %q:\n%s", text, got, diff)
		}
	})
}
