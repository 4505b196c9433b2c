package gitstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
)

// graph makes commits out of trees and parents, with git alone.
type graph struct {
	t       *testing.T
	dir     string
	commits map[string]string
}

func (g graph) commit(name, files string, parents ...string) string {
	g.t.Helper()
	var lines []string
	for file := range strings.FieldsSeq(files) { // path=text
		path, text, _ := strings.Cut(file, "=")
		lines = append(lines, "100644 blob "+gitInput(g.t, g.dir, text, "hash-object", "-w", "--stdin")+"\t"+path)
	}
	tree := gitInput(g.t, g.dir, strings.Join(lines, "\n"), "mktree")
	args := []string{"commit-tree", tree, "-m", name}
	for _, p := range parents {
		args = append(args, "-p", g.commits[p])
	}
	g.commits[name] = gitIn(g.t, g.dir, args...)
	return g.commits[name]
}

// show writes changes as path=text, or path=- for a removal.
func (g graph) show(changes []gitstore.Change) string {
	g.t.Helper()
	var out []string
	for _, c := range changes {
		text := "-"
		if c.New != "" {
			text = gitIn(g.t, g.dir, "cat-file", "blob", c.New)
		}
		out = append(out, c.Path+"="+text)
	}
	return strings.Join(out, " ")
}

func newGraph(t *testing.T) graph {
	g := graph{t, newRepo(t), map[string]string{"": "", "unknown": strings.Repeat("4", 40)}}
	g.commit("root", "a=1 b=1 c=1")
	g.commit("second", "a=2 b=1 c=1", "root")
	g.commit("removed", "a=2 b=1", "second")
	g.commit("left", "a=left b=1 c=1", "second")
	g.commit("right", "a=2 b=right c=1", "second")
	g.commit("right2", "a=2 b=right2 c=1 d=1", "right")
	g.commit("merge", "a=left b=right2 c=1 d=1", "left", "right2")
	g.commit("evil", "a=evil b=right2 d=1 e=evil", "left", "right2")
	g.commit("ours", "a=left b=1 c=1", "left", "right2")         // nothing of the other side
	g.commit("theirs", "a=2 b=right2 c=1 d=1", "left", "right2") // nothing of this one
	g.commit("after", "a=left b=right2 c=9 d=1", "merge")
	g.commit("revert", "a=1 b=1 c=1", "second")
	g.commit("foreign", "x=1")
	g.commit("joined", "a=2 b=1 c=1 x=1", "second", "foreign")
	return g
}

