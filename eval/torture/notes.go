package torture

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// notes is what a careful person would write in an afternoon: one file a fact in a git
// repository, `git commit` to write and `git pull --rebase` to share. A lock keeps
// writers of one clone apart, and removes what a killed one left behind.
type notes struct{}

// NewNotes returns the adapter for plain git.
func NewNotes() Tool { return notes{} }

const (
	notesCommit = `mkdir -p "notes/$(dirname "$1")" && printf '%s\n' "$2" >"notes/$1.md" && git add notes && { git diff --cached --quiet || git commit -q -m "$1"; }`
	notesSync   = `git pull -q --rebase || { git rebase --abort; exit 1; }; git push -q`
	locked      = `exec 9>.git/notes.lock; flock 9; rm -f .git/index.lock .git/HEAD.lock; `
)

func (notes) script(ctx context.Context, clone, script string, args ...string) (string, error) {
	return output(command(ctx, filepath.Dir(clone), clone, "sh", append([]string{"-c", locked + script, "sh"}, args...)...))
}

func (notes) Setup(ctx context.Context, dir string, n int) ([]string, error) {
	return newClones(ctx, dir, n)
}

func (t notes) Commit(ctx context.Context, clone string, f Fact) error {
	if f.Scope != "" {
		return ErrUnsupported
	}
	_, err := t.script(ctx, clone, notesCommit, f.Key, f.Text)
	return err
}

// Read reads the files of the last commit: what is in the work tree alone was not written.
func (t notes) Read(ctx context.Context, clone string, q Question) (answer Answer, err error) {
	answer.Raw, err = output(command(ctx, filepath.Dir(clone), clone, "git", "grep", "-F", "-e", q.About, "HEAD", "--", "notes"))
	if f, ok := err.(*failure); ok && f.status == 1 && f.said == "" {
		err = nil // nothing was found
	}
	for line := range strings.Lines(answer.Raw) {
		path, text, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "HEAD:notes/"), ":")
		answer.Facts = append(answer.Facts, Fact{Key: strings.TrimSuffix(path, ".md"), Text: text})
	}
	return answer, err
}

func (t notes) Sync(ctx context.Context, clone string) error {
	_, err := t.script(ctx, clone, notesSync)
	return err
}

// folders makes plain folders for tools that keep files.
func folders(dir string, n int) (clones []string, err error) {
	for i := range n {
		clone := filepath.Join(dir, fmt.Sprint("clone", i))
		if err := os.MkdirAll(clone, 0o755); err != nil {
			return nil, err
		}
		clones = append(clones, clone)
	}
	return clones, nil
}
