package code

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/object"
	"engram/gitstore/internal/repo"
)

// renameOption finds renamed files; in a partial clone only those that were not changed,
// for which nothing has to be read.
func (r *Reader) renameOption() string {
	if r.repo.Code != r.repo.Cat {
		return "-M100%"
	}
	return "-M"
}

// CodeMove is a file of the code that is not what it was at a commit.
type CodeMove struct {
	From, Old string // its path and blob then; "" if it is new
	Path      string // now; "" if it is gone
	Blob      string // now; "" if it is gone, or only in the work tree
}

// Bounds of a search for what became of files.
const (
	maxCodeMoves = 20_000  // beside renamed ones
	maxRenamed   = 500_000 // a top folder may have another name
	// renameLimit is how many files are compared with how many others to find those that
	// were renamed and changed; those that were only renamed are always found.
	renameLimit = "-l400"
)

// CodeMoves lists the files that differ between two commits of the code, renamed ones
// as such; to is "" for what is staged in this work tree. more is how many it leaves
// out; renamed files come first, and are the last to be left out. No program that the repository names is run, and no file of the work tree read.
func (r *Reader) CodeMoves(ctx context.Context, from, to string) (moves []CodeMove, more int, err error) {
	args := []string{"diff-tree", "-r", r.renameOption(), renameLimit, "--raw", "-z", "--no-abbrev", "--ignore-submodules", from, to}
	if to == "" {
		args = append([]string{"diff-index", "--cached"}, args[2:len(args)-1]...)
	}
	for _, revision := range []string{from, to} {
		if err := gitcmd.CheckRevision(revision); err != nil && revision != "" {
			return nil, 0, err
		}
	}
	out, err := gitcmd.RunLocally(ctx, r.repo.GitDir, args...)
	if err != nil {
		return nil, 0, fmt.Errorf("find what became of files since %s: %w", from, err)
	}
	moves, more = boundMoves(parseMoves(out))
	return moves, more, nil
}

// boundMoves are as many as are kept, renamed ones first.
func boundMoves(all []CodeMove) (moves []CodeMove, more int) {
	var renamed, others []CodeMove
	for _, m := range all {
		if m.From != "" && m.Path != "" && m.From != m.Path {
			renamed = append(renamed, m)
		} else {
			others = append(others, m)
		}
	}
	kept := append(renamed[:min(len(renamed), maxRenamed)], others[:min(len(others), maxCodeMoves)]...)
	return kept, len(all) - len(kept)
}

// parseMoves reads what git prints with --raw -z and renames.
func parseMoves(out string) (moves []CodeMove) {
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		// :100644 100644 OLD NEW R087
		meta := strings.Fields(fields[i])
		if len(meta) != 5 {
			break
		}
		m := CodeMove{From: fields[i+1], Path: fields[i+1], Old: object.OrAbsent(meta[2]), Blob: object.OrAbsent(meta[3])}
		switch meta[4][0] {
		case 'A':
			m.From = ""
		case 'D':
			m.Path = ""
		case 'R', 'C':
			if i++; i+1 >= len(fields) {
				return moves
			}
			m.Path = fields[i+1]
		}
		moves = append(moves, m)
	}
	return moves
}

// maxWorkChanges is how many files of the work tree are listed.
const maxWorkChanges = 500

// WorkChanges lists the files of the work tree that are not as they are staged, and
// those that git does not know and is not told to ignore; more is how many it leaves
// out. It compares what git remembers of the files, not their content.
func (r *Reader) WorkChanges(ctx context.Context) (paths []string, more int, err error) {
	if r.repo.WorkTree == "" {
		return nil, 0, nil
	}
	for _, args := range [][]string{
		{"diff-files", "--name-only", "-z", "--diff-filter=d", "--ignore-submodules"},
		{"ls-files", "--others", "--exclude-standard", "-z"},
	} {
		out, err := r.inWorkTree(ctx, nil, args...)
		if err != nil {
			return paths, more, fmt.Errorf("list changed files: %w", err)
		}
		for path := range strings.SplitSeq(out, "\x00") {
			switch {
			case path == "":
			case len(paths) < maxWorkChanges:
				paths = append(paths, path)
			default:
				more++
			}
		}
	}
	return paths, more, nil
}

