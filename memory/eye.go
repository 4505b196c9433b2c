package memory

import (
	"context"
	"slices"
	"time"

	"engram/gitstore"
)

// eye looks at the code branches of this repository, as they are at one moment.
type eye struct {
	m        *Memory
	ctx      context.Context // of the one request that it is for
	now      time.Time
	trunk    gitstore.Trunk
	branches map[string][]string
}

func (m *Memory) newEye(ctx context.Context, now time.Time) (*eye, error) {
	e := &eye{m: m, ctx: ctx, now: now}
	var err error
	if e.trunk, err = m.trunkNow(ctx); err != nil {
		return nil, err
	}
	e.branches, err = m.store.CodeBranches(ctx)
	return e, err
}

// look finds out about a branch, given when it was last seen.
func (e *eye) look(name string, last sighting) (seen sighting, known codeBranch, err error) {
	seen = last
	tips := e.branches[name]
	known.Here = len(tips) > 0
	if e.trunk.Commit == "" {
		return seen, known, nil
	}
	work, err := e.work(tips)
	if err != nil {
		return seen, known, err
	}
	if len(work) > 0 {
		seen.Tips, seen.At = work, e.now
	}
	if known.Seen = len(seen.Tips) > 0; !known.Seen {
		return seen, known, nil
	}
	known.Landing = gitstore.Landing(last.Landing)
	judged := last.Trunk == e.trunk.Commit && slices.Equal(seen.Tips, last.Judged)
	// While a branch goes on and the trunk stays, work that had not landed does not.
	goesOn := last.Trunk == e.trunk.Commit && len(work) > 0 && known.Landing != gitstore.HasLanded
	if !judged && !goesOn {
		if known.Landing, err = e.landing(seen.Tips); err != nil {
			return seen, known, err
		}
		seen.Trunk, seen.Judged, seen.Landing = e.trunk.Commit, seen.Tips, int(known.Landing)
	}
	if !known.Here && known.Landing != gitstore.HasLanded {
		err = e.missing(seen, &known)
	}
	return seen, known, err
}

// work are the commits among tips that the trunk does not have, without those that
// others of them contain.
func (e *eye) work(tips []string) (work []string, err error) {
	tips, err = e.m.store.Outermost(e.ctx, tips)
	if err != nil {
		return nil, err
	}
	for _, tip := range tips {
		inside, err := e.m.store.Contains(e.ctx, e.trunk.Commit, tip)
		if err != nil {
			return nil, err
		}
		if !inside {
			work = append(work, tip)
		}
	}
	slices.Sort(work)
	return work, nil
}

// landing says whether all of some commits have landed.
func (e *eye) landing(tips []string) (gitstore.Landing, error) {
	count := make(map[gitstore.Landing]int)
	for _, tip := range tips {
		landing, err := e.m.store.Landed(e.ctx, tip, e.trunk.Commit)
		if err != nil {
			return gitstore.NotLanded, err
		}
		count[landing]++
	}
	switch len(tips) {
	case count[gitstore.HasLanded]:
		return gitstore.HasLanded, nil
	case count[gitstore.NotLanded]:
		return gitstore.NotLanded, nil
	}
	return gitstore.MayHaveLanded, nil
}

// missing finds out what else could have become of a branch that is gone.
func (e *eye) missing(seen sighting, known *codeBranch) (err error) {
	if known.Follows, err = e.m.store.FollowsRemotes(e.ctx); err != nil {
		return err
	}
	if known.Landing == gitstore.MayHaveLanded {
		return nil
	}
	for _, tip := range seen.Tips {
		if known.Holder, err = e.m.store.Holder(e.ctx, tip); err != nil || known.Holder != "" {
			return err
		}
		// The trunk may have diverged from what is on the remote.
		for _, trunk := range e.branches[e.trunk.Name] {
			landing, err := e.m.store.Landed(e.ctx, tip, trunk)
			if err != nil {
				return err
			}
			if landing != gitstore.NotLanded {
				known.Landing = gitstore.MayHaveLanded
			}
		}
	}
	return nil
}

// sight remembers the branches that facts have just been bound to, as far as they
// have work of their own. What it cannot do costs a delay, and what is worth telling
// goes into the results.
func (m *Memory) sight(ctx context.Context, drafts []draft, results []CommitResult) {
	var e *eye
	var err error
	for i := range drafts {
		name := drafts[i].fact.Branch
		if name == "" || results[i].Duplicate {
			continue
		}
		if e == nil {
			if e, err = m.newEye(ctx, latest(m.moment(), results[i].Committed)); err != nil {
				m.log.Warn("branches not looked at", "error", err)
				return
			}
		}
		switch {
		case e.trunk.Ref == "":
			results[i].Warnings = append(results[i].Warnings, "no trunk is known, so nothing will tell when the branch is merged; set trunk in .engram.yml")
		case len(e.branches[name]) == 0:
			results[i].Warnings = append(results[i].Warnings, "there is no branch "+name+" here, yet")
		}
	}
	if e != nil {
		if err := m.sightAll(ctx, e, drafts); err != nil {
			m.log.Warn("branches not remembered", "error", err)
		}
	}
}

func (m *Memory) sightAll(ctx context.Context, e *eye, drafts []draft) error {
	release, err := m.lockBound(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	state := m.readBound()
	for _, d := range drafts {
		f := d.fact
		if !f.IsBound() || len(e.branches[f.Branch]) == 0 || e.trunk.Commit == "" {
			continue
		}
		work, err := e.work(e.branches[f.Branch])
		if err != nil {
			return err
		}
		if len(work) > 0 {
			state.Seen[f.Branch] = sighting{Tips: work, At: e.now}
		}
	}
	return m.writeBound(state)
}
