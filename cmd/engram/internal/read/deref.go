package read

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type derefOptions struct {
	*app.Globals
	in memory.DerefInput
}

const derefLong = `Print the content that a pointer refers to: lines, a section or a test of a file
as committed, the listing of a folder, the changes to a file between two
commits, or a fact of the memory.

The command reads commits, never the work tree, and fetches nothing. A short
form such as src/a.go:12-40 refers to HEAD. If the token limit cuts the excerpt,
it ends with a whole line, and the printed pointer names the lines that are
included. See engram help pointers.

On a terminal, the pointer and its digest are printed above the excerpt, on
standard error. In a pipe the command prints only the content, and says on
standard error if it was cut. With --digest, exit code 1 if the content differs.
Exit code 1 also if nothing is found, 2 if the content cannot be quoted, such as
a picture or a web page.

People have no budget. Content that an agent reads counts against its turn;
beyond the turn's budget the exit code is 4, unless a grant covers it ("engram
bus grant").`

const derefExample = `  engram deref internal/auth/session.go:12-40
  engram deref 'docs/spec.md#Budget rules'
  engram deref repo:internal/auth/session.go#L12-L40@4f2a9c1 --max-tokens 2000
  engram deref domain/auth/session-lifetime --json`

// NewDerefCmd returns "engram deref".
func NewDerefCmd(g *app.Globals) *cobra.Command {
	opts := derefOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "deref POINTER|-", Short: "Print the content that a pointer refers to", Long: derefLong, Example: derefExample,
		Args: app.One("pointer", ""), ValidArgsFunction: app.CompletePointers(),
		RunE: func(cmd *cobra.Command, args []string) error { return runDeref(cmd.Context(), opts, args[0]) },
	}
	f := cmd.Flags()
	f.IntVar(&opts.in.MaxTokens, "max-tokens", 0, "at most about so many `TOKENS` of the excerpt (default "+strconv.Itoa(memory.DefaultDerefTokens)+")")
	f.StringVar(&opts.in.Digest, "digest", "", "the expected `DIGEST`: sha256:hex")
	f.StringVarP(&opts.in.Agent, "agent", "a", "", "`NAME` of the agent whose turn pays for it (ENGRAM_AGENT; default: no agent, or the one that the token is for)")
	f.StringVar(&opts.in.BudgetToken, "budget-token", "", "`TOKEN` of a grant that pays instead of the turn")
	return cmd
}

func runDeref(ctx context.Context, opts derefOptions, pointer string) error {
	in := opts.in
	var err error
	if in.Ref, err = opts.Text(ctx, "the pointer", pointer); err != nil {
		return err
	}
	result, err := app.Show(ctx, opts.Globals, opts.Open, printExcerpt, func(m *memory.Memory, s config.Settings) (memory.DerefResult, error) {
		in.Agent = cmp.Or(in.Agent, s.Agent)
		in.Ref = opts.FromTop(m.WorkTree(), in.Ref)
		return m.Deref(ctx, in)
	})
	return fault.NoIf(result.Matches != nil && !*result.Matches, err)
}

// printExcerpt prints the excerpt. On a terminal, control characters are made visible.
func printExcerpt(out *term.Streams, r memory.DerefResult) {
	show.Notes(out, r.Notes)
	if r.Matches != nil && !*r.Matches {
		out.Message("warning: something else stands there than expected")
	}
	if r.Truncated { // also in a pipe, where nothing else would say so
		defer printCutExcerpt(out, r)
	}
	if !out.Terminal {
		out.Printf("%s", r.Excerpt)
		return
	}
	out.Message("%s  %s", r.Pointer.Ref, shortDigest(r.ContentDigest))
	for line := range strings.Lines(r.Excerpt) {
		out.Printf("%s\n", term.PlainCode(strings.TrimRight(line, "\r\n")))
	}
}

// printCutExcerpt says where an excerpt was cut, and whether more of it can be had.
func printCutExcerpt(out *term.Streams, r memory.DerefResult) {
	why := term.Either(r.LimitedBy != memory.LimitedByMaxTokens, fmt.Sprintf(" (the %s has %d tokens left)", r.LimitedBy, r.LimitLeft), "")
	out.Message("cut after %d tokens%s: what is there is %s", r.Tokens, why, r.Pointer.Ref)
	if why == "" {
		out.Message("hint: a greater --max-tokens shows more, up to %d", memory.MaxDerefTokens)
	}
}

// shortDigest is enough of a digest to tell two apart.
func shortDigest(digest string) string { return digest[:min(len(digest), len("sha256:")+12)] }
