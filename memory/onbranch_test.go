package memory_test

import (
	"errors"
	"strings"
	"testing"

	"engram/memory"
)

// TestAgentsReadWhatABranchHas: what was amended away, stashed or dropped is a person's to
// read, and no agent's.
func TestAgentsReadWhatABranchHas(t *testing.T) {
	b := newMemory(t)
	ctx := t.Context()
	first := b.code(map[string]string{"a.go": "one\n"})
	b.git("tag", "kept")
	gone := b.code(map[string]string{"a.go": "password\n"})
	b.save(map[string]string{"a.go": "two\n"})
	b.git("commit", "-q", "-a", "--amend", "-m", "two")
	amended := b.git("rev-parse", "HEAD")
	b.save(map[string]string{"a.go": "stashed\n"})
	b.git("stash", "-q")
	stashed := b.git("rev-parse", "refs/stash")
	b.git("switch", "-q", "-c", "side", first)
	side := b.code(map[string]string{"b.go": "side\n"})
	b.git("update-ref", "refs/remotes/origin/side", side)
	b.git("switch", "-q", "--detach", "main")
	detached := b.code(map[string]string{"a.go": "detached\n"})
	b.git("branch", "-q", "-D", "side")
	tagged := b.git("commit-tree", "-m", "tagged", first+"^{tree}")
	b.git("tag", "-a", "-m", "tagged", "old", tagged)

	for name, tt := range map[string]struct {
		commit string
		reads  bool
	}{
		"an ancestor": {first, true}, "a branch": {amended, true}, "a remote's branch": {side, true}, "a tag": {tagged, true}, "HEAD, detached": {detached, true},
		"amended away": {gone, false}, "a stash": {stashed, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, ref := range []string{"repo:a.go@" + tt.commit, "repo:a.go#L1@" + tt.commit[:9]} {
				for who, in := range map[string]memory.DerefInput{
					"a person": {Ref: ref}, "an agent": {Ref: ref, Agent: name + ref}, "somebody at the boundary": {Ref: ref, Strict: true},
				} {
					got, err := b.Deref(ctx, in)
					if reads := tt.reads || who == "a person"; reads != (err == nil) {
						t.Errorf("%s reads %s: %+v, %v", who, ref, got, err)
					} else if !reads && (!errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), "no branch or tag has commit "+tt.commit[:12])) {
						t.Errorf("%s: %v", who, err)
					}
				}
			}
			sure := 0.9
			e := memory.Engram{Kind: "fact", Claim: "It is so: " + name, TTL: "P1D", Scope: "project", Confidence: &sure,
				Pointers: []memory.EngramPointer{{Type: "repo", Ref: "repo:a.go@" + tt.commit}}}
			if put, err := b.PutEngram(ctx, memory.PutInput{Engram: e, Agent: "child"}); tt.reads != (err == nil) {
				t.Errorf("PutEngram: %+v, %v", put, err)
			}
		})
	}
	if got, err := b.Deref(ctx, memory.DerefInput{Ref: "diff:" + first + ".." + gone + "#a.go", Agent: "child"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("%+v, %v", got, err)
	}
}
