package index

import (
	"context"
	"fmt"
)

// CommitsBy is how many versions of facts, whether or not they stand, an agent
// has committed.
func (v *View) CommitsBy(ctx context.Context, agent string) (n int, err error) {
	err = v.guard(ctx, func() error {
		n = 0
		for _, seg := range v.store.segments() {
			postings, err := seg.postings(filterField, filterTerm(byAgent, agent))
			if err != nil {
				return err
			}
			n += int(postings.Count())
		}
		return nil
	})
	return n, err
}

// AgentOf is the agent of a version, by its id, whether or not it stands.
func (v *View) AgentOf(ctx context.Context, id string) (agent string, found bool, err error) {
	err = v.guard(ctx, func() error {
		for _, seg := range v.store.segments() {
			docs, err := seg.documents(filterField, filterTerm(byID, id))
			if err != nil {
				return err
			}
			if docs.IsEmpty() {
				continue
			}
			doc, err := seg.id(docs.Minimum())
			if err != nil {
				return fmt.Errorf("version %s: %w", id, err)
			}
			agent, found = doc.Agent, true
			return nil
		}
		return nil
	})
	return agent, found, err
}

// VectorOf is the vector of a claim that stands on the branch, nil where it has
// none yet or there is no model. It is valid as long as the View.
func (v *View) VectorOf(claim string) []float32 {
	file := v.vectorsOf()
	if file == nil {
		return nil
	}
	row, ok := file.Row(textDigest(claim))
	if !ok {
		return nil
	}
	return file.Vector(row)
}
