package team

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type decideOptions struct {
	*app.Globals
	all    bool
	reason string
}

const acceptLong = `Accept proposed facts: one commit on the memory branch, of which you are the
author. The author of each fact stays the person who proposed it.

Only the version that "engram review" last showed in this clone is accepted;
KEY@VERSION names a version, as listed or by its fact id. --all shows the
proposals and accepts them; proposals that cannot be accepted stay, with exit
code 1.

In a pipe it prints, tab-separated: accepted, key, fact id, revision.`

func newReviewAcceptCmd(g *app.Globals) *cobra.Command {
	opts := decideOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "accept [KEY…]", Short: "Accept proposed facts", Long: acceptLong,
		Example:           "  engram review accept domain/payments/refunds domain/payments/holds\n  engram review accept --all",
		ValidArgsFunction: completeProposals(g),
		RunE:              func(cmd *cobra.Command, args []string) error { return runAccept(cmd.Context(), opts, args) },
	}
	cmd.Flags().BoolVar(&opts.all, "all", false, "accept every proposal")
	return cmd
}

const rejectLong = `Reject proposed facts, with a reason for their author. The rejection is a commit
on the branch of proposals; the proposal stays in its history. You may withdraw
your own proposals.

As with accept, only the version that was shown is rejected. In a pipe it
prints, tab-separated: rejected, key, fact id, revision.`

func newReviewRejectCmd(g *app.Globals) *cobra.Command {
	opts := decideOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "reject KEY…", Short: "Reject proposed facts", Long: rejectLong,
		Example:           "  engram review reject domain/payments/refunds --reason \"that was last year\"",
		ValidArgsFunction: completeProposals(g),
		RunE:              func(cmd *cobra.Command, args []string) error { return runReject(cmd.Context(), opts, args) },
	}
	cmd.Flags().StringVar(&opts.reason, "reason", "", "why, in words; it goes into the commit's message")
	return cmd
}

// decisions are the keys of the command line, some with a version.
func decisions(command string, keys []string) (list []memory.Decision, err error) {
	if len(keys) == 0 {
		return nil, fault.Missing(command, "the key")
	}
	for _, arg := range keys {
		key, version, _ := strings.Cut(arg, "@")
		list = append(list, memory.Decision{Key: key, Version: version})
	}
	return list, nil
}

func runAccept(ctx context.Context, opts decideOptions, keys []string) error {
	var in memory.ReviewInput
	var err error
	switch {
	case opts.all && len(keys) > 0:
		return fault.Usage("accept: use --all or keys, not both", "")
	case !opts.all:
		if in.Decisions, err = decisions("review accept", keys); err != nil {
			return err
		}
	}
	left := false
	err = app.Answer(ctx, opts.Globals, opts.OpenToWrite, printDecisions("accepted"), func(m *memory.Memory, _ config.Settings) (r memory.ReviewResult, err error) {
		if opts.all {
			if in.Decisions, left, err = opts.everything(ctx, m, opts.Out); err != nil {
				return r, err
			}
			if len(in.Decisions) == 0 {
				return memory.ReviewResult{Answer: memory.Answer{SchemaVersion: memory.SchemaVersion}, Decided: []memory.Decided{}}, nil
			}
		}
		return m.Accept(ctx, in)
	})
	return fault.NoIf(left, err)
}

// everything shows the proposals and returns those that can be accepted.
func (opts decideOptions) everything(ctx context.Context, m *memory.Memory, out *term.Streams) (list []memory.Decision, left bool, err error) {
	r, err := m.Proposals(ctx, memory.ProposalsInput{})
	if err != nil {
		return nil, false, err
	}
	for _, p := range r.Proposals {
		if p.Problem != "" {
			out.Message("left: %s: %s", p.Key.String(), p.Problem)
			left = true
			continue
		}
		if out.Terminal && !opts.JSON {
			printProposal(out, p)
		}
		list = append(list, memory.Decision{Key: p.Key.String(), Version: p.Version})
	}
	if len(r.Proposals) == 0 {
		out.Message("nothing is proposed")
	}
	return list, left, nil
}

