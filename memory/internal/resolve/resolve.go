// Package resolve settles conflicts: by a winner, a merged claim, or a dismissal.
package resolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"engram/detect"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// Resolver settles the conflicts of a memory.
type Resolver struct {
	*core.Memory
	audit *audit.Auditor
	write *write.Writer
}

// New returns the Resolver of a memory.
func New(m *core.Memory) *Resolver {
	return &Resolver{Memory: m, audit: audit.New(m), write: write.New(m)}
}

// ResolveInput settles one conflict, in one of five ways (the consistency plan,
// phases 2 and 4):
//
//	winner             the fact named by Winner stands, the other's window closes
//	merge              a third fact says what holds; both windows close
//	dismissed          there is no contradiction, both stand
//	last-writer        the fact that begins later is the winner
//	higher-confidence  the fact of the higher confidence is the winner
type ResolveInput struct {
	ConflictID string `json:"conflict_id" help:"id of the conflict; its first digits are enough"`
	How        string `json:"resolution_type" enum:"winner,merge,dismissed,last-writer,higher-confidence" help:"winner: one claim is right; merge: a third says what holds; dismissed: no contradiction; last-writer and higher-confidence: by rule"`
	Reason     string `json:"resolution" help:"why this is right, for people to read later"`
	// Winner is a key or a version's id, or "a" or "b".
	Winner string `json:"winning_claim_id,omitempty" help:"for winner: the fact_id or key that stands, or a or b"`
	// Merged is the key of the third fact, or MergedClaim what it is to say.
	Merged      string `json:"merged_key,omitempty" help:"for merge: the key of a fact that was committed before, instead of merged_claim"`
	MergedClaim string `json:"merged_claim,omitempty" help:"for merge: what holds; it is written as a new fact"`
	Agent       string `json:"agent_id,omitempty" flag:"agent,a,NAME" default:"the caller" help:"NAME of the agent that settles it"`
	Evidence    string `json:"evidence,omitempty" help:"what shows it: path:line, test output"`
	// SeenA and SeenB are the versions that the caller has seen; "" for those that
	// the conflict is about. Other versions are not settled.
	SeenA string `json:"seen_fact_id_a,omitempty"`
	SeenB string `json:"seen_fact_id_b,omitempty"`
}

// ResolveResult says how a conflict was settled.
type ResolveResult struct {
	core.Answer
	Resolved   bool     `json:"resolved"`
	ConflictID string   `json:"conflict_id"`
	How        string   `json:"resolution_type"`
	Winner     string   `json:"winning_claim_id,omitempty"`
	Closed     []string `json:"closed"` // keys of the facts whose window closed
	Merged     string   `json:"merged_key,omitempty"`
}

// ErrSettled reports a conflict that is no longer open.
var ErrSettled = errors.New("the conflict is not open")

// ErrNoConflict reports an id that no conflict has, or that several begin with.
var ErrNoConflict = errors.New("no such conflict")

// Resolve settles an open conflict, in one commit with its effects on the facts. The
// resolution is the next version of the conflict, so git carries it to every clone. A
// conflict that no audit has written yet can be resolved by its id too. The error wraps
// ErrNoConflict, ErrSettled or ErrUsage.
func (m *Resolver) Resolve(ctx context.Context, in ResolveInput) (ResolveResult, error) {
	if err := m.checkResolve(in); err != nil {
		return ResolveResult{}, err
	}
	id, unwritten, err := m.findConflict(ctx, in.ConflictID)
	if err != nil {
		return ResolveResult{}, err
	}
	var result ResolveResult
	revision, err := m.write.Update(ctx, core.ResolveVerb, func(p *write.Planner) error {
		c, err := m.conflictNow(ctx, p.Tip, id, unwritten)
		if err != nil {
			return err
		}
		r := resolver{Planner: p, m: m, in: in, conflict: c}
		if result, err = r.resolve(ctx); err == nil {
			err = p.MayDecide("it closes or keeps facts that are reviewed")
		}
		return err
	})
	if err != nil {
		return ResolveResult{}, err
	}
	result.Answer = core.AnswerAt(revision)
	return result, nil
}

// conflictNow is the conflict to settle at a revision: as the branch has it or, if no
// audit has written it since, as an audit would write it.
func (m *Resolver) conflictNow(ctx context.Context, revision, id string, unwritten *detect.Conflict) (detect.Conflict, error) {
	c, err := m.audit.ConflictAt(ctx, revision, id)
	switch {
	case err != nil:
		return detect.Conflict{}, err
	case unwritten != nil && (c == nil && unwritten.Previous == "" || c != nil && c.Version == unwritten.Previous):
		return *unwritten, nil
	case c == nil:
		return detect.Conflict{}, fmt.Errorf("%w: %s", ErrNoConflict, id)
	}
	return *c, nil
}

