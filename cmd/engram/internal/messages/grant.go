package messages

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"engram/bus"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type busGrantOptions struct {
	*app.Globals
	inline bool
	good   string // for how long
	in     memory.GrantInput
}

const busGrantLong = `Let an agent read the content of a pointer beyond the budget of its turn, and
print the budget token that the agent presents. The grant is for that agent and
that pointer, has a limited number of tokens and uses, and expires. A pointer
may be short: PATH, PATH:LINE, PATH:LINE-LINE, PATH#SECTION or the key of a
fact; the commit is filled in.

With --prefix the pointer is a folder, of any commit: everything below it may be
read. With --inline the grant allows code in messages instead, --cap characters
of it; the pointer then only names the code.

People may grant, and agents that bus.parents in .engram.yml lists. With
--pass-on the agent may make narrower grants for others from this one, with
--out-of; the agent loses what it passes on.

In a pipe it prints only the token.`

const busGrantExample = `  engram bus grant services/reservation.go:1-220 --to reviewer-1 --cap 900
  engram bus grant services/ --prefix --to reviewer-1 --uses 5 --for 30m
  engram bus grant --inline --to writer-1 --cap 2000
  engram bus grant repo:a.go#L1@0a1b2c3 --from lead --to x --out-of eg1.…`

func newBusGrantCmd(g *app.Globals) *cobra.Command {
	opts := busGrantOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "grant [POINTER]", Short: "Let an agent read beyond its budget", Long: busGrantLong, Example: busGrantExample,
		Args: app.AtMostOne("pointer", "quote a pointer with a space in it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := app.NotZero(cmd, "permits nothing", "cap", "uses", "for"); err != nil {
				return err
			}
			return runBusGrant(cmd.Context(), opts, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.in.Child, "to", "", "`NAME` of the agent that it is for")
	f.StringVar(&opts.in.Parent, "from", "", "`NAME` of the agent that grants it (ENGRAM_AGENT; default: a person)")
	f.IntVar(&opts.in.Cap, "cap", 0, fmt.Sprintf("at most so many `TOKENS`, all uses together; of code, characters (default %d)", bus.DefaultGrantCap))
	f.IntVar(&opts.in.Uses, "uses", 0, fmt.Sprintf("how often it may be used (default %d)", bus.DefaultGrantUses))
	f.StringVar(&opts.good, "for", "", "how long it is good: a `DURATION` such as 30m, 8h, 7d or PT30M, at most 30 days (default 1h)")
	f.BoolVar(&opts.in.Prefix, "prefix", false, "the pointer is a folder: all below it")
	f.BoolVar(&opts.inline, "inline", false, "it is for code in messages")
	f.BoolVar(&opts.in.PassOn, "pass-on", false, "the agent may make narrower grants out of it")
	f.StringVar(&opts.in.From, "out-of", "", "make it out of the grant that this `TOKEN` stands for")
	app.CompleteWith(cmd, "for", cobra.FixedCompletions([]string{"15m", "1h", "8h", "24h"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runBusGrant(ctx context.Context, opts busGrantOptions, args []string) error {
	in := opts.in
	switch {
	case len(args) > 0:
		in.Pointer = args[0]
	case !opts.inline:
		return fault.Missing("bus grant", "a pointer")
	}
	if in.Child == "" {
		return fault.Missing("bus grant", "--to, the agent that it is for")
	}
	var err error
	if in.Lifetime, err = memory.ParseLifetime(opts.good); err != nil {
		return err
	}
	if opts.inline {
		in.Purpose = string(bus.ForCode)
	}
	return app.Answer(ctx, opts.Globals, opts.Open, printNewGrant, func(m *memory.Memory, s config.Settings) (memory.GrantResult, error) {
		in.Parent = cmp.Or(in.Parent, s.Agent)
		if in.Pointer != "" {
			in.Pointer = opts.FromTop(m.WorkTree(), in.Pointer)
		}
		return m.IssueGrant(ctx, in)
	})
}

func printNewGrant(out *term.Streams, r memory.GrantResult) {
	out.Printf("%s\n", r.BudgetToken)
	out.Message("grant %s lets %s %s until %s", r.Grant.ID, r.Grant.Child, allowance(r.Grant), r.Grant.Expires.UTC().Format(time.RFC3339))
	show.Notes(out, r.Notes)
	out.Message("hint: `engram bus revoke %s` ends it", r.Grant.ID)
}

// allowance says what a grant lets its child do.
func allowance(g memory.Grant) string {
	times := term.Plural(g.Uses, "time", "times")
	if g.Purpose == bus.ForCode {
		return fmt.Sprintf("have %d characters of code in messages, %s,", g.Cap, times)
	}
	what := g.Pointer
	if g.Prefix {
		what = "all below " + what
	}
	return fmt.Sprintf("read %s, %d tokens, %s,", what, g.Cap, times)
}
