package conflicts

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type judgeOptions struct {
	*app.Globals
	agent   string
	verdict memory.PairVerdict
}

const judgeLong = `Say whether two facts contradict each other when the rules could not tell. The
verdict is stored on the memory branch, so nobody in the team is asked again
until one of the claims changes.

  contradicts   the two cannot both be true: opens a conflict
  evolves       one replaces the other; --newer names it: an update to confirm
  same          both say the same in other words: both facts stay
  compatible    both are true: both facts stay

Without arguments, on a terminal, the command shows each undecided pair and asks
for a verdict. "engram conflicts --undecided" lists the pairs. With two keys, it
takes any two facts.

A verdict changes no fact and settles no conflict; "engram resolve" does both. A
person (no --agent) overrules an agent. If two agents disagree, the conflict
stays open until a person decides. An agent's verdict on its own claim counts
less.

In a pipe it prints, tab-separated: conflict_id, verdict, status of the conflict
(open, dismissed or resolved), key a, key b, note.`

const judgeExample = `  engram judge
  engram judge domain/auth/session domain/auth/keys --verdict compatible \
      --reason "one is about web logins, the other about API keys"
  engram judge domain/db/store domain/db/engine --verdict evolves \
      --newer domain/db/engine --reason "moved in March"`

// NewJudgeCmd returns "engram judge".
func NewJudgeCmd(g *app.Globals) *cobra.Command {
	opts := judgeOptions{Globals: g}
	v := &opts.verdict
	cmd := &cobra.Command{
		Use: "judge [KEY KEY]", Short: "Say whether two facts contradict each other", Long: judgeLong, Example: judgeExample,
		ValidArgsFunction: completePairs(g),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runJudge(cmd.Context(), opts, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&v.Verdict, "verdict", "", "how the facts relate: "+strings.Join(memory.PairVerdicts(), ", "))
	f.StringVar(&v.Reason, "reason", "", "`TEXT` that says why, in one sentence")
	f.StringVar(&v.Newer, "newer", "", "`KEY` of the newer fact, with --verdict evolves")
	f.StringVarP(&opts.agent, "agent", "a", "", "`NAME` of the agent that judges (ENGRAM_AGENT; default: a person)")
	app.CompleteWith(cmd, "verdict", cobra.FixedCompletions(memory.PairVerdicts(), cobra.ShellCompDirectiveNoFileComp))
	app.CompleteWith(cmd, "newer", func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		return args, cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

func runJudge(ctx context.Context, opts judgeOptions, args []string) error {
	asks, err := opts.asks(args)
	if err != nil {
		return err
	}
	opts.Scanner.Warm()
	if !asks {
		opts.verdict.A, opts.verdict.B = args[0], args[1]
		return app.Answer(ctx, opts.Globals, opts.OpenWithModel, printJudged, func(m *memory.Memory, s config.Settings) (memory.JudgeResult, error) {
			return m.Judge(ctx, memory.JudgeInput{Verdicts: []memory.PairVerdict{opts.verdict}, Agent: cmp.Or(opts.agent, s.Agent)})
		})
	}
	m, s, done, err := opts.OpenWithModel(ctx)
	if err != nil {
		return err
	}
	defer done()
	return judgeAll(ctx, m, opts.verdict.Reason, cmp.Or(opts.agent, s.Agent), opts.Out)
}

// asks reports whether the command asks for the verdicts.
func (opts judgeOptions) asks(args []string) (bool, error) {
	v := opts.verdict
	switch {
	case len(args) == 0 && v.Verdict == "" && v.Newer == "":
		if opts.JSON || !opts.Out.Asks {
			return false, fault.Usage("judge: two keys and --verdict are missing", "`engram conflicts --undecided` lists the pairs")
		}
		return true, nil
	case len(args) != 2:
		return false, fault.Usage("judge: two keys are required", "`engram conflicts --undecided` lists the pairs")
	case v.Verdict == "":
		return false, fault.Usage("judge: --verdict is required", "it is "+strings.Join(memory.PairVerdicts(), ", "))
	case strings.TrimSpace(v.Reason) == "":
		return false, fault.Usage("judge: --reason is required", "say in one sentence why")
	}
	return false, nil
}

func printJudged(out *term.Streams, r memory.JudgeResult) {
	for _, j := range r.Judged {
		if !out.Terminal {
			out.Row(j.ConflictID, j.Verdict, j.Status, j.A, j.B, j.Note)
			continue
		}
		out.Printf("%s %s\n", out.Color.Green("judged"), out.Color.Bold(j.Verdict))
		became := map[string]string{show.StatusOpen: "open conflict ", "resolved": "settled conflict "}[j.Status]
		out.Pairs("  ", []term.Pair{{"facts", j.A + ", " + j.B}, {"now", cmp.Or(became, "no conflict, remembered as ") + j.ConflictID[:8]}, {"note", j.Note}})
	}
}

// completePairs offers the keys of the pairs that nobody has judged, and else any key.
func completePairs(g *app.Globals) cobra.CompletionFunc {
	return app.CompleteArgs(2, func(cmd *cobra.Command, args []string, prefix string) (offers []string, _ cobra.ShellCompDirective) {
		found := app.Offer(cmd.Context(), g.Open, func(ctx context.Context, m *memory.Memory) (memory.UndecidedResult, error) {
			return m.Undecided(ctx, memory.UndecidedInput{})
		})
		offer := func(f, other memory.Fact) {
			key := f.Key.String()
			if strings.HasPrefix(key, prefix) && (len(args) == 0 || args[0] == other.Key.String()) {
				offers = append(offers, key+"\t"+term.Plain(f.Claim))
			}
		}
		for _, p := range found.Pairs {
			offer(p.A, p.B)
			offer(p.B, p.A)
		}
		if len(offers) == 0 {
			return app.KeysBelow(cmd.Context(), g, prefix)
		}
		return offers, cobra.ShellCompDirectiveNoFileComp
	})
}

// printUndecided lists the pairs that nobody has judged.
func printUndecided(out *term.Streams, r memory.UndecidedResult) {
	for _, p := range r.Pairs {
		show.Pair(out, p)
	}
	switch {
	case len(r.Pairs) == 0:
		out.Message("no pair waits for a verdict in this clone at revision %s", term.Short(r.Revision))
	case out.Terminal:
		out.Summary(term.Plural(len(r.Pairs), "pair", "pairs")+" not judged yet, of the facts that this clone wrote or audited", "revision "+term.Short(r.Revision))
	}
	if r.Dropped > 0 {
		out.Message("note: %s dropped: a clone keeps %d, the newest and the likeliest; `engram audit --all` offers the likely ones again", term.Plural(r.Dropped, "older pair was", "older pairs were"), memory.MaxUndecided)
	}
	if out.Terminal && len(r.Pairs) > 0 {
		out.Message("hint: `engram judge` asks about each")
	}
}