// SparselyLeftOut tells of paths that are not in the work tree which of them are only
// left out of it, as by git sparse-checkout.
func (r *Reader) SparselyLeftOut(ctx context.Context, path string) (bool, error) {
	if !repo.Exists(filepath.Join(r.repo.GitDir, "info", "sparse-checkout")) {
		return false, nil
	}
	out, err := gitcmd.Run(ctx, r.repo.GitDir, "ls-files", "-t", "-z", "--", path)
	if err != nil {
		return false, fmt.Errorf("look for %s in the index: %w", path, err)
	}
	return strings.HasPrefix(out, "S "), nil
}

// Staged reports whether the index of this work tree has a file.
func (r *Reader) Staged(ctx context.Context, path string) (bool, error) {
	out, err := gitcmd.Run(ctx, r.repo.GitDir, "ls-files", "--cached", "-z", "--", path)
	if err != nil {
		return false, fmt.Errorf("look for %s in the index: %w", path, err)
	}
	return strings.HasPrefix(out, path+"\x00"), nil
}

// CodeHead is the commit of the code that this work tree is at, or the repository's
// if there is no work tree; "" if there is no commit yet, or it is the memory that is
// checked out. If HEAD is a branch or a commit, as is usual, no git is started.
func (r *Reader) CodeHead(ctx context.Context) (string, error) {
	b, err := os.ReadFile(filepath.Join(r.repo.GitDir, "HEAD"))
	if err != nil {
		return "", fmt.Errorf("find out where HEAD is: %w", err)
	}
	name, symbolic := strings.CutPrefix(strings.TrimSpace(string(b)), "ref: ")
	branch, isBranch := strings.CutPrefix(name, "refs/heads/")
	if isBranch && r.MemoryBranch(branch) {
		return "", nil
	}
	if isBranch || !symbolic { // another reference may belong to this work tree alone
		if obj, err := r.repo.Cat.Get(ctx, name+"^{commit}", object.MaxCommit); err == nil {
			return r.ifCode(ctx, obj.Name), nil
		}
	}
	_, commit, err := r.Head(ctx)
	return r.ifCode(ctx, commit), err
}

// ifCode is a commit, or "" if it is of a memory.
func (r *Reader) ifCode(ctx context.Context, commit string) string {
	if commit == "" || r.refuseMemory(ctx, commit) != nil {
		return ""
	}
	return commit
}

// CodeStamp changes whenever HEAD or what is staged in this work tree may have changed.
// It starts no git.
func (r *Reader) CodeStamp(head string) string {
	info, err := os.Stat(filepath.Join(r.repo.GitDir, "index"))
	if err != nil {
		return head
	}
	return fmt.Sprintf("%s %d %d", head, info.ModTime().UnixNano(), info.Size())
}

// earlierNames bounds how far the names of a file are followed back.
const earlierNames = 10

// EarlierPaths are the names that a file had before git says it was renamed, as far as
// ctx has time for.
func (r *Reader) EarlierPaths(ctx context.Context, commit, path string) (paths []string) {
	out, err := gitcmd.RunLocally(ctx, r.repo.GitDir, "log", "--follow", "--diff-filter=R", "--name-status", "--format=", "-z", r.renameOption(),
		fmt.Sprintf("--max-count=%d", earlierNames), commit, "--", path)
	if err != nil {
		return nil
	}
	fields := strings.Split(out, "\x00")
	for i := 0; i+2 < len(fields); i++ {
		if strings.HasPrefix(fields[i], "R") {
			paths = append(paths, fields[i+1])
			i += 2
		}
	}
	return paths
}
