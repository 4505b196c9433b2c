package core

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
)

// Conflict is two facts that cannot both hold, as surfaces show it.
type Conflict struct {
	ConflictID string    `json:"conflict_id"`
	Key        facts.Key `json:"key"`
	Scope      string    `json:"scope"`
	Status     string    `json:"status"`
	Clash
	// Recorded is false for what no audit has written to the branch yet.
	Recorded bool `json:"recorded"`
	// A and B are the facts as they stand; null if the file is gone.
	A *Fact `json:"a"`
	B *Fact `json:"b"`
	// The versions that the conflict is about. A fact with another id has changed
	// since.
	VersionA string    `json:"fact_id_a"`
	VersionB string    `json:"fact_id_b"`
	KeyA     string    `json:"key_a"`
	KeyB     string    `json:"key_b"`
	Basis    string    `json:"basis,omitempty"` // how it was found
	Since    time.Time `json:"since"`           // since when it has this status
	// How it was settled, if it was.
	Resolution string `json:"resolution_type,omitempty"`
	Reason     string `json:"resolution,omitempty"`
	Winner     string `json:"winning_claim_id,omitempty"`
	ResolvedBy string `json:"resolved_by,omitempty"`
	Engineer   string `json:"resolved_by_engineer,omitempty"`
	Evidence   string `json:"resolution_evidence,omitempty"`
}

// Clash says how two facts contradict each other, as surfaces show it.
type Clash struct {
	Tier     string  `json:"tier"`
	Severity string  `json:"severity"`
	Verdict  string  `json:"verdict"`
	Score    float64 `json:"score"` // 0 to 1: how sure the tier is
	// SpanA and SpanB are the parts of the claims that clash, in bytes; null
	// if the tier sees the claims as a whole.
	SpanA       *Span  `json:"span_a"`
	SpanB       *Span  `json:"span_b"`
	Explanation string `json:"explanation"`
	Newer       string `json:"newer,omitempty"` // "a" or "b", of an evolution
}

// Span is a part of a claim, in bytes.
type Span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// AnalyzedFact is a fact with its analyzed claim, as audits compare it.
type AnalyzedFact struct {
	Fact  facts.Fact
	Blob  string
	Claim *detect.Claim
}

// ConflictSide reads the fact that is one side of a conflict; it is nil if no readable
// fact stands there.
func (m *Memory) ConflictSide(ctx context.Context, revision string, p detect.Party) (*AnalyzedFact, error) {
	blob, err := m.Store.BlobAt(ctx, revision, p.Key.Path())
	if err != nil {
		return nil, err
	}
	kept := CacheOf[analyzedFacts](m)
	if f, known := kept.get(p.Key, blob); known {
		return &f, nil
	}
	file, err := m.Store.Get(ctx, revision, p.Key.Path())
	if errors.Is(err, gitstore.ErrNotFound) || errors.Is(err, gitstore.ErrTooLarge) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := Parse(file)
	if err != nil {
		return nil, nil
	}
	read := AnalyzedFact{f, file.Blob, detect.Read(f)}
	kept.put(p.Key, read)
	return &read, nil
}

// maxAnalyzed is how many sides of conflicts are kept: some 10 KB each.
const maxAnalyzed = 2048

// analyzedFacts keeps sides of conflicts, by key and blob: every list of conflicts reads them all.
type analyzedFacts struct {
	mu   sync.Mutex
	list map[facts.Key]AnalyzedFact
}

func (a *analyzedFacts) get(key facts.Key, blob string) (f AnalyzedFact, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f, known = a.list[key]
	return f, known && f.Blob == blob
}

func (a *analyzedFacts) put(key facts.Key, f AnalyzedFact) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.list == nil || len(a.list) >= maxAnalyzed {
		a.list = make(map[facts.Key]AnalyzedFact)
	}
	a.list[key] = f
}

// ConflictSides reads the facts on both sides of a conflict, as ConflictSide does.
func (m *Memory) ConflictSides(ctx context.Context, revision string, c detect.Conflict) (a, b *AnalyzedFact, err error) {
	if a, err = m.ConflictSide(ctx, revision, c.A); err == nil {
		b, err = m.ConflictSide(ctx, revision, c.B)
	}
	return a, b, err
}

// TopPriority is the priority of a pair that must be compared before all others.
const TopPriority = 100

// SecretClash explains a conflict whose explanation would repeat what looks like a secret.
const SecretClash = "the two clash; what they say looks like a secret"

// ResolveVerb is the verb of commits that settle a conflict.
const ResolveVerb = "resolve"

// Compare orders conflicts by scope, then the most severe first, then the newest.
func (c Conflict) Compare(d Conflict) int {
	return cmp.Or(cmp.Compare(c.Scope, d.Scope), compareSeverity(c, d), d.Since.Compare(c.Since), cmp.Compare(c.ConflictID, d.ConflictID))
}

// CompareGravity orders conflicts by severity, whatever their scope.
func (c Conflict) CompareGravity(d Conflict) int { return cmp.Or(compareSeverity(c, d), c.Compare(d)) }

func compareSeverity(c, d Conflict) int {
	return detect.CompareSeverity(detect.Severity(c.Severity), detect.Severity(d.Severity))
}
