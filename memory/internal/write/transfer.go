package write

import (
	"cmp"
	"engram/facts"
	"engram/memory/internal/core"
)

// Precheck finds what is wrong with a draft before the tip decides on its key,
// ids and times: those are given harmless values for the purpose.
func Precheck(d Draft, manifest facts.Manifest) error {
	f := d.Fact
	if d.operation == facts.OpDelete || d.operation == facts.OpNone {
		return nil
	}
	const anyID = "01000000000000000000000000"
	if f.Key.IsZero() {
		f.Key = facts.Key{Namespace: "domain", Category: "general", Identifier: "x"}
	}
	f.ID = cmp.Or(f.ID, anyID)
	f.Lineage = cmp.Or(f.Lineage, anyID)
	f.ValidFrom = cmp.Or(f.ValidFrom, f.Provenance.CreatedAt, core.Earliest)
	return facts.Validate(f, manifest)
}
