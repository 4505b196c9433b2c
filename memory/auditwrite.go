package memory

import (
	"fmt"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
)

// ending is an open conflict that nobody settled and that is over.
type ending struct {
	conflict detect.Conflict
	reason   string
	at       time.Time
}

// revisit looks at every open conflict again, whichever facts are audited:
//
//  1. A side does not stand any more, or its key has gone to another lineage:
//     it is over.
//  2. Both stand as they were: it stays.
//  3. A side has changed: the tier that found it says whether they still clash.
//     Without that tier it stays.
func (a *audit) revisit() error {
	for _, c := range a.before {
		if c.Status != detect.Open {
			continue
		}
		x, err := a.m.side(a.ctx, a.tip, c.A)
		if err != nil {
			return err
		}
		y, err := a.m.side(a.ctx, a.tip, c.B)
		if err != nil {
			return err
		}
		// 1.
		if reason, at, over := a.over(c, x, y); over {
			a.endings = append(a.endings, ending{c, reason, at})
			continue
		}
		// 2.
		if x.fact.ID == c.A.ID && y.fact.ID == c.B.ID {
			continue
		}
		// 3.
		if err := a.again(c, x, y); err != nil {
			return err
		}
	}
	return nil
}

// over reports whether a conflict is over because of one side, why, and since
// when. The moment is the facts', not the clock's, so that every clone writes
// the same.
func (a *audit) over(c detect.Conflict, x, y *stated) (reason string, at time.Time, over bool) {
	at = c.At
	for _, side := range []struct {
		party detect.Party
		*stated
	}{{c.A, x}, {c.B, y}} {
		if side.stated == nil {
			return side.party.Key.String() + " is gone from the branch", at, true
		}
		if f := side.fact; !a.concerns(f) {
			return fmt.Sprintf("%s is %s", f.Key, f.StateAt(a.now)), latest(at, f.ValidFrom, f.Window().Until), true
		}
	}
	if detect.ConflictID(x.fact.Lineage, y.fact.Lineage) != c.ID {
		return "another fact stands at a key of it", latest(at, x.fact.ValidFrom, y.fact.ValidFrom), true
	}
	return "", at, false
}

func latest(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// again judges two facts of which one has changed since they were found to
// clash.
func (a *audit) again(c detect.Conflict, x, y *stated) error {
	p, fresh := a.pair(x, y, 0)
	if fresh && a.compare(p) {
		return nil
	}
	for _, known := range a.clashes {
		if known.a.blob == p.a.blob && known.b.blob == p.b.blob {
			return nil
		}
	}
	if c.Tier == detect.TierNLI || c.Tier == detect.TierLLM {
		if a.m.models.NLI == nil {
			return nil
		}
		says, err := detect.Judge(a.ctx, a.m.models.NLI, p.a.claim, p.b.claim)
		if err != nil {
			a.result.Notes = append(a.result.Notes, fmt.Sprintf("%s stays open: %v", c.ID, err))
			return a.ctx.Err()
		}
		thresholds, _ := calibrated(a.before)
		if f, found := says.Finding(thresholds, p.a.claim, p.b.claim); found {
			a.clashes = append(a.clashes, clash{p, f, nliBasis(a.m.models, thresholds)})
			return nil
		}
	}
	a.endings = append(a.endings, ending{c, "the two do not clash any more", latest(c.At, x.fact.ValidFrom, y.fact.ValidFrom)})
	return nil
}

// auditWriter turns what an audit found into what it writes, against one
// revision.
type auditWriter struct {
	*audit
	tip      string
	manifest facts.Manifest
	writes   []gitstore.Write
	lines    []string
}

func (w *auditWriter) plan(found []detect.Conflict) (err error) {
	if w.manifest, err = w.m.manifest(w.ctx, w.tip); err != nil {
		return err
	}
	reopened := make(map[string]bool)
	for _, c := range found {
		reopened[c.ID] = true
		if err := w.open(c); err != nil {
			return err
		}
	}
	for _, e := range w.endings {
		if !reopened[e.conflict.ID] { // else its lineage goes on under another key
			if err := w.end(e); err != nil {
				return err
			}
		}
	}
	for _, p := range w.judgment.cleared {
		id := detect.ConflictID(p.a.fact.Lineage, p.b.fact.Lineage)
		if c, exists := w.before[id]; exists && c.Verdict == detect.Ambiguous {
			if err := w.end(ending{c, "a language model sees no contradiction", c.At}); err != nil {
				return err
			}
		}
	}
	return w.record()
}

// open writes a conflict, unless the branch has it already or a side of it has
// changed since it was found.
func (w *auditWriter) open(c detect.Conflict) error {
	old, err := w.m.conflictAt(w.ctx, w.tip, c.ID)
	if err != nil {
		return err
	}
	if old != nil {
		next, write := c.Succeeds(*old)
		if !write {
			w.result.Known++
			return nil
		}
		c = next
	}
	for _, p := range []detect.Party{c.A, c.B} {
		s, err := w.m.side(w.ctx, w.tip, p)
		if err != nil {
			return err
		}
		if s == nil || s.fact.ID != p.ID {
			return nil
		}
	}
	shown, written, err := w.put(c, "conflict", c.Explanation)
	if written {
		w.result.Opened = append(w.result.Opened, shown)
	}
	return err
}

// end writes the end of a conflict that is still open.
func (w *auditWriter) end(e ending) error {
	old, err := w.m.conflictAt(w.ctx, w.tip, e.conflict.ID)
	if err != nil || old == nil || old.Status != detect.Open || old.Version != e.conflict.Version {
		return err
	}
	shown, written, err := w.put(old.Close(e.reason, e.at), "close", e.reason)
	if written {
		w.result.Closed = append(w.result.Closed, shown)
	}
	return err
}

func (w *auditWriter) put(c detect.Conflict, verb, text string) (shown Conflict, written bool, err error) {
	f := c.Fact()
	c.Version = f.ID
	if err := facts.Validate(f, w.manifest); err != nil {
		w.result.Notes = append(w.result.Notes, fmt.Sprintf("the conflict of %s and %s cannot be written: %v", c.A.Key, c.B.Key, err))
		return shown, false, nil
	}
	if shown, err = w.m.showConflict(w.ctx, w.tip, c); err != nil {
		return shown, false, err
	}
	w.writes = append(w.writes, gitstore.Write{Path: f.Key.Path(), Data: facts.Marshal(f)})
	w.lines = append(w.lines, messageLine(verb, f.Key, text))
	return shown, true, nil
}
