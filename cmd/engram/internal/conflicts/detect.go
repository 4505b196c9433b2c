package conflicts

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/facts"
	"engram/memory"
)

type detectOptions struct {
	*app.Globals
	args       []string
	in         memory.DetectInput
	thresholds bool
}

const detectLong = `Say what a claim would clash with before it is written: a fact of the memory, or
with --against another claim. By the rules alone; nothing is written.

Exit codes: 0 where it clashes with nothing, 1 where it does.

--show-thresholds shows instead what the scores of an NLI model (detect.nli)
mean in this repository, which moves with what people say of its findings.

In a pipe it prints, tab-separated and for each clash: severity, verdict, tier,
score, explanation, and of the fact key, scope, agent, committed_at, claim. The
thresholds are one a line: their name, a tab, their value.`

const detectExample = `  engram detect "The gateway listens on port 9443." --scope infra
  engram detect "The pool has 20 connections." --against "The pool has 10."
  git log -1 --format=%B | engram detect - --scope infra --json
  engram detect --show-thresholds`

// NewDetectCmd returns "engram detect".
func NewDetectCmd(g *app.Globals) *cobra.Command {
	opts := detectOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "detect CLAIM|-", Short: "Show which facts a claim would contradict", Long: detectLong, Example: detectExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runDetect(cmd.Context(), opts, g.Out)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&opts.in.Scope, "scope", "s", "", "topic `PATH` of the claim")
	f.StringVarP(&opts.in.Key, "key", "k", "", "`KEY` of the fact that it would be the next version of")
	f.StringVar(&opts.in.Against, "against", "", "compare it with this `CLAIM` instead of the memory")
	f.BoolVar(&opts.thresholds, "show-thresholds", false, "show what the scores of an NLI model mean here")
	app.CompleteEnums(cmd, g)
	return cmd
}

func runDetect(ctx context.Context, opts detectOptions, out *term.Streams) error {
	if opts.thresholds {
		return runThresholds(ctx, opts, out)
	}
	in, err := opts.input(ctx)
	if err != nil {
		return err
	}
	m, _, done, err := opts.OpenWithModel(ctx)
	if err != nil {
		return err
	}
	defer done()
	result, err := m.Detect(ctx, in)
	if err != nil {
		return err
	}
	if opts.JSON {
		err = out.JSON(result)
	} else {
		printDetect(out, result, in)
	}
	if err == nil && (result.Clash != nil || len(result.Clashes) > 0) {
		err = fault.ErrAnsweredNo
	}
	return err
}

func (opts detectOptions) input(ctx context.Context) (in memory.DetectInput, err error) {
	in = opts.in
	switch len(opts.args) {
	case 0:
		return in, fault.Missing("detect", "the claim")
	case 1:
	default:
		return in, fault.TooMany("detect", "claim")
	}
	if in.Claim, err = opts.Text(ctx, "the claim", opts.args[0]); err != nil {
		return in, err
	}
	in.Against, err = opts.Text(ctx, "the other claim", in.Against)
	return in, err
}

// printDetect prints what a claim clashes with.
func printDetect(out *term.Streams, r memory.DetectResult, in memory.DetectInput) {
	claim := show.Side{Name: "this", Claim: facts.FoldSpace(in.Claim)}
	if c := r.Clash; c != nil {
		printClaimClash(out, *c, claim, show.Side{Name: "that", Claim: facts.FoldSpace(in.Against)}, memory.Fact{})
	}
	for _, c := range r.Clashes {
		f := c.Fact
		printClaimClash(out, c.Clash, claim, show.Side{Name: "fact", Key: f.Key.String(), Claim: f.Claim, About: show.AboutFact(out, f)}, f)
	}
	switch {
	case r.Clash != nil || len(r.Clashes) > 0:
	case in.Against != "":
		out.Message("the rules see no clash between the two")
	default:
		out.Message("the rules see no clash with a fact at revision %s", term.Short(r.Revision))
	}
}

func printClaimClash(out *term.Streams, c memory.Clash, claim, other show.Side, f memory.Fact) {
	if !out.Terminal {
		out.Row(c.Severity, c.Verdict, c.Tier, strconv.FormatFloat(c.Score, 'f', 2, 64), c.Explanation,
			other.Key, f.Scope, f.AgentID, term.Stamp(f.Committed), other.Claim)
		return
	}
	claim.Span, other.Span = c.SpanA, c.SpanB
	show.Clash(out, c, "")
	show.Sides(out, "  ", claim, other)
	out.Printf("\n")
}
