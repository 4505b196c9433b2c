package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/facts"
	"engram/memory"
)

type detectOptions struct {
	*globals
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

func newDetectCmd(g *globals) *cobra.Command {
	opts := detectOptions{globals: g}
	cmd := &cobra.Command{
		Use: "detect CLAIM|-", Short: "Say what a claim would clash with", Long: detectLong, Example: detectExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runDetect(cmd.Context(), opts, g.io)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&opts.in.Scope, "scope", "s", "", "topic `PATH` of the claim")
	f.StringVarP(&opts.in.Key, "key", "k", "", "`KEY` of the fact that it would be the next version of")
	f.StringVar(&opts.in.Against, "against", "", "hold it against this `CLAIM`, and not against the memory")
	f.BoolVar(&opts.thresholds, "show-thresholds", false, "show what the scores of an NLI model mean here")
	completeEnums(cmd, g)
	return cmd
}

func runDetect(ctx context.Context, opts detectOptions, io *streams) error {
	if opts.thresholds {
		return runThresholds(ctx, opts, io)
	}
	in, err := opts.input(ctx)
	if err != nil {
		return err
	}
	m, _, done, err := opts.openWithModel(ctx)
	if err != nil {
		return err
	}
	defer done()
	result, err := m.Detect(ctx, in)
	if err != nil {
		return err
	}
	if opts.json {
		err = io.json(result)
	} else {
		io.detected(result, in)
	}
	if err == nil && (result.Clash != nil || len(result.Clashes) > 0) {
		err = errAnsweredNo
	}
	return err
}

func (opts detectOptions) input(ctx context.Context) (in memory.DetectInput, err error) {
	in = opts.in
	switch len(opts.args) {
	case 0:
		return in, missing("detect", "the claim")
	case 1:
	default:
		return in, tooMany("detect", "claim")
	}
	if in.Claim, err = opts.text(ctx, "the claim", opts.args[0]); err != nil {
		return in, err
	}
	in.Against, err = opts.text(ctx, "the other claim", in.Against)
	return in, err
}

// detected prints what a claim clashes with.
func (io *streams) detected(r memory.DetectResult, in memory.DetectInput) {
	claim := side{name: "this", claim: facts.FoldSpace(in.Claim)}
	if c := r.Clash; c != nil {
		io.claimClash(*c, claim, side{name: "that", claim: facts.FoldSpace(in.Against)}, memory.Fact{})
	}
	for _, c := range r.Clashes {
		f := c.Fact
		io.claimClash(c.Clash, claim, side{name: "fact", key: f.Key.String(), claim: f.Claim, about: io.aboutFact(f)}, f)
	}
	switch {
	case r.Clash != nil || len(r.Clashes) > 0:
	case in.Against != "":
		io.message("the rules see no clash between the two")
	default:
		io.message("the rules see no clash with a fact at revision %s", short(r.Revision))
	}
}

func (io *streams) claimClash(c memory.Clash, claim, other side, f memory.Fact) {
	if !io.terminal {
		io.row(c.Severity, c.Verdict, c.Tier, strconv.FormatFloat(c.Score, 'f', 2, 64), c.Explanation,
			other.key, f.Scope, f.AgentID, stamp(f.Committed), other.claim)
		return
	}
	claim.span, other.span = c.SpanA, c.SpanB
	io.clash(c, "")
	io.sides("  ", claim, other)
	io.printf("\n")
}
