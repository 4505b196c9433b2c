package team

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type policySetOptions struct {
	*app.Globals
	file string
	in   memory.SetPolicyInput
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
		RunE: func(cmd *cobra.Command, _ []string) error { return runPolicySet(cmd.Context(), opts) },
	}
	cmd.Flags().StringVarP(&opts.file, "file", "f", "", "take the text from `FILE`; - is standard input")
	flags.Bind(cmd.Flags(), &opts.in, "base", "agent_id")
	return cmd
}

func runPolicySet(ctx context.Context, opts policySetOptions) error {
	if opts.file == "" {
		return fault.Missing("policy set", "--file")
	}
	text, err := opts.FileText(ctx, "the policy", opts.file)
	if err != nil {
		return err
	}
	return app.Answer(ctx, opts.Globals, opts.OpenToWrite, printPolicyChange, func(m *memory.Memory, s config.Settings) (memory.SetPolicyResult, error) {
		in := opts.in
		in.Text, in.Agent = lines(text), cmp.Or(in.Agent, s.Agent)
		r, err := m.SetPolicy(ctx, in)
		if errors.Is(err, memory.ErrUsage) {
			err = fault.Usage(err.Error(), "docs/policy.md has the fields of engram.yml; nothing was written")
		}
		return r, err
	})
}

// lines is a text as engram stores it: ended by one line feed, and without
// carriage returns.
func lines(text string) string {
	return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n") + "\n"
}

func printPolicyChange(out *term.Streams, r memory.SetPolicyResult) {
	for _, w := range r.Warnings {
		out.Message("warning: %s", w)
	}
	switch {
	case !r.Written && out.Terminal:
		out.Printf("engram.yml says that already\n")
	case !r.Written:
		out.Message("engram.yml says that already")
	case out.Terminal:
		out.Printf("%s  %s\n", out.Color.Green("changed"), term.Plain(cmp.Or(strings.Join(r.Changed, ", "), "its comments")))
		out.Summary("revision " + term.Short(r.Revision))
	default:
		for _, field := range r.Changed {
			out.Row(field)
		}
	}
}
