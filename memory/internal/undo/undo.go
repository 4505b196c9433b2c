// Package undo takes back what a commit did to facts and conflicts, as a new commit: the history
// keeps both.
package undo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/bus"
	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// ErrCannotUndo reports a commit that cannot be taken back, and why.
var ErrCannotUndo = errors.New("nothing was taken back")

// verb begins the subject of a commit that takes back another.
const verb = core.UndoVerb

// searched is how many commits are looked at for the last one of a person.
const searched = 1000

// Undoer takes back commits of a memory.
type Undoer struct {
	*core.Memory
	audit *audit.Auditor
	write *write.Writer
}

// New returns the Undoer of a memory.
func New(m *core.Memory) *Undoer {
	return &Undoer{Memory: m, audit: audit.New(m), write: write.New(m)}
}

// Input names the commit to take back: by Revision, which may also be the id of a conflict, or as the last one that changed Key,
// of which only that fact is taken back unless it settled a conflict, or, if both
// are "", as the last one by the person of git's configuration that nobody has taken back.
type Input struct {
	Revision string `json:"revision,omitempty"`
	Key      string `json:"key,omitempty"` // of a fact or a conflict
	Reason   string `json:"reason,omitempty"`
	Agent    string `json:"agent_id,omitempty"`
	// Preview writes nothing, and says what would be done.
	Preview bool `json:"preview,omitempty"`
}

// Result says what was taken back.
type Result struct {
	core.Answer
	Undone  string    `json:"undone_revision"`
	Subject string    `json:"undone_subject"`
	Author  string    `json:"undone_author"`
	Date    time.Time `json:"undone_date"`
	Done    []Change  `json:"done"`
}

// Change is what became of one fact or conflict.
type Change struct {
	Key        string `json:"key"`
	How        string `json:"how"` // restored, retired, reopened
	Claim      string `json:"claim"`
	ConflictID string `json:"conflict_id,omitempty"`
}

// How something was taken back.
const (
	restored = "restored" // it says and holds again what it did before
	retired  = "retired"  // it did not hold before
	reopened = "reopened" // a conflict that was settled or closed
)

// Undo takes back one commit in a new one. A fact that the commit changed or retired gets a new
// version that says what the one before said; a fact that it added is retired; a conflict that it
// settled is open again. If anything that the commit wrote has changed since, nothing is done. The
// error wraps ErrCannotUndo, ErrNotFound, ErrUsage or ErrMayNotReview, or is a *PermissionError.
func (m *Undoer) Undo(ctx context.Context, in Input) (Result, error) {
	if err := m.ScanTexts([]bus.Text{{Path: "reason", Value: in.Reason}, {Path: "agent", Value: in.Agent}}); err != nil {
		return Result{}, err
	}
	tip, _, err := m.Tip(ctx)
	if err != nil {
		return Result{}, err
	}
	commit, err := m.find(ctx, tip, in)
	if err != nil {
		return Result{}, err
	}
	changes, settles, err := m.changesOf(ctx, tip, commit)
	if err != nil {
		return Result{}, err
	}
	if key, err := facts.ParseKey(in.Key); err == nil && !settles { // of an import, say, the one fact
		changes = slices.DeleteFunc(changes, func(c gitstore.Change) bool { return c.Path != key.Path() })
	}
	entry, err := m.Store.Describe(ctx, commit)
	if err != nil {
		return Result{}, err
	}
	result := Result{Undone: commit, Subject: entry.Subject, Author: entry.Author, Date: entry.Date}
	plan := func(p *write.Planner) error {
		u := undoing{Planner: p, m: m, in: in}
		if err := u.all(ctx, changes); err != nil {
			return err
		}
		result.Done = u.done
		u.describe(commit, entry.Subject)
		return p.MayDecide("it changes facts that are reviewed")
	}
	revision := ""
	if in.Preview {
		revision, err = m.write.Preview(ctx, plan)
	} else {
		revision, err = m.write.Update(ctx, verb, plan)
	}
	if err != nil {
		return Result{}, err
	}
	result.Answer = core.AnswerAt(revision)
	return result, nil
}

// find names the commit to take back.
func (m *Undoer) find(ctx context.Context, tip string, in Input) (string, error) {
	switch {
	case in.Revision != "" && in.Key != "":
		return "", core.UsageErrorf(hint.Hint{}, "a revision and a key; name one of the two")
	case in.Revision != "":
		commit, err := m.Store.Ancestor(ctx, in.Revision, tip)
		if errors.Is(err, gitstore.ErrNotFound) {
			if c, err := m.audit.ConflictAt(ctx, tip, in.Revision); err == nil && c != nil {
				return m.find(ctx, tip, Input{Key: detect.ConflictKey(c.ID).String()})
			}
			err = fmt.Errorf("%w: %.80q is not a commit of %s; `git log %s` lists them", ErrCannotUndo, in.Revision, m.Store.Branch(), m.Store.Branch())
		}
		return commit, err
	case in.Key != "":
		key, err := facts.ParseKey(in.Key)
		if err != nil {
			return "", err
		}
		last, err := m.Store.History(ctx, tip, key.Path(), 1)
		if err != nil {
			return "", err
		}
		if len(last) == 0 {
			return "", fmt.Errorf("%w: %s", core.ErrNotFound, key)
		}
		return last[0].Revision, nil
	}
	return m.lastOwn(ctx, tip)
}

