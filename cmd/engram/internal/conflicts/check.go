package conflicts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type checkOptions struct {
	*app.Globals
	in     memory.CheckInput
	format string
}

const checkLong = `Check that the memory has no open conflicts: neither recorded ones, nor any that
the rules find in facts this clone has not audited. The command writes nothing
to the branch and uses no model, so it can run in CI.

FROM..TO checks only conflicts of which a side changed between two revisions of
the branch, such as the changes of a pull request; without TO, up to its tip.

Exit codes: 0 if no open conflict has the severity --fail-on or higher, 1 if one
has, and those of "engram help exit-codes". An update to confirm (a fact that is
clearly the newer state of another) never fails the check. A violation of
engram.yml always does ("engram policy --help").

--format sarif prints SARIF 2.1.0 for code scanning, --format junit JUnit XML
for test reports. As text in a pipe it prints the columns of "engram conflicts",
then, tab-separated, violations of the policy: the word violation, kind, key,
agent, engineer, commit, message.`

const checkExample = `  engram check
  engram check origin/engram..engram --fail-on medium
  engram check --scope payments --json | jq .counts
  engram check --format sarif > engram.sarif
  engram check --format junit > engram.xml`

// The formats of check.
const (
	formatText  = "text"
	formatSARIF = "sarif"
	formatJUnit = "junit"
)

// NewCheckCmd returns "engram check".
func NewCheckCmd(g *app.Globals) *cobra.Command {
	opts := checkOptions{Globals: g}
	formats := []string{formatText, formatSARIF, formatJUnit}
	cmd := &cobra.Command{
		Use: "check [FROM..TO]", Short: "Fail if there are open conflicts, for CI", Long: checkLong, Example: checkExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(formats, opts.format) {
				return fault.Usage(fmt.Sprintf("--format %s is not one of %s", opts.format, strings.Join(formats, ", ")), "")
			}
			return runCheck(cmd.Context(), opts, args)
		},
	}
	f := cmd.Flags()
	flags.Bind(f, &opts.in, "scope", "fail_on")
	f.StringVar(&opts.format, "format", formatText, strings.Join(formats, ", "))
	app.CompleteWith(cmd, "format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runCheck(ctx context.Context, opts checkOptions, args []string) error {
	in := opts.in
	var err error
	if in.From, in.To, err = revisions("check", args); err != nil {
		return err
	}
	if opts.JSON && opts.format != formatText {
		return fault.Usage("--format "+opts.format+" and --json are two forms of the answer", "use one of them")
	}
	result, err := app.Ask(ctx, opts.OpenWithModel, func(m *memory.Memory, _ config.Settings) (memory.CheckResult, error) {
		return m.Check(ctx, in)
	})
	switch {
	case err != nil:
		return err
	case opts.JSON:
		err = opts.Out.JSON(result)
	case opts.format == formatSARIF:
		err = opts.Out.JSON(sarifOf(result))
	case opts.format == formatJUnit:
		err = printXML(opts.Out, junitOf(result))
	default:
		printCheck(opts.Out, result)
	}
	return fault.NoIf(!result.Clean, err)
}

func printCheck(out *term.Streams, r memory.CheckResult) {
	for _, c := range r.Conflicts {
		switch {
		case !out.Terminal:
			show.ConflictRow(out, c.Conflict)
		case c.Fails:
			show.Conflict(out, c.Conflict, c.Scope, "fails")
		default:
			show.Conflict(out, c.Conflict, c.Scope)
		}
	}
	printViolations(out, r.Violations)
	printForeignNotes(out, r.Foreign)
	show.Notes(out, r.Notes)
	verdict, painted := "clean", out.Color.Green
	if !r.Clean {
		all := term.Plural(len(r.Conflicts), "open conflict", "open conflicts")
		verdict, painted = fmt.Sprintf("%d of %s fail at %s", r.Failing, all, r.FailOn), out.Color.Red
	}
	if n := len(r.Violations); n > 0 {
		violations := term.Plural(n, "violation of the policy", "violations of the policy")
		if verdict += ", " + violations; r.Failing+len(r.Broken) == 0 {
			verdict = violations
		}
	}
	open := ""
	if r.Clean {
		open = term.Some(len(r.Conflicts), "open conflict that does not fail", "open conflicts that do not fail")
	}
	foreign := term.Some(len(r.Foreign), "clash with a source, which does not fail", "clashes with sources, which do not fail")
	rest := term.Dotted(open, foreign, term.Plural(r.Examined, "fact looked at", "facts looked at")+" beyond the last audit", "revision "+term.Short(r.Revision))
	if out.Terminal {
		out.Printf("%s%s\n", painted(verdict), out.Color.Dim(" · "+rest))
	} else if !r.Clean {
		out.Message("%s", term.Dotted(verdict, rest))
	}
}
