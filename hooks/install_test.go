package hooks_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/hooks"
)

// TestUninstallRestoresEveryByte: whatever stood in the way of a hook stands
// there again, and what another tool did to it meanwhile stays done.
func TestUninstallRestoresEveryByte(t *testing.T) {
	for _, c := range []struct {
		name, content string
		mode          fs.FileMode
		link          string
	}{
		{name: "nothing"},
		{name: "sh", content: "#!/bin/sh\necho hi\n", mode: 0o755},
		{name: "no end of line", content: "#!/bin/bash\necho hi", mode: 0o755},
		{name: "nothing but the shell", content: "#!/bin/sh\n", mode: 0o755},
		{name: "nothing but the shell, no end of line", content: "#!/bin/sh", mode: 0o755},
		{name: "env", content: "#!/usr/bin/env sh\n\n\necho hi\n\n\n", mode: 0o755},
		{name: "env -S", content: "#!/usr/bin/env -S bash -eu\necho hi\n", mode: 0o755},
		{name: "strict", content: "#!/bin/sh -eu\necho hi\n", mode: 0o755},
		{name: "other shells", content: "#! /bin/zsh\necho hi\n", mode: 0o755},
		{name: "CRLF", content: "#!/bin/sh\r\necho hi\r\n", mode: 0o755},
		{name: "CRLF, no end of line", content: "#!/bin/sh\r\necho hi", mode: 0o755},
		{name: "no first line that names a shell", content: "echo hi\n", mode: 0o755},
		{name: "empty", content: "", mode: 0o755},
		{name: "python", content: "#!/usr/bin/env python3\nprint('hi')\n", mode: 0o755},
		{name: "fish", content: "#!/usr/bin/fish\necho hi\n", mode: 0o755},
		{name: "binary", content: "\x7fELF\x00\x01\xff", mode: 0o755},
		{name: "only the owner's", content: "#!/bin/sh\necho hi\n", mode: 0o700},
		{name: "read only", content: "#!/bin/sh\necho hi\n", mode: 0o555},
		{name: "not executable", content: "#!/bin/sh\nexit 1\n", mode: 0o644},
		{name: "link", link: "../../shared-hook"},
		{name: "link to nowhere", link: "../nowhere"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t)
			write(t, r.path("shared-hook"), "#!/bin/sh\necho hi\n", 0o755)
			for _, hook := range hooks.Names()[:6] {
				path := r.path(".git/hooks/" + hook)
				switch {
				case c.link != "":
					must(t, os.MkdirAll(filepath.Dir(path), 0o755))
					must(t, os.Symlink(c.link, path))
				case c.mode != 0:
					write(t, path, c.content, c.mode)
				}
			}
			before := snapshot(t, r.dir, ".git/engram")
			if report := r.install(); !report.Complete {
				t.Errorf("after installing: %+v", report)
			}
			once := snapshot(t, r.dir)
			r.install()
			if diff := cmp.Diff(once, snapshot(t, r.dir)); diff != "" {
				t.Errorf("installing twice is not installing once:\n%s", diff)
			}
			if !strings.Contains(c.content, "\r") {
				for _, hook := range hooks.Names()[:6] {
					if out, err := exec.Command("sh", "-n", r.path(".git/hooks/"+hook)).CombinedOutput(); err != nil && !strings.Contains(c.content, "ELF") {
						t.Errorf("%s is no script any more: %s", hook, out)
					}
				}
			}
			if report := r.uninstall(); !report.Complete {
				t.Errorf("after taking out: %+v", report)
			}
			if diff := cmp.Diff(before, snapshot(t, r.dir, ".git/engram")); diff != "" {
				t.Errorf("not as it was:\n%s", diff)
			}
		})
	}
}

