package main

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

type reviewOptions struct {
	*globals
	in   memory.ProposalsInput
	list bool
}

const reviewLong = `See what is proposed, and decide. Where engram.yml asks for a review, facts of
the namespaces it names, or of authors it does not know, do not stand at once:
they wait on a branch beside the memory, of which a pull request can be made as
well. No question finds them there.

On a terminal it shows one after another and asks. In a pipe, and with --list,
it lists them: who proposes what, what it would replace, and what it would
contradict by the rules.

In a pipe it prints, tab-separated: key, change (add, update, retire, close),
version, scope, proposed_by, proposed_at, agent, claim, claim it replaces,
clashes, why it cannot be accepted.`

const reviewExample = `  engram review
  engram review --scope payments --list
  engram review accept domain/payments/refunds
  engram review accept --all
  engram review reject domain/payments/refunds --reason "that was last year"`

func newReviewCmd(g *globals) *cobra.Command {
	opts := reviewOptions{globals: g}
	cmd := &cobra.Command{
		Use: "review", Short: "Accept or reject what is proposed", Long: reviewLong, Example: reviewExample,
		Args: noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runReview(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().StringVarP(&opts.in.Scope, "scope", "s", "", "only this topic `PATH` and what is below it")
	cmd.Flags().StringVar(&opts.in.Prefix, "key-prefix", "", "only keys below this `PREFIX`")
	cmd.Flags().BoolVar(&opts.list, "list", false, "list them, and ask nothing")
	completeEnums(cmd, g)
	cmd.AddCommand(newReviewAcceptCmd(g), newReviewRejectCmd(g))
	return cmd
}

func runReview(ctx context.Context, opts reviewOptions, io *streams) error {
	m, _, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Proposals(ctx, opts.in)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(r)
	}
	if io.asks && !opts.list && len(r.Proposals) > 0 && r.MayAccept {
		return reviewEach(ctx, m, r, io)
	}
	io.proposals(r)
	return nil
}

// proposals lists what is proposed, by scope.
func (io *streams) proposals(r memory.ProposalsResult) {
	scope, first := "", true
	for _, p := range r.Proposals {
		if !io.terminal {
			io.row(p.Key.String(), p.Change, p.Version, p.Fact.Scope, p.ProposedBy, stamp(p.ProposedAt), p.Fact.AgentID, p.Fact.Claim,
				claimOf(p.Replaces), strconv.Itoa(len(p.Clashes)), p.Problem)
			continue
		}
		if first || p.Fact.Scope != scope {
			scope, first = p.Fact.Scope, false
			io.printf("%s\n\n", io.color.bold(topic(scope)))
		}
		io.proposal(p)
	}
	if io.terminal && len(r.Proposals) > 0 {
		io.printf("%s\n", io.color.dim(dotted(strconv.Itoa(len(r.Proposals))+" proposed", "revision "+short(r.Revision))))
	}
	_ = io.flush()
	io.notes(r.Notes)
	io.damaged(r.Damaged)
	switch {
	case len(r.Proposals) == 0:
		io.message("nothing is proposed")
	case !r.MayAccept:
		io.message("note: only authors that engram.yml lists can accept these")
	default:
		io.message("hint: `engram review accept KEY` and `engram review reject KEY --reason TEXT` decide")
	}
}

func topic(scope string) string { return cmp.Or(plain(scope), "no scope") }

// proposal prints one proposal for people.
func (io *streams) proposal(p memory.Proposal) {
	painted := map[string]func(string) string{"add": io.color.green, "update": io.color.yellow}[p.Change]
	if painted == nil {
		painted = io.color.red
	}
	io.printf("%s  %s\n", painted(p.Change), io.color.bold(plain(p.Key.String())))
	io.printf("  %s\n", indented(plain(p.Fact.Claim), io.width, "  "))
	if p.Replaces != nil && p.Replaces.Claim != p.Fact.Claim {
		io.printf("  %s\n", io.color.dim(indented("instead of: "+plain(p.Replaces.Claim), io.width, "  ")))
	}
	io.printf("  %s\n", io.color.dim(indented(dotted(p.Fact.AgentID, nameOf(p.ProposedBy), ago(io.now(), p.ProposedAt), p.Fact.Kind), io.width, "  ")))
	io.pairs("  ", []pair{{"detail", p.Fact.Detail}, {"evidence", p.Fact.Evidence}, {"pointers", refs(p.Fact)}})
	for _, c := range p.Clashes {
		io.printf("  %s\n", io.color.red(indented("clashes with "+plain(c.Fact.Key.String())+": "+plain(c.Fact.Claim), io.width, "  ")))
	}
	if p.Problem != "" {
		io.printf("  %s\n", io.color.red(indented(plain(p.Problem), io.width, "  ")))
	}
	io.printf("\n")
}

func refs(f memory.Fact) string {
	var list []string
	for _, p := range f.Pointers {
		list = append(list, p.Ref)
	}
	return strings.Join(list, "  ")
}
