package begin

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type joinOptions struct {
	*app.Globals
	args []string
}

const joinLong = `Bring the memory of an invitation into this clone of the code. If a remote has
the invitation's address, it is used; otherwise a remote named "engram" is added
that fetches only the memory. From then on "git fetch" fetches the memory too.

Joining is recorded in the memory and counts as a use of the invitation, with
your name unless the team stores no names. The command prints everything it
creates and how to remove it.`

const joinExample = `  engram join engram1_eyJyIjoiZ2l0QGV4YW1wbGUuY29tOnRlYW0vY29kZS5naXQi…
  pbpaste | engram join -`

// NewJoinCmd returns "engram join".
func NewJoinCmd(g *app.Globals) *cobra.Command {
	opts := joinOptions{Globals: g}
	return &cobra.Command{
		Use: "join KEY|-", Short: "Join a memory by invitation", Long: joinLong, Example: joinExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runJoin(cmd.Context(), opts, g.Out)
		},
	}
}

func runJoin(ctx context.Context, opts joinOptions, out *term.Streams) error {
	key, err := opts.key(ctx)
	if err != nil {
		return err
	}
	if opts.Branch != "" && opts.Branch != key.Branch {
		return fault.Usage("the invitation is to the branch "+key.Branch+", not "+opts.Branch, "omit --memory")
	}
	opts.Branch = key.Branch
	m, s, done, err := opts.OpenToWrite(ctx)
	if code, _ := memory.Classify(err); code == memory.CodeUnusable && err != nil {
		return fault.Hinted(err, "clone the code first: git clone ADDRESS, then run `engram join KEY` in it")
	}
	if err != nil {
		return err
	}
	defer done()
	r, err := m.Join(ctx, key)
	if err != nil {
		return err
	}
	if opts.JSON {
		return out.JSON(r)
	}
	printJoin(out, r, r.Branch == s.BranchWithoutFlag)
	return nil
}

func (opts joinOptions) key(ctx context.Context) (memory.InviteKey, error) {
	switch len(opts.args) {
	case 0:
		return memory.InviteKey{}, fault.Missing("join", "the key")
	case 1:
	default: // a mail broke it into lines, and a shell into words
		return memory.InviteKey{}, fault.TooMany("join", "key")
	}
	text, err := opts.Text(ctx, "the key", opts.args[0])
	if err != nil {
		return memory.InviteKey{}, err
	}
	key, err := memory.ParseInviteKey(text)
	if errors.Is(err, memory.ErrInviteKey) && text == "" {
		err = fault.Missing("join", "the key")
	}
	return key, err
}

// printJoin prints what join did; configured says whether other commands find the
// branch without being told.
func printJoin(out *term.Streams, r memory.JoinResult, configured bool) {
	done := "You have joined the memory of " + r.Remote
	if !r.Begun {
		done = "There is a memory here already; it is shared with " + r.Remote + " now"
	}
	printFootprint(out, done+", on the branch "+r.Branch+" at "+term.Short(r.Revision)+".", r.Footprint)
	if !configured {
		out.Message("note: other commands find it with --memory %s, ENGRAM_BRANCH=%s or branch: in %s", r.Branch, r.Branch, config.FileName)
	}
	_ = out.Flush() // what was done comes before what is next
	show.Notes(out, r.Notes)
	printVisibility(out, r.Remote, r.Visibility)
	if r.Behind {
		out.Message("\nNext:\n  engram sync %-27sjoin what is here with what is there", r.Remote)
		return
	}
	out.Message("\nNext:\n  engram query QUESTION                  ask what the team knows\n  engram commit \"CLAIM\" --scope TOPIC   tell it something\n  engram sync                            share that")
}

// printFootprint prints what was created and where; in a pipe it prints nothing else.
func printFootprint(out *term.Streams, done string, list []memory.Footprint) {
	if !out.Terminal {
		for _, f := range list {
			out.Row(f.What, f.Where, f.Remove)
		}
		return
	}
	out.Printf("%s\n\nAll that it keeps:\n", out.Color.Green(term.Plain(done)))
	for _, f := range list {
		out.Printf("  %s\n", term.Plain(f.What))
		out.Pairs("    ", []term.Pair{{"where", f.Where}, {"to be rid of it", f.Remove}})
	}
}