// TestOwnerChangesTheRest: the lines come out, whatever was written around them.
func TestOwnerChangesTheRest(t *testing.T) {
	r := newRepo(t)
	path := r.path(".git/hooks/post-merge")
	write(t, path, "#!/bin/sh\necho one\n", 0o755)
	r.install()
	write(t, path, strings.Replace(read(t, path), "echo one", "echo two", 1)+"echo three\n", 0o750)
	own := r.path(".git/hooks/post-commit")
	write(t, own, read(t, own)+"echo mine\n", 0o755)
	newer := r.options()
	newer.Binary += "-2"
	_, err := hooks.Install(t.Context(), r.place(), newer)
	must(t, err)
	if text := read(t, path); strings.Count(text, ">>> engram hooks >>>") != 1 || !strings.Contains(text, "engram-2'") {
		t.Errorf("a newer engram did not replace its lines:\n%s", text)
	}
	r.uninstall()
	if got := read(t, path); got != "#!/bin/sh\necho two\necho three\n" {
		t.Errorf("left: %q", got)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o750 {
		t.Errorf("mode %s", info.Mode())
	}
	if got := read(t, own); got != "#!/bin/sh\necho mine\n" {
		t.Errorf("left of engram's own: %q", got)
	}
}

// TestWithoutTheRecord: the hooks themselves say what is engram's.
func TestWithoutTheRecord(t *testing.T) {
	r := newRepo(t)
	write(t, r.path(".git/hooks/pre-push"), "#!/usr/bin/env python3\n", 0o755)
	before := snapshot(t, r.dir)
	r.install()
	must(t, os.RemoveAll(r.path(".git/engram")))
	if s := r.status(); !s.Complete || state(s, "pre-push") != "chained own script" {
		t.Errorf("%+v", s)
	}
	r.uninstall()
	must(t, os.RemoveAll(r.path(".git/engram")))
	if diff := cmp.Diff(before, snapshot(t, r.dir)); diff != "" {
		t.Errorf("not as it was:\n%s", diff)
	}
}

// TestConfiguration: the merge driver goes in and out, whatever else stands
// there.
func TestConfiguration(t *testing.T) {
	for _, c := range []struct{ name, add string }{
		{"as git made it", ""},
		{"no end of line", "[alias]\n\tst = status"},
		{"another driver", "[merge \"union2\"]\n\tdriver = true\n"},
		{"Windows", "[alias]\r\n\tst = status\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t)
			config := r.path(".git/config")
			write(t, config, read(t, config)+c.add, 0o600)
			before := snapshot(t, r.dir)
			r.install()
			want := `'` + strings.ReplaceAll(r.binary, `'`, `'\''`) + `' merge-file %O %A %B %P; r=$?; test $r -lt 126 && exit $r; git merge-file -q %A %O %B`
			if got := strings.TrimSpace(r.git("config", "--get", "merge.engram.driver")); got != want {
				t.Errorf("driver %s, want %s", got, want)
			}
			r.uninstall()
			must(t, os.RemoveAll(r.path(".git/engram")))
			if diff := cmp.Diff(before, snapshot(t, r.dir)); diff != "" {
				t.Errorf("not as it was:\n%s", diff)
			}
		})
	}
	t.Run("changed meanwhile", func(t *testing.T) {
		r := newRepo(t)
		r.install()
		r.git("config", "user.nickname", "ada")
		r.uninstall()
		if got := r.git("config", "--local", "--list"); !strings.Contains(got, "user.nickname=ada") || strings.Contains(got, "merge.engram") {
			t.Errorf("left: %s", got)
		}
	})
	t.Run("somebody's choice", func(t *testing.T) {
		r := newRepo(t)
		r.git("config", "merge.engram.driver", "my-own %A")
		before := snapshot(t, r.dir)
		if report := r.install(); len(report.Notes) == 0 || report.Driver != "my-own %A" {
			t.Errorf("%+v", report)
		}
		r.uninstall()
		must(t, os.RemoveAll(r.path(".git/engram")))
		if diff := cmp.Diff(before, snapshot(t, r.dir)); diff != "" {
			t.Errorf("not as it was:\n%s", diff)
		}
	})
}

