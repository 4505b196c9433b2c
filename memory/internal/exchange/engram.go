package exchange

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"engram/bus"
	"engram/facts"
	"engram/index"
	"engram/memory/internal/ask"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// How many hash keys of an engram an answer shows, the most specific first: a list or the
// answer to a put, and the answer to a get. All keys of a dozen engrams would fill an
// inline budget.
const (
	shownHashKeys = 4
	allHashKeys   = 32 // the maximum of the bus document, §4.1
)

// engramOf returns a fact as agents exchange it (the bus document, §4.1). The field scope
// is the reach of the fact, hash_keys are the first ones that the index derives, and
// embedding_ref is the fact's id.
func engramOf(f facts.Fact, hashKeys int) budget.Engram {
	return engramWith(f, firstKeys(f, hashKeys))
}

func firstKeys(f facts.Fact, most int) []string {
	keys := index.HashKeys(core.FillUnstated(f), core.Concepts)
	return keys[:min(len(keys), most)]
}

// hashedKeys caches the hash keys that answers show, by the blob of the fact: deriving
// them costs more than finding the fact. It is safe for concurrent use.
type hashedKeys struct {
	mu   sync.Mutex
	list map[string][]string
}

// maxHashedKeys bounds the cache to about 2 MB.
const maxHashedKeys = 10_000

// engramAt is engramOf for answers that show several.
func (m *Bus) engramAt(blob string, f facts.Fact) budget.Engram {
	h := core.CacheOf[hashedKeys](m.Memory)
	h.mu.Lock()
	defer h.mu.Unlock()
	keys, known := h.list[blob]
	if !known {
		if h.list == nil || len(h.list) >= maxHashedKeys {
			h.list = make(map[string][]string)
		}
		keys = firstKeys(f, shownHashKeys)
		h.list[blob] = keys
	}
	return engramWith(f, slices.Clone(keys))
}

func engramWith(f facts.Fact, hashKeys []string) budget.Engram {
	f = core.FillUnstated(f)
	e := budget.Engram{
		ID: f.ID, Kind: string(f.Kind), Claim: f.Claim, Pointers: []budget.EngramPointer{}, Confidence: f.Confidence,
		TTL: f.TTL, Scope: string(f.Reach), Tags: f.Tags, EmbeddingRef: f.ID,
		Provenance: &bus.Provenance{
			CreatedAt: f.Provenance.CreatedAt, CreatedBy: cmp.Or(f.Provenance.Agent, f.Provenance.Engineer),
			Source: string(cmp.Or(f.Provenance.Source, facts.SourceAgent)),
		},
	}
	e.HashKeys = hashKeys
	for _, p := range f.Pointers {
		e.Pointers = append(e.Pointers, budget.PointerOf(p.Ref, p.Digest))
	}
	return e
}

// commitOf returns an engram as a commit. Its id, hash keys and vector are derived and
// never taken from the message; notes say what was ignored.
func commitOf(in PutInput) (c write.CommitInput, notes []string) {
	e := in.Engram
	c = write.CommitInput{
		Claim: e.Claim, Key: in.Key, Kind: e.Kind, Reach: e.Scope, Agent: in.Agent, Source: string(facts.SourceAgent),
		Confidence: e.Confidence, Tags: e.Tags, TTL: e.TTL, OverBus: true,
	}
	for _, p := range e.Pointers {
		c.Pointers = append(c.Pointers, core.Pointer{Ref: p.Ref, Digest: p.Digest})
	}
	if e.ID != "" {
		notes = append(notes, "the id was ignored: engram gives each fact its own")
	}
	if len(e.HashKeys) > 0 || e.EmbeddingRef != "" {
		notes = append(notes, "hash_keys and embedding_ref were ignored: they are derived; use tags for words that should find it")
	}
	if p := e.Provenance; p != nil {
		c.Source = cmp.Or(p.Source, c.Source)
		switch {
		case c.Agent == "":
			c.Agent = p.CreatedBy
		case p.CreatedBy != "" && p.CreatedBy != c.Agent:
			notes = append(notes, "created_by was ignored: "+c.Agent+" puts it")
		}
	}
	if e.Scope == string(facts.ReachRun) {
		c.Durability = string(facts.Ephemeral)
		if period, err := facts.ParseTTL(e.TTL); err == nil && longerThanRun(period) {
			c.TTL = runTTL
			notes = append(notes, "an engram of scope run holds a day at most: its ttl is "+runTTL)
		}
	}
	return c, notes
}

// runTTL is the longest TTL of a fact of reach run; what is needed for longer belongs to
// the project.
const runTTL = "P1D"

func longerThanRun(p facts.Period) bool {
	longest, _ := facts.ParseTTL(runTTL)
	return p.After(core.Earliest).After(longest.After(core.Earliest))
}

// EngramResult is one engram.
type EngramResult struct {
	core.Answer
	Engram EngramHit `json:"engram"`
}

// GetEngram returns the current engram with an id, which may be that of any version, or at
// a key. The error wraps ErrNotFound, also if it no longer holds, or is a
// *PermissionError.
func (m *Bus) GetEngram(ctx context.Context, id, askedBy string) (EngramResult, error) {
	key, err := m.resolveKey(ctx, id)
	if err != nil {
		return EngramResult{}, err
	}
	got, err := m.ask.Get(ctx, ask.GetInput{Key: key.String(), AskedBy: askedBy})
	if err != nil {
		return EngramResult{}, err
	}
	f, found, err := m.FactAt(ctx, got.Revision, key)
	if err != nil {
		return EngramResult{}, err
	}
	if !found || got.Fact.State != facts.Current {
		return EngramResult{}, fmt.Errorf("%w: what has the id or key %.80q holds no more", core.ErrNotFound, id)
	}
	return EngramResult{Answer: got.Answer, Engram: EngramHit{
		Engram: engramOf(f, allHashKeys), Key: key, Freshness: got.Fact.Freshness, HasConflict: got.Fact.HasConflict, Age: got.Fact.Age,
	}}, nil
}

// resolveKey returns the key that a text is, or the key of the fact with that id.
func (m *Bus) resolveKey(ctx context.Context, id string) (facts.Key, error) {
	if key, err := facts.ParseKey(id); err == nil {
		return key, nil
	}
	return m.KeyOf(ctx, id)
}
