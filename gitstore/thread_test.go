package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
	"engram/internal/gittest"
)

const session = gitstore.ThreadPrefix + "ab/one"

// extend adds files to a session.
func extend(t testing.TB, store *gitstore.Store, ref string, files map[string]string) string {
	t.Helper()
	entries := put(t, store, files)
	commit, err := store.Extend(context.Background(), ref, func(string) ([]gitstore.ThreadEntry, gitstore.Meta, error) {
		return entries, gitstore.Meta{Message: "more\n"}, nil
	})
	if err != nil {
		t.Fatalf("extend %s: %v", ref, err)
	}
	return commit
}

func put(t testing.TB, store *gitstore.Store, files map[string]string) []gitstore.ThreadEntry {
	t.Helper()
	var data [][]byte
	paths := slices.Sorted(maps.Keys(files))
	for _, path := range paths {
		data = append(data, []byte(files[path]))
	}
	names, err := store.PutBlobs(context.Background(), data)
	mustDo(t, err)
	entries := make([]gitstore.ThreadEntry, len(names))
	for i, name := range names {
		entries[i] = gitstore.ThreadEntry{Path: paths[i], Object: name}
	}
	return entries
}

// threadContents is everything in a commit of a session.
func threadContents(t testing.TB, store *gitstore.Store, commit string) map[string]string {
	t.Helper()
	files, err := store.ThreadFiles(t.Context(), commit)
	mustDo(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Object)
	}
	all := map[string]string{}
	i := 0
	for blob, err := range store.ThreadBlobs(t.Context(), names, 16<<20) {
		mustDo(t, err)
		mustDo(t, blob.Err)
		if int64(len(blob.Data)) != files[i].Size {
			t.Errorf("%s has %d bytes, and %d in the list", files[i].Path, len(blob.Data), files[i].Size)
		}
		all[files[i].Path] = string(blob.Data)
		i++
	}
	return all
}

// TestExtend: a session grows by commits on a reference of its own, which touch nothing
// of the user's.
func TestExtend(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	first := extend(t, store, session, map[string]string{"session.json": "{}", "0000/00-a/events.jsonl": "1\n"})
	if first != extend(t, store, session, map[string]string{"session.json": "{}"}) {
		t.Error("what is there already made a commit")
	}
	big := map[string]string{}
	for i := range 30 {
		big[fmt.Sprintf("0000/01-b/artifacts/%02d", i)] = strings.Repeat(fmt.Sprint(i), 2<<20)
	}
	second := extend(t, store, session, big)
	want := maps.Clone(big)
	want["session.json"], want["0000/00-a/events.jsonl"] = "{}", "1\n"
	if diff := cmp.Diff(want, threadContents(t, store, second)); diff != "" {
		t.Error(diff[:min(len(diff), 1000)])
	}
	if got := gitIn(t, dir, "log", "--format=%H %an %s", session); got != second+" Ada more\n"+first+" Ada more" {
		t.Error(got)
	}
	tips, err := store.Threads(t.Context())
	if diff := cmp.Diff(map[string]string{session: second}, tips); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if tip, err := store.ThreadTip(t.Context(), session); tip != second || err != nil {
		t.Error(tip, err)
	}
	added, err := store.Changed(t.Context(), first, second)
	if err != nil || len(added) != 30 || added[3].Path != "0000/01-b/artifacts/03" {
		t.Error(added, err)
	}
	if all, err := store.Changed(t.Context(), "", first); err != nil || len(all) != 2 {
		t.Error(all, err)
	}
	if data, err := store.ThreadBlob(t.Context(), added[0].Object, 16<<20); err != nil || len(data) != 2<<20 {
		t.Error(len(data), err)
	}
	if _, err := store.ThreadBlob(t.Context(), added[0].Object, 1<<20); !errors.Is(err, gitstore.ErrTooLarge) {
		t.Error(err)
	}
	other := put(t, store, map[string]string{"session.json": "{1}"})
	_, err = store.Extend(t.Context(), session, func(string) ([]gitstore.ThreadEntry, gitstore.Meta, error) {
		return other, gitstore.Meta{}, nil
	})
	if !errors.Is(err, gitstore.ErrThreadExists) {
		t.Error(err)
	}
	for _, ref := range []string{"refs/heads/main", gitstore.ThreadPrefix, gitstore.ThreadPrefix + "../x", gitstore.ThreadPrefix + "a b", gitstore.ThreadPrefix + ".x"} {
		if err := store.DeleteThread(t.Context(), ref, second); !errors.Is(err, gitstore.ErrBranchName) {
			t.Errorf("%s: %v", ref, err)
		}
	}
	if got := gitIn(t, dir, "status", "--porcelain"); got != "" {
		t.Error(got)
	}
	fsck(t, dir)
	noLitter(t, store)
}

