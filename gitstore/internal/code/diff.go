package code

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"

	"engram/gitstore/internal/gitcmd"
)

// diffOptions produce the same text for the same two commits everywhere: configuration,
// attributes, renames and external programs have no effect.
var diffOptions = []string{
	"-c", "core.quotePath=true", "-c", "diff.suppressBlankEmpty=false", "-c", "diff.orderFile=",
	"diff-tree", "-r", "-p", "--no-commit-id", "--full-index", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color",
	"--text", "--unified=3", "--inter-hunk-context=0", "--diff-algorithm=myers", "--indent-heuristic", "--no-function-context",
	"--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ignore-submodules=none", "--no-relative",
}

// CodeDiff is what changed at a path of the code between two commits, which are named in
// full: the unified diff of a file, or of all below a folder; empty if nothing did.
// The error wraps ErrTooLarge if it, or a file that it is of, has more than MaxCodeFile bytes.
func (r *Reader) CodeDiff(ctx context.Context, from, to, path string) ([]byte, error) {
	for _, commit := range []string{from, to} {
		code, err := r.CodeAt(ctx, commit, path)
		if err == nil && code.Kind == CodeFile {
			err = gitcmd.Left(r.repo.Code.Fits(ctx, code.Name, MaxCodeFile))
		}
		if err != nil {
			return nil, fmt.Errorf("compare %s: %w", path, err)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	args := append(append([]string{}, diffOptions...), from, to, "--", path)
	cmd := gitcmd.Locally(gitcmd.Command(ctx, r.repo.CommonDir, args...))
	var diff []byte
	err := gitcmd.Pipe(ctx, cmd, args, func(out *bufio.Reader) (err error) {
		if diff, err = io.ReadAll(io.LimitReader(out, MaxCodeFile+1)); len(diff) > MaxCodeFile {
			cancel()
		}
		return err
	})
	if len(diff) > MaxCodeFile {
		return nil, fmt.Errorf("%w: the diff of %s has more than %d bytes", gitcmd.ErrTooLarge, path, MaxCodeFile)
	}
	if err != nil {
		return nil, gitcmd.Left(err)
	}
	return withoutFunctions(diff), nil
}

// withoutFunctions removes the function name from the header of each hunk, because
// it depends on attributes and the version of git.
func withoutFunctions(diff []byte) []byte {
	short := make([]byte, 0, len(diff))
	for line := range bytes.Lines(diff) {
		if rest, ok := bytes.CutPrefix(line, []byte("@@ ")); ok {
			if end := bytes.Index(rest, []byte(" @@")); end >= 0 {
				line = append(bytes.Clone(line[:len("@@ ")+end+len(" @@")]), '\n')
			}
		}
		short = append(short, line...)
	}
	return short
}
