package memory_test

import (
	"strings"
	"testing"

	"engram/memory"
)

const twice = "package auth\n\nfunc first(s *Session) {\n\ts.until = now().Add(lifetime)\n\ts.renewals = s.renewals + 1\n}\n\nfunc second(s *Session) {\n\ts.until = now().Add(lifetime)\n\ts.renewals = s.renewals + 1\n}\n"

// TestCopiesAreNoMoves: whoever edits what a pointer is of leaves it drifted, also where
// the same lines stand elsewhere; what was really taken elsewhere has moved.
func TestCopiesAreNoMoves(t *testing.T) {
	shorter := func(c *code) { c.file("auth/session.go", strings.Replace(session, "30", "15", 1)) }
	for name, test := range map[string]struct {
		ref    string
		change func(*code)
		want   memory.Freshness
		now    string
		reason string
	}{
		"a copy of the file": {"repo:auth/session.go#L3-L4", func(c *code) { c.file("auth/legacy.go", session); shorter(c) }, memory.Drifted, "",
			"the same lines are also at auth/legacy.go:L3-L4"},
		"a copy of the file, all of it": {"repo:auth/session.go", func(c *code) { c.file("auth/legacy.go", session); shorter(c) }, memory.Drifted, "",
			"the same file is also at auth/legacy.go"},
		"a duplicate, the first edited": {"repo:twice.go#L4-L5", func(c *code) { c.file("twice.go", strings.Replace(twice, "+ 1", "+ 2", 1)) }, memory.Drifted, "",
			"the same lines are also at twice.go:L9-L10"},
		"a duplicate, the second edited": {"repo:twice.go#L9-L10", func(c *code) {
			c.file("twice.go", "// New.\n"+twice[:strings.LastIndex(twice, "+ 1")]+"+ 2\n}\n")
		}, memory.Drifted, "", "the same lines are also at twice.go:L5-L6"},
		"duplicates, lines above": {"repo:twice.go#L9-L10", func(c *code) { c.file("twice.go", strings.Replace(twice, "\n\n", "\n\nimport \"time\"\n\n", 1)) }, memory.Moved, "repo:twice.go#L11-L12", ""},
		"duplicates, the other edited": {"repo:twice.go#L9-L10", func(c *code) {
			c.file("twice.go", "// New.\n"+strings.Replace(twice, "+ 1", "+ 2", 1))
		}, memory.Moved, "repo:twice.go#L10-L11", ""},
		"a test that says the same": {"test:a_test.go#TestA", func(c *code) {
			c.file("a_test.go", strings.Replace(tests, "checkThatSessionsExpire", "check", 1))
		}, memory.Drifted, "", ""},
		"cut and pasted": {"repo:twice.go#L8-L11", func(c *code) {
			at := strings.Index(twice, "func second")
			c.file("twice.go", twice[:at])
			c.file("second.go", "package auth\n\n"+twice[at:])
		}, memory.Moved, "repo:second.go#L3-L6", ""},
		"cut and pasted where something else was": {"repo:twice.go#L8-L11", func(c *code) {
			at := strings.Index(twice, "func second")
			c.file("twice.go", twice[:at])
			c.file("auth/session.go", session+"\n"+twice[at:])
		}, memory.Moved, "repo:auth/session.go#L10-L13", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCode(t)
			c.file("twice.go", twice)
			c.file("a_test.go", tests)
			c.save("more")
			key := c.rest(test.ref)
			test.change(c)
			for _, when := range []string{"changed", "committed"} {
				if got := c.check(key, ""); got.Freshness != test.want || got.Now != test.now || test.reason != "" && got.Reason != test.reason {
					t.Errorf("%s: %s at %q (%s), want %s at %q (%s)", when, got.Freshness, got.Now, got.Reason, test.want, test.now, test.reason)
				}
				c.save2()
			}
			if r, err := c.Reverify(t.Context(), memory.ReverifyInput{}); err != nil || len(r.Committed) > 0 != (test.want == memory.Moved) {
				t.Errorf("what is %s is pinned anew: %+v, %v", test.want, r, err)
			}
		})
	}
}

const tests = "package auth\n\nfunc TestA(t *testing.T) {\n\tcheckThatSessionsExpire(t)\n}\n\nfunc TestB(t *testing.T) {\n\tcheckThatSessionsExpire(t)\n}\n"

// TestMovesToSeveralPlacesAreNotPinned by a verification of everything.
func TestMovesToSeveralPlacesAreNotPinned(t *testing.T) {
	c := newCode(t)
	key := c.rest("repo:auth/session.go#L3-L4")
	part := "\n// lifetime is how long a session lives.\nconst lifetime = 30 * time.Minute\n"
	gitIn(t, c.dir, "rm", "-q", "auth/session.go")
	other := strings.Repeat("// Something that has nothing to do with it, so that git takes neither for a rename.\n", 20)
	c.file("auth/one.go", "package one\n"+other+part)
	c.file("auth/two.go", "package two\n"+other+part)
	c.save("two of it")
	if got := c.check(key, ""); got.Freshness != memory.Moved {
		t.Fatalf("%+v", got)
	}
	if r, err := c.Reverify(t.Context(), memory.ReverifyInput{}); err != nil || len(r.Committed) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := c.Reverify(t.Context(), memory.ReverifyInput{Keys: []string{key}}); err != nil || len(r.Committed) != 1 {
		t.Errorf("named: %+v, %v", r, err)
	}
}

// TestDiffSaysWhere what drifted stands, and which names of a folder came and went.
func TestDiffSaysWhere(t *testing.T) {
	c := newCode(t)
	keys := []string{c.rest("repo:auth/session.go#L7"), c.rest("repo:auth")}
	gitIn(t, c.dir, "rm", "-q", "auth/session_test.go")
	c.file("auth/more.go", "package auth\n")
	c.file("auth/session.go", strings.Replace(session, "now()", "later()", 1))
	c.save("other")
	for i, want := range []string{
		"@@ auth/session.go:7\n-\ts.until = now().Add(lifetime)\n+\ts.until = later().Add(lifetime)\n",
		"@@ auth\n+more.go\n session.go\n-session_test.go\n",
	} {
		r, err := c.Verify(t.Context(), memory.VerifyInput{Keys: keys[i : i+1], Diff: true})
		if err != nil || r.Checks[0].Pointers[0].Diff != want {
			t.Errorf("%+v, %v", r, err)
		}
	}
}
