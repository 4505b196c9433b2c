package codebranch

import (
	"context"
	"slices"
	"time"

	"engram/gitstore"
)

// Snapshot looks at the code branches of this repository, as they are at one moment.
type Snapshot struct {
	m        *Watcher
	Now      time.Time
	Trunk    gitstore.Trunk
	Branches map[string][]string
}

func (m *Watcher) NewSnapshot(ctx context.Context, now time.Time) (*Snapshot, error) {
	e := &Snapshot{m: m, Now: now}
	var err error
	if e.Trunk, err = m.TrunkNow(ctx); err != nil {
		return nil, err
	}
	e.Branches, err = m.Store.CodeBranches(ctx)
	return e, err
}

// Inspect finds out about a branch, given when it was last seen.
func (e *Snapshot) Inspect(ctx context.Context, name string, last Observation) (seen Observation, known status, err error) {
	seen = last
	tips := e.Branches[name]
	known.Here = len(tips) > 0
	if e.Trunk.Commit == "" {
		return seen, known, nil
	}
	work, err := e.UnmergedTips(ctx, tips)
	if err != nil {
		return seen, known, err
	}
	if len(work) > 0 {
		seen.Tips, seen.At = work, e.Now
	}
	if known.Seen = len(seen.Tips) > 0; !known.Seen {
		return seen, known, nil
	}
	known.Landing = gitstore.Landing(last.Landing)
	judged := last.Trunk == e.Trunk.Commit && slices.Equal(seen.Tips, last.Judged)
	// While a branch goes on and the trunk stays, work that had not landed does not.
	goesOn := last.Trunk == e.Trunk.Commit && len(work) > 0 && known.Landing != gitstore.HasLanded
	if !judged && !goesOn {
		if known.Landing, err = e.landing(ctx, seen.Tips); err != nil {
			return seen, known, err
		}
		seen.Trunk, seen.Judged, seen.Landing = e.Trunk.Commit, seen.Tips, int(known.Landing)
	}
	if !known.Here && known.Landing != gitstore.HasLanded {
		err = e.missing(ctx, seen, &known)
	}
	return seen, known, err
}

// UnmergedTips are the commits among tips that the trunk does not have, without those that
// others of them contain.
func (e *Snapshot) UnmergedTips(ctx context.Context, tips []string) (work []string, err error) {
	tips, err = e.m.Store.Outermost(ctx, tips)
	if err != nil {
		return nil, err
	}
	for _, tip := range tips {
		inside, err := e.m.Store.Contains(ctx, e.Trunk.Commit, tip)
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
func (e *Snapshot) landing(ctx context.Context, tips []string) (gitstore.Landing, error) {
	count := make(map[gitstore.Landing]int)
	for _, tip := range tips {
		landing, err := e.m.Store.Landed(ctx, tip, e.Trunk.Commit)
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
func (e *Snapshot) missing(ctx context.Context, seen Observation, known *status) (err error) {
	if known.Follows, err = e.m.Store.FollowsRemotes(ctx); err != nil {
		return err
	}
	if known.Landing == gitstore.MayHaveLanded {
		return nil
	}
	for _, tip := range seen.Tips {
		if known.Holder, err = e.m.Store.Holder(ctx, tip); err != nil || known.Holder != "" {
			return err
		}
		// The trunk may have diverged from what is on the remote.
		for _, trunk := range e.Branches[e.Trunk.Name] {
			landing, err := e.m.Store.Landed(ctx, tip, trunk)
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
