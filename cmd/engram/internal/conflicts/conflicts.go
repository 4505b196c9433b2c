// Package conflicts has the commands that find, list and settle contradictions, and
// the reports that CI servers read.
package conflicts

import (
	"cmp"
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

type conflictsOptions struct {
	*app.Globals
	in        memory.ConflictsInput
	undecided bool
	stats     bool
}

const conflictsLong = `List the conflicts of the memory: pairs of facts that cannot both be true, by
scope and the most severe first. If one fact clearly replaces the other, the
pair is listed as an update to confirm. By default only open conflicts are
listed; an ID (its first digits are enough) shows that conflict whatever its
status; a KEY shows the conflicts of that fact.

A commit records the conflicts that it causes, and an audit those of facts that
arrive from elsewhere. What no audit has recorded yet is listed too, and marked.
Nothing is written; "engram resolve" settles a conflict.

--undecided lists instead the pairs of facts about the same matter that the
rules could not decide and nobody has judged: "engram judge" takes verdicts. A
clone lists pairs of facts that it wrote or audited itself, and keeps 500. In a
pipe these are, tab-separated: grade; of fact a key, agent, engineer,
committed_at, verified, claim; the same of fact b; explanation.

--stats lists instead, for each family of findings (slot, port, polarity), how
many were found, settled as real, ended by a correction of a fact, dismissed and
judged, and how often the family was right by these decisions. A family that is
certainly right less often than 0.75 opens no conflicts in this memory: its
findings are only likely, until later decisions say otherwise. In a pipe these
are, tab-separated: family; contradiction or likely; found, open, settled,
corrected, dismissed; judged contradicts, evolves, same, compatible; the weight
of the decisions that count, precision, and what it is at most with a confidence
of 95 %.

In a pipe it prints, tab-separated: conflict_id, status, severity, verdict,
tier, scope, since, recorded (true or false), explanation, newer (a, b or
empty); of side a key, agent, engineer, committed_at, verified, claim; the same
of side b; of a settled one how, agent, engineer, why. A warning on stderr names
facts whose evidence has changed or is gone.`

const conflictsExample = `  engram conflicts
  engram conflicts --scope infra --severity high
  engram conflicts domain/infra/gateway-port --status all
  engram conflicts 3f9c1a2b
  engram conflicts --undecided
  engram conflicts --stats
  engram conflicts --json | jq -r '.conflicts[].conflict_id'`

// NewConflictsCmd returns "engram conflicts".
func NewConflictsCmd(g *app.Globals) *cobra.Command {
	opts := conflictsOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "conflicts [ID|KEY]", Short: "List facts that contradict each other", Long: conflictsLong, Example: conflictsExample,
		Args: app.AtMostOne("id or key", "`engram conflicts --help` shows how to narrow the list"), ValidArgsFunction: completeConflicts(g, memory.AllStatuses, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if opts.stats {
				return runStats(cmd.Context(), opts, args)
			}
			if opts.undecided {
				return runUndecided(cmd.Context(), opts, args)
			}
			return runConflicts(cmd.Context(), opts, args)
		},
	}
	f := cmd.Flags()
	flags.Bind(f, &opts.in, "scope", "status")
	f.StringVar(&opts.in.Severity, "severity", "", "only this severity: "+strings.Join(memory.Severities(), ", "))
	f.StringVar(&opts.in.Verdict, "verdict", "", "only this verdict: "+strings.Join(memory.Verdicts(), ", "))
	f.BoolVar(&opts.undecided, "undecided", false, "list the pairs that nobody has judged yet")
	f.BoolVar(&opts.stats, "stats", false, "list how often each family of findings was right")
	return cmd
}

func runUndecided(ctx context.Context, opts conflictsOptions, args []string) error {
	if len(args) > 0 || opts.in != (memory.ConflictsInput{}) {
		return fault.Usage("--undecided lists pairs that are no conflicts yet; nothing narrows the list", "omit the other option or the argument")
	}
	return app.Answer(ctx, opts.Globals, opts.Open, printUndecided, func(m *memory.Memory, _ config.Settings) (memory.UndecidedResult, error) {
		return m.Undecided(ctx, memory.UndecidedInput{})
	})
}

