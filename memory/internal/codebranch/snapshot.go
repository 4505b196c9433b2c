package codebranch

import (
	"context"
	"slices"
	"time"

	"engram/gitstore"
)

// Snapshot has the code branches of this repository as they were at one moment.
type Snapshot struct {
	m        *Watcher
	Now      time.Time
	Trunk    gitstore.Trunk
	Branches map[string][]string
}

// NewSnapshot reads the trunk and all code branches; now is the time of the observation.
func (m *Watcher) NewSnapshot(ctx context.Context, now time.Time) (*Snapshot, error) {
	e := &Snapshot{m: m, Now: now}
	var err error
	if e.Trunk, err = m.Trunk(ctx); err != nil {
		return nil, err
	}
	e.Branches, err = m.Store.CodeBranches(ctx)
	return e, err
}

// Inspect compares a branch with the trunk, given its last observation, and returns the new
// observation and the status of the branch.
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
	// Work that had not landed cannot have landed while the trunk is unchanged.
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

// UnmergedTips returns the commits among tips that the trunk does not contain, omitting
// those that another tip contains. They are sorted.
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

// landing reports whether all tips have landed on the trunk.
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

// missing completes the status of a branch that is gone: another reference may contain its
// commits, or another trunk may have its work.
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