// TestFoldersOfHooks: which are the repository's to change.
func TestFoldersOfHooks(t *testing.T) {
	for _, c := range []struct {
		name  string
		setup func(r *repo) string // returns core.hooksPath
		want  error
	}{
		{"relative, ignored", func(r *repo) string {
			write(t, r.path("tools/hooks/.gitignore"), "*\n", 0o644)
			return "tools/hooks"
		}, nil},
		{"absolute, in the git directory", func(r *repo) string { return r.path(".git/my-hooks") }, nil},
		{"relative, tracked", func(r *repo) string {
			write(t, r.path("tools/hooks/pre-commit"), "#!/bin/sh\n", 0o755)
			r.git("add", ".")
			r.git("commit", "--quiet", "-m", "hooks")
			return "tools/hooks"
		}, hooks.ErrVersioned},
		{"relative, about to be tracked", func(r *repo) string { return "tools/hooks" }, hooks.ErrVersioned},
		{"of all repositories", func(r *repo) string { return filepath.Join(r.home, "hooks") }, hooks.ErrElsewhere},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t)
			r.git("config", "core.hooksPath", c.setup(r))
			before := snapshot(t, filepath.Dir(r.dir))
			_, err := hooks.Install(t.Context(), r.place(), r.options())
			if !errors.Is(err, c.want) {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			if c.want == nil {
				r.git("commit", "--quiet", "--allow-empty", "-m", "x")
				if got := r.called(); !strings.Contains(got, "run post-commit") {
					t.Errorf("engram was called with %q", got)
				}
				r.uninstall()
				must(t, os.RemoveAll(r.path(".git/engram")))
				return
			}
			if diff := cmp.Diff(before, snapshot(t, filepath.Dir(r.dir))); diff != "" {
				t.Errorf("something changed:\n%s", diff)
			}
		})
	}
}

// TestGlobalHooksPath: a user's hooks for all repositories are not one's to
// change.
func TestGlobalHooksPath(t *testing.T) {
	r := newRepo(t)
	r.git("config", "--global", "core.hooksPath", "~/hooks")
	if _, err := hooks.Install(t.Context(), r.place(), r.options()); !errors.Is(err, hooks.ErrElsewhere) {
		t.Errorf("error %v", err)
	}
}

