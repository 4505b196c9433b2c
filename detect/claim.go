package detect

import (
	"time"

	"engram/facts"
)

// Claim is a fact's claim, read once so that it can be compared often. It is
// not changed by comparing; several goroutines may use it.
type Claim struct {
	Text      string
	Scope     string
	Agent     string
	Engineer  string
	Lineage   string
	ValidFrom time.Time
	Key       facts.Key
	For       facts.Key // of a rival: the key that it is for
	Entities  []Entity

	read reading
}

// Read reads the claim of a fact. Tagged are entities that a model found in it
// beside those that the rules find; usually none.
func Read(f facts.Fact, tagged ...Entity) *Claim {
	p := parse(f.Claim)
	found := p.finish()
	claim := &Claim{
		Key: f.Key, Text: f.Claim, Scope: f.Scope, Agent: f.Provenance.Agent, Engineer: f.Provenance.Engineer,
		Lineage: f.Lineage, ValidFrom: f.ValidFrom, Entities: append(found, tagged...), read: (&reader{parser: p}).read(f.Scope),
	}
	if f.IsRival() {
		claim.For = f.For
	}
	return claim
}
