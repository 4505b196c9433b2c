package hooks_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"engram/hooks"
)

// repo is a repository with one commit, and an engram that writes down what it
// is called with.
type repo struct {
	t      *testing.T
	dir    string
	home   string
	binary string
	log    string
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	base := t.TempDir()
	r := &repo{t: t, dir: filepath.Join(base, "repo"), home: filepath.Join(base, "home"), log: filepath.Join(base, "log")}
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} {
		if _, set := os.LookupEnv(name); set {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	t.Setenv("HOME", r.home)
	t.Setenv("XDG_CONFIG_HOME", r.home)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	must(t, os.MkdirAll(r.home, 0o755))
	write(t, filepath.Join(r.home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n", 0o644)
	r.binary = filepath.Join(base, "an engram's", "engram") // a path that has to be quoted
	r.engram("")
	r.git("init", "--quiet", "--template=", r.dir)
	r.git("commit", "--quiet", "--allow-empty", "-m", "first")
	return r
}

// engram makes the engram that hooks run: it writes down its arguments and what
// it can read, and then does more.
func (r *repo) engram(more string) {
	write(r.t, r.binary, "#!/bin/sh\necho \"$*\" >>"+r.log+"\nsed 's/^/in: /' >>"+r.log+"\n"+more, 0o755)
}

// called is what engram was called with since the last time.
func (r *repo) called() string {
	b, _ := os.ReadFile(r.log)
	_ = os.Remove(r.log)
	return string(b)
}

func (r *repo) options() hooks.Options { return hooks.Options{Binary: r.binary, Branch: "engram"} }

func (r *repo) place() hooks.Place {
	r.t.Helper()
	p, err := hooks.Locate(r.dir, nil)
	must(r.t, err)
	return p
}

func (r *repo) install() hooks.Report {
	r.t.Helper()
	report, err := hooks.Install(r.t.Context(), r.place(), r.options())
	must(r.t, err)
	return report
}

func (r *repo) uninstall() hooks.Report {
	r.t.Helper()
	report, err := hooks.Uninstall(r.t.Context(), r.place())
	must(r.t, err)
	return report
}

func (r *repo) status() hooks.Report {
	r.t.Helper()
	report, err := hooks.Status(r.t.Context(), r.place(), r.options())
	must(r.t, err)
	return report
}

// state is the state of one hook.
func state(report hooks.Report, name string) string {
	for _, h := range report.Hooks {
		if h.Name == name {
			return strings.TrimSpace(h.State + " " + h.With)
		}
	}
	return ""
}

// git runs git in the repository and fails where that does.
func (r *repo) git(args ...string) string {
	r.t.Helper()
	out, err := r.try(args...)
	if err != nil {
		r.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return out
}

func (r *repo) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	if _, err := os.Stat(r.dir); err == nil {
		cmd.Dir = r.dir
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r *repo) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// snapshot is every file of a folder: content, mode, where links lead to.
func snapshot(t *testing.T, dir string, except ...string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		for _, e := range except {
			if name == filepath.FromSlash(e) {
				if d.IsDir() {
					return filepath.SkipDir
				}
				return nil
			}
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var content string
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			content, err = os.Readlink(path)
		case d.Type().IsRegular():
			var raw []byte
			raw, err = os.ReadFile(path)
			content = fmt.Sprintf("%q", raw)
		}
		fmt.Fprintf(&b, "%s %s %s\n", name, info.Mode(), content)
		return err
	})
	must(t, err)
	return b.String()
}

func write(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	_ = os.Remove(path)
	must(t, os.WriteFile(path, []byte(content), mode))
	must(t, os.Chmod(path, mode))
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return string(b)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
