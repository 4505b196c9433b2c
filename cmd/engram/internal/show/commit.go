package show

import (
	"strings"

	"engram/cmd/internal/term"
	"engram/memory"
)

// Commit prints what a commit or a retirement did.
func Commit(out *term.Streams, r memory.CommitResult) {
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
	if !out.Terminal {
		out.Row(r.Key, r.MemoryOp, r.FactID, r.Revision, keysOf(r.Contradicts))
		_ = out.Flush()
		for _, met := range r.Contradicts {
			out.Message("warning: %s %s: %s (%s); `engram resolve %s` settles it", against(met), met.Key, term.Plain(met.Claim), term.Plain(met.Explanation), met.ConflictID[:8])
		}
		for _, met := range r.Related {
			out.Message("note: related, not judged yet: %s: %s; `engram judge %s %s` takes a verdict", met.Key, term.Plain(met.Claim), r.Key, met.Key)
		}
		return
	}
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
	printMet(out, r.Contradicts)
	printRelated(out, r)
}

// printMet shows the facts that a new one contradicts.
func printMet(out *term.Streams, list []memory.Met) {
	for _, met := range list {
		out.Printf("\n%s %s\n", out.Color.Yellow(against(met)), out.Color.Bold(term.Plain(met.Key)))
		out.Text("  ", met.Claim)
		out.Printf("  %s\n", out.Color.Dim(term.Plain(met.Explanation)))
	}
	if len(list) > 0 {
		out.Message("hint: `engram resolve %s` settles it; `engram conflicts` shows both sides", list[0].ConflictID[:8])
	}
}

// printRelated shows the facts about the same matter that nobody has judged.
func printRelated(out *term.Streams, r memory.CommitResult) {
	if len(r.Related) == 0 {
		return
	}
	out.Printf("\n")
	for _, met := range r.Related {
		out.Painted(out.Color.Dim, "  ", "related, not judged yet: "+term.Plain(met.Key)+" — "+term.Plain(met.Claim))
	}
	_ = out.Flush() // the list comes before what is next
	out.Message("hint: `engram judge` takes a verdict on whether they agree")
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
