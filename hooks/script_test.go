package hooks_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"engram/hooks"
)

// TestOthersRunAsBefore: a hook that was there gets its arguments and its
// standard input, and its exit status counts, whatever language it is in.
func TestOthersRunAsBefore(t *testing.T) {
	for name, first := range map[string]string{"sh": "#!/bin/sh", "strict": "#!/bin/sh -eu", "bash": "#!/usr/bin/env bash", "perl": "#!/usr/bin/env perl"} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			remote := filepath.Join(filepath.Dir(r.dir), "remote.git")
			r.git("clone", "--quiet", "--bare", r.dir, remote)
			r.git("remote", "add", "origin", remote)
			body := "\necho \"args $*\" >>theirs\ncat >>theirs\nexit 3\n"
			if name == "perl" {
				body = "\nopen F, '>>', 'theirs'; print F \"args @ARGV\\n\"; print F <STDIN>; exit 3;\n"
			}
			write(t, r.path(".git/hooks/pre-push"), first+body, 0o755)
			write(t, r.path(".git/hooks/pre-commit"), first+body, 0o755)
			r.install()
			if out, err := r.try("commit", "--quiet", "--allow-empty", "-m", "x"); err == nil {
				t.Errorf("their pre-commit did not stop the commit: %s", out)
			}
			if got := read(t, r.path("theirs")); got != "args \n" {
				t.Errorf("pre-commit: %q", got)
			}
			must(t, os.Remove(r.path("theirs")))
			r.git("commit", "--quiet", "--no-verify", "--allow-empty", "-m", "x")
			r.called()
			if out, err := r.try("push", "origin", "main", "main:second"); err == nil {
				t.Errorf("their pre-push did not stop the push: %s", out)
			}
			head, base := strings.TrimSpace(r.git("rev-parse", "HEAD")), strings.TrimSpace(r.git("rev-parse", "HEAD^"))
			moves := fmt.Sprintf("refs/heads/main %s refs/heads/main %s\nrefs/heads/main %s refs/heads/second %040d\n", head, base, head, 0)
			if got, want := read(t, r.path("theirs")), "args origin "+remote+"\n"+moves; got != want {
				t.Errorf("pre-push was told %q, want %q", got, want)
			}
			// engram was told the same.
			want := "hooks run pre-push origin " + remote + "\nin: " + strings.ReplaceAll(strings.TrimSuffix(moves, "\n"), "\n", "\nin: ") + "\n"
			if got := r.called(); got != want {
				t.Errorf("engram was told %q, want %q", got, want)
			}
			r.git("reset", "--quiet", "--hard", "HEAD^")
			must(t, os.Remove(r.path("theirs")))
			_, _ = r.try("push", "--quiet", "origin", "main")
			if b, _ := os.ReadFile(r.path("theirs")); strings.Contains(string(b), "\n\n") {
				t.Errorf("nothing to push became %q", b)
			}
		})
	}
}

// TestOnlyPolicyStopsGit: whatever becomes of engram, git goes on, except where
// engram says no to what it may say no to.
func TestOnlyPolicyStopsGit(t *testing.T) {
	r := newRepo(t)
	r.install()
	for _, c := range []struct {
		name, engram string
		stops        bool
	}{
		{"done", "exit 0", false},
		{"refused", "exit 4", true},
		{"failed", "exit 70", false},
		{"no", "exit 1", false},
		{"crashed", "kill -SEGV $$", false},
		{"not a program", "exit 127", false},
	} {
		r.engram(c.engram)
		if out, err := r.try("commit", "--quiet", "--allow-empty", "-m", "x"); (err != nil) != c.stops {
			t.Errorf("%s: %v: %s", c.name, err, out)
		}
	}
	r.engram("exit 4") // no other hook has a say
	r.git("commit", "--quiet", "--allow-empty", "--no-verify", "-m", "x")
	r.git("checkout", "--quiet", "-b", "other")
	r.git("rebase", "--quiet", "--force-rebase", "HEAD^")
}

// TestEngramIsGone: a program that was removed is no reason to say anything, and
// another one on the path takes over.
func TestEngramIsGone(t *testing.T) {
	r := newRepo(t)
	r.install()
	must(t, os.Rename(r.binary, r.binary+"-away"))
	if out := r.git("commit", "--quiet", "--allow-empty", "-m", "x"); out != "" {
		t.Errorf("git says %q", out)
	}
	if s := r.status(); s.Complete {
		t.Errorf("status does not see it: %+v", s)
	}
	bin := filepath.Join(filepath.Dir(r.dir), "bin")
	must(t, os.MkdirAll(bin, 0o755))
	must(t, os.Rename(r.binary+"-away", filepath.Join(bin, "engram")))
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	r.git("commit", "--quiet", "--allow-empty", "-m", "x")
	if got := r.called(); !strings.Contains(got, "run post-commit") {
		t.Errorf("engram was called with %q", got)
	}
}

// TestInside: hooks of a git that engram runs leave engram alone, and run what is
// somebody else's all the same.
func TestInside(t *testing.T) {
	r := newRepo(t)
	write(t, r.path(".git/hooks/post-commit"), "#!/bin/sh\necho ran >>theirs\n", 0o755)
	write(t, r.path(".git/hooks/pre-commit"), "#!/usr/bin/env perl\nopen F, '>>', 'theirs'; print F \"ran\\n\";\n", 0o755)
	r.install()
	t.Setenv("ENGRAM_INSIDE", "1")
	r.git("commit", "--quiet", "--allow-empty", "-m", "x")
	if got := r.called() + read(t, r.path("theirs")); got != "ran\nran\n" {
		t.Errorf("ran %q", got)
	}
}

