package main

import (
	"strings"

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

func (io *streams) resolutions(a resolveAnswer, asJSON bool) error {
	if asJSON {
		if len(a.Results)+len(a.Failed) == 0 {
			return nil // the error says it all
		}
		return io.json(a)
	}
	for _, r := range a.Results {
		io.resolved(r)
	}
	for _, f := range a.Failed {
		io.message("engram: %s: %s", f.ConflictID, f.Problem)
	}
	return nil
}

// resolved prints how a conflict was settled.
func (io *streams) resolved(r memory.ResolveResult) {
	closed := strings.Join(r.Closed, " ")
	if !io.terminal {
		io.row(r.ConflictID, r.How, r.Winner, closed, r.Merged, r.Revision)
		return
	}
	io.printf("%s %s\n", io.color.green("settled"), io.color.bold(plain(r.ConflictID)))
	io.pairs("  ", []pair{{"how", r.How}, {"ended", closed}, {"holds now", r.Merged}, {"revision", short(r.Revision)}})
}
