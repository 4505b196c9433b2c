// Package team has the commands by which a team agrees: review and policy.
package team

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

type reviewOptions struct {
	*app.Globals
	in   memory.ProposalsInput
	list bool
}

const reviewLong = `Show proposed facts, and accept or reject them. If engram.yml asks for a review,
facts of the namespaces it names, or of authors it does not know, do not hold at
once: they wait on a branch beside the memory, of which you can also make a pull
request. Queries do not find them there.

On a terminal the command shows them one by one and asks. In a pipe, and with
--list, it lists them: who proposes each fact, which fact it would replace, and
which facts it would contradict by the rules.

In a pipe it prints, tab-separated: key, change (add, update, retire, close),
version, scope, proposed_by, proposed_at, agent, claim, claim it replaces,
clashes, why it cannot be accepted.`

const reviewExample = `  engram review
  engram review --scope payments --list
  engram review accept domain/payments/refunds
  engram review accept --all
  engram review reject domain/payments/refunds --reason "that was last year"`

// NewReviewCmd returns "engram review".
func NewReviewCmd(g *app.Globals) *cobra.Command {
	opts := reviewOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "review", Short: "Accept or reject proposed facts", Long: reviewLong, Example: reviewExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runReview(cmd.Context(), opts, g.Out) },
	}
	flags.Bind(cmd.Flags(), &opts.in, "scope", "prefix")
	cmd.Flags().BoolVar(&opts.list, "list", false, "list the proposals without asking")
	cmd.AddCommand(newReviewAcceptCmd(g), newReviewRejectCmd(g))
	return cmd
}

func runReview(ctx context.Context, opts reviewOptions, out *term.Streams) error {
	m, _, done, err := opts.OpenToWrite(ctx)
	if err != nil {
		return err
	}
	defer done()
	r, err := m.Proposals(ctx, opts.in)
	if err != nil {
		return err
	}
	if ask := out.Asks && !opts.list && !opts.JSON; ask && len(r.Proposals) > 0 && r.MayAccept {
		return reviewEach(ctx, m, r, out)
	}
	return term.Print(out, opts.JSON, r, printProposals)
}

// printProposals lists what is proposed, by scope.
func printProposals(out *term.Streams, r memory.ProposalsResult) {
	scope, first := "", true
	for _, p := range r.Proposals {
		if !out.Terminal {
			out.Row(p.Key.String(), p.Change, p.Version, p.Fact.Scope, p.ProposedBy, term.Stamp(p.ProposedAt), p.Fact.AgentID, p.Fact.Claim,
				app.ClaimOf(p.Replaces), strconv.Itoa(len(p.Clashes)), p.Problem)
			continue
		}
		if first || p.Fact.Scope != scope {
			scope, first = p.Fact.Scope, false
			out.Printf("%s\n\n", out.Color.Bold(topic(scope)))
		}
		printProposal(out, p)
	}
	if out.Terminal && len(r.Proposals) > 0 {
		out.Summary(strconv.Itoa(len(r.Proposals))+" proposed", "revision "+term.Short(r.Revision))
	}
	show.Notes(out, r.Notes)
	show.Damaged(out, r.Damaged)
	switch {
	case len(r.Proposals) == 0:
		out.Message("nothing is proposed")
	case !r.MayAccept:
		out.Message("note: only authors that engram.yml lists can accept these")
	default:
		out.Message("hint: `engram review accept KEY` and `engram review reject KEY --reason TEXT` decide")
	}
}

func topic(scope string) string { return cmp.Or(term.Plain(scope), "no scope") }

// printProposal prints one proposal for people.
func printProposal(out *term.Streams, p memory.Proposal) {
	painted := map[string]func(string) string{"add": out.Color.Green, "update": out.Color.Yellow}[p.Change]
	if painted == nil {
		painted = out.Color.Red
	}
	out.Printf("%s  %s\n", painted(p.Change), out.Color.Bold(term.Plain(p.Key.String())))
	out.Text("  ", p.Fact.Claim)
	if p.Replaces != nil && p.Replaces.Claim != p.Fact.Claim {
		out.Printf("  %s\n", out.Color.Dim(term.Indented("instead of: "+term.Plain(p.Replaces.Claim), out.Width, "  ")))
	}
	out.Painted(out.Color.Dim, "  ", term.Dotted(p.Fact.AgentID, show.NameOf(p.ProposedBy), term.Ago(out.Now(), p.ProposedAt), p.Fact.Kind))
	out.Pairs("  ", []term.Pair{{"detail", p.Fact.Detail}, {"evidence", p.Fact.Evidence}, {"pointers", refs(p.Fact)}})
	for _, c := range p.Clashes {
		out.Printf("  %s\n", out.Color.Red(term.Indented("clashes with "+term.Plain(c.Fact.Key.String())+": "+term.Plain(c.Fact.Claim), out.Width, "  ")))
	}
	if p.Problem != "" {
		out.Painted(out.Color.Red, "  ", p.Problem)
	}
	out.Printf("\n")
}

func refs(f memory.Fact) string {
	var list []string
	for _, p := range f.Pointers {
		list = append(list, p.Ref)
	}
	return strings.Join(list, "  ")
}

// completeProposals offers the keys that something is proposed at.
func completeProposals(g *app.Globals) cobra.CompletionFunc {
	return app.CompleteFrom(g, 0, func(ctx context.Context, m *memory.Memory) (offers []string, err error) {
		list, err := m.ProposedKeys(ctx)
		for _, key := range list {
			offers = append(offers, key.String())
		}
		return offers, err
	})
}
