package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"engram/detect"
	"engram/facts"
	"engram/index"
)

// brokenSettlements are the settled conflicts that the facts do not bear out: a
// version that was to stand is closed, and no other conflict closed it. That is
// what is left when two clones settle one conflict in two ways and merge: each
// closed the fact that the other kept, and git has no reason to object. One line
// each, for people, who have to state the claim anew.
func (m *Memory) brokenSettlements(ctx context.Context, tip string, conflicts map[string]detect.Conflict) (lines []string, err error) {
	lost := lostIn(conflicts)
	for _, c := range conflicts {
		for _, p := range standingBy(c) {
			if lost[p.ID] > 0 {
				continue
			}
			closed, err := m.isClosed(ctx, tip, p)
			if err != nil {
				return nil, err
			}
			if closed {
				lines = append(lines, fmt.Sprintf("%s stands by %s, and was closed all the same, as by a merge of two resolutions; commit its claim anew, or retire it", p.Key, detect.ConflictKey(c.ID)))
			}
		}
	}
	slices.SortFunc(lines, cmp.Compare)
	return lines, nil
}

// standingBy are the versions that stand by what settled a conflict.
func standingBy(c detect.Conflict) []detect.Party {
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

// lostIn counts the resolutions that each version lost by.
func lostIn(conflicts map[string]detect.Conflict) map[string]int {
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
func (m *Memory) isClosed(ctx context.Context, tip string, p detect.Party) (bool, error) {
	s, err := m.side(ctx, tip, p)
	if err != nil || s == nil || s.fact.ID != p.ID || s.fact.StateAt(m.moment()) != facts.Superseded {
		return false, err
	}
	goesOn := false
	_, err = m.index.View(ctx, tip, func(view *index.View) error {
		list, err := m.indexLookup(ctx, view, lookupQuery{lineage: s.fact.Lineage})
		goesOn = len(list) > 0
		return err
	})
	return !goesOn, err
}
