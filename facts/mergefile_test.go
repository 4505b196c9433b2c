package facts_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/facts"
)

func TestMergeFile(t *testing.T) {
	version := func(claim, from string) []byte {
		f := minimal()
		f.Claim, f.ValidFrom = claim, at(from)
		f.ID = facts.DerivedULID(f.ValidFrom, claim)
		return facts.Marshal(f)
	}
	path := minimal().Key.Path()
	base, older, newer := version("The limit is 5.", day1), version("The limit is 6.", day2), version("The limit is 7.", day3)
	broken, worse := []byte("<<<<<<< ours\n"), []byte(">>>>>>> theirs\n")
	for name, c := range map[string]struct {
		path               string
		base, ours, theirs []byte
		want               [][]byte // at path, then beside it
		beside             string   // what the path of the second begins with
	}{
		"both changed":           {path, base, older, newer, [][]byte{newer, nil}, strings.TrimSuffix(path, ".yml") + ".rival-"},
		"both added":             {path, nil, older, newer, [][]byte{newer, nil}, strings.TrimSuffix(path, ".yml") + ".rival-"},
		"the older says nothing": {path, older, older, newer, [][]byte{newer}, ""},
		"removed and changed":    {path, base, nil, newer, [][]byte{newer}, ""},
		"changed and removed":    {path, base, newer, nil, [][]byte{newer}, ""},
		"both removed":           {path, base, nil, nil, nil, ""},
		"one is no fact":         {path, base, broken, newer, [][]byte{newer, broken}, strings.TrimSuffix(path, ".yml") + ".rival-"},
		"neither is a fact":      {path, base, broken, worse, [][]byte{worse, broken}, strings.TrimSuffix(path, ".yml") + ".rival-"},
		"base is no fact":        {path, broken, older, newer, [][]byte{newer, nil}, strings.TrimSuffix(path, ".yml") + ".rival-"},
		"another file":           {"README.md", nil, broken, worse, [][]byte{worse, broken}, "README.rival-"},
		"a file without ending":  {"LICENSE", nil, broken, worse, [][]byte{worse, broken}, "LICENSE.rival-"},
	} {
		files := facts.MergeFile(c.path, c.base, c.ours, c.theirs)
		if diff := cmp.Diff(files, facts.MergeFile(c.path, c.base, c.theirs, c.ours)); diff != "" {
			t.Errorf("%s: the order matters: %s", name, diff)
		}
		if len(files) != len(c.want) {
			t.Errorf("%s: %d files, want %d", name, len(files), len(c.want))
			continue
		}
		for i, f := range files {
			if c.want[i] != nil && !bytes.Equal(f.Data, c.want[i]) {
				t.Errorf("%s: file %d is %q, want %q", name, i, f.Data, c.want[i])
			}
			if i == 0 && f.Path != c.path || i == 1 && !strings.HasPrefix(f.Path, c.beside) {
				t.Errorf("%s: file %d stands at %s", name, i, f.Path)
			}
		}
	}
}

// TestMergeFileLosesNoClaim: whatever two sides made of a fact, every claim that
// is new to the ancestor, and not just ended, is in one of the files, and the files can be read.
func TestMergeFileLosesNoClaim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours, theirs := genVersion(t), genVersion(t), genVersion(t)
		files := facts.MergeFile(base.Key.Path(), facts.Marshal(base), facts.Marshal(ours), facts.Marshal(theirs))
		kept := map[string]bool{facts.ContentHash(base.Claim): true}
		for _, f := range files {
			key, ok := facts.KeyOfPath(f.Path)
			fact, err := facts.ParseAt(key, f.Data)
			if !ok || err != nil {
				t.Fatalf("%s: %v", f.Path, err)
			}
			kept[facts.ContentHash(fact.Claim)] = true
		}
		unchanged := func(f facts.Fact) bool { return bytes.Equal(facts.Marshal(f), facts.Marshal(base)) }
		for _, f := range []facts.Fact{ours, theirs} {
			if f.Operation != facts.OpDelete && !unchanged(ours) && !unchanged(theirs) && !kept[facts.ContentHash(f.Claim)] {
				t.Fatalf("%q is lost", f.Claim)
			}
		}
	})
}

func TestMoveFile(t *testing.T) {
	f := full()
	f.Branch, f.For = "", facts.Key{}
	moved := facts.MoveFile(f.Key.Path(), facts.Marshal(f))
	key, ok := facts.KeyOfPath(moved.Path)
	rival, err := facts.ParseAt(key, moved.Data)
	if !ok || err != nil || rival.For != f.Key || rival.Claim != f.Claim {
		t.Errorf("%s: %+v, %v", moved.Path, rival, err)
	}
	if moved := facts.MoveFile("notes/a.txt", []byte("x")); !strings.HasPrefix(moved.Path, "notes/a.rival-") || string(moved.Data) != "x" {
		t.Errorf("moved to %s", moved.Path)
	}
}