func TestBare(t *testing.T) {
	r := newRepo(t)
	bare := filepath.Join(filepath.Dir(r.dir), "bare.git")
	r.git("clone", "--quiet", "--bare", r.dir, bare)
	p, err := hooks.Locate(bare, nil)
	must(t, err)
	if _, err := hooks.Install(t.Context(), p, r.options()); !errors.Is(err, hooks.ErrBare) {
		t.Errorf("error %v", err)
	}
	// With work trees beside it, it is how some people work.
	tree := filepath.Join(filepath.Dir(r.dir), "tree")
	r.git("-C", bare, "worktree", "add", "--quiet", tree)
	p, err = hooks.Locate(tree, nil)
	must(t, err)
	_, err = hooks.Install(t.Context(), p, r.options())
	must(t, err)
	r.git("-C", tree, "commit", "--quiet", "--allow-empty", "-m", "x")
	if got := r.called(); !strings.Contains(got, "run post-commit") {
		t.Errorf("engram was called with %q", got)
	}
	if report, err := hooks.Uninstall(t.Context(), p); err != nil || len(report.Hooks) != 6 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestLinkedWorkTreesAndSubmodules: hooks are shared by the first, and the
// second have their own.
func TestLinkedWorkTreesAndSubmodules(t *testing.T) {
	r := newRepo(t)
	base := filepath.Dir(r.dir)
	tree := filepath.Join(base, "tree")
	r.git("worktree", "add", "--quiet", tree)
	p, err := hooks.Locate(filepath.Join(tree), nil)
	must(t, err)
	_, err = hooks.Install(t.Context(), p, r.options())
	must(t, err)
	if s := r.status(); !s.Complete {
		t.Errorf("seen from the main work tree: %+v", s)
	}
	for _, dir := range []string{tree, r.dir} {
		r.git("-C", dir, "commit", "--quiet", "--allow-empty", "-m", "x")
		if got := r.called(); strings.Count(got, "run post-commit") != 1 {
			t.Errorf("%s: engram was called with %q", dir, got)
		}
	}
	r.uninstall()
	if report, err := hooks.Status(t.Context(), p, r.options()); err != nil || state(report, "post-commit") != hooks.Missing {
		t.Errorf("%+v, %v", report, err)
	}

	r.git("clone", "--quiet", r.dir, filepath.Join(base, "inner"))
	r.git("submodule", "--quiet", "add", filepath.Join(base, "inner"), "sub")
	p, err = hooks.Locate(r.path("sub"), nil)
	must(t, err)
	_, err = hooks.Install(t.Context(), p, r.options())
	must(t, err)
	if s := r.status(); s.Complete {
		t.Errorf("installing in a submodule installed above: %+v", s)
	}
	r.git("-C", r.path("sub"), "commit", "--quiet", "--allow-empty", "-m", "x")
	if got := r.called(); strings.Count(got, "run post-commit") != 1 {
		t.Errorf("in the submodule engram was called with %q", got)
	}
}

// TestWhatOtherToolsDo: imitations of the layouts of husky 9, lefthook and
// pre-commit, installed before engram and after it.
func TestWhatOtherToolsDo(t *testing.T) {
	preCommit := "#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n" +
		"HERE=\"$(cd \"$(dirname \"$0\")\" && pwd)\"\n[ ! -x \"$HERE/pre-commit.legacy\" ] || \"$HERE/pre-commit.legacy\" \"$@\" || exit 1\necho ran >>theirs\n"
	lefthook := "#!/bin/sh\n\nif [ \"$LEFTHOOK_VERBOSE\" = \"1\" ]; then\n  set -x\nfi\n\ncall_lefthook()\n{\n  echo ran >>theirs\n}\n\ncall_lefthook run \"pre-commit\" \"$@\"\n"
	for _, c := range []struct{ name, folder, content, maker string }{
		{"pre-commit", ".git/hooks", preCommit, "pre-commit"},
		{"lefthook", ".git/hooks", lefthook, "lefthook"},
		{"husky", ".husky/_", "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"", "husky"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRepo(t)
			hook := r.path(c.folder + "/pre-commit")
			write(t, hook, c.content, 0o755)
			if c.name == "husky" {
				write(t, r.path(".husky/_/.gitignore"), "*", 0o644)
				write(t, r.path(".husky/_/h"), "#!/usr/bin/env sh\nn=$(basename \"$0\")\ns=$(dirname \"$(dirname \"$0\")\")/$n\n[ ! -f \"$s\" ] && exit 0\nsh -e \"$s\" \"$@\"\nc=$?\nexit $c\n", 0o755)
				write(t, r.path(".husky/pre-commit"), "echo ran >>theirs\n", 0o644)
				r.git("config", "core.hooksPath", ".husky/_")
				r.git("add", ".husky/pre-commit")
			}
			commit := func() {
				t.Helper()
				r.git("commit", "--quiet", "--allow-empty", "-m", "x")
				if got := r.called(); strings.Count(got, "run pre-commit") != 1 {
					t.Errorf("engram was called with %q", got)
				}
				if got := read(t, r.path("theirs")); got != "ran\n" {
					t.Errorf("theirs ran %q", got)
				}
				must(t, os.Remove(r.path("theirs")))
			}
			before := snapshot(t, r.path(c.folder))
			r.install()
			if got := state(r.status(), "pre-commit"); got != "chained "+c.maker {
				t.Errorf("state %s", got)
			}
			commit()
			r.uninstall()
			if diff := cmp.Diff(before, snapshot(t, r.path(c.folder))); diff != "" {
				t.Errorf("not as it was:\n%s", diff)
			}
			// The tool is installed again, over engram's lines, as tools do.
			r.install()
			write(t, hook, c.content, 0o755)
			if s := r.status(); s.Complete || state(s, "pre-commit") != "replaced "+c.maker {
				t.Errorf("state %s", state(s, "pre-commit"))
			}
			r.install()
			commit()
		})
	}
	t.Run("moves engram's hook aside and runs it", func(t *testing.T) {
		r := newRepo(t)
		r.install()
		hook := r.path(".git/hooks/pre-commit")
		must(t, os.Rename(hook, hook+".legacy"))
		write(t, hook, preCommit, 0o755)
		r.git("commit", "--quiet", "--allow-empty", "-m", "x")
		if got := r.called(); strings.Count(got, "run pre-commit") != 1 {
			t.Errorf("engram was called with %q", got)
		}
		r.install() // twice in one chain runs once
		r.git("commit", "--quiet", "--allow-empty", "-m", "x")
		if got := r.called(); strings.Count(got, "run pre-commit") != 1 {
			t.Errorf("engram was called with %q", got)
		}
		r.uninstall()
		names, _ := os.ReadDir(filepath.Dir(hook))
		if len(names) != 1 || read(t, hook) != preCommit {
			t.Errorf("left: %v", names)
		}
	})
	t.Run("runs in a circle", func(t *testing.T) {
		r := newRepo(t)
		hook := r.path(".git/hooks/pre-commit")
		// No shell script, and runs NAME.legacy if there is one.
		circle := "#!/usr/bin/env -S perl\nopen F, '>>', 'theirs'; print F \"ran\\n\"; close F;\nsystem('.git/hooks/pre-commit.legacy') if -x '.git/hooks/pre-commit.legacy';\n"
		write(t, hook, circle, 0o755)
		r.install()
		must(t, os.Rename(hook, hook+".legacy"))
		write(t, hook, circle, 0o755)
		r.git("commit", "--quiet", "--allow-empty", "-m", "x")
		if got := r.called(); strings.Count(got, "run pre-commit") != 1 {
			t.Errorf("engram was called with %q", got)
		}
		if got := strings.Count(read(t, r.path("theirs")), "ran"); got != 2 {
			t.Errorf("theirs ran %d times", got)
		}
	})
}

