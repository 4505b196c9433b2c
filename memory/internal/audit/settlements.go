package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/memory/internal/core"
)

// brokenSettlements describes, one line each, the settled conflicts whose winner is closed
// although no other conflict closed it. That happens when two clones settle one conflict in
// different ways and merge: each closed the fact that the other kept, and for git that is no
// conflict. A person has to state the claim again. What may not be read is only counted.
func (m *Auditor) brokenSettlements(ctx context.Context, tip string, conflicts map[string]detect.Conflict, reads *core.Reader) (lines []string, err error) {
	broken, err := m.broken(ctx, tip, conflicts)
	if err != nil {
		return nil, err
	}
	withheld := 0
	for _, b := range broken {
		may, err := reads.MayReadKey(ctx, tip, b.stands.Key)
		if err != nil {
			return nil, err
		}
		if may {
			lines = append(lines, b.String())
		} else {
			withheld++
		}
	}
	slices.Sort(lines)
	if withheld > 0 {
		lines = append(lines, fmt.Sprintf("%d more stand by their conflicts and were closed all the same; they may not be read", withheld))
	}
	return lines, nil
}

// brokenSettlement is a version that was to stand by a settled conflict and is
// closed.
type brokenSettlement struct {
	conflict detect.Conflict
	stands   detect.Party
	// reopenable means that another resolution of the same conflict, since replaced, closed
	// it. An audit opens the fact again.
	reopenable bool
}

func (b brokenSettlement) String() string {
	advice := "commit its claim again, or retire it"
	if b.reopenable {
		advice = "`engram audit` opens it again"
	}
	return fmt.Sprintf("%s stands by %s, and was closed all the same, as by a merge of two resolutions; %s", b.stands.Key, detect.ConflictKey(b.conflict.ID), advice)
}

func (m *Auditor) broken(ctx context.Context, tip string, conflicts map[string]detect.Conflict) (list []brokenSettlement, err error) {
	lost := lossesIn(conflicts)
	for _, c := range conflicts {
		for _, p := range survivors(c) {
			if lost[p.ID] > 0 {
				continue
			}
			closed, err := m.isClosed(ctx, tip, p)
			if err != nil {
				return nil, err
			}
			if !closed {
				continue
			}
			reopenable, err := m.closedByOther(ctx, tip, c, p)
			if err != nil {
				return nil, err
			}
			list = append(list, brokenSettlement{c, p, reopenable})
		}
	}
	slices.SortFunc(list, func(a, b brokenSettlement) int { return cmp.Compare(a.stands.Key.String(), b.stands.Key.String()) })
	return list, nil
}

// closedByOther reports whether the window of a version was closed by a
// resolution of the conflict that is not the one that stands: at the very moment
// of it.
func (m *Auditor) closedByOther(ctx context.Context, tip string, c detect.Conflict, p detect.Party) (bool, error) {
	s, err := m.ConflictSide(ctx, tip, p)
	if err != nil || s == nil {
		return false, err
	}
	key := detect.ConflictKey(c.ID)
	versions, err := m.Store.History(ctx, tip, key.Path(), 0)
	for _, v := range versions {
		f, ok := m.FactIn(ctx, key, v.New)
		if !ok {
			continue
		}
		other, ok := detect.ConflictOf(f)
		end := s.Fact.ValidUntil
		if ok && other.Status == detect.Resolved && other.Winner != p.ID && (end.Equal(other.At) || end.Equal(s.Fact.ValidFrom.Add(time.Millisecond))) {
			return true, nil
		}
	}
	return false, err
}

// reopen reopens the facts that were closed by a resolution that was replaced since.
func (w *auditWriter) reopen(ctx context.Context) error {
	conflicts, err := w.m.ConflictsAt(ctx, w.tip)
	if err != nil {
		return err
	}
	broken, err := w.m.broken(ctx, w.tip, conflicts)
	for _, b := range broken {
		if !b.reopenable {
			continue
		}
		s, err := w.m.ConflictSide(ctx, w.tip, b.stands)
		if err != nil || s == nil {
			return err
		}
		f := s.Fact.Clone()
		f.ValidUntil = time.Time{}
		w.writes = append(w.writes, gitstore.Write{Path: f.Key.Path(), Data: facts.Marshal(f)})
		w.lines = append(w.lines, core.MessageLine("reopen", f.Key, f.Claim))
		w.result.Reopened = append(w.result.Reopened, f.Key)
	}
	return err
}

// survivors are the versions that stand by what settled a conflict.
func survivors(c detect.Conflict) []detect.Party {
	switch {
	case c.Status == detect.Dismissed:
		return []detect.Party{c.A, c.B}
	case c.Status == detect.Resolved && c.Winner == c.A.ID:
		return []detect.Party{c.A}
	case c.Status == detect.Resolved && c.Winner == c.B.ID:
		return []detect.Party{c.B}
	}
	return nil
}

// lossesIn counts the resolutions that each version lost by.
func lossesIn(conflicts map[string]detect.Conflict) map[string]int {
	lost := make(map[string]int)
	for _, c := range conflicts {
		if c.Status == detect.Resolved {
			for _, p := range []detect.Party{c.A, c.B} {
				if p.ID != c.Winner {
					lost[p.ID]++
				}
			}
		}
	}
	return lost
}

// isClosed reports whether a version still stands at its key, with its window
// closed before its time, and its lineage goes on nowhere.
func (m *Auditor) isClosed(ctx context.Context, tip string, p detect.Party) (bool, error) {
	s, err := m.ConflictSide(ctx, tip, p)
	if err != nil || s == nil || s.Fact.ID != p.ID || s.Fact.StateAt(m.Moment()) != facts.Superseded {
		return false, err
	}
	goesOn := false
	_, err = m.Index.View(ctx, tip, func(view *index.View) error {
		list, err := m.IndexLookup(ctx, view, core.LookupQuery{Lineage: s.Fact.Lineage})
		goesOn = len(list) > 0
		return err
	})
	return !goesOn, err
}
