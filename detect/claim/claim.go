// Package claim reads a claim so that it can be compared: its clauses, their terms,
// values and conditions, and what each of them asserts. It does not compare claims;
// package rule does.
package claim

import (
	"sync"
	"time"

	"engram/detect/entity"
	"engram/detect/frame"
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
	Entities  []entity.Entity

	Reading

	frames func() *frame.Frame
}

// Frame returns the claim as statements. It is read when it is first asked for.
func (c *Claim) Frame() *frame.Frame { return c.frames() }

// Read reads the claim of a fact. Tagged are entities that a model found in it
// beside those that the rules find; usually none.
func Read(f facts.Fact, tagged ...entity.Entity) *Claim {
	p := entity.Parse(f.Claim)
	found := p.Finish()
	claim := &Claim{
		Key: f.Key, Text: f.Claim, Scope: f.Scope, Agent: f.Provenance.Agent, Engineer: f.Provenance.Engineer,
		Lineage: f.Lineage, ValidFrom: f.ValidFrom, Entities: append(found, tagged...), Reading: (&reader{Parser: p}).read(f.Scope),
	}
	claim.frames = sync.OnceValue(func() *frame.Frame { return frame.Read(f.Claim) })
	if f.IsRival() {
		claim.For = f.For
	}
	return claim
}
