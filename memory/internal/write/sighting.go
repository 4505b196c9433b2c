package write

import (
	"context"

	"engram/memory/internal/audit"
	"engram/memory/internal/codebranch"
)

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
