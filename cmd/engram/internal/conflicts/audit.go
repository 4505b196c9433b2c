package conflicts

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type auditOptions struct {
	*app.Globals
	args   []string
	in     memory.AuditInput
	budget *time.Duration // nil: as configured
}

const auditLong = `Compare the facts that changed since this clone's last audit with all others,
and write the conflicts to the branch: opened if two facts cannot both hold,
closed if one of them no longer stands. "engram watch" does this automatically.
Conflicts that are already recorded are not written again.

FROM..TO audits the changes between two revisions of the branch (up to its tip
if TO is omitted); --all audits every fact.

The rules always run (tiers 0, 2 and 2b). If detect.nli names a model, a
cross-encoder on this machine judges pairs that the rules cannot decide (tier
1) until --budget is used up; the next audit continues. If llm.url names an
endpoint, a language model judges doubtful pairs (tier 3): claims then leave
this machine, see "engram help configuration". Both are off by default.

Finding conflicts is not a failure: the exit code is 0. Use "engram check" in
CI.

Facts of sources are compared with this memory by the rules. Such clashes are
reported but not written: this team cannot settle the other side.

In a pipe it prints, tab-separated: opened, closed or foreign, conflict_id,
severity, verdict, tier, scope, key of side a, key of side b, explanation or,
for a closed conflict, the reason. In a foreign clash side a is ours, and the id
is empty. A violation of engram.yml is a line that begins with violation, then
kind, key, agent, engineer, commit, message.`

const auditExample = `  engram audit
  engram audit --all --budget 5m
  engram audit engram~20..
  engram audit --json | jq '.opened[].explanation'`

// NewAuditCmd returns "engram audit".
func NewAuditCmd(g *app.Globals) *cobra.Command {
	opts := auditOptions{Globals: g}
	var budget time.Duration
	cmd := &cobra.Command{
		Use: "audit [FROM..TO]", Short: "Look for contradictions in what changed", Long: auditLong, Example: auditExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			if cmd.Flags().Changed("budget") {
				opts.budget = &budget
			}
			return runAudit(cmd.Context(), opts, g.Out)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opts.in.All, "all", false, "audit every fact, not only changed ones")
	f.DurationVar(&budget, "budget", 0, "`TIME` for the cross-encoder (ENGRAM_DETECT_BUDGET; default "+memory.DefaultNLIBudget.String()+")")
	app.CompleteWith(cmd, "budget", cobra.FixedCompletions([]string{"30s", "2m", "10m"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runAudit(ctx context.Context, opts auditOptions, out *term.Streams) error {
	in, err := opts.input()
	if err != nil {
		return err
	}
	m, j, done, err := opts.OpenToAudit(ctx)
	if err != nil {
		return err
	}
	defer done()
	if in.Budget == 0 {
		in.Budget = j.Budget
	}
	result, err := m.Audit(ctx, in)
	if err != nil {
		return err
	}
	if opts.JSON {
		return out.JSON(result)
	}
	printAudit(out, result, j)
	return nil
}

func (opts auditOptions) input() (in memory.AuditInput, err error) {
	in = opts.in
	if in.From, in.To, err = revisions("audit", opts.args); err != nil {
		return in, err
	}
	if in.All && len(opts.args) > 0 {
		return in, fault.Usage("--all audits every fact, not those of "+opts.args[0], "omit one of them")
	}
	if opts.budget != nil {
		if in.Budget = *opts.budget; in.Budget <= 0 {
			return in, fault.Usage("--budget must be above 0", "without detect.nli no time is spent on models")
		}
	}
	return in, nil
}

// revisions reads FROM..TO, of which one may be left away; "" where there is no
// argument.
func revisions(command string, args []string) (from, to string, err error) {
	if len(args) == 0 {
		return "", "", nil
	}
	from, to, found := strings.Cut(args[0], "..")
	if len(args) > 1 || !found || from+to == "" || strings.HasPrefix(to, ".") {
		return "", "", fault.Usage(command+" takes one range of revisions of the memory branch", "such as FROM..TO, or FROM.. up to its tip")
	}
	return from, to, nil
}
