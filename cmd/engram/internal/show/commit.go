package show

import (
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
	if r.Conflicts != nil && *r.Conflicts > 0 {
		out.Message("warning: the fact is disputed: %s; `engram conflicts %s` shows what it contradicts", term.Plural(*r.Conflicts, "open conflict", "open conflicts"), r.Key)
	}
	if !out.Terminal {
		out.Row(r.Key, r.MemoryOp, r.FactID, r.Revision)
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
}