func TestIntroduced(t *testing.T) {
	g := newGraph(t)
	store := open(t, g.dir)
	for _, test := range []struct {
		from, to string
		relation gitstore.Relation
		want     string
	}{
		{"", "root", gitstore.Ahead, "a=1 b=1 c=1"},
		{"root", "root", gitstore.Ahead, ""},
		{"root", "second", gitstore.Ahead, "a=2"},
		{"root", "removed", gitstore.Ahead, "a=2 c=-"},
		{"", "removed", gitstore.Ahead, "a=2 a=1 b=1 c=- c=1"},
		{"second", "root", gitstore.Behind, ""},
		{"left", "right", gitstore.Diverged, ""},
		{"unknown", "right", gitstore.Diverged, ""},
		{"foreign", "root", gitstore.Diverged, ""},
		{"second", "merge", gitstore.Ahead, "a=left b=right b=right2 d=1"},
		{"left", "merge", gitstore.Ahead, "b=right b=right2 d=1"},
		{"right2", "merge", gitstore.Ahead, "a=left"},
		{"merge", "after", gitstore.Ahead, "c=9"},
		{"merge", "left", gitstore.Behind, ""},
		{"left", "evil", gitstore.Ahead, "a=evil b=right b=right2 c=- d=1 e=evil"},
		// A merge that undoes what the reader has: nothing in it is new, and
		// still the reader has to hear of it.
		{"right2", "ours", gitstore.Ahead, "a=left b=1 d=-"},
		{"left", "theirs", gitstore.Ahead, "a=2 b=right b=right2 d=1"},
		{"left", "ours", gitstore.Ahead, "b=right b=right2 d=1"},
		{"second", "revert", gitstore.Ahead, "a=1"},
		{"second", "joined", gitstore.Ahead, "x=1"},
		{"", "joined", gitstore.Ahead, "a=2 a=1 b=1 c=1 x=1"},
	} {
		t.Run(test.from+" to "+test.to, func(t *testing.T) {
			changes, relation, err := store.Introduced(t.Context(), g.commits[test.from], g.commits[test.to])
			if err != nil || relation != test.relation {
				t.Errorf("relation %v, want %v: %v", relation, test.relation, err)
			}
			if diff := cmp.Diff(sorted(test.want), sorted(g.show(changes))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// sorted makes the order of two versions of one file, which is that of their
// hashes, of no account.
func sorted(s string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(s) {
		set[word] = true
	}
	return set
}

func TestDiff(t *testing.T) {
	g := newGraph(t)
	store := open(t, g.dir)
	for _, test := range [][3]string{
		{"root", "root", ""}, {"root", "removed", "a=2 c=-"}, {"removed", "root", "a=1 c=1"}, {"left", "right2", "a=2 b=right2 d=1"},
		{"root", "foreign", "a=- b=- c=- x=1"}, {"merge", "evil", "a=evil c=- e=evil"},
	} {
		changes, err := store.Diff(t.Context(), g.commits[test[0]], g.commits[test[1]])
		if got := g.show(changes); err != nil || got != test[2] {
			t.Errorf("%s to %s: %q, want %q: %v", test[0], test[1], got, test[2], err)
		}
	}
	// A file that becomes a folder, a mode that changes, and git's order of paths.
	first := write(t, store, map[string]string{"n/a": "1", "n/a-b": "1", "n/a.b": "1"})
	second := write(t, store, map[string]string{"n/a": "", "n/a/x": "1", "n/a-b": "2", "n/a.b": "2"})
	changes, err := store.Diff(t.Context(), first, second)
	if got := g.show(changes); err != nil || sortedOnce(got) != "n/a-b=2 n/a.b=2 n/a/x=1 n/a=-" {
		t.Errorf("%q %v", got, err)
	}
}

func sortedOnce(s string) string {
	words := strings.Fields(s)
	for i := range words {
		for j := range i {
			if words[i] < words[j] {
				words[i], words[j] = words[j], words[i]
			}
		}
	}
	return strings.Join(words, " ")
}

func TestHistory(t *testing.T) {
	g := newGraph(t)
	store := open(t, g.dir)
	for _, test := range []struct {
		at, path string
		limit    int
		want     string // subject:old>new, newest first
	}{
		{"second", "a", 0, "second:1>2 root:>1"},
		{"second", "a", 1, "second:1>2"},
		{"removed", "c", 0, "removed:1> root:>1"},
		{"merge", "a", 0, "left:2>left second:1>2 root:>1"},
		{"merge", "b", 0, "right2:right>right2 right:1>right root:>1"},
		{"evil", "a", 0, "evil:left>evil left:2>left second:1>2 root:>1"},
		{"evil", "c", 0, "evil:1> root:>1"},
		{"evil", "e", 0, "evil:>evil"},
		{"after", "c", 5, "after:1>9 root:>1"},
		{"after", "none", 0, ""},
		{"joined", "x", 0, "foreign:>1"},
	} {
		entries, err := store.History(t.Context(), g.commits[test.at], test.path, test.limit)
		if err != nil {
			t.Errorf("%s at %s: %v", test.path, test.at, err)
		}
		var got []string
		for _, e := range entries {
			text := func(blob string) string {
				if blob == "" {
					return ""
				}
				return gitIn(t, g.dir, "cat-file", "blob", blob)
			}
			got = append(got, fmt.Sprintf("%s:%s>%s", e.Subject, text(e.Old), text(e.New)))
			if e.Path != test.path || e.Author != "Ada <ada@example.com>" || e.Date.IsZero() || e.Revision != g.commits[e.Subject] {
				t.Errorf("%s at %s: entry %+v", test.path, test.at, e)
			}
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s at %s: %q, want %q", test.path, test.at, got, test.want)
		}
	}
}

// TestOddCommits: a commit that no git would make still has its place.
func TestOddCommits(t *testing.T) {
	g := newGraph(t)
	store := open(t, g.dir)
	tree := gitIn(t, g.dir, "rev-parse", g.commits["removed"]+"^{tree}")
	for name, author := range map[string]string{
		"nobody": "nobody", "no date": "Ada <ada@example.com>", "bad date": "Ada <ada@example.com> soon", "no name": "<ada@example.com> 1 +0000",
	} {
		raw := fmt.Sprintf("tree %s\nparent %s\nauthor %s\ncommitter %s\n\nodd\n", tree, g.commits["second"], author, author)
		odd := gitInput(t, g.dir, raw, "hash-object", "-w", "-t", "commit", "--stdin", "--literally")
		entries, err := store.History(t.Context(), odd, "c", 0)
		if err != nil || len(entries) != 2 || entries[0].Subject != "odd" {
			t.Errorf("%s: %+v %v", name, entries, err)
		}
	}
}
