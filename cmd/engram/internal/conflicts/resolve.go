package conflicts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type resolveOptions struct {
	*app.Globals
	ids     []string
	in      memory.ResolveInput
	dismiss bool
	policy  string
}

const resolveLong = `Settle a conflict for the whole team: the resolution is a commit on the memory
branch. The first digits of an ID are enough.

  --winner KEY|a|b     that side stands; the validity of the other ends
  --merge KEY          the existing fact at KEY replaces both sides, whose
                       validity ends
  --merge-claim TEXT   the same, and writes that fact
  --dismiss            there is no contradiction: both stand, and are not
                       flagged again unless a claim changes
  --policy POLICY      last-writer: the side that begins later stands;
                       higher-confidence: the more confident side stands

--dismiss and --policy take several IDs and settle each one separately. Every
resolution needs a --reason.

Without any of these, on a terminal, the command shows each open conflict, or
the one you name, and asks.

In a pipe it prints, tab-separated: conflict_id, resolution, id of the fact that
stands, keys that were closed (separated by blanks), key of the third fact,
revision. --json has results[] and, for conflicts that could not be settled,
failed[].`

const resolveExample = `  engram resolve
  engram resolve 3f9c1a2b --winner b --reason "moved to 9443 in March"
  engram resolve 3f9c1a2b --winner domain/infra/gateway --reason "as deployed"
  engram resolve 3f9c1a2b --merge-claim "It listens on 8443 and 9443." \
      --reason "one a region"
  engram resolve 3f9c1a2b 77aa01cd --dismiss --reason "two different gateways"`

// NewResolveCmd returns "engram resolve".
func NewResolveCmd(g *app.Globals) *cobra.Command {
	opts := resolveOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "resolve [ID…]", Short: "Settle a conflict", Long: resolveLong, Example: resolveExample,
		ValidArgsFunction: completeConflicts(g, show.StatusOpen, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.ids = args
			return runResolve(cmd.Context(), opts, g.Out)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.in.Winner, "winner", "", "the side that stands: its `KEY`, a or b")
	f.StringVar(&opts.in.Merged, "merge", "", "the third fact at `KEY` says what holds")
	f.StringVar(&opts.in.MergedClaim, "merge-claim", "", "write a third fact that says `TEXT`")
	f.BoolVar(&opts.dismiss, "dismiss", false, "both stand: there is no contradiction")
	f.StringVar(&opts.policy, "policy", "", "let a rule decide: "+strings.Join(app.Policies(), ", "))
	f.StringVar(&opts.in.Reason, "reason", "", "`TEXT` that says why")
	f.StringVar(&opts.in.Evidence, "evidence", "", "evidence in words")
	f.StringVarP(&opts.in.Agent, "agent", "a", "", "`NAME` of the agent that settles it (ENGRAM_AGENT)")
	completeSides(cmd, g)
	return cmd
}

func runResolve(ctx context.Context, opts resolveOptions, out *term.Streams) error {
	in, err := opts.input()
	if err != nil {
		return err
	}
	opts.Scanner.Warm()
	m, s, done, err := opts.OpenWithModel(ctx)
	if err != nil {
		return err
	}
	defer done()
	in.Agent = cmp.Or(in.Agent, s.Agent)
	if in.How == "" {
		return converse(ctx, m, opts.ids, in, out)
	}
	answer := resolveAnswer{SchemaVersion: memory.SchemaVersion, Results: []memory.ResolveResult{}}
	for _, in.ConflictID = range opts.ids {
		result, err := m.Resolve(ctx, in)
		if code, _ := memory.Classify(err); err != nil && len(opts.ids) > 1 && (code == memory.CodeNo || code == memory.CodeUsage) {
			answer.Failed = append(answer.Failed, unresolved{in.ConflictID, err.Error()})
			continue
		}
		if err != nil {
			return errors.Join(printResolutions(out, answer, opts.JSON), err)
		}
		answer.Results, answer.Revision = append(answer.Results, result), result.Revision
	}
	if err := printResolutions(out, answer, opts.JSON); err != nil || len(answer.Failed) == 0 {
		return err
	}
	return fault.ErrAnsweredNo
}

// input turns the options into one way to settle a conflict. How is "" if the
// command is to ask.
func (opts resolveOptions) input() (memory.ResolveInput, error) {
	in := opts.in
	var ways []string
	way := func(flag, how string, given bool) {
		if given {
			ways, in.How = append(ways, "--"+flag), how
		}
	}
	way("winner", "winner", in.Winner != "")
	way("merge", "merge", in.Merged != "")
	way("merge-claim", "merge", in.MergedClaim != "")
	way("dismiss", "dismissed", opts.dismiss)
	way("policy", opts.policy, opts.policy != "")
	several := in.How != "" && (opts.dismiss || opts.policy != "")
	switch {
	case len(ways) > 1:
		return in, fault.Usage(strings.Join(ways, " and ")+" are two ways to settle a conflict", "use one of them")
	case opts.policy != "" && !slices.Contains(app.Policies(), opts.policy):
		return in, fault.Usage("--policy "+opts.policy+" is not one of "+strings.Join(app.Policies(), ", "), "`engram resolve --help` says what they mean")
	case len(opts.ids) > 1 && !several:
		return in, fault.Usage("resolve takes one id", "--dismiss and --policy take several")
	case in.How == "" && (opts.JSON || !opts.Out.Asks):
		return in, fault.Usage("resolve: an option that settles the conflict is missing", "use --winner, --merge, --merge-claim, --dismiss or --policy, with --reason; on a terminal it asks")
	case in.How != "" && len(opts.ids) == 0:
		return in, fault.Usage("resolve: the id of a conflict is missing", "`engram conflicts` lists them")
	case in.How != "" && strings.TrimSpace(in.Reason) == "":
		return in, fault.Usage("resolve: --reason is required", "it tells later readers why the conflict was settled this way")
	}
	return in, nil
}

// resolveAnswer is what was settled, in the order of the command line.
type resolveAnswer struct {
	SchemaVersion int                    `json:"schema_version"`
	Revision      string                 `json:"revision"` // after the last of them
	Results       []memory.ResolveResult `json:"results"`
	Failed        []unresolved           `json:"failed,omitempty"`
}

// unresolved is a conflict among several that could not be settled.
type unresolved struct {
	ConflictID string `json:"conflict_id"` // as it was given
	Problem    string `json:"problem"`
}

func printResolutions(out *term.Streams, a resolveAnswer, asJSON bool) error {
	if asJSON {
		if len(a.Results)+len(a.Failed) == 0 {
			return nil // the error says it all
		}
		return out.JSON(a)
	}
	for _, r := range a.Results {
		printResolution(out, r)
	}
	for _, f := range a.Failed {
		out.Message("engram: %s: %s", f.ConflictID, f.Problem)
	}
	return nil
}

// printResolution prints how a conflict was settled.
func printResolution(out *term.Streams, r memory.ResolveResult) {
	closed := strings.Join(r.Closed, " ")
	if !out.Terminal {
		out.Row(r.ConflictID, r.How, r.Winner, closed, r.Merged, r.Revision)
		return
	}
	out.Printf("%s %s\n", out.Color.Green("settled"), out.Color.Bold(term.Plain(r.ConflictID)))
	out.Pairs("  ", []term.Pair{{"how", r.How}, {"ended", closed}, {"holds now", r.Merged}, {"revision", term.Short(r.Revision)}})
}
