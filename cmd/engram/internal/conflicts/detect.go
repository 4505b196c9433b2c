package conflicts

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/facts"
	"engram/memory"
)

type detectOptions struct {
	*app.Globals
	in         memory.DetectInput
	thresholds bool
}

const detectLong = `Show what a claim would contradict before you write it: a fact of the memory, or
with --against another claim. The command uses only the rules, and writes
nothing.

Exit codes: 0 if the claim contradicts nothing, 1 if it does.

--show-thresholds shows instead how the scores of an NLI model (detect.nli) are
read in this repository; feedback on its findings moves the thresholds.

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
		Args: app.AtMostOne("claim", ""), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if opts.thresholds {
				return runThresholds(cmd.Context(), opts, args)
			}
			return runDetect(cmd.Context(), opts, args)
		},
	}
	flags.Bind(cmd.Flags(), &opts.in, "scope", "key", "against")
	cmd.Flags().BoolVar(&opts.thresholds, "show-thresholds", false, "show what the scores of an NLI model mean here")
	return cmd
}

func runDetect(ctx context.Context, opts detectOptions, args []string) (err error) {
	if len(args) == 0 {
		return fault.Missing("detect", "the claim")
	}
	in := opts.in
	if in.Claim, err = opts.Text(ctx, "the claim", args[0]); err != nil {
		return err
	}
	if in.Against, err = opts.Text(ctx, "the other claim", in.Against); err != nil {
		return err
	}
	print := func(out *term.Streams, r memory.DetectResult) { printDetect(out, r, in) }
	result, err := app.Show(ctx, opts.Globals, opts.OpenWithModel, print, func(m *memory.Memory, _ config.Settings) (memory.DetectResult, error) {
		return m.Detect(ctx, in)
	})
	return fault.NoIf(result.Clash != nil || len(result.Clashes) > 0, err)
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

// runThresholds opens no model: its name is enough.
func runThresholds(ctx context.Context, opts detectOptions, args []string) error {
	if len(args) > 0 || opts.in.Against != "" {
		return fault.Usage("--show-thresholds takes no claim", "omit the claim or the option")
	}
	s, err := opts.Settings()
	if err != nil {
		return err
	}
	m, err := opts.OpenWith(ctx, s, &memory.Options{Models: memory.Models{NLIID: s.NLIName()}})
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Thresholds(ctx)
	if err != nil {
		return err
	}
	return term.Print(opts.Out, opts.JSON, r, printThresholds)
}

func printThresholds(out *term.Streams, r memory.ThresholdsResult) {
	number := func(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) }
	out.Pairs("", []term.Pair{
		{"model", r.Model}, {"high", number(r.High)}, {"low", number(r.Low)}, {"entail", number(r.Entail)}, {"default", number(r.Default)},
		{"feedback", strconv.Itoa(r.Feedback)}, {"dismissed", strconv.Itoa(r.Dismissed)}, {"step", strconv.Itoa(r.Step)},
		{"revision", show.Revision(out, r.Revision)},
	})
}
