package gitstore_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
)

// TestShareThreads: clones exchange single sessions through a remote; what both extended
// is joined, and nothing is ever forced.
func TestShareThreads(t *testing.T) {
	one, two, bare := twoClones(t)
	a, b := open(t, one), open(t, two)
	ctx := t.Context()
	extend(t, a, session, map[string]string{"session.json": "{}"})
	other := gitstore.ThreadPrefix + "cd/two"
	kept := extend(t, a, other, map[string]string{"session.json": "{2}"})
	mustDo(t, a.PushThreads(ctx, "origin", []string{session, other}))
	mustDo(t, a.PushThreads(ctx, "origin", []string{session, other}))
	if moved, err := b.FetchThreads(ctx, "origin", []string{session}); err != nil || !slices.Equal(moved, []string{session}) {
		t.Fatal(moved, err)
	}
	if moved, err := b.FetchThreads(ctx, "origin", []string{gitstore.ThreadPrefix + "none/*", session}); err != nil || len(moved) > 0 {
		t.Fatal(moved, err)
	}
	extend(t, a, session, map[string]string{"0000/00-a/events.jsonl": "of a"})
	extend(t, b, session, map[string]string{"0000/00-b/events.jsonl": "of b"})
	mustDo(t, a.PushThreads(ctx, "origin", []string{session}))
	mustDo(t, b.PushThreads(ctx, "origin", []string{session}))
	want := map[string]string{"session.json": "{}", "0000/00-a/events.jsonl": "of a", "0000/00-b/events.jsonl": "of b"}
	if moved, err := a.FetchThreads(ctx, "origin", []string{gitstore.ThreadPrefix + "*"}); err != nil || !slices.Equal(moved, []string{session}) {
		t.Fatal(moved, err)
	}
	for _, store := range []*gitstore.Store{a, b} {
		if diff := cmp.Diff(want, threadContents(t, store, session)); diff != "" {
			t.Error(diff)
		}
	}
	theirs, err := b.ListRemoteThreads(ctx, "origin")
	if diff := cmp.Diff(map[string]string{session: gitIn(t, one, "rev-parse", session), other: kept}, theirs); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if err := a.PushThreads(ctx, "origin", []string{"refs/heads/main"}); !errors.Is(err, gitstore.ErrBranchName) {
		t.Error(err)
	}
	if _, err := a.FetchThreads(ctx, "nowhere", nil); !errors.Is(err, gitstore.ErrNoRemote) {
		t.Error(err)
	}
	for _, dir := range []string{one, two, bare} {
		fsck(t, dir)
	}
}

// TestPlainGitLeavesThreads: clone, fetch, pull and push of git neither bring sessions
// nor send them.
func TestPlainGitLeavesThreads(t *testing.T) {
	one, two, bare := twoClones(t)
	a := open(t, one)
	extend(t, a, session, map[string]string{"session.json": "{}"})
	gitIn(t, one, "commit", "-q", "--allow-empty", "-m", "code")
	gitIn(t, one, "push", "-q", "origin", "main")
	gitIn(t, one, "push", "-q", "--all")
	gitIn(t, one, "push", "-q", "--tags")
	if got := gitIn(t, bare, "for-each-ref", "refs/engram"); got != "" {
		t.Errorf("git push sent %s", got)
	}
	mustDo(t, a.PushThreads(t.Context(), "origin", []string{session}))
	gitIn(t, two, "fetch", "-q")
	gitIn(t, two, "fetch", "-q", "--tags", "--prune")
	gitIn(t, two, "pull", "-q", "--ff-only")
	fresh := filepath.Join(t.TempDir(), "fresh")
	gitIn(t, bare, "clone", "-q", "--no-local", bare, fresh)
	for _, dir := range []string{two, fresh} {
		if got := gitIn(t, dir, "for-each-ref", "refs/engram"); got != "" {
			t.Errorf("%s came to have %s", dir, got)
		}
		if got := gitIn(t, dir, "branch", "-a"); strings.Contains(got, "engram") {
			t.Errorf("%s shows %s", dir, got)
		}
	}
	tip := gitIn(t, one, "rev-parse", session)
	if out := gitIn(t, fresh, "cat-file", "--batch-all-objects", "--batch-check"); strings.Contains(out, tip) {
		t.Error("a clone has the objects of a session")
	}
}

// TestEmptyRemoteGetsNoThreads: a session is never the first that a remote gets.
func TestEmptyRemoteGetsNoThreads(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	extend(t, store, session, map[string]string{"session.json": "{}"})
	bare := filepath.Join(t.TempDir(), "empty.git")
	gitIn(t, dir, "init", "-q", "--bare", bare)
	gitIn(t, dir, "remote", "add", "origin", bare)
	if err := store.PushThreads(t.Context(), "origin", []string{session}); !errors.Is(err, gitstore.ErrEmptyRemote) {
		t.Error(err)
	}
	if got := gitIn(t, bare, "for-each-ref"); got != "" {
		t.Error(got)
	}
}

// TestManyThreads: hundreds of sessions are fetched by few gits.
func TestManyThreads(t *testing.T) {
	one, two, _ := twoClones(t)
	a, b := open(t, one), open(t, two)
	tip := extend(t, a, session, map[string]string{"session.json": "{}"})
	var refs []string
	var input strings.Builder
	for i := range 300 {
		refs = append(refs, fmt.Sprintf("%s%02x/s%d", gitstore.ThreadPrefix, i%256, i))
		fmt.Fprintf(&input, "create %s %s\n", refs[i], tip)
	}
	gitInput(t, one, input.String(), "update-ref", "--stdin")
	mustDo(t, a.PushThreads(t.Context(), "origin", refs))
	moved, err := b.FetchThreads(t.Context(), "origin", []string{gitstore.ThreadPrefix + "*"})
	if err != nil || len(moved) != len(refs) {
		t.Error(len(moved), err)
	}
}