// lastOwn is the last commit by this person that can be taken back and was not.
func (m *Undoer) lastOwn(ctx context.Context, tip string) (string, error) {
	me, err := m.Store.Identity(ctx)
	if err != nil {
		return "", err
	}
	entries, err := m.Store.Newest(ctx, tip, searched)
	if err != nil {
		return "", err
	}
	var undone []string // abbreviated
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Subject, verb+" "); ok {
			name, _, _ := strings.Cut(rest, ":")
			if name != "" && !isAny(e.Revision, undone) {
				undone = append(undone, name)
			}
			continue
		}
		if write.Email(e.Author) != write.Email(me) || !byHand(e.Subject) || isAny(e.Revision, undone) {
			continue
		}
		if _, _, err := m.changesOf(ctx, tip, e.Revision); err == nil {
			return e.Revision, nil
		} else if !errors.Is(err, ErrCannotUndo) {
			return "", err
		}
	}
	return "", fmt.Errorf("%w: none of the last %d commits is a write by %s that still stands; name one of `engram log` or `git log %s`", ErrCannotUndo, len(entries), cmp.Or(write.Email(me), me), m.Store.Branch())
}

// byHand reports whether somebody asked for a commit with that subject (docs/format.md, 8): audits and
// the settlement of code branches, which git's hooks start too, have others.
func byHand(subject string) bool {
	verb, rest, _ := strings.Cut(subject, " ")
	switch verb {
	case "add", "update", "import", core.ResolveVerb, "accept":
		return true
	case "retire":
		return !strings.Contains(rest, ": the branch ")
	case "promote":
		return !strings.Contains(rest, " (branch ")
	}
	return false
}

func isAny(revision string, abbreviated []string) bool {
	for _, a := range abbreviated {
		if strings.HasPrefix(revision, a) {
			return true
		}
	}
	return false
}

// changesOf lists the facts and conflicts that a commit changed. The error wraps ErrCannotUndo if it
// is a commit of another kind. settles says that it settled a conflict, so that its changes belong together.
func (m *Undoer) changesOf(ctx context.Context, tip, commit string) (changes []gitstore.Change, settles bool, err error) {
	short := core.ShortCommit(commit)
	parent, err := m.Store.Ancestor(ctx, commit+"^", tip)
	if errors.Is(err, gitstore.ErrNotFound) {
		return nil, false, fmt.Errorf("%w: %s is the first commit of the memory", ErrCannotUndo, short)
	}
	if err != nil {
		return nil, false, err
	}
	if _, err := m.Store.Ancestor(ctx, commit+"^2", tip); err == nil {
		return nil, false, fmt.Errorf("%w: %s is a merge; take back the commits that it brought", ErrCannotUndo, short)
	} else if !errors.Is(err, gitstore.ErrNotFound) {
		return nil, false, err
	}
	changes, err = m.Store.Diff(ctx, parent, commit)
	if err != nil {
		return nil, false, err
	}
	stated := false
	for _, c := range changes {
		key, ok := facts.KeyOfPath(c.Path)
		if !ok || core.IsInternal(key) && !detect.IsConflict(key) {
			return nil, false, fmt.Errorf("%w: %s changed %s, which is no fact", ErrCannotUndo, short, c.Path)
		}
		if c.New == "" {
			return nil, false, fmt.Errorf("%w: %s removed the file of %s, as git does and engram does not; `git revert` on %s takes that back", ErrCannotUndo, short, key, m.Store.Branch())
		}
		if !detect.IsConflict(key) {
			stated = true
		} else if conflict, err := m.conflictIn(ctx, c.New); err != nil {
			return nil, false, err
		} else if conflict.Status == detect.Resolved || conflict.Status == detect.Dismissed {
			settles = true
		}
	}
	if !stated && !settles {
		return nil, false, fmt.Errorf("%w: %s changed no fact and settled no conflict", ErrCannotUndo, short)
	}
	return changes, settles, nil
}

// conflictIn reads a conflict from a blob; the zero Conflict if there is none.
func (m *Undoer) conflictIn(ctx context.Context, blob string) (detect.Conflict, error) {
	if blob == "" {
		return detect.Conflict{}, nil
	}
	f, err := m.FactOfBlob(ctx, blob)
	if err != nil {
		return detect.Conflict{}, err
	}
	c, _ := detect.ConflictOf(f)
	return c, nil
}
