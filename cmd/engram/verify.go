package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

type verifyOptions struct {
	*globals
	keys   []string
	in     memory.VerifyInput
	commit bool
	agent  string
}

const verifyLong = `Hold the evidence of facts against the code: of the facts at KEYs, or of all
that hold and have pointers. Compared is the work tree as it is, in a bare
repository HEAD, or with --at any commit. Nothing is written or fetched.

  fresh      the same bytes stand there
  moved      they stand elsewhere: at other lines, or in another file
  drifted    something else stands there
  missing    nothing stands there, and the bytes are nowhere
  unchecked  nobody could compare: a web address, or a commit that is not here

--commit makes it so: it commits a new version, with the same claim, of each
fact of which everything stands or has moved, with pointers to where that is at
HEAD. With KEYs also of facts that drifted: it says that you looked at what
stands there now, and that the claim still holds.

Exit code 1 where anything drifted or is missing.

In a pipe it prints a line a pointer that is not fresh, tab-separated: key,
freshness, pointer, where it stands now, reason, claim. With KEYs also those
that are fresh.`

// missingHint is for evidence of which nothing is left that --commit could point at.
const missingHint = "hint: where it is missing, point it at something that is there: engram commit CLAIM --key KEY --operation update --pointer NEW, or `engram retire KEY`"

const verifyExample = `  engram verify
  engram verify domain/auth/session-lifetime --diff
  engram verify --scope payments --at HEAD
  engram verify --commit
  engram verify domain/auth/session-lifetime --commit --agent claude
  engram verify --json | jq .counts`

func newVerifyCmd(g *globals) *cobra.Command {
	opts := verifyOptions{globals: g}
	cmd := &cobra.Command{
		Use: "verify [KEY…]", Short: "Hold the evidence of facts against the code", Long: verifyLong, Example: verifyExample,
		ValidArgsFunction: completeKeys(g, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.keys = args
			return runVerify(cmd.Context(), opts, g.io)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&opts.in.Scope, "scope", "s", "", "only facts of this topic `PATH` and those below it")
	f.StringVar(&opts.in.At, "at", "", "compare with this `COMMIT`, such as HEAD, instead of the work tree")
	f.BoolVar(&opts.in.Diff, "diff", false, "show how what drifted has changed")
	f.BoolVar(&opts.commit, "commit", false, "commit pointers to where the evidence stands now")
	f.StringVarP(&opts.agent, "agent", "a", "", "with --commit: `NAME` of the agent that looked (ENGRAM_AGENT; default: a person)")
	return cmd
}

func runVerify(ctx context.Context, opts verifyOptions, io *streams) error {
	if len(opts.keys) > 0 && opts.in.Scope != "" {
		return usage("verify takes keys or --scope, not both", "leave --scope away")
	}
	if opts.commit {
		return runReverify(ctx, opts, io)
	}
	if opts.agent != "" {
		return usage("--agent says who looked, which only --commit keeps", "leave it away, or add --commit")
	}
	m, s, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	in := opts.in
	in.Keys, in.AskedBy = opts.keys, s.agent
	result, err := m.Verify(ctx, in)
	if err != nil {
		return err
	}
	if opts.json {
		err = io.json(result)
	} else {
		io.verified(result, len(opts.keys) > 0, in.Diff)
	}
	if err == nil && result.Counts[memory.Drifted]+result.Counts[memory.Missing] > 0 {
		err = errAnsweredNo
	}
	return err
}

func runReverify(ctx context.Context, opts verifyOptions, io *streams) error {
	if opts.in.At != "" || opts.in.Diff {
		return usage("--commit goes by HEAD, and shows no diff", "leave --at and --diff away; `engram verify KEY --diff` shows what changed")
	}
	m, s, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	agent := cmp.Or(opts.agent, s.agent)
	result, err := m.Reverify(ctx, memory.ReverifyInput{Keys: opts.keys, Scope: opts.in.Scope, Agent: agent})
	if err != nil {
		return err
	}
	if opts.json {
		err = io.json(result)
	} else {
		io.reverified(result)
	}
	if err == nil && len(result.Left) > 0 {
		err = errAnsweredNo
	}
	if err != nil || len(opts.keys) > 0 {
		return err
	}
	return whatStillDiffers(ctx, m, opts.in.Scope, io)
}

// whatStillDiffers counts what --commit without keys leaves for somebody to look at.
func whatStillDiffers(ctx context.Context, m *memory.Memory, scope string, io *streams) error {
	after, err := m.Verify(ctx, memory.VerifyInput{Scope: scope})
	if n := after.Counts[memory.Drifted] + after.Counts[memory.Missing]; err == nil && n > 0 {
		io.message("%s drifted or missing; `engram verify --diff` shows which", plural(n, "fact is", "facts are"))
		err = errAnsweredNo
	}
	return err
}

// verified prints what is not fresh, and counts the rest.
func (io *streams) verified(r memory.VerifyResult, named, diff bool) {
	for _, check := range r.Checks {
		if io.terminal {
			io.factCheck(check)
			continue
		}
		for _, p := range check.Pointers {
			if p.Freshness != memory.Fresh || named {
				io.row(check.Key.String(), string(p.Freshness), p.Ref, p.Now, p.Reason, check.Claim)
				io.diff(p.Diff, "  ")
			}
		}
	}
	io.withheld(r.Withheld, "rest on something")
	_ = io.flush() // the list comes before what is next
	summary := io.verifySummary(r)
	if io.terminal {
		io.printf("%s\n", io.color.dim(summary))
	} else {
		io.message("%s", summary)
	}
	_ = io.flush()
	if r.Counts[memory.Missing] > 0 {
		io.message("%s", missingHint)
	}
	switch {
	case r.Counts[memory.Drifted] > 0 && diff:
		io.message("hint: where the claim still holds: engram verify KEY --commit")
	case r.Counts[memory.Drifted] > 0:
		io.message("hint: `engram verify KEY --diff` shows what changed; if the claim still holds: engram verify KEY --commit")
	case r.Counts[memory.Moved] > 0:
		io.message("hint: `engram verify --commit` points what moved to where it is")
	}
}

func (io *streams) verifySummary(r memory.VerifyResult) string {
	if r.Facts == 0 {
		return dotted("no fact rests on anything", "revision "+short(r.Revision))
	}
	parts := []string{plural(r.Facts, "fact", "facts") + " with " + plural(r.Pointers, "pointer", "pointers")}
	for _, f := range []memory.Freshness{memory.Fresh, memory.Moved, memory.Drifted, memory.Missing, memory.Unchecked} {
		if n := r.Counts[f]; n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+string(f))
		}
	}
	against := "against " + short(r.Commit)
	if r.WorkTree {
		against = "against the work tree"
	}
	return dotted(append(parts, against, "revision "+short(r.Revision))...)
}

