package conflicts

import (
	"strings"

	"engram/cmd/internal/term"
	"engram/memory"
)

// resolveAnswer is what was settled, in the order of the command line.
type resolveAnswer struct {
	SchemaVersion int                    `json:"schema_version"`
	Revision      string                 `json:"revision"` // after the last of them
	Results       []memory.ResolveResult `json:"results"`
	Failed        []unresolved           `json:"failed,omitempty"`
}

// unresolved is a conflict among several that could not be settled.
type unresolved struct {
	ConflictID string `json:"conflict_id"` // as it was given
	Problem    string `json:"problem"`
}

func printResolutions(out *term.Streams, a resolveAnswer, asJSON bool) error {
	if asJSON {
		if len(a.Results)+len(a.Failed) == 0 {
			return nil // the error says it all
		}
		return out.JSON(a)
	}
	for _, r := range a.Results {
		printResolution(out, r)
	}
	for _, f := range a.Failed {
		out.Message("engram: %s: %s", f.ConflictID, f.Problem)
	}
	return nil
}

// printResolution prints how a conflict was settled.
func printResolution(out *term.Streams, r memory.ResolveResult) {
	closed := strings.Join(r.Closed, " ")
	if !out.Terminal {
		out.Row(r.ConflictID, r.How, r.Winner, closed, r.Merged, r.Revision)
		return
	}
	out.Printf("%s %s\n", out.Color.Green("settled"), out.Color.Bold(term.Plain(r.ConflictID)))
	out.Pairs("  ", []term.Pair{{"how", r.How}, {"ended", closed}, {"holds now", r.Merged}, {"revision", term.Short(r.Revision)}})
}
