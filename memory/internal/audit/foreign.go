package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"engram/detect"
	"engram/facts"
	"engram/index"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// ForeignClash is a fact of this memory and one of a source that cannot both
// hold, as the rules have it; ours is side a. It is on no branch: the source's
// team settles what its facts say, and ours can only change its own.
type ForeignClash struct {
	Origin string `json:"origin"`
	core.Clash
	Ours   core.Fact `json:"ours"`
	Theirs core.Fact `json:"theirs"`
}

const (
	foreignFile = ".foreign.json"
	// maxForeignFacts is how many facts of either side one audit compares with the other side,
	// which takes some seconds. The next audit continues.
	maxForeignFacts = 2000
	// maxForeign is how many clashes with one source are kept.
	maxForeign = 200
)

// foreignMark is what audits have seen of a source. It is local.
type foreignMark struct {
	Theirs string `json:"theirs"` // everything up to this revision was examined, or is left
	Ours   string `json:"ours"`   // the same of this memory
	Rules  int    `json:"rules"`
	// LeftTheirs and LeftOurs are the blobs that are still to be examined.
	LeftTheirs []string      `json:"left_theirs,omitempty"`
	LeftOurs   []string      `json:"left_ours,omitempty"`
	Pairs      []foreignPair `json:"pairs,omitempty"` // that clash
}

type foreignPair struct {
	Ours   versionAt `json:"ours"`
	Theirs versionAt `json:"theirs"`
}

// versionAt is a version and its key.
type versionAt struct {
	Key  facts.Key `json:"key"`
	Blob string    `json:"blob"`
}

// auditSources compares what changed in each source, or here, since the last time with the
// other side, by the rules alone, and returns all clashes that exist now. A source that
// cannot be read becomes a note.
func (m *Auditor) auditSources(ctx context.Context, tip string, notes *[]string) ([]ForeignClash, error) {
	clashes := []ForeignClash{}
	list, err := m.Store.Sources(ctx)
	if err != nil {
		*notes = append(*notes, fmt.Sprintf("sources were not audited: %v", err))
		return clashes, ctx.Err()
	}
	for _, src := range list {
		note := func(format string, args ...any) { *notes = append(*notes, src.Name+" "+fmt.Sprintf(format, args...)) }
		if src.Problem != nil {
			note("was not audited: %v", src.Problem)
			continue
		}
		a := &foreignAudit{m: m, other: New(m.OpenSource(src)), tip: tip}
		found, err := a.run(ctx)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			note("was not audited: %v", a.other.SourceError(err))
			continue
		}
		if left := len(a.mark.LeftOurs) + len(a.mark.LeftTheirs); left > 0 {
			note("has more changes than one audit examines: %d facts are left for the next one", left)
		}
		if a.surplus > 0 {
			note("clashes in %d more ways; the first %d are kept", a.surplus, maxForeign)
		}
		clashes = append(clashes, found...)
	}
	slices.SortStableFunc(clashes, func(a, b ForeignClash) int {
		return detect.CompareSeverity(detect.Severity(a.Severity), detect.Severity(b.Severity))
	})
	return clashes, nil
}

// foreignAudit is the audit of one source.
type foreignAudit struct {
	m, other    *Auditor
	tip, theirs string
	mark        foreignMark
	surplus     int
}

func (a *foreignAudit) run(ctx context.Context) (clashes []ForeignClash, err error) {
	if a.theirs, _, err = a.other.Tip(ctx); err != nil {
		return nil, err
	}
	if !a.other.compare.ReadState(foreignFile, &a.mark) || a.mark.Rules != detect.RulesVersion {
		a.mark = foreignMark{}
	}
	before, fresh := a.mark, []foreignPair{}
	if err := a.selectFacts(ctx); err != nil {
		return nil, err
	}
	// Facts of theirs against all of ours, then ours against all of theirs.
	for _, side := range []struct {
		left     *[]string
		from, to *Auditor
		at, tip  string
	}{{&a.mark.LeftTheirs, a.other, a.m, a.theirs, a.tip}, {&a.mark.LeftOurs, a.m, a.other, a.tip, a.theirs}} {
		part := (*side.left)[:min(len(*side.left), maxForeignFacts)]
		found, err := a.compareAll(ctx, part, side.from, side.at, side.to, side.tip)
		if err != nil {
			return nil, err
		}
		fresh, *side.left = append(fresh, found...), (*side.left)[len(part):]
	}
	clashes, err = a.stillClashing(ctx, append(a.mark.Pairs, fresh...))
	if err != nil {
		return nil, err
	}
	if a.mark.equal(before) {
		return clashes, nil
	}
	return clashes, a.other.compare.WriteState(foreignFile, a.mark)
}

