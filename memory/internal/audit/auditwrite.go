package audit

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// ending is an open conflict that nobody settled and that is over.
type ending struct {
	conflict detect.Conflict
	reason   string
	at       time.Time
}

// recheckOpen looks at every open conflict again, whichever facts are audited:
//
//  1. A side does not stand any more, or its key has gone to another lineage:
//     it is over.
//  2. Both stand as they were: it stays.
//  3. A side has changed: the rules say whether they still clash, and of what a
//     model found the cross-encoder. Without one that stays.
func (a *audit) recheckOpen(ctx context.Context) error {
	for _, c := range a.before {
		if c.Status != detect.Open {
			continue
		}
		// 1.
		reason, at, over, err := a.m.Ended(ctx, a.tip, c, a.Now)
		if err != nil {
			return err
		}
		if over {
			a.endings = append(a.endings, ending{c, reason, at})
			continue
		}
		x, err := a.m.Side(ctx, a.tip, c.A)
		if err != nil {
			return err
		}
		y, err := a.m.Side(ctx, a.tip, c.B)
		if err != nil {
			return err
		}
		// 2.
		if detect.PartyOf(x.Fact) == c.A && detect.PartyOf(y.Fact) == c.B {
			continue
		}
		// 3.
		if err := a.recheck(ctx, c, x, y); err != nil {
			return err
		}
	}
	return nil
}

// Ended reports whether a conflict is over because of one side, why, and since
// when. The moment is the facts', not the clock's, so that every clone writes
// the same.
func (m *Auditor) Ended(ctx context.Context, tip string, c detect.Conflict, now time.Time) (reason string, at time.Time, over bool, err error) {
	at = c.At
	var lineages []string
	for _, party := range []detect.Party{c.A, c.B} {
		s, err := m.Side(ctx, tip, party)
		if err != nil {
			return "", at, false, err
		}
		if s == nil {
			return party.Key.String() + " is gone from the branch", at, true, nil
		}
		f := s.Fact
		switch state := f.StateAt(now); {
		case state != facts.Current:
			return fmt.Sprintf("%s is %s", f.Key, state), Latest(at, f.ValidFrom, f.Window().Until), true, nil
		case f.IsBound():
			return fmt.Sprintf("%s is bound to the branch %s now", f.Key, f.Branch), Latest(at, f.ValidFrom), true, nil
		case !compare.MayConflict(f, now):
			return fmt.Sprintf("%s is %s now", f.Key, f.Durability), Latest(at, f.ValidFrom), true, nil
		}
		at, lineages = Latest(at, f.ValidFrom), append(lineages, f.Lineage)
	}
	if detect.ConflictID(lineages[0], lineages[1]) != c.ID {
		return "another fact stands at a key of it", at, true, nil
	}
	return "", at, false, nil
}