func (io *streams) factCheck(c memory.FactCheck) {
	io.printf("%s  %s\n", io.freshness(c.Freshness), io.color.bold(plain(c.Key.String())))
	io.printf("  %s\n", indented(plain(c.Claim), io.width, "  "))
	for _, p := range c.Pointers {
		line := plain(p.Ref)
		if p.Now != "" {
			line += " → " + plain(p.Now)
		}
		if len(c.Pointers) > 1 || p.Reason != "" {
			line += " (" + dotted(string(p.Freshness), p.Reason) + ")"
		}
		io.printf("  %s\n", io.color.dim(indented(line, io.width, "    ")))
		io.diff(p.Diff, "    ")
	}
	io.printf("\n")
}

// diff prints a diff, coloured on a terminal.
func (io *streams) diff(text, indent string) {
	for line := range strings.Lines(text) {
		line = plainCode(strings.TrimSuffix(line, "\n"))
		switch {
		case strings.HasPrefix(line, "-"):
			line = io.color.red(line)
		case strings.HasPrefix(line, "+"):
			line = io.color.green(line)
		}
		io.printf("%s%s\n", indent, line)
	}
}

// freshness is a verdict in its colour.
func (io *streams) freshness(f memory.Freshness) string {
	text := fmt.Sprintf("%-9s", f)
	switch f {
	case memory.Fresh:
		return io.color.green(text)
	case memory.Moved:
		return io.color.yellow(text)
	case memory.Drifted, memory.Missing:
		return io.color.red(text)
	}
	return io.color.dim(text)
}

func (io *streams) reverified(r memory.ReverifyResult) {
	for _, c := range r.Committed {
		switch {
		case !io.terminal:
			io.row(c.Key, c.MemoryOp, c.FactID)
		case c.Duplicate:
			io.printf("%s  %s\n", plain(c.Key), io.color.dim("says the same already"))
		default:
			io.printf("%s  %s\n", io.color.bold(plain(c.Key)), io.color.dim("verified again"))
		}
		for _, w := range c.Warnings {
			io.message("note: %s: %s", c.Key, w)
		}
		if c.Proposed {
			io.message("note: %s waits for a review; `engram review` shows it", c.Key)
		}
	}
	for _, left := range r.Left {
		for _, p := range left.Pointers {
			if p.Freshness != memory.Fresh {
				io.message("note: %s was left as it is: %s: %s", left.Key.String(), p.Ref, cmp.Or(p.Reason, string(p.Freshness)))
			}
		}
	}
	_ = io.flush()
	switch {
	case len(r.Left) > 0:
		io.message("%s", missingHint)
	case len(r.Committed) == 0:
		io.message("nothing moved, so nothing was committed")
	}
}
