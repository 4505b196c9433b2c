package lexicon

import (
	"strings"
	"testing"
)

// TestLexicon holds the tables to what reading them takes for granted.
func TestLexicon(t *testing.T) {
	if n := strings.Count(alternatives, "\n"); uint64(1)<<n > TeamKind {
		t.Errorf("%d kinds leave no bit for the kinds without a list", n)
	}
	kinds := make(map[string]bool)
	for line := range strings.Lines(alternatives) {
		name, names, ok := strings.Cut(line, ":")
		if !ok || name == "" || len(strings.Fields(names)) < 2 || kinds[name] {
			t.Errorf("not a kind of its own and its names: %q", line)
		}
		kinds[name] = true
	}
	for line := range strings.Lines(describing) {
		if name, words, ok := strings.Cut(line, ":"); !ok || !kinds[name] || len(strings.Fields(words)) == 0 {
			t.Errorf("not a kind and what it is called: %q", line)
		}
	}
	for line := range strings.Lines(oppositions + directions) {
		if plus, minus, ok := strings.Cut(line, "/"); !ok || strings.TrimSpace(plus) == "" || strings.TrimSpace(minus) == "" {
			t.Errorf("not two ends: %q", line)
		}
	}
}

func TestLookUp(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool // one meaning
	}{
		{"retries", "retrying", true},
		{"stored", "storage", true},
		{"dropped", "dropping", true},
		{"validation", "validates", true},
		{"postgresql", "postgres", true},
		{"until", "til", false},
		{"unit", "it", false},
		{"port", "part", false},
	} {
		if got := LookUp(c.a).ID == LookUp(c.b).ID; got != c.want {
			t.Errorf("%s and %s: one meaning is %v", c.a, c.b, got)
		}
	}
	for _, c := range [][2]string{{"enabled", "disabled"}, {"verified", "unverified"}, {"required", "optional"}, {"synchronous", "asynchronously"}} {
		x, y := LookUp(c[0]), LookUp(c[1])
		if x.ID != y.ID || (x.Pole < 0) == (y.Pole < 0) {
			t.Errorf("%s and %s are no opposites: %+v, %+v", c[0], c[1], x, y)
		}
	}
}
