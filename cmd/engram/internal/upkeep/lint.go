package upkeep

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type lintOptions struct {
	*app.Globals
	suggestions bool
}

const lintLong = `Check that every file on the branch is a fact in canonical form at a canonical
key, and suggest how to make facts more useful. With keys as arguments (or, with
-, as lines of standard input) check only those keys; they need not exist.

Exit codes: 0 all canonical, 1 at least one is not, 2 wrong usage or
configuration. Advice alone gives 0.

In a pipe it prints, tab-separated: path, severity (error, not-canonical or
advice), field, problem, suggestion. Suggestions appear with --fix-suggestions.`

const lintExample = `  engram lint
  engram lint "paper:abc EXPLORE done" sdd/auth/spec --fix-suggestions
  engram lint --json | jq '.findings[] | select(.severity == "error")'`

// NewLintCmd returns "engram lint".
func NewLintCmd(g *app.Globals) *cobra.Command {
	opts := lintOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "lint [KEY…|-]", Short: "Check facts and keys", Long: lintLong, Example: lintExample,
		ValidArgsFunction: app.CompleteKeys(g, 0),
		RunE:              func(cmd *cobra.Command, args []string) error { return runLint(cmd.Context(), opts, args) },
	}
	cmd.Flags().BoolVar(&opts.suggestions, "fix-suggestions", false, "suggest how to fix each finding")
	return cmd
}

func runLint(ctx context.Context, opts lintOptions, keys []string) error {
	if len(keys) == 1 && keys[0] == "-" {
		text, err := opts.Text(ctx, "the list of keys", "-")
		if err != nil {
			return err
		}
		if keys = strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }); len(keys) == 0 {
			return fault.Usage("standard input holds no key", "`engram lint` without - checks the whole branch")
		}
	}
	print := func(out *term.Streams, r memory.LintResult) { printFindings(out, r, opts.suggestions) }
	result, err := app.Show(ctx, opts.Globals, opts.Open, print, func(m *memory.Memory, _ config.Settings) (memory.LintResult, error) {
		return m.Lint(ctx, keys)
	})
	return fault.NoIf(!result.Canonical, err)
}

func printFindings(out *term.Streams, r memory.LintResult, suggestions bool) {
	count := map[memory.Severity]int{}
	for _, f := range r.Findings {
		count[f.Severity]++
		if !suggestions {
			f.Suggestion = ""
		}
		if out.Terminal {
			printFinding(out, f)
		} else {
			out.Row(f.Path, string(f.Severity), f.Field, f.Problem, f.Suggestion)
		}
	}
	if !out.Terminal {
		return
	}
	verdict := out.Color.Green("all canonical")
	if !r.Canonical {
		verdict = out.Color.Red(fmt.Sprintf("%s, %d not canonical", term.Plural(count[memory.SeverityError], "error", "errors"), count[memory.SeverityNotCanonical]))
	}
	rest := term.Dotted(term.Plural(r.Checked, "file or key checked", "files or keys checked"), fmt.Sprintf("%d advised on", count[memory.SeverityAdvice]))
	out.Printf("%s%s\n", verdict, out.Color.Dim(" · "+rest))
	if !suggestions && len(r.Findings) > 0 {
		out.Message("hint: --fix-suggestions says how to fix them")
	}
}

func printFinding(out *term.Streams, f memory.Finding) {
	paintSeverity := out.Color.Yellow
	if f.Severity == memory.SeverityError {
		paintSeverity = out.Color.Red
	}
	about := strings.TrimSpace(f.Field + " " + f.Problem)
	out.Printf("%s  %s\n", out.Color.Bold(term.Plain(f.Path)), paintSeverity(string(f.Severity)))
	out.Text("  ", about)
	if f.Suggestion != "" {
		out.Printf("  %s %s\n", out.Color.Green("→"), term.Indented(term.Plain(f.Suggestion), out.Width, "    "))
	}
}