func (m *Resolver) checkResolve(in ResolveInput) error {
	ways := detect.Resolutions()
	how := detect.Resolution(in.How)
	switch {
	case !slices.Contains(ways, how):
		return core.UsageErrorf(core.DidYouMean(in.How, ways), "resolution_type %.40q is not one of %s", in.How, core.JoinOr(ways))
	case facts.FoldSpace(in.Reason) == "":
		return core.UsageErrorf(hint.New("say in %s why this is right", hint.Resolution), "a resolution needs a reason, for whoever asks later")
	case how == detect.ByWinner && in.Winner == "":
		return core.UsageErrorf(hint.New("%s is the key of the one that stands, its fact_id, a or b", hint.Winner), "the resolution winner needs a winner")
	case how != detect.ByWinner && in.Winner != "":
		return core.UsageErrorf(hint.New("omit %s, or settle it as winner", hint.Winner), "only the resolution winner names one")
	case how == detect.ByMerge && (in.Merged == "") == (in.MergedClaim == ""):
		return core.UsageErrorf(hint.New("either state in %s what holds, or name in %s the fact that does", hint.MergedClaim, hint.MergedKey), "merge needs a third claim")
	case how != detect.ByMerge && (in.Merged != "" || in.MergedClaim != ""):
		return core.UsageErrorf(hint.New("omit %s and %s, or settle it as merge", hint.MergedClaim, hint.MergedKey), "only the resolution merge takes a third fact")
	}
	return cmp.Or(m.ScanText("reason", in.Reason), m.ScanText("evidence", in.Evidence), m.ScanText("agent", in.Agent))
}

// findConflict takes an id, its first digits or the key of a conflict. unwritten
// is the conflict as no audit has put it on the branch yet.
func (m *Resolver) findConflict(ctx context.Context, name string) (id string, unwritten *detect.Conflict, err error) {
	name = strings.TrimPrefix(strings.TrimSpace(name), detect.ConflictPrefix+"/")
	o, err := m.audit.Preview(ctx)
	if err != nil {
		return "", nil, err
	}
	var matching []detect.Conflict
	for id, c := range o.Conflicts {
		if name != "" && strings.HasPrefix(id, name) {
			matching = append(matching, c)
		}
	}
	switch {
	case len(matching) == 0 && o.Unaudited > 0:
		return "", nil, fmt.Errorf("%w: %s; %d facts are not audited yet; run `engram audit`", ErrNoConflict, name, o.Unaudited)
	case len(matching) == 0:
		return "", nil, fmt.Errorf("%w: %s", ErrNoConflict, name)
	case len(matching) > 1:
		return "", nil, fmt.Errorf("%w: %d begin with %s", ErrNoConflict, len(matching), name)
	}
	c := matching[0]
	if c.Status != detect.Open {
		return "", nil, fmt.Errorf("%w: %s is %s", ErrSettled, c.ID, c.Status)
	}
	if c.Version == "" {
		unwritten = &c
	}
	return c.ID, unwritten, nil
}

// resolver settles one conflict against one revision.
type resolver struct {
	*write.Planner
	m        *Resolver
	in       ResolveInput
	conflict detect.Conflict
	result   ResolveResult
}

func (r *resolver) resolve(ctx context.Context) (ResolveResult, error) {
	c := r.conflict
	r.result = ResolveResult{Resolved: true, ConflictID: c.ID, How: r.in.How, Closed: []string{}}
	if c.Status != detect.Open {
		return r.result, fmt.Errorf("%w: %s is %s", ErrSettled, c.ID, c.Status)
	}
	if c.Version == "" { // found, and not on the branch yet
		f := c.Fact()
		c.Version = f.ID
	}
	a, err := r.party(ctx, c.A, r.in.SeenA)
	if err != nil {
		return r.result, err
	}
	b, err := r.party(ctx, c.B, r.in.SeenB)
	if err != nil {
		return r.result, err
	}
	winner, err := r.settle(ctx, a, b)
	if err != nil {
		return r.result, err
	}
	settled := c.Settle(detect.Resolution(r.in.How), winner, facts.FoldSpace(r.in.Reason), r.Now)
	if n := utf8.RuneCountInString(settled.Settlement()); n > facts.MaxClaim {
		return r.result, core.UsageErrorf(hint.New("what supports it can go into the evidence"), "the reason is %d characters too long", n-facts.MaxClaim)
	}
	settled.By, settled.Engineer, settled.Evidence = r.StoredName(r.in.Agent), r.Engineer, facts.FoldSpace(r.in.Evidence)
	if by := settled.By; by != "" && (by == a.Provenance.Agent || by == b.Provenance.Agent) {
		settled.Discount = detect.AuthorDecides
	}
	f := settled.Fact()
	if r.result.Merged != "" {
		f.Pointers = append(f.Pointers, facts.Pointer{Ref: "sam:" + r.result.Merged})
	}
	if err := facts.Validate(f, r.Manifest); err != nil {
		return r.result, err
	}
	r.Charge(r.in.Agent)
	r.Set(f)
	r.Lines = append(r.Lines, core.MessageLine(core.ResolveVerb, f.Key, f.Claim))
	r.result.Winner = winner
	return r.result, nil
}