func runReject(ctx context.Context, opts decideOptions, keys []string) error {
	list, err := decisions("review reject", keys)
	if err != nil {
		return err
	}
	if strings.TrimSpace(opts.reason) == "" {
		return fault.Usage("review reject: --reason is required", "it tells the author why")
	}
	return app.Answer(ctx, opts.Globals, opts.OpenToWrite, printDecisions("rejected"), func(m *memory.Memory, _ config.Settings) (memory.ReviewResult, error) {
		return m.Reject(ctx, memory.ReviewInput{Decisions: list, Reason: opts.reason})
	})
}

// printDecisions prints what was accepted or rejected, as verb says.
func printDecisions(verb string) func(*term.Streams, memory.ReviewResult) {
	return func(out *term.Streams, r memory.ReviewResult) {
		for _, d := range r.Decided {
			if out.Terminal {
				out.Printf("%s %s\n", out.Color.Green(verb), out.Color.Bold(term.Plain(d.Key.String())))
			} else {
				out.Row(verb, d.Key.String(), d.FactID, r.Revision)
			}
		}
		show.Notes(out, r.Notes)
		if r.Left > 0 {
			out.Message("%s", term.Plural(r.Left, "proposal waits", "proposals wait"))
		}
	}
}

// reviewEach shows each proposal and asks.
func reviewEach(ctx context.Context, m *memory.Memory, r memory.ProposalsResult, out *term.Streams) error {
	d := &reviewDialogue{
		Asker:  term.NewAsker(ctx, out),
		accept: func(in memory.ReviewInput) error { _, err := m.Accept(ctx, in); return err },
		reject: func(in memory.ReviewInput) error { _, err := m.Reject(ctx, in); return err },
	}
	return d.run(r.Proposals)
}

// reviewDialogue decides on proposals with the user at the terminal.
type reviewDialogue struct {
	term.Asker
	accept, reject              func(memory.ReviewInput) error
	accepted, rejected, skipped int
}

func (d *reviewDialogue) run(list []memory.Proposal) error {
	skipped, err := term.EachOf(d.Asker, list, func(p memory.Proposal) string { return topic(p.Fact.Scope) }, func(p memory.Proposal) error {
		printProposal(d.Io, p)
		return d.decide(p)
	})
	if err == nil {
		d.Io.Summary(fmt.Sprintf("%d accepted, %d rejected, %d left", d.accepted, d.rejected, d.skipped+skipped))
	}
	return err
}

// decide asks about one proposal until it is accepted, rejected or skipped.
func (d *reviewDialogue) decide(p memory.Proposal) error {
	in := memory.ReviewInput{Decisions: []memory.Decision{{Key: p.Key.String(), Version: p.Version}}}
	for {
		d.Io.Printf("  [a] accept  [r] reject  [s] skip  [q] quit\n")
		answer, err := d.Ask("Does it hold?", "")
		if err != nil {
			return err
		}
		done, counted := "accepted", &d.accepted
		switch strings.ToLower(answer) {
		case "a":
			err = d.accept(in)
		case "r":
			for in.Reason == "" && err == nil {
				in.Reason, err = d.Ask("Why not?", "")
			}
			if err != nil {
				return err
			}
			done, counted = "rejected", &d.rejected
			err = d.reject(in)
		case "s":
			d.skipped++
			d.Io.Printf("\n")
			return nil
		case "q":
			return term.ErrQuit
		default:
			continue
		}
		if err == nil {
			*counted++
			d.Io.Printf("%s %s\n\n", d.Io.Color.Green(done), term.Plain(p.Key.String()))
			return nil
		}
		in.Reason = "" // it may be what is wrong
		if again, err := fault.Explain(d.Io, err); !again {
			d.skipped++
			return err
		}
	}
}