// TestForeignFilesInTheWay: what is lost if engram went on is asked about.
func TestForeignFilesInTheWay(t *testing.T) {
	r := newRepo(t)
	write(t, r.path(".git/hooks/post-merge"), "#!/usr/bin/env python3\n", 0o755)
	write(t, r.path(".git/hooks/post-merge.engram-saved"), "#!/usr/bin/env python3\n", 0o755)
	before := snapshot(t, r.dir)
	if _, err := hooks.Install(t.Context(), r.place(), r.options()); !errors.Is(err, hooks.ErrForeign) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, snapshot(t, r.dir)); diff != "" {
		t.Errorf("something changed:\n%s", diff)
	}
}

// TestSnippet: what is printed for a person to place works where it is put.
func TestSnippet(t *testing.T) {
	r := newRepo(t)
	write(t, r.path(".git/hooks/post-commit"), "#!/bin/sh\necho before >>theirs\n"+hooks.Snippet("post-commit", r.options())+"echo after >>theirs\n", 0o755)
	r.git("commit", "--quiet", "--allow-empty", "-m", "x")
	if got := read(t, r.path("theirs")) + r.called(); got != "before\nafter\nhooks run post-commit\n" {
		t.Errorf("%q", got)
	}
	if s := r.status(); state(s, "post-commit") != "chained own script" || !slices.Contains(s.Notes, "no merge driver for facts is configured") {
		t.Errorf("%+v", s)
	}
}

// TestUninstallLeavesWhatWasAdded: a setting that somebody added to the section of
// the driver stays in a section of that name.
func TestUninstallLeavesWhatWasAdded(t *testing.T) {
	r := newRepo(t)
	r.install()
	r.git("config", "merge.engram.recursive", "binary")
	r.uninstall()
	if got := strings.TrimSpace(r.git("config", "--get", "merge.engram.recursive")); got != "binary" {
		t.Errorf("it is %q now:\n%s", got, r.git("config", "--list", "--local"))
	}
}
