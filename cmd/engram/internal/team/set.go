package team

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type policySetOptions struct {
	*app.Globals
	file  string
	base  string
	agent string
}

const policySetLong = `Replace engram.yml with a text, in one commit. The text must be a manifest that
this engram reads, and must not hold a secret. Unknown fields are stored with a
warning, because one may be a spelling mistake.

--base names the version that the text was made from ("blob" of "engram policy
--json"): if somebody has changed it since, nothing is written and the exit code
is 5. An agent that any permission restricts may not change engram.yml.

In a pipe it prints the fields that changed, a line each.`

const policySetExample = `  engram policy set --file engram.yml
  printf 'format: 1\nrate_limit: 20\n' | engram policy set --file -
  BLOB=$(engram policy --json | jq -r .blob)
  engram policy set --file engram.yml --base "$BLOB"`

func newPolicySetCmd(g *app.Globals) *cobra.Command {
	opts := policySetOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "set --file FILE|-", Short: "Replace the team's policy, for scripts", Long: policySetLong, Example: policySetExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPolicySet(cmd.Context(), opts, g.Out) },
	}
	f := cmd.Flags()
	f.StringVarP(&opts.file, "file", "f", "", "take the text from `FILE`; - is standard input")
	f.StringVar(&opts.base, "base", "", "only if engram.yml is still the `BLOB` that the text was made from")
	f.StringVarP(&opts.agent, "agent", "a", "", "`NAME` of the agent that changes it (ENGRAM_AGENT)")
	return cmd
}

func runPolicySet(ctx context.Context, opts policySetOptions, out *term.Streams) error {
	if opts.file == "" {
		return fault.Missing("policy set", "--file")
	}
	text, err := opts.FileText(ctx, "the policy", opts.file)
	if err != nil {
		return err
	}
	m, s, done, err := opts.OpenToWrite(ctx)
	if err != nil {
		return err
	}
	defer done()
	result, err := m.SetPolicy(ctx, memory.SetPolicyInput{Text: lines(text), Base: opts.base, Agent: cmp.Or(opts.agent, s.Agent)})
	if err != nil {
		if errors.Is(err, memory.ErrUsage) {
			err = fault.Usage(err.Error(), "docs/policy.md has the fields of engram.yml; nothing was written")
		}
		return err
	}
	return printPolicyChange(out, result, opts.JSON)
}

// lines is a text as engram stores it: ended by one line feed, and without
// carriage returns.
func lines(text string) string {
	return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n") + "\n"
}

func printPolicyChange(out *term.Streams, r memory.SetPolicyResult, asJSON bool) error {
	if asJSON {
		return out.JSON(r)
	}
	for _, w := range r.Warnings {
		out.Message("warning: %s", w)
	}
	switch {
	case !out.Terminal:
		for _, field := range r.Changed {
			out.Row(field)
		}
		if !r.Written {
			out.Message("engram.yml says that already")
		}
	case !r.Written:
		out.Printf("engram.yml says that already\n")
	default:
		what := "its comments"
		if len(r.Changed) > 0 {
			what = strings.Join(r.Changed, ", ")
		}
		out.Printf("%s  %s\n", out.Color.Green("changed"), term.Plain(what))
		out.Printf("%s\n", out.Color.Dim("revision "+term.Short(r.Revision)))
	}
	return nil
}
