package conflicts

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type auditOptions struct {
	*app.Globals
	in memory.AuditInput
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
	cmd := &cobra.Command{
		Use: "audit [FROM..TO]", Short: "Look for contradictions in what changed", Long: auditLong, Example: auditExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("budget") && opts.in.Budget <= 0 {
				return fault.Usage("--budget must be above 0", "without detect.nli no time is spent on models")
			}
			return runAudit(cmd.Context(), opts, args)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opts.in.All, "all", false, "audit every fact, not only changed ones")
	f.DurationVar(&opts.in.Budget, "budget", 0, "`TIME` for the cross-encoder (ENGRAM_DETECT_BUDGET; default "+memory.DefaultNLIBudget.String()+")")
	app.CompleteWith(cmd, "budget", cobra.FixedCompletions([]string{"30s", "2m", "10m"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runAudit(ctx context.Context, opts auditOptions, args []string) error {
	in := opts.in
	var err error
	if in.From, in.To, err = revisions("audit", args); err != nil {
		return err
	}
	if in.All && len(args) > 0 {
		return fault.Usage("--all audits every fact, not those of "+args[0], "omit one of them")
	}
	s, err := opts.Settings()
	if err != nil {
		return err
	}
	opts.Scanner.Warm()
	m, j, done, err := opts.OpenJudging(ctx, s)
	if err != nil {
		return err
	}
	defer done()
	in.Budget = cmp.Or(in.Budget, j.Budget)
	result, err := m.Audit(ctx, in)
	if err != nil {
		return err
	}
	return term.Print(opts.Out, opts.JSON, result, func(out *term.Streams, r memory.AuditResult) { printAudit(out, r, j) })
}

// revisions reads FROM..TO, of which one may be omitted; both are "" without an argument.
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
