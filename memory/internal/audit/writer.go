package audit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

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
			return true, w.arrived(ctx, *old)
		}
		c = next
	}
	for _, p := range []detect.Party{c.A, c.B} {
		s, err := w.m.ConflictSide(ctx, w.tip, p)
		if err != nil {
			return false, err
		}
		if s == nil || detect.PartyOf(s.Fact) != p {
			return false, nil
		}
	}
	return w.put(ctx, c, "conflict", c.Explanation, &w.result.Opened)
}

// arrived tells of an open conflict that the branch had already, unless everything is
// audited.
func (w *auditWriter) arrived(ctx context.Context, c detect.Conflict) error {
	if c.Status != detect.Open || w.in.All || w.result.From == "" {
		return nil
	}
	shown, err := w.m.ShowConflict(ctx, w.tip, c)
	w.result.Arrived = append(w.result.Arrived, shown)
	return err
}

// dismiss dismisses what was in doubt and a language model sees no contradiction
// in. It stays dismissed in clones without such a model.
func (w *auditWriter) dismiss(ctx context.Context, id string) error {
	old, usable, err := w.current(ctx, id)
	if err != nil || !usable || old == nil || old.Status != detect.Open || old.Verdict != detect.Ambiguous {
		return err
	}
	c := old.Settle(detect.ByDismissal, "", "a language model sees no contradiction", old.At)
	c.By, c.Evidence = detect.Auditor, "llm "+w.m.Models.LLMID
	_, err = w.put(ctx, c, "dismiss", c.Reason, &w.result.Closed)
	return err
}

// close writes the end of a conflict that is still open.
func (w *auditWriter) close(ctx context.Context, e ending) error {
	old, usable, err := w.current(ctx, e.conflict.ID)
	if err != nil || !usable || old == nil || old.Status != detect.Open || old.Version != e.conflict.Version {
		return err
	}
	_, err = w.put(ctx, old.Close(e.reason, e.at), "close", e.reason, &w.result.Closed)
	return err
}

// put writes a conflict and adds it to a list of the result.
func (w *auditWriter) put(ctx context.Context, c detect.Conflict, verb, text string, list *[]core.Conflict) (written bool, err error) {
	if _, secret := w.m.Scanner.Scan(c.Explanation); secret { // that somebody brought with plain git
		c.Explanation = core.SecretClash
		text = c.Explanation
	}
	f := c.Fact()
	c.Version = f.ID
	if err := facts.Validate(f, w.manifest); err != nil {
		sides, readErr := w.reads.ReadableKeys(ctx, w.tip, []facts.Key{c.A.Key, c.B.Key})
		if len(sides) == 2 {
			w.result.Notes = append(w.result.Notes, fmt.Sprintf("the conflict of %s and %s cannot be written: %v", c.A.Key, c.B.Key, err))
		}
		return false, readErr
	}
	shown, err := w.m.ShowConflict(ctx, w.tip, c)
	if err != nil {
		return false, err
	}
	*list = append(*list, shown)
	w.writes = append(w.writes, gitstore.Write{Path: f.Key.Path(), Data: facts.Marshal(f)})
	w.lines = append(w.lines, core.MessageLine(verb, f.Key, text))
	return true, nil
}