// party reads one side of the conflict. It must be as the audit found it and as the
// caller saw it, because nobody can settle what they have not seen.
func (r *resolver) party(ctx context.Context, p detect.Party, seen string) (facts.Fact, error) {
	f, found, err := r.At(ctx, p.Key)
	switch {
	case err != nil:
		return f, err
	case !found || f.StateAt(r.Now) != facts.Current:
		return f, fmt.Errorf("%w: %s does not stand any more; the next audit closes it", ErrSettled, p.Key)
	case detect.PartyOf(f) != p || seen != "" && seen != f.ID:
		return f, fmt.Errorf("%w as it was: %s has changed since; look at it again", ErrSettled, p.Key)
	}
	return f, r.MayWrite(r.in.Agent, f.Scope, r.Now) // a dismissal decides about it as well
}

// settle applies the resolution to the facts, and returns the id of the winner, if there
// is one.
func (r *resolver) settle(ctx context.Context, a, b facts.Fact) (winner string, err error) {
	stands, falls := a, b
	switch how := detect.Resolution(r.in.How); how {
	case detect.ByDismissal:
		return "", nil
	case detect.ByMerge:
		return "", r.merge(ctx, a, b)
	case detect.ByWinner:
		switch r.in.Winner {
		case "a", a.ID, a.Key.String():
		case "b", b.ID, b.Key.String():
			stands, falls = b, a
		default:
			return "", core.UsageErrorf(hint.New("%s is the key or the fact_id of one of the two, a or b", hint.Winner), "%.80q is neither %s nor %s", r.in.Winner, a.Key, b.Key)
		}
	case detect.ByLastWriter:
		if a.ValidFrom.Equal(b.ValidFrom) {
			return "", core.UsageErrorf(hint.New("compare both, and name the winner"), "both begin at the same moment")
		}
		if b.ValidFrom.After(a.ValidFrom) {
			stands, falls = b, a
		}
	case detect.ByConfidence:
		if a.Confidence == nil || b.Confidence == nil || *a.Confidence == *b.Confidence {
			return "", core.UsageErrorf(hint.New("compare both, and name the winner"), "the two do not state different confidences")
		}
		if *b.Confidence > *a.Confidence {
			stands, falls = b, a
		}
	}
	r.lose(falls)
	if stands.IsRival() && stands.For == falls.Key {
		return stands.ID, r.takeKey(stands)
	}
	return stands.ID, nil
}

// takeKey moves a rival to the key that it is for.
func (r *resolver) takeKey(rival facts.Fact) error {
	next := rival.Clone()
	next.Key, next.For, next.ID = rival.For, facts.Key{}, ""
	next.ValidFrom, next.Provenance.CreatedAt = time.Time{}, time.Time{}
	_, err := r.Put(next, rival, true)
	return err
}

// lose closes the window of a fact: it is superseded.
func (r *resolver) lose(f facts.Fact) {
	at := r.Now
	if !at.After(f.ValidFrom) { // by a clock that is ahead of this one
		at = f.ValidFrom.Add(time.Millisecond)
	}
	r.Close(f, at)
	r.result.Closed = append(r.result.Closed, f.Key.String())
}

// merge lets a third fact take the place of both.
func (r *resolver) merge(ctx context.Context, a, b facts.Fact) error {
	if r.in.MergedClaim != "" {
		d, err := r.m.write.DraftOf(write.CommitInput{
			Claim: r.in.MergedClaim, Scope: cmp.Or(r.conflict.Scope, a.Scope), Agent: r.in.Agent, Evidence: r.in.Evidence,
			Kind: string(a.Kind), Type: string(facts.Decision), Key: contested(a, b),
		})
		if err == nil {
			err = r.m.write.Scan(d)
		}
		if err == nil {
			r.Ending = []facts.Key{a.Key, b.Key}
			err = r.Plan(ctx, d)
		}
		if err != nil {
			return err
		}
		r.result.Merged = r.Results[len(r.Results)-1].Key
	} else if err := r.third(ctx, a, b); err != nil {
		return err
	}
	for _, f := range []facts.Fact{a, b} {
		if f.Key.String() != r.result.Merged {
			r.lose(f)
		}
	}
	return nil
}

// contested is the key that the two claim, if one is the rival of the other.
func contested(a, b facts.Fact) string {
	switch {
	case a.IsRival() && a.For == b.Key:
		return b.Key.String()
	case b.IsRival() && b.For == a.Key:
		return a.Key.String()
	}
	return ""
}

// third uses a fact that stands as the merged one.
func (r *resolver) third(ctx context.Context, a, b facts.Fact) error {
	key, err := facts.ParseKey(r.in.Merged)
	if err != nil {
		return err
	}
	if key == a.Key || key == b.Key {
		return core.UsageErrorf(hint.New("if it stands, it is the winner"), "%s is one of the two", key)
	}
	f, found, err := r.At(ctx, key)
	if err != nil {
		return err
	}
	if !found || !compare.MayConflict(f, r.Now) {
		return fmt.Errorf("%w: %s is not a durable current fact; commit the merged fact first, or state its claim", core.ErrNotFound, key)
	}
	r.result.Merged = key.String()
	return nil
}
