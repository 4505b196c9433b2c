package share

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/facts"
	"engram/memory"
)

const mergeFileLong = `Merge one file of the memory branch, for git. "engram hooks install" sets this
command as the merge driver, so that "git merge" and "git pull" in a checkout of
the branch merge facts as engram does. The result replaces OURS.

If both sides wrote different claims for one key, the later version stands; the
next audit puts the other beside it and opens a conflict. A rebase or
cherry-pick does not keep both in its history, so there a person decides.

Exit codes: 0 merged, 1 a person has to decide (OURS is unchanged), and those of
"engram help exit-codes".`

const mergeFileExample = `  git config merge.engram.driver "engram merge-file %O %A %B %P"
  engram merge-file base.yml ours.yml theirs.yml domain/auth/session.yml`

type mergeFileOptions struct {
	*app.Globals
	base, ours, theirs, path string
}

// NewMergeFileCmd returns "engram merge-file".
func NewMergeFileCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "merge-file BASE OURS THEIRS PATH", Short: "Merge one file of the branch, for git", Long: mergeFileLong, Example: mergeFileExample,
		PreRunE: g.TextOnly,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 4 {
				return fault.Missing("merge-file", "one of BASE, OURS, THEIRS and PATH")
			}
			return runMergeFile(cmd.Context(), mergeFileOptions{g, args[0], args[1], args[2], args[3]}, g.Out)
		},
	}
}

func runMergeFile(ctx context.Context, opts mergeFileOptions, out *term.Streams) error {
	in := memory.MergeFileInput{Path: opts.path}
	for _, file := range []struct {
		name string
		into *[]byte
	}{{opts.base, &in.Base}, {opts.ours, &in.Ours}, {opts.theirs, &in.Theirs}} {
		b, err := readSide(file.name)
		if err != nil {
			return err
		}
		*file.into = b
	}
	m, _, done, err := opts.Open(ctx)
	if err != nil {
		return err
	}
	defer done()
	r, err := m.MergeFile(ctx, in)
	if err != nil {
		return err
	}
	if r.Kept != "" && !opts.merging() {
		out.Message("engram: %s was written on both sides, and this is no merge, so nothing would keep the other claim: %s", opts.path, r.Kept)
		return fault.ErrAnsweredNo
	}
	if !r.Merged {
		out.Message("engram: %s was changed on both sides in ways that cannot be joined; ours is left as it was", opts.path)
		return fault.ErrAnsweredNo
	}
	if err := os.WriteFile(opts.ours, r.Data, 0o644); err != nil {
		return fmt.Errorf("write the merged file: %w", err)
	}
	if r.Kept != "" {
		out.Message("engram: %s was written on both sides; the later claim stands, and `engram audit` keeps the other: %s", opts.path, r.Kept)
	}
	return nil
}

// merging reports whether git merges rather than rebases, picks or reverts: only a merge
// keeps both sides in its history, where the next audit finds the replaced claim. git names
// the action in GIT_REFLOG_ACTION, which a pull that rebases sets as well.
func (opts mergeFileOptions) merging() bool {
	action := opts.Getenv("GIT_REFLOG_ACTION")
	if !strings.HasPrefix(action, "merge") && !strings.HasPrefix(action, "pull") {
		return false
	}
	gitDir := cmp.Or(opts.Getenv("GIT_DIR"), ".git")
	if b, err := os.ReadFile(gitDir); err == nil { // a linked work tree's
		gitDir = strings.TrimSpace(strings.TrimPrefix(string(b), "gitdir: "))
	}
	for _, folder := range []string{"rebase-merge", "rebase-apply"} {
		if _, err := os.Stat(filepath.Join(gitDir, folder)); err == nil {
			return false
		}
	}
	return true
}

// readSide reads a side of a merge; git passes an empty file for one that does not exist.
func readSide(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err == nil && info.Size() > 4*facts.MaxFile {
		err = fmt.Errorf("has %d bytes", info.Size())
	}
	if err != nil {
		return nil, fault.Usage(name+": "+err.Error(), "")
	}
	b, err := os.ReadFile(name)
	if err != nil || len(b) == 0 {
		return nil, err
	}
	return b, nil
}
