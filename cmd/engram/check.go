package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

type checkOptions struct {
	*globals
	args   []string
	in     memory.CheckInput
	format string
}

const checkLong = `Say whether the memory is free of open conflicts: those on the branch, and those
that the rules find in what no audit of this clone has seen. It writes nothing
to the branch and asks no model, so it can run in CI.

FROM..TO looks only at conflicts of which a side changed between two revisions
of the branch, such as what a pull request brings; without TO, up to its tip.

Exit codes: 0 where no open conflict is of the severity --fail-on or graver, 1
where one is, and those of "engram help exit-codes". An update to confirm (a
fact that is plainly the newer state of another) never fails. What went past
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

func newCheckCmd(g *globals) *cobra.Command {
	opts := checkOptions{globals: g}
	formats := []string{formatText, formatSARIF, formatJUnit}
	cmd := &cobra.Command{
		Use: "check [FROM..TO]", Short: "Fail where open conflicts are, for CI", Long: checkLong, Example: checkExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(formats, opts.format) {
				return usage(fmt.Sprintf("--format %s is none of %s", opts.format, strings.Join(formats, ", ")), "")
			}
			opts.args = args
			return runCheck(cmd.Context(), opts, g.io)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&opts.in.Scope, "scope", "s", "", "only where a side is of this topic `PATH` or below it")
	f.StringVar(&opts.in.FailOn, "fail-on", severityHigh, "the least severity that fails: "+strings.Join(memory.Severities(), ", "))
	f.StringVar(&opts.format, "format", formatText, strings.Join(formats, ", "))
	completeEnums(cmd, g)
	completeWith(cmd, "format", cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runCheck(ctx context.Context, opts checkOptions, io *streams) error {
	in := opts.in
	var err error
	if in.From, in.To, err = revisions("check", opts.args); err != nil {
		return err
	}
	if opts.json && opts.format != formatText {
		return usage("--format "+opts.format+" and --json are two forms of the answer", "use one of them")
	}
	m, _, done, err := opts.openWithModel(ctx)
	if err != nil {
		return err
	}
	defer done()
	result, err := m.Check(ctx, in)
	if err != nil {
		return err
	}
	switch {
	case opts.json:
		err = io.json(result)
	case opts.format == formatSARIF:
		err = io.json(sarifOf(result))
	case opts.format == formatJUnit:
		err = io.xml(junitOf(result))
	default:
		io.checked(result)
	}
	if err == nil && !result.Clean {
		err = errAnsweredNo
	}
	return err
}

func (io *streams) checked(r memory.CheckResult) {
	for _, c := range r.Conflicts {
		switch {
		case !io.terminal:
			io.conflictRow(c.Conflict)
		case c.Fails:
			io.conflict(c.Conflict, c.Scope, "fails")
		default:
			io.conflict(c.Conflict, c.Scope)
		}
	}
	io.violations(r.Violations)
	io.foreignNotes(r.Foreign)
	for _, note := range r.Notes {
		io.message("note: %s", note)
	}
	verdict, painted := "clean", io.color.green
	if !r.Clean {
		all := plural(len(r.Conflicts), "open conflict", "open conflicts")
		verdict, painted = fmt.Sprintf("%d of %s fail at %s", r.Failing, all, r.FailOn), io.color.red
	}
	if n := len(r.Violations); n > 0 {
		violations := plural(n, "violation of the policy", "violations of the policy")
		if verdict += ", " + violations; r.Failing+len(r.Broken) == 0 {
			verdict = violations
		}
	}
	open := ""
	if r.Clean && len(r.Conflicts) > 0 {
		open = plural(len(r.Conflicts), "open conflict that does not fail", "open conflicts that do not fail")
	}
	rest := dotted(open, foreignCount(r.Foreign), plural(r.Examined, "fact looked at", "facts looked at")+" beyond the last audit", "revision "+short(r.Revision))
	if io.terminal {
		io.printf("%s%s\n", painted(verdict), io.color.dim(" · "+rest))
	} else if !r.Clean {
		io.message("%s", dotted(verdict, rest))
	}
}
