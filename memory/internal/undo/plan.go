package undo

import (
	"context"
	"fmt"
	"time"

	"engram/bus"
	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// undoing plans, against one revision, how a commit is taken back.
type undoing struct {
	*write.Planner
	m    *Undoer
	in   Input
	done []Change
}

func (u *undoing) all(ctx context.Context, changes []gitstore.Change) error {
	if err := u.mayRead(ctx, changes); err != nil {
		return err
	}
	if err := u.checkStands(ctx, changes); err != nil {
		return err
	}
	u.done = []Change{}
	var conflicts []gitstore.Change
	for _, c := range changes {
		if key, _ := facts.KeyOfPath(c.Path); detect.IsConflict(key) {
			conflicts = append(conflicts, c)
			continue
		}
		if err := u.fact(ctx, c); err != nil {
			return err
		}
	}
	for _, c := range conflicts { // once the facts stand as they did
		if err := u.conflict(ctx, c); err != nil {
			return err
		}
	}
	if len(u.done) == 0 {
		return fmt.Errorf("%w: what the commit wrote does not hold any more", ErrCannotUndo)
	}
	u.Charge(u.in.Agent)
	return nil
}

// mayRead rejects a commit that changed what the agent may not read: the answer quotes it.
func (u *undoing) mayRead(ctx context.Context, changes []gitstore.Change) error {
	reads := u.m.Reader(u.Manifest, u.in.Agent)
	if reads == nil {
		return nil
	}
	for _, c := range changes {
		now, err := u.m.FactOfBlob(ctx, c.New)
		if err != nil {
			return err
		}
		before, err := u.m.Version(ctx, c.Old)
		if err != nil {
			return err
		}
		if err := reads.CheckVersion(ctx, u.Tip, now, before); err != nil {
			return err
		}
	}
	return nil
}

// checkStands rejects a commit of which something has changed since. An open conflict may have: that
// follows from its facts.
func (u *undoing) checkStands(ctx context.Context, changes []gitstore.Change) error {
	for _, c := range changes {
		now, err := u.m.Store.BlobAt(ctx, u.Tip, c.Path)
		if err != nil {
			return err
		}
		if now == c.New {
			continue
		}
		key, _ := facts.KeyOfPath(c.Path)
		if detect.IsConflict(key) {
			before, err := u.m.conflictIn(ctx, c.New)
			if err != nil {
				return err
			}
			after, err := u.m.conflictIn(ctx, now)
			if err != nil {
				return err
			}
			if before.Status == detect.Open && (after.Status == detect.Open || after.Status == detect.Closed) {
				continue
			}
		}
		by := "a merge"
		if last, err := u.m.Store.History(ctx, u.Tip, c.Path, 1); err != nil {
			return err
		} else if len(last) > 0 {
			by = fmt.Sprintf("%s (%s)", core.ShortCommit(last[0].Revision), core.MessageText(last[0].Subject))
		}
		return fmt.Errorf("%w: %s was changed since, by %s; take that back first, or write a new version", ErrCannotUndo, key, by)
	}
	return nil
}

// fact gives a fact back what it said before the commit.
func (u *undoing) fact(ctx context.Context, c gitstore.Change) error {
	now, err := u.m.FactOfBlob(ctx, c.New)
	if err != nil {
		return err
	}
	before, err := u.m.Version(ctx, c.Old)
	if err != nil {
		return err
	}
	for _, f := range []facts.Fact{now, before} {
		if f.Key.IsZero() {
			continue
		}
		if err := u.MayWrite(u.in.Agent, f.Scope, u.Now); err != nil {
			return err
		}
	}
	if c.Old == "" || !core.CurrentOrScheduled(before, u.Now) {
		if core.CurrentOrScheduled(now, u.Now) {
			end := u.End(now, u.Now)
			u.done = append(u.done, Change{Key: end.Key.String(), How: retired, Claim: now.Claim})
		}
		return nil
	}
	// The policy on secrets may be stricter by now.
	if err := u.m.ScanTexts([]bus.Text{{Path: "claim", Value: before.Claim}, {Path: "detail", Value: before.Detail}, {Path: "evidence", Value: before.Provenance.Evidence}}); err != nil {
		return err
	}
	u.done = append(u.done, Change{Key: before.Key.String(), How: restored, Claim: before.Claim})
	if now.ID == before.ID { // its window was closed, and nothing else
		u.Set(before)
		return nil
	}
	next, old := before.Clone(), now
	next.ID, next.Operation, next.Supersedes = "", "", ""
	next.ValidFrom, next.Provenance.CreatedAt = time.Time{}, time.Time{}
	if now.Operation == facts.OpDelete && now.ValidUntil.Before(u.Now) {
		next.ValidFrom = now.ValidUntil // it has held all the time
	}
	if now.Lineage != before.Lineage {
		old = before // another fact took its place
	}
	_, err = u.Put(next, old, true)
	return err
}

// conflict opens a conflict again that the commit settled or closed, if both sides hold.
func (u *undoing) conflict(ctx context.Context, c gitstore.Change) error {
	was, err := u.m.conflictIn(ctx, c.New)
	if err != nil || was.Status == detect.Open || was.ID == "" {
		return err
	}
	before, err := u.m.conflictIn(ctx, c.Old)
	if err != nil {
		return err
	}
	if was.Status == detect.Closed && before.Status != detect.Open {
		return nil
	}
	var sides [2]facts.Fact
	for i, p := range []detect.Party{was.A, was.B} {
		f, found, err := u.At(ctx, p.Key)
		if err != nil {
			return err
		}
		if !found || !core.CurrentOrScheduled(f, u.Now) || facts.ContentHash(f.Claim) != p.Digest {
			return nil
		}
		if err := u.MayWrite(u.in.Agent, f.Scope, u.Now); err != nil { // opening it decides about the fact as well
			return err
		}
		sides[i] = f
	}
	open := was.Reopen(sides[0], sides[1], before.Basis, u.Now)
	f := open.Fact()
	u.Set(f)
	u.done = append(u.done, Change{Key: f.Key.String(), How: reopened, Claim: open.Explanation, ConflictID: open.ID})
	return nil
}

// describe makes the message of the commit.
func (u *undoing) describe(commit, subject string) {
	u.Lines = u.Lines[:0]
	for _, d := range u.done[:min(len(u.done), core.MaxMessageLines)] {
		key, _ := facts.ParseKey(d.Key)
		u.Lines = append(u.Lines, core.MessageLine(d.How, key, d.Claim))
	}
	if reason := facts.FoldSpace(u.in.Reason); reason != "" {
		u.Lines = append(u.Lines, "reason: "+facts.OneLine(reason))
	}
	if agent := u.StoredName(u.in.Agent); agent != "" {
		u.Lines = append(u.Lines, "by "+facts.OneLine(agent))
	}
	u.Lines = append(u.Lines, fmt.Sprintf("%s %s: %s", verb, core.ShortCommit(commit), core.MessageText(subject)))
}
