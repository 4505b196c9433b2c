package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"engram/memory"
)

type joinOptions struct {
	*globals
	args []string
}

const joinLong = `Bring the memory that an invitation is to into this clone of the code. The
remote with the invitation's address is used, or one named "engram" is added
from which nothing but the memory is fetched. From then on plain git fetches the
memory with everything else.

That you have joined is written to the memory and counts as a use of the
invitation, with your name unless the team stores none. What it leaves where is
printed, with how to be rid of it.`

const joinExample = `  engram join engram1_eyJyIjoiZ2l0QGV4YW1wbGUuY29tOnRlYW0vY29kZS5naXQi…
  pbpaste | engram join -`

func newJoinCmd(g *globals) *cobra.Command {
	opts := joinOptions{globals: g}
	return &cobra.Command{
		Use: "join KEY|-", Short: "Join the memory that you were invited to", Long: joinLong, Example: joinExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runJoin(cmd.Context(), opts, g.io)
		},
	}
}

func runJoin(ctx context.Context, opts joinOptions, io *streams) error {
	key, err := opts.key(ctx)
	if err != nil {
		return err
	}
	if opts.branch != "" && opts.branch != key.Branch {
		return usage("the invitation is to the branch "+key.Branch+", not "+opts.branch, "leave --memory away")
	}
	opts.branch = key.Branch
	m, s, err := opts.openToWrite(ctx)
	if code, _ := memory.Classify(err); code == memory.CodeUnusable && err != nil {
		return hinted(err, "clone the code first: git clone ADDRESS, then run `engram join KEY` in it")
	}
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Join(ctx, key)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(r)
	}
	io.joined(r, r.Branch == s.branchWithoutFlag)
	return nil
}

func (opts joinOptions) key(ctx context.Context) (memory.InviteKey, error) {
	switch len(opts.args) {
	case 0:
		return memory.InviteKey{}, missing("join", "the key")
	case 1:
	default: // a mail broke it into lines, and a shell into words
		return memory.InviteKey{}, tooMany("join", "key")
	}
	text, err := opts.text(ctx, "the key", opts.args[0])
	if err != nil {
		return memory.InviteKey{}, err
	}
	key, err := memory.ParseInviteKey(text)
	if errors.Is(err, memory.ErrInviteKey) && text == "" {
		err = missing("join", "the key")
	}
	return key, err
}

// joined prints what join did; configured says whether other commands find the
// branch without being told.
func (io *streams) joined(r memory.JoinResult, configured bool) {
	done := "You have joined the memory of " + r.Remote
	if !r.Begun {
		done = "There is a memory here already; it is shared with " + r.Remote + " now"
	}
	io.footprint(done+", on the branch "+r.Branch+" at "+short(r.Revision)+".", r.Footprint)
	if !configured {
		io.message("note: other commands find it with --memory %s, ENGRAM_BRANCH=%s or branch: in %s", r.Branch, r.Branch, configName)
	}
	_ = io.flush() // what was done comes before what is next
	io.notes(r.Notes)
	io.visibility(r.Remote, r.Visibility)
	if r.Behind {
		io.message("\nNext:\n  engram sync %-27sjoin what is here with what is there", r.Remote)
		return
	}
	io.message("\nNext:\n  engram query QUESTION                  ask what the team knows\n  engram commit \"CLAIM\" --scope TOPIC   tell it something\n  engram sync                            share that")
}

// footprint prints what was left where: in a pipe nothing else.
func (io *streams) footprint(done string, list []memory.Footprint) {
	if !io.terminal {
		for _, f := range list {
			io.row(f.What, f.Where, f.Remove)
		}
		return
	}
	io.printf("%s\n\nAll that it keeps:\n", io.color.green(plain(done)))
	for _, f := range list {
		io.printf("  %s\n", plain(f.What))
		io.pairs("    ", []pair{{"where", f.Where}, {"to be rid of it", f.Remove}})
	}
}
