package write

import (
	"bytes"
	"context"
	"errors"

	"engram/facts"
	"engram/memory/internal/audit"
	"engram/memory/internal/codebranch"
	"engram/memory/internal/core"
)

// HasBound reports whether any fact is bound to a code branch. It is cheap enough for
// hooks: it reads one file if the memory has not changed since the last call, otherwise
// also the changes; never the index.
func (m *Writer) HasBound(ctx context.Context) (bool, error) {
	tip, err := m.Store.Tip(ctx)
	if err != nil {
		return false, err
	}
	if s := m.codebranch.ReadBound(); s.Tip == tip {
		return len(s.Open) > 0, nil
	}
	release, err := m.codebranch.LockBound(ctx)
	if err != nil {
		return false, err
	}
	defer func() { _ = release() }()
	s := m.codebranch.ReadBound()
	if err := m.CatchUpBound(ctx, &s, tip); err != nil {
		return false, err
	}
	return len(s.Open) > 0, m.codebranch.WriteBound(s)
}

// manyChanges is the number of changed files from which reading all facts in one stream
// is faster.
const manyChanges = 1000

// CatchUpBound updates the open bound facts of a state to a revision.
func (m *Writer) CatchUpBound(ctx context.Context, s *codebranch.BoundState, tip string) error {
	if s.Tip == tip {
		return nil
	}
	now := m.Moment()
	note := func(path string, data []byte) {
		delete(s.Open, path)
		if !bytes.Contains(data, []byte("branch")) { // which spares parsing nearly all
			return
		}
		key, ok := facts.KeyOfPath(path)
		if f, err := facts.ParseAt(key, data); ok && err == nil && f.IsBound() && core.CurrentOrScheduled(f, now) {
			s.Open[path] = f.Branch
		}
	}
	if s.Tip != "" {
		changes, err := m.Store.Diff(ctx, s.Tip, tip)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil && len(changes) < manyChanges {
			for _, c := range changes {
				data := []byte(nil)
				if c.New != "" {
					if data, _ = m.Store.Blob(ctx, c.New); ctx.Err() != nil {
						return context.Cause(ctx)
					}
				}
				note(c.Path, data) // an unreadable file is not a fact
			}
			s.Tip = tip
			return nil
		}
	}
	clear(s.Open)
	for file, err := range m.Store.All(ctx, tip, "") {
		if err != nil {
			return err
		}
		if file.Err == nil {
			note(file.Path, file.Data)
		}
	}
	s.Tip = tip
	return nil
}

// OpenBound reads the open bound facts, and forgets the others.
func (m *Writer) OpenBound(ctx context.Context, s *codebranch.BoundState, tip string) ([]facts.Fact, error) {
	if err := m.CatchUpBound(ctx, s, tip); err != nil {
		return nil, err
	}
	var list []facts.Fact
	now := m.Moment()
	for path := range s.Open {
		key, _ := facts.KeyOfPath(path)
		f, found, err := m.FactAt(ctx, tip, key)
		if err != nil && !errors.Is(err, core.ErrUnreadable) {
			return nil, err
		}
		if err != nil || !found || !f.IsBound() || !core.CurrentOrScheduled(f, now) {
			delete(s.Open, path)
			continue
		}
		list = append(list, f)
	}
	return list, nil
}

// sight records the branches that facts have just been bound to, if they have commits of
// their own. A failure only delays settling; warnings go into the results.
func (m *Writer) sight(ctx context.Context, drafts []Draft, results []CommitResult) {
	var e *codebranch.Snapshot
	var err error
	for i := range drafts {
		name := drafts[i].Fact.Branch
		if name == "" || results[i].Duplicate {
			continue
		}
		if e == nil {
			if e, err = m.codebranch.NewSnapshot(ctx, audit.Latest(m.Moment(), results[i].Committed)); err != nil {
				m.Log.Warn("branches not looked at", "error", err)
				return
			}
		}
		switch {
		case e.Trunk.Ref == "":
			results[i].Warnings = append(results[i].Warnings, "no trunk is known, so nothing will tell when the branch is merged; set trunk in .engram.yml")
		case len(e.Branches[name]) == 0:
			results[i].Warnings = append(results[i].Warnings, "there is no branch "+name+" here, yet")
		}
	}
	if e != nil {
		if err := m.sightAll(ctx, e, drafts); err != nil {
			m.Log.Warn("branches not remembered", "error", err)
		}
	}
}

func (m *Writer) sightAll(ctx context.Context, e *codebranch.Snapshot, drafts []Draft) error {
	release, err := m.codebranch.LockBound(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	state := m.codebranch.ReadBound()
	for _, d := range drafts {
		f := d.Fact
		if !f.IsBound() || len(e.Branches[f.Branch]) == 0 || e.Trunk.Commit == "" {
			continue
		}
		work, err := e.UnmergedTips(ctx, e.Branches[f.Branch])
		if err != nil {
			return err
		}
		if len(work) > 0 {
			state.Seen[f.Branch] = codebranch.Observation{Tips: work, At: e.Now}
		}
	}
	return m.codebranch.WriteBound(state)
}
