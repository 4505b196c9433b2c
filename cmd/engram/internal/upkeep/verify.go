package upkeep

import (
	"cmp"
	"context"
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

type verifyOptions struct {
	*app.Globals
	in     memory.VerifyInput
	commit bool
	agent  string
}

const verifyLong = `Compare the evidence of facts with the code: of the facts at KEYs, or of all
current facts that have pointers. The code is the work tree, HEAD in a bare
repository, or any commit with --at. Nothing is written or fetched.

  fresh      the same content is there
  moved      the content is elsewhere: at other lines, or in another file
  drifted    different content is there
  missing    nothing is there, and the content was not found elsewhere
  unchecked  not comparable: a web address, or a commit that is not here

--commit writes a new version, with the same claim, of each fact whose evidence
is all fresh or moved; its pointers name the new place at HEAD. With KEYs it
also writes drifted facts: you confirm that you have read the new content and
that the claim still holds.

Exit code 1 if any evidence has drifted or is missing.

In a pipe it prints a line for each pointer that is not fresh, tab-separated:
key, freshness, pointer, new place, reason, claim. With KEYs it prints fresh
pointers too.`

// missingHint is for evidence of which nothing is left that --commit could point at.
const missingHint = "hint: where it is missing, point it at something that is there: engram commit CLAIM --key KEY --operation update --pointer NEW, or `engram retire KEY`"

const verifyExample = `  engram verify
  engram verify domain/auth/session-lifetime --diff
  engram verify --scope payments --at HEAD
  engram verify --commit
  engram verify domain/auth/session-lifetime --commit --agent claude
  engram verify --json | jq .counts`

// NewVerifyCmd returns "engram verify".
func NewVerifyCmd(g *app.Globals) *cobra.Command {
	opts := verifyOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "verify [KEY…]", Short: "Compare the evidence of facts with the code", Long: verifyLong, Example: verifyExample,
		ValidArgsFunction: app.CompleteKeys(g, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.in.Keys = args
			return runVerify(cmd.Context(), opts)
		},
	}
	f := cmd.Flags()
	flags.Bind(f, &opts.in, "scope", "at", "diff")
	f.BoolVar(&opts.commit, "commit", false, "commit pointers to where the evidence stands now")
	f.StringVarP(&opts.agent, "agent", "a", "", "with --commit: `NAME` of the agent that looked (ENGRAM_AGENT; default: a person)")
	return cmd
}

func runVerify(ctx context.Context, opts verifyOptions) error {
	in := opts.in
	switch {
	case len(in.Keys) > 0 && in.Scope != "":
		return fault.Usage("verify takes keys or --scope, not both", "omit --scope")
	case opts.commit:
		return runReverify(ctx, opts, opts.Out)
	case opts.agent != "":
		return fault.Usage("--agent says who looked, which only --commit keeps", "omit it, or add --commit")
	}
	print := func(out *term.Streams, r memory.VerifyResult) { printVerify(out, r, len(in.Keys) > 0, in.Diff) }
	result, err := app.Show(ctx, opts.Globals, opts.Open, print, func(m *memory.Memory, s config.Settings) (memory.VerifyResult, error) {
		in.AskedBy = s.Agent
		return m.Verify(ctx, in)
	})
	return fault.NoIf(differing(result) > 0, err)
}

// differing counts the facts whose evidence drifted or is missing.
func differing(r memory.VerifyResult) int { return r.Counts[memory.Drifted] + r.Counts[memory.Missing] }

func runReverify(ctx context.Context, opts verifyOptions, out *term.Streams) error {
	if opts.in.At != "" || opts.in.Diff {
		return fault.Usage("--commit goes by HEAD, and shows no diff", "omit --at and --diff; `engram verify KEY --diff` shows what changed")
	}
	m, s, done, err := opts.OpenToWrite(ctx)
	if err != nil {
		return err
	}
	defer done()
	in := memory.ReverifyInput{Keys: opts.in.Keys, Scope: opts.in.Scope, Agent: cmp.Or(opts.agent, s.Agent)}
	result, err := m.Reverify(ctx, in)
	if err == nil {
		err = term.Print(out, opts.JSON, result, printReverify)
	}
	if err = fault.NoIf(len(result.Left) > 0, err); err != nil || len(in.Keys) > 0 {
		return err
	}
	return whatStillDiffers(ctx, m, in.Scope, out)
}