func runConflicts(ctx context.Context, opts conflictsOptions, args []string) error {
	in, one := opts.in, false // one: the argument names one conflict
	if len(args) > 0 {
		if in.Key = strings.TrimPrefix(args[0], show.ConflictFolder); in.Key == "" {
			return fault.Usage("conflicts: the id is empty", "omit it to list all")
		}
		one = !strings.Contains(in.Key, "/")
	}
	if one {
		in.Status = cmp.Or(in.Status, memory.AllStatuses)
	}
	print := func(out *term.Streams, r memory.ConflictsResult) { printConflicts(out, r, in) }
	return app.Answer(ctx, opts.Globals, opts.OpenWithModel, print, func(m *memory.Memory, _ config.Settings) (memory.ConflictsResult, error) {
		r, err := m.Conflicts(ctx, in)
		if err == nil && one && len(r.Conflicts) == 0 {
			err = fmt.Errorf("%w: %s", memory.ErrNoConflict, in.Key)
		}
		return r, err
	})
}

// printConflicts prints the queue of conflicts, and after them the updates to confirm.
func printConflicts(out *term.Streams, r memory.ConflictsResult, in memory.ConflictsInput) {
	updates := 0
	var old show.Drifted
	for _, c := range r.Conflicts {
		for _, f := range []*memory.Fact{c.A, c.B} {
			if f != nil {
				old.Add(show.Address(f.Origin, f.Key.String()), f.Freshness)
			}
		}
	}
	if out.Terminal {
		updates = show.ConflictSections(out, r.Conflicts)
	} else {
		for _, c := range r.Conflicts {
			show.ConflictRow(out, c)
		}
	}
	show.DriftWarning(out, old)
	show.Notes(out, r.Notes)
	show.Withheld(out, r.Withheld, "are conflicts")
	if len(r.Conflicts) == 0 {
		printNoConflicts(out, r, in)
		return
	}
	if !out.Terminal {
		return
	}
	summary := term.Plural(len(r.Conflicts)-updates, "conflict", "conflicts")
	if updates > 0 {
		summary += ", " + term.Plural(updates, "update to confirm", "updates to confirm")
	}
	out.Summary(summary, "revision "+term.Short(r.Revision))
	i := slices.IndexFunc(r.Conflicts, func(c memory.Conflict) bool { return show.IsOpen(c) && c.Verdict != show.VerdictEvolution })
	if i < 0 {
		i = slices.IndexFunc(r.Conflicts, show.IsOpen)
	}
	if i >= 0 {
		out.Message("hint: `engram resolve %s` settles it; `engram resolve` goes through all that are open", show.ShortID(r.Conflicts[i]))
	}
}

// printNoConflicts says that there are no conflicts, and which facts were compared.
func printNoConflicts(out *term.Streams, r memory.ConflictsResult, in memory.ConflictsInput) {
	what, rests := "no conflict", "every fact up to it was looked at just now"
	if r.Audited != "" {
		rests = "audited up to " + term.Short(r.Audited)
		if r.Audited != r.Revision {
			rests += ", and the rest looked at just now"
		}
	}
	switch {
	case in.Key != "" || in.Scope != "" || in.Severity != "" || in.Verdict != "":
		what = "no such conflict"
	case in.Status == "" || in.Status == show.StatusOpen:
		what = "no open conflict"
	}
	if r.Unaudited > 0 {
		rests = term.Plural(r.Unaudited, "fact has", "facts have") + " not been looked at"
	}
	text := what + " at revision " + term.Short(r.Revision) + "; " + rests
	if out.Terminal {
		out.Printf("%s\n", term.Indented(text, out.Width, ""))
	} else {
		out.Message("%s", text)
	}
}
