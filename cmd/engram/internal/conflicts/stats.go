package conflicts

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

func runStats(ctx context.Context, opts conflictsOptions, args []string) error {
	if len(args) > 0 || opts.undecided || opts.in != (memory.ConflictsInput{}) {
		return fault.Usage("--stats counts the conflicts of each family; nothing narrows them", "omit the other option or the argument")
	}
	return app.Answer(ctx, opts.Globals, opts.Open, printStats, func(m *memory.Memory, _ config.Settings) (memory.FamiliesResult, error) {
		return m.Families(ctx)
	})
}

// printStats prints how often each family of findings was right.
func printStats(out *term.Streams, r memory.FamiliesResult) {
	if len(r.Families) == 0 {
		out.Message("no conflict at revision %s has a family yet", term.Short(r.Revision))
	}
	if !out.Terminal {
		for _, f := range r.Families {
			statsRow(out, f)
		}
		return
	}
	list := make([]term.Pair, len(r.Families))
	for i, f := range r.Families {
		list[i] = term.Pair{f.Family, familyLine(f)}
	}
	out.Pairs("", list)
	if r.Unnamed > 0 {
		out.Printf("\n%s without a family: found by models, by merges or by an earlier version\n", term.Plural(r.Unnamed, "conflict", "conflicts"))
	}
	if len(r.Families) > 0 {
		out.Summary(fmt.Sprintf("likely: certainly right less often than %.2f, from decisions of weight %.0f on; opens no conflict", r.Tolerable, r.Enough), "revision "+term.Short(r.Revision))
	}
}

// What a family's findings are in this memory.
const (
	opensConflicts = "contradiction"
	onlyLikely     = "likely"
)

func gradeOf(f memory.FamilyStats) string {
	if f.Likely {
		return onlyLikely
	}
	return opensConflicts
}

func statsRow(out *term.Streams, f memory.FamilyStats) {
	precision := ""
	if f.Precision != nil {
		precision = decimal(*f.Precision)
	}
	out.Row(f.Family, gradeOf(f), strconv.Itoa(f.Found), strconv.Itoa(f.Open), strconv.Itoa(f.Settled), strconv.Itoa(f.Corrected), strconv.Itoa(f.Dismissed),
		strconv.Itoa(f.Judged.Contradicts), strconv.Itoa(f.Judged.Evolves), strconv.Itoa(f.Judged.Same), strconv.Itoa(f.Judged.Compatible),
		decimal(f.Feedback), precision, decimal(f.Highest))
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

// familyLine describes the statistics of a family, and omits counts of zero.
func familyLine(f memory.FamilyStats) string {
	var parts, judged []string
	add := func(list *[]string, n int, what string) {
		if n > 0 {
			*list = append(*list, strconv.Itoa(n)+" "+what)
		}
	}
	add(&parts, f.Found, "found")
	add(&parts, f.Open, "open")
	add(&parts, f.Settled, "settled as real")
	add(&parts, f.Corrected, "corrected")
	add(&parts, f.Dismissed, "dismissed")
	add(&judged, f.Judged.Contradicts, "contradicts")
	add(&judged, f.Judged.Evolves, "evolves")
	add(&judged, f.Judged.Same, "same")
	add(&judged, f.Judged.Compatible, "compatible")
	if len(judged) > 0 {
		parts = append(parts, "judged "+strings.Join(judged, ", "))
	}
	if f.Precision != nil {
		parts = append(parts, fmt.Sprintf("right %s, at most %s", decimal(*f.Precision), decimal(f.Highest)))
	}
	if f.Likely {
		parts = append(parts, "wrong too often here: only likely")
	}
	return term.Dotted(parts...)
}
