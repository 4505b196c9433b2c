package gitstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"engram/gitstore"
)

// TestForeignEnvironment: the variables that a hook hands on point at nothing
// that a store uses, and what they point at stays as it was.
func TestForeignEnvironment(t *testing.T) {
	dir, other := newRepo(t), newRepo(t)
	for name, value := range map[string]string{
		"GIT_DIR":                          filepath.Join(other, ".git"),
		"GIT_COMMON_DIR":                   filepath.Join(other, ".git"),
		"GIT_WORK_TREE":                    other,
		"GIT_INDEX_FILE":                   filepath.Join(other, ".git", "index"),
		"GIT_OBJECT_DIRECTORY":             filepath.Join(other, ".git", "objects"),
		"GIT_ALTERNATE_OBJECT_DIRECTORIES": filepath.Join(other, ".git", "objects"),
		"GIT_NAMESPACE":                    "elsewhere",
		"GIT_CONFIG_COUNT":                 "1",
		"GIT_CONFIG_KEY_0":                 "user.name",
		"GIT_CONFIG_VALUE_0":               "Mallory",
		"GIT_EXTERNAL_DIFF":                "false",
		"GIT_GLOB_PATHSPECS":               "1",
		"GIT_TRACE":                        filepath.Join(other, "trace"),
		"LANGUAGE":                         "de",
		"LC_ALL":                           "de_DE.UTF-8",
	} {
		t.Setenv(name, value)
	}
	before := snapshotWithObjects(t, other)
	store := open(t, dir)
	if store.CommonDir() != filepath.Join(dir, ".git") {
		t.Fatalf("opened %s", store.CommonDir())
	}
	revision := write(t, store, map[string]string{"domain/x.yml": "x"})
	if entry, err := store.Describe(t.Context(), revision); err != nil || entry.Author != "Ada <ada@example.com>" || entry.Date.Unix() < 1_000_000 {
		t.Errorf("commit by %s at %s: %v", entry.Author, entry.Date, err)
	}
	if got := contents(t, store, revision); got["domain/x.yml"] != "x" {
		t.Errorf("read %v", got)
	}
	if after := snapshotWithObjects(t, other); after != before {
		t.Errorf("the other repository changed:\n%s\n%s", before, after)
	}
}

func snapshotWithObjects(t *testing.T, dir string) string {
	t.Helper()
	var names strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			names.WriteString(path + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names.String()
}

// TestUserConfiguration: settings that change what git prints, writes or
// allows make no difference.
func TestUserConfiguration(t *testing.T) {
	dir, other := newRepo(t), newRepo(t)
	for key, value := range map[string]string{
		"color.ui": "always", "log.showSignature": "true", "core.quotePath": "true", "diff.renames": "copies",
		"diff.noprefix": "true", "diff.external": "false", "diff.orderFile": "/dev/null", "diff.relative": "true",
		"diff.ignoreSubmodules": "all", "core.abbrev": "4", "log.date": "relative", "log.showRoot": "false",
		"core.logAllRefUpdates": "false", "gpg.program": "false", "core.pager": "false",
		"core.fsmonitor": "true", "core.filesRefLockTimeout": "0", "core.compression": "0", "i18n.commitEncoding": "latin1",
		"i18n.logOutputEncoding": "latin1", "safe.bareRepository": "explicit", "core.autocrlf": "true", "core.ignoreCase": "true",
		"alias.cat-file": "version", "diff.algorithm": "patience", "core.bigFileThreshold": "1", "core.preferSymlinkRefs": "false",
		"column.ui": "always", "advice.detachedHead": "false", "core.untrackedCache": "true", "index.version": "4",
	} {
		globally(t, key, value)
	}
	unchanged(t, dir, func() { roundTrip(t, dir) })
	roundTrip(t, filepath.Join(other, ".git", "..")) // and where the common directory is a path with dots
}

// globally sets something in the user's configuration for the time of a test.
func globally(t *testing.T, key, value string) {
	t.Helper()
	home := os.Getenv("HOME")
	gitIn(t, home, "config", "--global", key, value)
	t.Cleanup(func() { gitIn(t, home, "config", "--global", "--unset", key) })
}

// TestIdentityOfEnvironment: a container says who commits, and when, in variables alone.
func TestIdentityOfEnvironment(t *testing.T) {
	dir := newRepo(t)
	gitIn(t, dir, "config", "--unset", "user.name")
	gitIn(t, dir, "config", "--unset", "user.email")
	gitIn(t, dir, "config", "user.useConfigOnly", "true")
	for name, value := range map[string]string{
		"GIT_AUTHOR_NAME": "CI", "GIT_AUTHOR_EMAIL": "ci@example.com", "GIT_AUTHOR_DATE": "2026-05-01T12:00:00+0200",
		"GIT_COMMITTER_NAME": "Runner", "GIT_COMMITTER_EMAIL": "runner@example.com", "GIT_COMMITTER_DATE": "@1777636801 -0300",
	} {
		t.Setenv(name, value)
	}
	parent := ""
	for _, meta := range []gitstore.Meta{{Message: "x\n"}, {Message: "x\n", Sign: true}} {
		if meta.Sign {
			signWithSSH(t, dir, "")
		}
		store := open(t, dir)
		revision := commitText(t, store, parent, "1"+parent, meta)
		parent = revision
		got := gitIn(t, dir, "cat-file", "commit", revision)
		const want = "\nauthor CI <ci@example.com> 1777629600 +0200\ncommitter Runner <runner@example.com> 1777636801 -0300\n"
		if !strings.Contains(got, want) || strings.Contains(got, "gpgsig") != meta.Sign {
			t.Errorf("signed %v: the commit is\n%s", meta.Sign, got)
		}
	}
	anonymous := gitIn(t, dir, "cat-file", "commit", commitText(t, open(t, dir), parent, "2", gitstore.Meta{Message: "x\n", Anonymous: true}))
	if strings.Contains(anonymous, "example.com") || strings.Contains(anonymous, " -0300") || strings.Contains(anonymous, "1777636801") {
		t.Errorf("the anonymous commit is\n%s", anonymous)
	}
	t.Setenv("GIT_AUTHOR_DATE", "teatime on a Sunday")
	store := open(t, dir)
	if _, err := apply(store, t, "", map[string]string{"x": "1"}); !errors.Is(err, gitstore.ErrDate) || !strings.Contains(err.Error(), "GIT_AUTHOR_DATE") {
		t.Errorf("a date that is none: %v", err)
	}
	t.Setenv("GIT_AUTHOR_DATE", "")
	t.Setenv("GIT_AUTHOR_NAME", "")
	if _, err := apply(open(t, dir), t, "", map[string]string{"x": "1"}); !errors.Is(err, gitstore.ErrNoIdentity) {
		t.Errorf("an empty name: %v", err)
	}
}

// TestCeilingDirectories: git is not looked for above them.
func TestCeilingDirectories(t *testing.T) {
	dir := newRepo(t)
	below := filepath.Join(dir, "a", "b")
	mustDo(t, os.MkdirAll(below, 0o755))
	open(t, below)
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Join(dir, "a"))
	if _, err := gitstore.Open(t.Context(), below, nil); !errors.Is(err, gitstore.ErrNotRepository) {
		t.Errorf("got %v", err)
	}
	open(t, filepath.Join(dir, "a"))
}