// TestExtendAtOnce: writers of one session lose nothing to each other.
func TestExtendAtOnce(t *testing.T) {
	dir := newRepo(t)
	const writers, each = 4, 10
	var wg sync.WaitGroup
	for w := range writers {
		store := open(t, dir)
		wg.Go(func() {
			for i := range each {
				extend(t, store, session, map[string]string{fmt.Sprintf("%04d/00-w%d/events.jsonl", i, w): fmt.Sprint(w, i)})
			}
		})
	}
	wg.Wait()
	if got := len(threadContents(t, open(t, dir), session)); got != writers*each {
		t.Errorf("%d files", got)
	}
	if got := gitIn(t, dir, "rev-list", "--count", session); got != fmt.Sprint(writers*each) {
		t.Errorf("%s commits", got)
	}
	fsck(t, dir)
}

// TestAnonymousThread: an anonymous commit names no one.
func TestAnonymousThread(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	entries := put(t, store, map[string]string{"a": "1"})
	_, err := store.Extend(t.Context(), session, func(string) ([]gitstore.ThreadEntry, gitstore.Meta, error) {
		return entries, gitstore.Meta{Message: "more\n", Anonymous: true, Sign: true}, nil
	})
	mustDo(t, err)
	if got := gitIn(t, dir, "log", "--format=%an %ce", session); got != "anonymous anonymous@engram.invalid" {
		t.Error(got)
	}
}

// TestReplaceThread: what a session was is gone from its reference, its log and what was
// fetched of it; deleting removes the reference.
func TestReplaceThread(t *testing.T) {
	dir := newRepo(t)
	gitIn(t, dir, "config", "core.logAllRefUpdates", "always")
	store := open(t, dir)
	extend(t, store, session, map[string]string{"a": "secret"})
	old := extend(t, store, session, map[string]string{"b": "fine"})
	gitIn(t, dir, "update-ref", "refs/engram/remotes/origin/sessions/ab/one", old)
	entries := put(t, store, map[string]string{"a": "[redacted]", "b": "fine"})
	if _, err := store.ReplaceThread(t.Context(), session, gittest.Commit(t, dir, nil), entries, gitstore.Meta{}); !errors.Is(err, gitstore.ErrMoved) {
		t.Error(err)
	}
	commit, err := store.ReplaceThread(t.Context(), session, old, entries, gitstore.Meta{Message: "redact\n"})
	mustDo(t, err)
	if diff := cmp.Diff(map[string]string{"a": "[redacted]", "b": "fine"}, threadContents(t, store, session)); diff != "" {
		t.Error(diff)
	}
	if got := gitIn(t, dir, "rev-list", "--count", session); got != "1" {
		t.Error(got)
	}
	if got := gitIn(t, dir, "reflog", "show", session); got != "" {
		t.Error(got)
	}
	mustDo(t, store.DeleteThread(t.Context(), session, commit))
	if got := gitIn(t, dir, "for-each-ref", "refs/engram"); got != "" {
		t.Error(got)
	}
	if tip, err := store.ThreadTip(t.Context(), session); tip != "" || err != nil {
		t.Error(tip, err)
	}
	fsck(t, dir)
}
