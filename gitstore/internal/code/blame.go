package code

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
)

// Line is a line of a file and the commit that wrote it.
type Line struct {
	Commit    string // "" if the line is not committed
	Path      string // of the file in that commit
	OrigLine  int    // where the line stood there
	FinalLine int    // where it stands now
	Text      string
	Author    string    // of the commit, as its date and subject
	Date      time.Time // when it was written
	Subject   string
	Older     bool // than what was asked for, or beyond the end of a shallow clone: Commit is where the search ended
}

// Blame tells which commits wrote the lines from first to last of a file, in a commit or
// ("") in the work tree. Changes of whitespace are not followed, lines that moved within
// the file or came from another file that the same commit changed are. It goes no further
// back than to since: what takes git a second in a history of 50,000 commits takes a tenth
// of it if 5,000 are younger. The zero time is the beginning. ctx ends a long search. The
// error wraps ErrNotFound if there is no such file, or no such line.
func (r *Reader) Blame(ctx context.Context, since time.Time, commit, path string, first, last int) ([]Line, error) {
	args := []string{"blame", "--line-porcelain", "--root", "-w", "-M", "-C", "-L", fmt.Sprintf("%d,%d", first, last)}
	if !since.IsZero() {
		args = append(args, fmt.Sprintf("--since=@%d", since.Unix()))
	}
	if commit != "" {
		if err := gitcmd.CheckRevision(commit); err != nil {
			return nil, err
		}
		args = append(args, commit)
	}
	args = append(args, "--", path)
	cmd := gitcmd.Command(ctx, r.repo.GitDir, args...)
	if r.repo.WorkTree != "" {
		cmd = gitcmd.Find(ctx, r.repo.WorkTree, args...)
	}
	var lines []Line
	err := gitcmd.Pipe(ctx, cmd, args, func(out *bufio.Reader) (err error) {
		lines, err = readBlame(out)
		return err
	})
	var failed *gitcmd.Error
	if errors.As(err, &failed) {
		for _, said := range []string{"no such path", "no such ref", "cannot stat path", "has only", "bad revision", "bad object", "No such file"} {
			if strings.Contains(failed.Stderr, said) {
				err = fmt.Errorf("%w: %s", gitcmd.ErrNotFound, gitcmd.Reason(failed.Stderr))
				break
			}
		}
	}
	if err != nil {
		return nil, fmt.Errorf("blame %s: %w", path, err)
	}
	return lines, nil
}

// readBlame reads what git blame --line-porcelain prints: for each line a header
// (commit, line there, line now), what is known of the commit, and, behind a tab, the text.
func readBlame(out *bufio.Reader) ([]Line, error) {
	var lines []Line
	var line Line
	for header := true; ; {
		text, err := out.ReadString('\n')
		if text == "" && err != nil {
			return lines, nil // git's own exit says whether it ended early
		}
		text = strings.TrimSuffix(text, "\n")
		switch rest, ends := strings.CutPrefix(text, "\t"); {
		case ends:
			if line.Text = rest; line.Commit == "" { // git makes up an author
				line.Author, line.Date, line.Subject = "", time.Time{}, ""
			}
			lines = append(lines, line)
			header = true
		case header:
			fields := strings.Fields(text)
			if len(fields) < 3 {
				return nil, fmt.Errorf("git blame answered %q", text)
			}
			line = Line{Commit: object.OrAbsent(fields[0])}
			line.OrigLine, _ = strconv.Atoi(fields[1])
			line.FinalLine, _ = strconv.Atoi(fields[2])
			header = false
		case strings.HasPrefix(text, "author "):
			line.Author = strings.TrimPrefix(text, "author ")
		case strings.HasPrefix(text, "author-time "):
			seconds, _ := strconv.ParseInt(strings.TrimPrefix(text, "author-time "), 10, 64)
			line.Date = time.Unix(seconds, 0).UTC()
		case strings.HasPrefix(text, "summary "):
			line.Subject = strings.TrimPrefix(text, "summary ")
		case text == "boundary":
			line.Older = true
		case strings.HasPrefix(text, "filename "):
			line.Path = strings.TrimPrefix(text, "filename ")
		}
	}
}
