package sessions

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

const learntLong = `List sentences of sessions that may be worth a fact: decisions with reasons,
rules that people gave, and causes that were found. At most five of each session
are offered, and none that a fact says already. They are chosen by rules, so
many are not worth keeping: read before you accept.

Nothing becomes a fact by itself. "accept" commits one as a fact whose origin is
the event; "reject" has it not offered again in this clone.

In a pipe it prints, tab-separated: kind, pointer, turn, time, who, claim.`

const learntExample = `  engram session learnt
  engram session learnt 0f3a --limit 5
  engram session learnt accept 8QZK2M --scope payments
  engram session learnt accept 8QZK2M --claim "Refunds are idempotent."
  engram session learnt reject 8QZK2M`

func newLearntCmd(g *app.Globals) *cobra.Command {
	var in memory.LearntInput
	cmd := &cobra.Command{
		Use: "learnt [ID]", Short: "Offer what sessions taught as facts", Long: learntLong, Example: learntExample,
		Args: app.AtMostOne("session", "`engram session list` shows the ids there are"), ValidArgsFunction: app.CompleteSessions(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				in.Session = args[0]
			}
			return answer(cmd.Context(), g, g.Open, printLearnt, func(m *memory.Memory, agent string) (memory.LearntResult, error) {
				in.AskedBy = agent
				return m.Learnt(cmd.Context(), in)
			})
		},
	}
	flags.Bind(cmd.Flags(), &in, "limit")
	cmd.AddCommand(newLearntAcceptCmd(g), newLearntRejectCmd(g))
	return cmd
}

func printLearnt(out *term.Streams, r memory.LearntResult) {
	for _, c := range r.Candidates {
		if !out.Terminal {
			out.Row(string(c.Kind), c.Pointer, strconv.Itoa(c.Turn), term.Stamp(c.At), c.Who, c.Claim)
			continue
		}
		out.Printf("%s  %s\n", out.Color.Green(string(c.Kind)), out.Color.Dim(term.Dotted(c.Who, term.Ago(out.Now(), c.At), c.Pointer)))
		out.Text("  ", c.Claim)
	}
	if r.Left > 0 {
		out.Message("note: %d more; --limit shows them", r.Left)
	}
	switch {
	case r.Behind > 0:
		out.Message("note: %s not read for this yet\nhint: `engram session consolidate` does it", term.Plural(r.Behind, "session was", "sessions were"))
	case len(r.Candidates) == 0:
		out.Message("no session offers anything new")
	default:
		out.Message("hint: `engram session learnt accept POINTER` makes a fact of one, `engram session learnt reject POINTER` drops it; the end of a pointer is enough")
	}
}

func newLearntAcceptCmd(g *app.Globals) *cobra.Command {
	return learntDecision(g, "accept", "Commit what a session taught as a fact", "  engram session learnt accept 8QZK2M --scope payments", func(ctx context.Context, m *memory.Memory, in memory.DecideLearntInput) (memory.DecideLearntResult, error) {
		return m.AcceptLearnt(ctx, in)
	}, "claim", "key", "scope")
}

func newLearntRejectCmd(g *app.Globals) *cobra.Command {
	return learntDecision(g, "reject", "Have a sentence not offered again", "  engram session learnt reject 8QZK2M", func(ctx context.Context, m *memory.Memory, in memory.DecideLearntInput) (memory.DecideLearntResult, error) {
		return m.RejectLearnt(ctx, in)
	})
}

func learntDecision(g *app.Globals, name, short, example string, decide func(context.Context, *memory.Memory, memory.DecideLearntInput) (memory.DecideLearntResult, error), fields ...string) *cobra.Command {
	var in memory.DecideLearntInput
	cmd := &cobra.Command{
		Use: name + " POINTER...", Short: short, Example: example,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fault.Missing("session learnt "+name, "a pointer, or the end of one")
			}
			return nil
		},
		ValidArgsFunction: completeLearnt(g),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.Pointers = args
			return answer(cmd.Context(), g, g.OpenToWrite, printDecidedLearnt, func(m *memory.Memory, agent string) (memory.DecideLearntResult, error) {
				in.Agent = agent
				return decide(cmd.Context(), m, in)
			})
		},
	}
	flags.Bind(cmd.Flags(), &in, fields...)
	return cmd
}

func printDecidedLearnt(out *term.Streams, r memory.DecideLearntResult) {
	for _, done := range r.Accepted {
		show.Commit(out, done)
	}
	for _, pointer := range r.Rejected {
		out.Message("dropped %s", pointer)
		if !out.Terminal {
			out.Row("rejected", pointer)
		}
	}
}

// completeLearnt offers the pointers of candidates.
func completeLearnt(g *app.Globals) cobra.CompletionFunc {
	return app.CompleteFrom(g, 0, func(ctx context.Context, m *memory.Memory) (offers []string, err error) {
		r, err := m.Learnt(ctx, memory.LearntInput{})
		for _, c := range r.Candidates {
			offers = append(offers, c.Pointer)
		}
		return offers, err
	})
}
