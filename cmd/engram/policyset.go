package main

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

type policySetOptions struct {
	*globals
	file  string
	base  string
	agent string
}

const policySetLong = `Replace engram.yml by a text, in one commit. The text has to be a manifest that
this engram reads, and must hold no secret. Fields that it does not know are
stored, and warned of: one may be a spelling mistake.

--base names what the text was made from ("blob" of "engram policy --json"):
where somebody has changed it since, nothing is written and the exit code is 5.
An agent that a permission forbids anything may not change engram.yml.

In a pipe it prints the fields that changed, a line each.`

const policySetExample = `  engram policy set --file engram.yml
  printf 'format: 1\nrate_limit: 20\n' | engram policy set --file -
  BLOB=$(engram policy --json | jq -r .blob)
  engram policy set --file engram.yml --base "$BLOB"`

func newPolicySetCmd(g *globals) *cobra.Command {
	opts := policySetOptions{globals: g}
	cmd := &cobra.Command{
		Use: "set --file FILE|-", Short: "Replace what the team agreed on, for scripts", Long: policySetLong, Example: policySetExample,
		Args: noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPolicySet(cmd.Context(), opts, g.io) },
	}
	f := cmd.Flags()
	f.StringVarP(&opts.file, "file", "f", "", "take the text from `FILE`; - is standard input")
	f.StringVar(&opts.base, "base", "", "only if engram.yml is still the `BLOB` that the text was made from")
	f.StringVarP(&opts.agent, "agent", "a", "", "`NAME` of the agent that changes it (ENGRAM_AGENT)")
	return cmd
}

func runPolicySet(ctx context.Context, opts policySetOptions, io *streams) error {
	if opts.file == "" {
		return missing("policy set", "--file")
	}
	text, err := opts.fileText(ctx, "the policy", opts.file)
	if err != nil {
		return err
	}
	m, s, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.SetPolicy(ctx, memory.SetPolicyInput{Text: lines(text), Base: opts.base, Agent: cmp.Or(opts.agent, s.agent)})
	if err != nil {
		if errors.Is(err, memory.ErrUsage) {
			err = usage(err.Error(), "docs/policy.md has the fields of engram.yml; nothing was written")
		}
		return err
	}
	return io.policyChanged(result, opts.json)
}

// lines is a text as engram stores it: ended by one line feed, and without
// carriage returns.
func lines(text string) string {
	return strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n") + "\n"
}

func (io *streams) policyChanged(r memory.SetPolicyResult, asJSON bool) error {
	if asJSON {
		return io.json(r)
	}
	for _, w := range r.Warnings {
		io.message("warning: %s", w)
	}
	switch {
	case !io.terminal:
		for _, field := range r.Changed {
			io.row(field)
		}
		if !r.Written {
			io.message("engram.yml says that already")
		}
	case !r.Written:
		io.printf("engram.yml says that already\n")
	default:
		what := "its comments"
		if len(r.Changed) > 0 {
			what = strings.Join(r.Changed, ", ")
		}
		io.printf("%s  %s\n", io.color.green("changed"), plain(what))
		io.printf("%s\n", io.color.dim("revision "+short(r.Revision)))
	}
	return nil
}
