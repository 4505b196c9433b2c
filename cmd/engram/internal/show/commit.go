package show

import (
	"slices"
	"strings"

	"engram/cmd/internal/term"
	"engram/memory"
)

// Commit prints what a commit or a retirement did: what was written, what it contradicts,
// and then what is to be said of it.
func Commit(out *term.Streams, r memory.CommitResult) {
	if !out.Terminal {
		out.Row(r.Key, r.MemoryOp, r.FactID, r.Revision, keysOf(r.Contradicts))
		for _, met := range r.Contradicts {
			out.Message("warning: %s %s: %s (%s); `engram resolve %s` settles it", against(met), met.Key, term.Plain(met.Claim), term.Plain(met.Explanation), met.ConflictID[:8])
		}
		remarks(out, r)
		for _, met := range undecided(r) {
			out.Message("note: %s: %s: %s; `engram judge %s %s` takes a verdict", doubt(met), met.Key, term.Plain(met.Claim), r.Key, met.Key)
		}
		return
	}
	printWritten(out, r)
	for _, met := range r.Contradicts {
		out.Printf("\n%s %s\n", out.Color.Yellow(against(met)), out.Color.Bold(term.Plain(met.Key)))
		out.Text("  ", met.Claim)
		out.Printf("  %s\n", out.Color.Dim(term.Plain(met.Explanation)))
	}
	if list := undecided(r); len(list) > 0 {
		out.Printf("\n")
		for _, met := range list {
			out.Painted(out.Color.Dim, "  ", doubt(met)+": "+term.Plain(met.Key)+" — "+term.Plain(met.Claim))
		}
	}
	remarks(out, r)
	if len(r.Contradicts) > 0 {
		out.Message("hint: `engram resolve %s` settles it; `engram conflicts` shows both sides", r.Contradicts[0].ConflictID[:8])
	}
	if len(r.Likely)+len(r.Related) > 0 {
		out.Message("hint: do they agree? `engram judge` asks, and remembers the answer for everybody")
	}
}

// printWritten says on a terminal what was written.
func printWritten(out *term.Streams, r memory.CommitResult) {
	done := map[string]string{"add": "added", "update": "updated", "delete": "retired"}[r.MemoryOp]
	if r.Proposed && done != "" {
		done = "proposed"
	}
	switch {
	case r.Duplicate:
		out.Printf("%s %s\n", out.Color.Yellow("unchanged"), term.Plain(r.Key))
		out.Printf("%s\n", out.Color.Dim("  it says so already, since "+term.Ago(out.Now(), r.Committed)))
	case done == "":
		out.Printf("nothing written\n")
	default:
		out.Printf("%s %s\n", out.Color.Green(done), out.Color.Bold(term.Plain(r.Key)))
		out.Printf("%s\n", out.Color.Dim("  fact "+r.FactID+" · revision "+term.Short(r.Revision)))
		if r.Branch != "" {
			out.Printf("%s\n", out.Color.Dim("  for "+term.Plain(r.For.String())+", on the branch "+term.Plain(r.Branch)+" until that is merged"))
		}
	}
}

// remarks prints notes and warnings.
func remarks(out *term.Streams, r memory.CommitResult) {
	Notes(out, r.Notes)
	for _, w := range r.Warnings {
		out.Message("warning: %s", w)
	}
	if r.Proposed {
		out.Message("proposed %s; `engram review` accepts it", r.Key)
	}
	if r.Conflicts != nil && *r.Conflicts > 0 && len(r.Contradicts) == 0 {
		out.Message("warning: the fact is disputed: %s; `engram conflicts %s` shows what it contradicts", term.Plural(*r.Conflicts, "open conflict", "open conflicts"), r.Key)
	}
}

// undecided returns the facts that somebody should judge, the likely contradictions first.
func undecided(r memory.CommitResult) []memory.Met { return slices.Concat(r.Likely, r.Related) }

// doubt says why a fact should be judged.
func doubt(met memory.Met) string {
	if met.Grade == "likely" {
		return "probably contradicts (" + term.Plain(met.Explanation) + ")"
	}
	return "related, not judged yet"
}

func against(met memory.Met) string {
	return term.Either(met.Verdict == VerdictEvolution, "looks like an update of", "contradicts")
}

func keysOf(list []memory.Met) string {
	keys := make([]string, len(list))
	for i, met := range list {
		keys[i] = met.Key
	}
	return strings.Join(keys, ",")
}
