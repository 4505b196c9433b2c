package code

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/history"
)

// Landing says whether the work of a branch is in the trunk.
type Landing int

// The landings.
const (
	NotLanded Landing = iota
	// MayHaveLanded: a part of it is there, or a commit that changes the same files
	// and perhaps more, such as a squash that was edited. Only a person can tell.
	MayHaveLanded
	HasLanded
)

// maxSquashed is how many of the trunk's commits are looked at for one that squashed
// a branch, the newest of those that touch its files.
const maxSquashed = 500

// Landed compares the work of a branch, which ends at tip, with the trunk. It writes
// nothing.
//
//  1. The trunk contains tip: it has landed. So has not what changes no file.
//  2. Each commit's change is in the trunk, as after a rebase or cherry-picks: it
//     has landed.
//  3. One commit of the trunk changes just what all of them together change, as
//     after a squash: it has landed.
//  4. The change of some of the commits is in the trunk, or one of its commits
//     touches all files of the branch, or tip is not in this repository (any more):
//     it may have landed.
//  5. It has not.
func (r *Reader) Landed(ctx context.Context, tip, trunk string) (Landing, error) {
	if known, err := r.repo.Knows(ctx, tip); err != nil || !known {
		return MayHaveLanded, err
	}
	// 1.
	if inside, err := r.Contains(ctx, trunk, tip); err != nil {
		return NotLanded, err
	} else if inside {
		return HasLanded, nil
	}
	base, err := r.repo.MergeBase(ctx, trunk, tip)
	if err != nil || base == "" {
		return NotLanded, err
	}
	work, err := r.history.Diff(ctx, base, tip)
	if err != nil || len(work) == 0 {
		return NotLanded, err
	}
	// 2.
	there, missing, err := r.cherries(ctx, trunk, tip)
	if err != nil {
		return NotLanded, err
	}
	if missing == 0 && there > 0 {
		return HasLanded, nil
	}
	// 3. and 4.
	landing, err := r.squashed(ctx, base, tip, trunk, work)
	if landing == NotLanded && there > 0 {
		landing = MayHaveLanded
	}
	return landing, err
}

// cherries counts the commits of a branch whose change is, and is not, that of a
// commit of the trunk.
func (r *Reader) cherries(ctx context.Context, trunk, tip string) (there, missing int, err error) {
	out, err := gitcmd.Run(ctx, r.repo.CommonDir, "cherry", trunk, tip)
	if err != nil {
		return 0, 0, fmt.Errorf("compare with the trunk: %w", err)
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "-") {
			there++
		} else {
			missing++
		}
	}
	return there, missing, nil
}

// squashed looks for a commit of the trunk that does what a branch does as a whole.
func (r *Reader) squashed(ctx context.Context, base, tip, trunk string, work []history.Change) (Landing, error) {
	// Whichever commit that is touches every file of the branch, so one will do.
	out, err := gitcmd.Run(ctx, r.repo.CommonDir, "rev-list", "--no-merges", "--full-history", fmt.Sprintf("--max-count=%d", maxSquashed),
		base+".."+trunk, "--", work[0].Path)
	if err != nil {
		return NotLanded, fmt.Errorf("read the trunk: %w", err)
	}
	candidates, err := r.touching(ctx, out, work)
	if err != nil || len(candidates) == 0 {
		return NotLanded, err
	}
	whole, err := r.patches(ctx, "", base, tip)
	if err != nil {
		return MayHaveLanded, err
	}
	single, err := r.patches(ctx, strings.Join(candidates, "\n")+"\n", "--stdin")
	for _, patch := range single {
		if slices.Contains(whole, patch) {
			return HasLanded, err
		}
	}
	return MayHaveLanded, err
}

// touching are those of some commits that change every file of work.
func (r *Reader) touching(ctx context.Context, commits string, work []history.Change) (all []string, err error) {
	args := []string{"diff-tree", "--stdin", "-r", "--root", "--raw", "-z", "--no-renames", "--no-abbrev"}
	cmd := gitcmd.Command(ctx, r.repo.CommonDir, args...)
	cmd.Stdin = strings.NewReader(commits)
	wanted := make(map[string]bool, len(work))
	for _, c := range work {
		wanted[c.Path] = true
	}
	current, touched := "", 0
	finish := func() {
		if current != "" && touched == len(wanted) {
			all = append(all, current)
		}
	}
	err = gitcmd.Pipe(ctx, cmd, args, func(r *bufio.Reader) error {
		return history.EachRaw(r, func(name string) {
			finish()
			current, touched = name, 0
		}, func(c history.Change) {
			if wanted[c.Path] {
				touched++
			}
		})
	})
	finish()
	if err != nil {
		return nil, fmt.Errorf("read the trunk: %w", err)
	}
	return all, nil
}

// patches are the patch-ids of what `git diff-tree` prints for the arguments.
func (r *Reader) patches(ctx context.Context, input string, args ...string) (ids []string, err error) {
	args = append([]string{"diff-tree", "-r", "-p", "--root", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv"}, args...)
	diff := gitcmd.Command(ctx, r.repo.CommonDir, args...)
	diff.Stdin = strings.NewReader(input)
	identify := gitcmd.Command(ctx, r.repo.CommonDir, "patch-id", "--stable")
	var out bytes.Buffer
	identify.Stdout = &out
	into, err := identify.StdinPipe()
	if err == nil {
		err = identify.Start()
	}
	if err != nil {
		return nil, gitcmd.Failure(ctx, []string{"patch-id"}, "", err)
	}
	err = gitcmd.Pipe(ctx, diff, args, func(r *bufio.Reader) error {
		_, err := r.WriteTo(into)
		return err
	})
	_ = into.Close()
	if waitErr := identify.Wait(); err == nil && waitErr != nil {
		err = gitcmd.Failure(ctx, []string{"patch-id"}, "", waitErr)
	}
	if err != nil {
		return nil, fmt.Errorf("compare changes: %w", err)
	}
	for line := range strings.Lines(out.String()) {
		id, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		ids = append(ids, id)
	}
	return ids, nil
}
