package gitstore_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
	"engram/gitstore/internal/remote"
)

// TestRemotes: what is listed, and which of them the memory is shared with.
func TestRemotes(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	upstream := func(want string) {
		t.Helper()
		if got, err := store.Upstream(t.Context()); got != want || err != nil {
			t.Errorf("upstream %q %v, want %q", got, err, want)
		}
	}
	if remotes, err := store.Remotes(t.Context()); len(remotes) > 0 || err != nil {
		t.Errorf("%v %v", remotes, err)
	}
	upstream("")
	mustDo(t, store.AddRemote(t.Context(), "Team/x.y", "https://user:token@example.com/x.git"))
	upstream("Team/x.y")
	mustDo(t, store.AddRemote(t.Context(), "b", "git@example.com:x/y.git"))
	upstream("")
	mustDo(t, store.AddRemote(t.Context(), "origin", "https://token@example.com/x.git"))
	upstream("origin")
	gitIn(t, dir, "config", "remote.b.pushurl", "ssh://git:pw@example.com/x")
	gitIn(t, dir, "config", "branch.engram.remote", "b")
	upstream("b")
	gitIn(t, dir, "config", "branch.engram.remote", "gone")
	if _, err := store.Upstream(t.Context()); !errors.Is(err, gitstore.ErrNoRemote) {
		t.Errorf("got %v", err)
	}
	want := []remote.Remote{
		{Name: "Team/x.y", URL: "https://example.com/x.git"}, {Name: "b", URL: "git@example.com:x/y.git", PushURL: "ssh://git@example.com/x"}, {Name: "origin", URL: "https://example.com/x.git"},
	}
	if diff := cmp.Diff(want, must(store.Remotes(t.Context()))); diff != "" {
		t.Error(diff)
	}
	if got := gitIn(t, dir, "config", "--get-all", "remote.origin.fetch"); got != "+refs/heads/engram:refs/remotes/origin/engram" {
		t.Errorf("fetches %s", got)
	}
	for _, name := range []string{"origin", "-x", "a b", ""} {
		if err := store.AddRemote(t.Context(), name, "/x"); err == nil {
			t.Errorf("%q was added", name)
		}
	}
}

// TestTrack: after it plain git brings the memory along; nothing is set twice
// or against what the user set.
func TestTrack(t *testing.T) {
	for name, test := range map[string]struct {
		fetch []string
		add   bool
	}{
		"default":     {[]string{"+refs/heads/*:refs/remotes/origin/*"}, false},
		"one branch":  {[]string{"+refs/heads/main:refs/remotes/origin/main"}, true},
		"none":        {nil, true},
		"itself":      {[]string{"refs/heads/engram:refs/remotes/origin/engram"}, false},
		"elsewhere":   {[]string{"+refs/heads/*:refs/remotes/other/*"}, true},
		"part":        {[]string{"+refs/heads/eng*:refs/remotes/origin/eng*"}, false},
		"mirror":      {[]string{"+refs/*:refs/*"}, true},
		"left out":    {[]string{"+refs/heads/*:refs/remotes/origin/*", "^refs/heads/engram"}, false},
		"another out": {[]string{"+refs/heads/main:refs/remotes/origin/main", "^refs/heads/x*"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newRepo(t)
			bare := bareRemote(t, dir)
			gitIn(t, dir, "update-ref", "refs/heads/engram", commitTree(t, dir, files{"x": "1"}))
			gitIn(t, dir, "push", "-q", bare, "engram")
			gitIn(t, dir, "config", "remote.origin.url", bare)
			for _, spec := range test.fetch {
				gitIn(t, dir, "config", "--add", "remote.origin.fetch", spec)
			}
			store := open(t, dir)
			want := []string{"branch.engram.remote = origin", "branch.engram.merge = refs/heads/engram"}
			if test.add {
				want = slices.Insert(want, 0, "remote.origin.fetch = +refs/heads/engram:refs/remotes/origin/engram")
			}
			if diff := cmp.Diff(want, must(store.Track(t.Context(), "origin"))); diff != "" {
				t.Error(diff)
			}
			if again := must(store.Track(t.Context(), "origin")); len(again) > 0 {
				t.Errorf("added again: %v", again)
			}
			gitIn(t, dir, "fetch", "-q", "--update-head-ok", "origin")
			if there := exists(filepath.Join(dir, ".git/refs/remotes/origin/engram")); there != (name != "left out") {
				t.Errorf("fetched: %v", there)
			}
		})
	}
	dir := newRepo(t)
	store := open(t, dir)
	if _, err := store.Track(t.Context(), "origin"); !errors.Is(err, gitstore.ErrNoRemote) {
		t.Errorf("got %v", err)
	}
	mustDo(t, store.AddRemote(t.Context(), "origin", "/x"))
	gitIn(t, dir, "config", "branch.engram.remote", "other")
	if got := must(store.Track(t.Context(), "origin")); !slices.Equal(got, []string{"branch.engram.merge = refs/heads/engram"}) {
		t.Errorf("added %v", got)
	}
}