// TestWhatStartsEngram: which commands of git lead to how many processes.
func TestWhatStartsEngram(t *testing.T) {
	r := newRepo(t)
	for i := range 5 {
		write(t, r.path(fmt.Sprint("f", i)), "x\n", 0o644)
		r.git("add", ".")
		r.git("commit", "--quiet", "-m", "x")
	}
	r.git("branch", "topic", "HEAD~3")
	r.install()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"commit", "--allow-empty", "-m", "x"}, "pre-commit post-commit"},
		{[]string{"commit", "--amend", "--allow-empty", "-m", "y"}, "pre-commit post-commit post-rewrite"},
		{[]string{"rebase", "--force-rebase", "HEAD~4"}, "post-checkout post-rewrite"},
		{[]string{"checkout", "HEAD", "--", "f1"}, ""},
		{[]string{"checkout", "topic"}, "post-checkout"},
		{[]string{"merge", "main"}, "post-merge"},
		{[]string{"status"}, ""},
	} {
		r.called()
		r.git(c.args...)
		var got []string
		for line := range strings.Lines(r.called()) {
			if fields := strings.Fields(line); len(fields) > 2 && fields[1] == "run" {
				got = append(got, fields[2])
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("git %v ran %q, want %q", c.args, got, c.want)
		}
	}
}

// TestReferenceTransaction: engram starts only if the memory branch moved, here
// or of a remote, and a script that was there sees all that it saw.
func TestReferenceTransaction(t *testing.T) {
	for _, chained := range []bool{false, true} {
		t.Run(fmt.Sprint("chained ", chained), func(t *testing.T) {
			r := newRepo(t)
			if chained {
				write(t, r.path(".git/hooks/reference-transaction"), "#!/bin/sh -eu\nwhile read -r old new ref; do echo \"$1 $ref\" >>theirs; done\n", 0o755)
			}
			remote := filepath.Join(filepath.Dir(r.dir), "remote.git")
			r.git("clone", "--quiet", "--bare", r.dir, remote)
			r.git("-C", remote, "branch", "engram")
			r.git("-C", remote, "branch", "engrams")
			r.git("remote", "add", "origin", remote)
			if s := r.install(); state(s, hooks.ReferenceTransaction) != hooks.Off && !chained {
				t.Errorf("installed unasked: %+v", s)
			}
			o := r.options()
			o.WithFetch = true
			report, err := hooks.Install(t.Context(), r.place(), o)
			must(t, err)
			if !report.Complete {
				t.Errorf("%+v", report)
			}
			count := func(args ...string) int {
				t.Helper()
				r.called()
				r.git(args...)
				return strings.Count(r.called(), "run reference-transaction committed")
			}
			if n := count("fetch", "--quiet", "origin", "main"); n != 0 {
				t.Errorf("a fetch of code started %d", n)
			}
			if n := count("fetch", "--quiet"); n != 1 {
				t.Errorf("a fetch of the memory started %d", n)
			}
			if n := count("fetch", "--quiet"); n != 0 {
				t.Errorf("a fetch of nothing started %d", n)
			}
			if n := count("fetch", "--quiet", "origin", "engram:engram"); n != 1 {
				t.Errorf("a fetch into the branch started %d", n)
			}
			if n := count("commit", "--quiet", "--allow-empty", "-m", "x"); n != 0 {
				t.Errorf("a commit started %d", n)
			}
			if chained {
				theirs := read(t, r.path("theirs"))
				for _, want := range []string{"prepared refs/remotes/origin/engram\n", "committed refs/remotes/origin/engram\n", "committed refs/heads/engram\n", "committed refs/heads/main\n"} {
					if !strings.Contains(theirs, want) {
						t.Errorf("theirs did not see %q:\n%s", want, theirs)
					}
				}
			}
			r.install() // stays, without being asked for again
			if s := r.status(); state(s, hooks.ReferenceTransaction) == hooks.Off {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestEveryShell: the lines are understood by all shells that are here.
func TestEveryShell(t *testing.T) {
	r := newRepo(t)
	for _, shell := range []string{"sh", "dash", "bash", "zsh", "ksh", "mksh", "busybox"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		args := []string{"-u", "-e"}
		if shell == "busybox" {
			args = append([]string{"sh"}, args...)
		}
		for _, hook := range hooks.Names() {
			file := filepath.Join(t.TempDir(), hook)
			write(t, file, "#!/bin/sh\n"+hooks.Snippet(hook, r.options())+"cat >>"+r.log+"\necho after >>"+r.log+"\n", 0o755)
			cmd := exec.Command(path, append(args, file, "committed")...)
			cmd.Dir, cmd.Stdin = r.dir, strings.NewReader("a b refs/heads/engram\n")
			out, err := cmd.CombinedOutput()
			got := r.called()
			if err != nil || len(out) > 0 || !strings.HasSuffix(got, "a b refs/heads/engram\nafter\n") || !strings.Contains(got, "hooks run "+hook) && hook != hooks.PostCheckout {
				t.Errorf("%s, %s: %v %s; %q", shell, hook, err, out, got)
			}
		}
	}
}