func (f foreignMark) equal(g foreignMark) bool {
	return f.Theirs == g.Theirs && f.Ours == g.Ours && f.Rules == g.Rules && len(f.Pairs) == len(g.Pairs) &&
		len(f.LeftTheirs) == len(g.LeftTheirs) && len(f.LeftOurs) == len(g.LeftOurs)
}

// selectFacts adds what changed since to what is left. The first time, each of their facts is
// compared with all of ours, so the other direction is not needed.
func (a *foreignAudit) selectFacts(ctx context.Context) error {
	theirs, err := a.other.Unaudited(ctx, a.mark.Theirs, a.theirs, a.theirs)
	if err != nil {
		return err
	}
	var ours []string
	if a.mark.Ours != "" {
		if ours, err = a.m.Unaudited(ctx, a.mark.Ours, a.tip, a.tip); err != nil {
			return err
		}
	}
	a.mark.LeftTheirs, a.mark.LeftOurs = append(a.mark.LeftTheirs, theirs...), append(a.mark.LeftOurs, ours...)
	a.mark.Theirs, a.mark.Ours, a.mark.Rules = a.theirs, a.tip, detect.RulesVersion
	return nil
}

// compareAll compares the facts of blobs, as far as they stand in one memory, with what
// they may clash with in the other.
func (a *foreignAudit) compareAll(ctx context.Context, blobs []string, from *Auditor, at string, to *Auditor, tip string) (pairs []foreignPair, err error) {
	e := to.compare.NewExaminer(a.m.Moment())
	for done := 0; done < len(blobs); {
		part := blobs[done:min(done+compare.BatchSize, len(blobs))]
		list, err := e.Read(ctx, part) // both memories are in one repository
		if err != nil {
			return nil, err
		}
		err = e.Each(ctx, to.compare, tip, list, func(ctx context.Context, view *index.View, s *core.AnalyzedFact) error {
			return e.ExamineForeign(ctx, view, s, from.compare, at)
		})
		if err != nil {
			return nil, err
		}
		done += len(part)
		a.m.Progress("auditing "+a.other.From.Name, done, len(blobs))
	}
	for _, c := range e.Clashes {
		pair := foreignPair{versionAt{c.First.Fact.Key, c.First.Blob}, versionAt{c.Second.Fact.Key, c.Second.Blob}}
		if from == a.other {
			pair.Ours, pair.Theirs = pair.Theirs, pair.Ours
		}
		pairs = append(pairs, pair)
	}
	return pairs, nil
}

// stillClashing drops the pairs of which a side does not stand any more, or that do not
// clash any more, and shows the others.
func (a *foreignAudit) stillClashing(ctx context.Context, pairs []foreignPair) ([]ForeignClash, error) {
	var clashes []ForeignClash
	kept, seen, now := []foreignPair{}, make(map[foreignPair]bool), a.m.Moment()
	for _, p := range pairs {
		if seen[p] {
			continue
		}
		seen[p] = true
		ours, err := a.m.standing(ctx, a.tip, p.Ours)
		if err != nil {
			return nil, err
		}
		theirs, err := a.other.standing(ctx, a.theirs, p.Theirs)
		if err != nil {
			return nil, err
		}
		if ours == nil || theirs == nil || !compare.MayConflict(*ours, now) || !compare.MayConflict(*theirs, now) || !a.other.MayShow(*theirs, now) {
			continue
		}
		clash, found := compare.Compare(*ours, *theirs)
		if !found {
			continue
		}
		if len(kept) == maxForeign {
			a.surplus++
			continue
		}
		shown := ForeignClash{a.other.From.Name, clash, core.Show(*ours, ours.Window(), now), core.Show(*theirs, theirs.Window(), now)}
		shown.Theirs.Origin = shown.Origin
		kept, clashes = append(kept, p), append(clashes, shown)
	}
	a.mark.Pairs = kept
	slices.SortFunc(clashes, func(a, b ForeignClash) int {
		return cmp.Or(cmp.Compare(a.Ours.Key.String(), b.Ours.Key.String()), cmp.Compare(a.Theirs.Key.String(), b.Theirs.Key.String()))
	})
	return clashes, nil
}

// standing returns a version if its key still has it, otherwise nil.
func (m *Auditor) standing(ctx context.Context, tip string, at versionAt) (*facts.Fact, error) {
	blob, err := m.Store.BlobAt(ctx, tip, at.Key.Path())
	if err != nil || blob != at.Blob {
		return nil, err
	}
	f, err := m.FactOfBlob(ctx, blob)
	if err != nil {
		return nil, err
	}
	return &f, nil
}
