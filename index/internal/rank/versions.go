package rank

import (
	"cmp"
	"context"
	"runtime/debug"
	"slices"

	segmentapi "github.com/blevesearch/scorch_segment_api/v2"

	"engram/facts"
	"engram/index/internal/query"
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
	traits, err := v.TraitsOf(ctx, ids)
	agents = make(map[string]string, len(traits))
	for id, t := range traits {
		if t.Agent != "" {
			agents[id] = t.Agent
		}
	}
	return agents, err
}

// TraitsOf is what the index knows of some versions, by their ids, whether or not they
// stand. Versions that are not in the index are omitted.
func (v *View) TraitsOf(ctx context.Context, ids []string) (traits map[string]version.Traits, err error) {
	terms := make([]string, len(ids))
	for i, id := range ids {
		terms[i] = version.FilterTerm(version.ByID, id)
	}
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	segments := v.store.Segments()
	byTerm, err := store.Lookup(segments, version.FilterField, terms)
	traits = make(map[string]version.Traits)
	for i, postings := range byTerm {
		for n, list := range postings {
			id, found, err := firstOf(segments[n], list)
			if err != nil {
				return traits, err
			}
			// Several files may have been written with one id: one that names an agent says more.
			if known := traits[ids[i]]; found && known.Agent == "" {
				traits[ids[i]] = id.Traits
			}
		}
	}
	return traits, err
}

// firstOf is the first document of a list.
func firstOf(seg store.Segment, list segmentapi.PostingsList) (id version.ID, found bool, err error) {
	if list.Count() == 0 {
		return id, false, nil
	}
	p, err := list.Iterator(false, false, false, nil).Next()
	if err != nil || p == nil {
		return id, false, err
	}
	id, err = seg.ID(uint32(p.Number()))
	return id, err == nil, err
}

// VersionsOf returns the versions of keys in the index, each list by when it began to hold.
func (v *View) VersionsOf(ctx context.Context, keys []facts.Key) (versions [][]query.Hit, err error) {
	terms := make([]string, len(keys))
	for i, key := range keys {
		terms[i] = version.FilterTerm(version.ByKey, key.String())
	}
	defer v.guard(ctx, debug.SetPanicOnFault(true), &err)
	segments := v.store.Segments()
	byTerm, err := store.Lookup(segments, version.FilterField, terms)
	if err != nil {
		return nil, err
	}
	versions = make([][]query.Hit, len(keys))
	for i, postings := range byTerm {
		for n, list := range postings {
			set, err := store.Numbers(segments[n], list)
			if err != nil {
				return nil, err
			}
			for it := set.Iterator(); it.HasNext(); {
				id, err := segments[n].ID(it.Next())
				if err != nil {
					return nil, err
				}
				if id.Key != keys[i].String() { // a key below it
					continue
				}
				hit, err := query.NewHit(id, 0)
				if err != nil {
					return nil, err
				}
				versions[i] = append(versions[i], hit)
			}
		}
		slices.SortFunc(versions[i], func(a, b query.Hit) int {
			return cmp.Or(a.Window.From.Compare(b.Window.From), cmp.Compare(a.Blob, b.Blob))
		})
	}
	return versions, nil
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
