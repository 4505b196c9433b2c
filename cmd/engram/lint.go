package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

type lintOptions struct {
	*globals
	keys        []string
	suggestions bool
}

const lintLong = `Check that every file on the branch is a fact, written the canonical way at a
canonical key, and give advice on what would make it more useful. With keys as
arguments (or, with -, as lines of standard input) check only those texts; they
need not exist.

Exit codes: 0 all canonical, 1 at least one is not, 2 wrong usage or
configuration. Advice alone gives 0.

In a pipe it prints, tab-separated: path, severity (error, not-canonical or
advice), field, problem, suggestion. Suggestions appear with --fix-suggestions.`

const lintExample = `  engram lint
  engram lint "paper:abc EXPLORE done" sdd/auth/spec --fix-suggestions
  engram lint --json | jq '.findings[] | select(.severity == "error")'`

func newLintCmd(g *globals) *cobra.Command {
	opts := lintOptions{globals: g}
	cmd := &cobra.Command{
		Use: "lint [KEY…|-]", Short: "Check facts and keys", Long: lintLong, Example: lintExample,
		ValidArgsFunction: completeKeys(g, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.keys = args
			return runLint(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().BoolVar(&opts.suggestions, "fix-suggestions", false, "say how to mend each finding")
	return cmd
}

func runLint(ctx context.Context, opts lintOptions, io *streams) error {
	keys := opts.keys
	if len(keys) == 1 && keys[0] == "-" {
		text, err := opts.text(ctx, "the list of keys", "-")
		if err != nil {
			return err
		}
		if keys = strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }); len(keys) == 0 {
			return usage("standard input holds no key", "`engram lint` without - checks the whole branch")
		}
	}
	m, _, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.Lint(ctx, keys)
	if err != nil {
		return err
	}
	if opts.json {
		err = io.json(result)
	} else {
		io.findings(result, opts.suggestions)
	}
	if err == nil && !result.Canonical {
		err = errAnsweredNo
	}
	return err
}

func (io *streams) findings(r memory.LintResult, suggestions bool) {
	count := map[memory.Severity]int{}
	for _, f := range r.Findings {
		count[f.Severity]++
		if !suggestions {
			f.Suggestion = ""
		}
		if io.terminal {
			io.finding(f)
		} else {
			io.row(f.Path, string(f.Severity), f.Field, f.Problem, f.Suggestion)
		}
	}
	if !io.terminal {
		return
	}
	verdict := io.color.green("all canonical")
	if !r.Canonical {
		verdict = io.color.red(fmt.Sprintf("%s, %d not canonical", plural(count[memory.SeverityError], "error", "errors"), count[memory.SeverityNotCanonical]))
	}
	rest := dotted(plural(r.Checked, "file or key checked", "files or keys checked"), fmt.Sprintf("%d advised on", count[memory.SeverityAdvice]))
	io.printf("%s%s\n", verdict, io.color.dim(" · "+rest))
	if !suggestions && len(r.Findings) > 0 {
		io.message("hint: --fix-suggestions says how to mend them")
	}
}

func (io *streams) finding(f memory.Finding) {
	paintSeverity := io.color.yellow
	if f.Severity == memory.SeverityError {
		paintSeverity = io.color.red
	}
	about := f.Problem
	if f.Field != "" {
		about = f.Field + " " + about
	}
	io.printf("%s  %s\n", io.color.bold(plain(f.Path)), paintSeverity(string(f.Severity)))
	io.printf("  %s\n", indented(plain(about), io.width, "  "))
	if f.Suggestion != "" {
		io.printf("  %s %s\n", io.color.green("→"), indented(plain(f.Suggestion), io.width, "    "))
	}
}
