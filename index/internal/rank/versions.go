package rank

import (
	"context"
	"runtime/debug"

	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"engram/index/internal/store"
	"engram/index/internal/version"
)

// CommitsBy is how many versions of facts, whether or not they stand, an agent
// has committed.
func (v *View) CommitsBy(ctx context.Context, agent string) (n int, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	for _, seg := range v.store.Segments() {
		postings, err := seg.Postings(version.FilterField, version.FilterTerm(version.ByAgent, agent))
		if err != nil {
			return n, err
		}
		n += int(postings.Count())
	}
	return n, nil
}

// AgentsOf is the agent of each of some versions, by their ids, whether or not
// they stand. Versions that are not in the index, or that no agent committed,
// are omitted.
func (v *View) AgentsOf(ctx context.Context, ids []string) (agents map[string]string, err error) {
	terms := make([]string, len(ids))
	for i, id := range ids {
		terms[i] = version.FilterTerm(version.ByID, id)
	}
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	segments := v.store.Segments()
	byTerm, err := store.Lookup(segments, version.FilterField, terms)
	agents = make(map[string]string)
	for i, postings := range byTerm {
		for n, list := range postings {
			agent, found, err := agentIn(segments[n], list)
			if err != nil {
				return agents, err
			}
			if found && agent != "" {
				agents[ids[i]] = agent
				break
			}
		}
	}
	return agents, err
}

// agentIn is the agent of the first document of a list.
func agentIn(seg store.Segment, list segmentapi.PostingsList) (agent string, found bool, err error) {
	if list.Count() == 0 {
		return "", false, nil
	}
	p, err := list.Iterator(false, false, false, nil).Next()
	if err != nil || p == nil {
		return "", false, err
	}
	doc, err := seg.ID(uint32(p.Number()))
	return doc.Agent, true, err
}

// VectorOf is the vector of a claim that stands on the branch, nil if it has
// none yet or there is no model. It is valid as long as the View.
func (v *View) VectorOf(claim string) []float32 {
	file := v.vectors.File()
	if file == nil {
		return nil
	}
	row, ok := file.Row(version.ClaimDigest(claim))
	if !ok {
		return nil
	}
	return file.Vector(row)
}

// KeyOf is the key of the version, or of the newest version of the lineage, with
// an id, whether or not it stands; "" if the index has neither.
func (v *View) KeyOf(ctx context.Context, id string) (key string, err error) {
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	var best version.ID
	for _, seg := range v.store.Segments() {
		for _, kind := range []string{version.ByID, version.ByLineage} {
			docs, err := seg.Documents(version.FilterField, version.FilterTerm(kind, id))
			if err != nil {
				return "", err
			}
			for it := docs.Iterator(); it.HasNext(); {
				doc, err := seg.ID(it.Next())
				if err != nil {
					return "", err
				}
				if key == "" || doc.Tip && !best.Tip || doc.Tip == best.Tip && doc.Window.From.After(best.Window.From) {
					key, best = doc.Key, doc
				}
			}
		}
	}
	return key, nil
}