// whatStillDiffers counts what --commit without keys leaves for somebody to look at.
func whatStillDiffers(ctx context.Context, m *memory.Memory, scope string, out *term.Streams) error {
	after, err := m.Verify(ctx, memory.VerifyInput{Scope: scope})
	if n := differing(after); err == nil && n > 0 {
		out.Message("%s drifted or missing; `engram verify --diff` shows which", term.Plural(n, "fact is", "facts are"))
		err = fault.ErrAnsweredNo
	}
	return err
}

// printVerify prints what is not fresh, and counts the rest.
func printVerify(out *term.Streams, r memory.VerifyResult, named, diff bool) {
	for _, check := range r.Checks {
		if out.Terminal {
			printFactCheck(out, check)
			continue
		}
		for _, p := range check.Pointers {
			if p.Freshness != memory.Fresh || named {
				out.Row(check.Key.String(), string(p.Freshness), p.Ref, p.Now, p.Reason, check.Claim)
				printDiff(out, p.Diff, "  ")
			}
		}
	}
	show.Withheld(out, r.Withheld, "rest on something")
	summary := verifySummary(out, r)
	if out.Terminal {
		out.Printf("%s\n", out.Color.Dim(summary))
	} else {
		out.Message("%s", summary)
	}
	if r.Counts[memory.Missing] > 0 {
		out.Message("%s", missingHint)
	}
	switch {
	case r.Counts[memory.Drifted] > 0 && diff:
		out.Message("hint: if the claim still holds: engram verify KEY --commit")
	case r.Counts[memory.Drifted] > 0:
		out.Message("hint: `engram verify KEY --diff` shows what changed; if the claim still holds: engram verify KEY --commit")
	case r.Counts[memory.Moved] > 0:
		out.Message("hint: `engram verify --commit` points what moved to where it is")
	}
}

func verifySummary(out *term.Streams, r memory.VerifyResult) string {
	if r.Facts == 0 {
		return term.Dotted("no fact rests on anything", "revision "+term.Short(r.Revision))
	}
	parts := []string{term.Plural(r.Facts, "fact", "facts") + " with " + term.Plural(r.Pointers, "pointer", "pointers")}
	parts = append(parts, show.Counts(r.Counts)...)
	return term.Dotted(append(parts, show.Against(r.Commit, r.WorkTree), "revision "+term.Short(r.Revision))...)
}

func printFactCheck(out *term.Streams, c memory.FactCheck) {
	out.Printf("%s  %s\n", show.Freshness(out, c.Freshness), out.Color.Bold(term.Plain(c.Key.String())))
	out.Text("  ", c.Claim)
	for _, p := range c.Pointers {
		show.PointerCheck(out, p, len(c.Pointers) > 1)
		printDiff(out, p.Diff, "    ")
	}
	out.Printf("\n")
}

// printDiff prints a diff, coloured on a terminal.
func printDiff(out *term.Streams, text, indent string) {
	for line := range strings.Lines(text) {
		line = term.PlainCode(strings.TrimSuffix(line, "\n"))
		switch {
		case strings.HasPrefix(line, "-"):
			line = out.Color.Red(line)
		case strings.HasPrefix(line, "+"):
			line = out.Color.Green(line)
		}
		out.Printf("%s%s\n", indent, line)
	}
}

func printReverify(out *term.Streams, r memory.ReverifyResult) {
	for _, c := range r.Committed {
		switch {
		case !out.Terminal:
			out.Row(c.Key, c.MemoryOp, c.FactID)
		case c.Duplicate:
			out.Printf("%s  %s\n", term.Plain(c.Key), out.Color.Dim("says the same already"))
		default:
			out.Printf("%s  %s\n", out.Color.Bold(term.Plain(c.Key)), out.Color.Dim("verified again"))
		}
		for _, w := range c.Warnings {
			out.Message("note: %s: %s", c.Key, w)
		}
		if c.Proposed {
			out.Message("note: %s waits for a review; `engram review` shows it", c.Key)
		}
	}
	for _, left := range r.Left {
		for _, p := range left.Pointers {
			if p.Freshness != memory.Fresh {
				out.Message("note: %s was left as it is: %s: %s", left.Key.String(), p.Ref, cmp.Or(p.Reason, string(p.Freshness)))
			}
		}
	}
	switch {
	case len(r.Left) > 0:
		out.Message("%s", missingHint)
	case len(r.Committed) == 0:
		out.Message("nothing moved, so nothing was committed")
	}
}
