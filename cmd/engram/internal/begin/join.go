package begin

import (
	"context"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

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
	return &cobra.Command{
		Use: "join KEY|-", Short: "Join a memory by invitation", Long: joinLong, Example: joinExample,
		Args: app.One("key", ""), ValidArgsFunction: cobra.NoFileCompletions, // a mail may have broken the key into lines, and a shell into words
		RunE: func(cmd *cobra.Command, args []string) error { return runJoin(cmd.Context(), g, args[0]) },
	}
}

func runJoin(ctx context.Context, g *app.Globals, arg string) error {
	text, err := g.Text(ctx, "the key", arg)
	if err != nil {
		return err
	}
	key, err := memory.ParseInviteKey(text)
	switch {
	case err != nil && text == "":
		return fault.Missing("join", "the key")
	case err != nil:
		return err
	case g.Branch != "" && g.Branch != key.Branch:
		return fault.Usage("the invitation is to the branch "+key.Branch+", not "+g.Branch, "omit --memory")
	}
	g.Branch = key.Branch
	m, s, done, err := g.OpenToWrite(ctx)
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
	return term.Print(g.Out, g.JSON, r, func(out *term.Streams, r memory.JoinResult) { printJoin(out, r, r.Branch == s.BranchWithoutFlag) })
}

// printJoin prints what join did; configured says whether other commands find the
// branch without being told.
func printJoin(out *term.Streams, r memory.JoinResult, configured bool) {
	done := "You have joined the memory of " + r.Remote
	if !r.Begun {
		done = "There is a memory here already; it is shared with " + r.Remote + " now"
	}
	printFootprint(out, done, r.Branch, r.Revision, r.Footprint, configured)
	show.Notes(out, r.Notes)
	printVisibility(out, r.Remote, r.Visibility)
	if r.Behind {
		out.Message("\nNext:\n  engram sync %-27sjoin what is here with what is there", r.Remote)
		return
	}
	out.Message("\nNext:\n  engram query QUESTION                  ask what the team knows\n  engram commit \"CLAIM\" --scope TOPIC   tell it something\n  engram sync                            share that")
}

// printFootprint prints what was created and where; in a pipe it prints nothing else.
// configured says whether other commands find the branch without being told.
func printFootprint(out *term.Streams, done, branch, revision string, list []memory.Footprint, configured bool) {
	if out.Terminal {
		out.Printf("%s\n\nAll that it keeps:\n", out.Color.Green(term.Plain(done+", on the branch "+branch+" at "+term.Short(revision)+".")))
	}
	for _, f := range list {
		if !out.Terminal {
			out.Row(f.What, f.Where, f.Remove)
			continue
		}
		out.Printf("  %s\n", term.Plain(f.What))
		out.Pairs("    ", []term.Pair{{"where", f.Where}, {"to be rid of it", f.Remove}})
	}
	if !configured {
		out.Message("note: other commands find it with --memory %s, ENGRAM_BRANCH=%s or branch: in %s", branch, branch, config.FileName)
	}
}