func Latest(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// recheck judges two facts of which one has changed since they were found to
// clash.
func (a *audit) recheck(ctx context.Context, c detect.Conflict, x, y *core.Stated) error {
	p, fresh := a.Pair(x, y, 0)
	if fresh && a.Compare(ctx, p) {
		return nil
	}
	for _, known := range a.Clashes {
		if known.First.Blob == p.First.Blob && known.Second.Blob == p.Second.Blob {
			return nil
		}
	}
	if c.Tier == detect.TierNLI || c.Tier == detect.TierLLM {
		if a.m.Models.NLI == nil || a.rulesOnly {
			return nil
		}
		says, err := detect.Judge(ctx, a.m.Models.NLI, p.First.Claim, p.Second.Claim)
		if err != nil {
			a.result.Notes = append(a.result.Notes, fmt.Sprintf("%s stays open: %v", c.ID, err))
			return ctx.Err()
		}
		thresholds, _ := calibrated(a.before)
		if f, found := says.Finding(thresholds, p.First.Claim, p.Second.Claim); found {
			a.Clashes = append(a.Clashes, compare.Clash{Pairing: p, Finding: f, Basis: compare.NLIBasis(a.m.Models, thresholds)})
			return nil
		}
	}
	a.endings = append(a.endings, ending{c, "the two do not clash any more", Latest(c.At, x.Fact.ValidFrom, y.Fact.ValidFrom)})
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

func (w *auditWriter) plan(ctx context.Context, found []detect.Conflict) (err error) {
	if w.manifest, err = w.m.Manifest(ctx, w.tip); err != nil {
		return err
	}
	open := make(map[string]bool)
	for _, c := range found {
		stands, err := w.writeOpen(ctx, c)
		if err != nil {
			return err
		}
		open[c.ID] = stands
	}
	for _, e := range w.endings {
		if !open[e.conflict.ID] { // else its lineage goes on under another key
			if err := w.close(ctx, e); err != nil {
				return err
			}
		}
	}
	for _, p := range w.judgement.Cleared {
		if err := w.dismiss(ctx, detect.ConflictID(p.First.Fact.Lineage, p.Second.Fact.Lineage)); err != nil {
			return err
		}
	}
	if err := w.reopen(ctx); err != nil {
		return err
	}
	return w.writeThreshold(ctx)
}

func (w *auditWriter) message() string {
	message := core.CommitMessage("audit", w.lines)
	if len(w.lines) > 1 {
		_, list, _ := strings.Cut(message, "\n")
		message = fmt.Sprintf("audit: %d opened, %d closed\n%s", len(w.result.Opened), len(w.result.Closed), list)
	}
	return message
}

// current reads a conflict as the branch has it. A file that cannot be read is
// left to lint, and keeps the audit from nothing else.
func (w *auditWriter) current(ctx context.Context, id string) (old *detect.Conflict, usable bool, err error) {
	old, err = w.m.ConflictAt(ctx, w.tip, id)
	if errors.Is(err, core.ErrUnreadable) {
		w.result.Notes = append(w.result.Notes, fmt.Sprintf("%s is left as it is: %v", detect.ConflictKey(id), err))
		return nil, false, nil
	}
	return old, err == nil, err
}

// writeOpen writes a conflict, unless the branch has it already or a side of it has
// changed since it was found.
func (w *auditWriter) writeOpen(ctx context.Context, c detect.Conflict) (stands bool, err error) {
	old, usable, err := w.current(ctx, c.ID)
	if err != nil || !usable {
		return false, err
	}
	if old != nil {
		next, write := c.Succeeds(*old)
		if !write {
			w.result.Known++
			return true, nil
		}
		c = next
	}
	for _, p := range []detect.Party{c.A, c.B} {
		s, err := w.m.Side(ctx, w.tip, p)
		if err != nil {
			return false, err
		}
		if s == nil || detect.PartyOf(s.Fact) != p {
			return false, nil
		}
	}
	shown, written, err := w.put(ctx, c, "conflict", c.Explanation)
	if written {
		w.result.Opened = append(w.result.Opened, shown)
	}
	return written, err
}

// dismiss dismisses what was in doubt and a language model sees no contradiction
// in. It stays dismissed for whoever has no such model.
func (w *auditWriter) dismiss(ctx context.Context, id string) error {
	old, usable, err := w.current(ctx, id)
	if err != nil || !usable || old == nil || old.Status != detect.Open || old.Verdict != detect.Ambiguous {
		return err
	}
	c := old.Settle(detect.ByDismissal, "", "a language model sees no contradiction", old.At)
	c.By, c.Evidence = detect.Auditor, "llm "+w.m.Models.LLMID
	shown, written, err := w.put(ctx, c, "dismiss", c.Reason)
	if written {
		w.result.Closed = append(w.result.Closed, shown)
	}
	return err
}

// close writes the end of a conflict that is still open.
func (w *auditWriter) close(ctx context.Context, e ending) error {
	old, usable, err := w.current(ctx, e.conflict.ID)
	if err != nil || !usable || old == nil || old.Status != detect.Open || old.Version != e.conflict.Version {
		return err
	}
	shown, written, err := w.put(ctx, old.Close(e.reason, e.at), "close", e.reason)
	if written {
		w.result.Closed = append(w.result.Closed, shown)
	}
	return err
}

func (w *auditWriter) put(ctx context.Context, c detect.Conflict, verb, text string) (shown core.Conflict, written bool, err error) {
	if _, secret := w.m.Scanner.Scan(c.Explanation); secret { // that somebody brought with plain git
		c.Explanation = "the two clash; what they say looks like a secret"
		text = c.Explanation
	}
	f := c.Fact()
	c.Version = f.ID
	if err := facts.Validate(f, w.manifest); err != nil {
		w.result.Notes = append(w.result.Notes, fmt.Sprintf("the conflict of %s and %s cannot be written: %v", c.A.Key, c.B.Key, err))
		return shown, false, nil
	}
	if shown, err = w.m.ShowConflict(ctx, w.tip, c); err != nil {
		return shown, false, err
	}
	w.writes = append(w.writes, gitstore.Write{Path: f.Key.Path(), Data: facts.Marshal(f)})
	w.lines = append(w.lines, core.MessageLine(verb, f.Key, text))
	return shown, true, nil
}
