package setup_test

import (
	"path/filepath"
	"strings"
	"testing"

	"engram/mcp/setup"
)

// TestFencedMarkers: a block that somebody shows in fenced code is text of theirs.
func TestFencedMarkers(t *testing.T) {
	const markers = setup.BeginMarker + "\nshown\n" + setup.EndMarker + "\n"
	for name, c := range map[string]struct {
		text string
		own  bool // the markers are those of the block
	}{
		"no fence":                     {markers, true},
		"backticks":                    {"```\n" + markers + "```\n", false},
		"tildes, with a language":      {"~~~md\n" + markers + "~~~\n", false},
		"a longer fence ends it":       {"```\n" + markers + "`````\n", false},
		"a shorter one does not":       {"````\n```\n" + markers + "```\n````\n", false},
		"the other does not":           {"```\n~~~\n" + markers + "~~~\n```\n", false},
		"one with words does not":      {"```\n```go\n" + markers + "```\n", false},
		"in a list":                    {"1. ```\n   x\n   ```\n" + markers + "- ```\n  x\n  ```\n", true},
		"in a quote":                   {"> ```\n> x\n> ```\n" + markers + "```\n```\n", true},
		"between two":                  {"```\nx\n```\n" + markers + "```\nx\n```\n", true},
		"code within a line":           {"```x```\n" + markers + "```x```\n", true},
		"two of a character":           {"``\n" + markers + "``\n", true},
		"nothing closes it":            {"```\n" + markers, true},
		"another line ends with CR LF": {"```\r\n" + strings.ReplaceAll(markers, "\n", "\r\n") + "```\r\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			e := setup.BlockEdit("Ask, and tell.")
			if got := e.Holds(c.text); got != c.own {
				t.Fatalf("the block is there: %v", got)
			}
			put, err := e.Put(c.text)
			must(t, err)
			if kept := strings.Contains(put, "shown"); kept == c.own {
				t.Errorf("it became %q", put)
			}
			checkBlock(t, c.text)
		})
	}
}

// TestFencedMarkersStay is the same in files, also where what was kept is lost.
func TestFencedMarkersStay(t *testing.T) {
	for _, lost := range []bool{false, true} {
		p := place(t)
		path := filepath.Join(p.Project, "AGENTS.md")
		text := "# Ours\n\nA block looks like this:\n\n" + example
		write(t, path, text, 0o644)
		_, err := setup.Install(p, options("cursor"))
		must(t, err)
		if got := read(t, path); !strings.HasPrefix(got, text) || !strings.Contains(got, "has_open_conflict") {
			t.Errorf("installed: %q", got)
		}
		if lost {
			forget(t, p)
		}
		_, err = setup.Uninstall(p, options("cursor"))
		must(t, err)
		if got := read(t, path); got != text {
			t.Errorf("removed, copies lost %v: %q", lost, got)
		}
	}
}
