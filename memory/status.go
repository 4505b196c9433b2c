package memory

import (
	"context"
	"errors"
	"time"

	"engram/detect"
	"engram/gitstore"
	"engram/index"
)

// StatusResult is the state of a memory at a glance.
type StatusResult struct {
	Answer
	Repository string    `json:"repository"` // the work tree, or the git directory of a bare one
	Branch     string    `json:"branch" jsonschema:"the memory's branch"`
	Ready      bool      `json:"ready"`                                                    // there is a memory to read and write
	Files      int       `json:"files" jsonschema:"facts there are, whatever their state"` // in the places of facts; conflicts and invitations apart
	LastCommit string    `json:"last_commit"`
	LastChange time.Time `json:"last_change,omitzero"`
	Mode       string    `json:"mode" jsonschema:"hybrid: found by meaning; lexical: by words alone"`
	Indexed    string    `json:"indexed_revision"` // "" where there is no index yet
	IndexBytes int64     `json:"index_bytes"`
	Pending    int       `json:"pending"` // facts that the next query will index first
	Model      string    `json:"model"`   // "" in lexical mode
	NoModel    string    `json:"model_problem,omitempty"`
	NoVector   int       `json:"pending_vectors"`                                               // facts without a vector of the model yet
	Conflicts  int       `json:"open_conflicts" jsonschema:"claims that contradict each other"` // on the branch, updates to confirm not counted
	Updates    int       `json:"open_updates" jsonschema:"claims that look like newer states of others, to confirm"`
	Unaudited  int       `json:"unaudited" jsonschema:"facts that nobody has compared yet"` // that changed since the last audit of this clone
	Proposed   int       `json:"proposed" jsonschema:"facts that wait for somebody to accept them"`
	// Remote is with whom the memory is shared, "" for nobody. Unshared counts the
	// commits that it did not have when it was last fetched from or pushed to, and
	// Behind those of its that are not taken in. QueuedSince is since when a sync
	// waits for it to be reachable.
	Remote      string    `json:"remote" jsonschema:"the remote that the memory is shared with; empty: none"`
	Unshared    int       `json:"unshared" jsonschema:"commits that the remote lacks"`
	Behind      int       `json:"behind" jsonschema:"commits of the remote that are not merged"`
	QueuedSince time.Time `json:"queued_since,omitzero"`
	StateDir    string    `json:"state_dir"`
	CheckedOut  string    `json:"checked_out_at,omitempty"` // writes are refused while it is
	NextCommand string    `json:"next_command,omitempty"`
}

// Status looks and changes nothing, not even the index.
func (m *Memory) Status(ctx context.Context) (StatusResult, error) {
	s := StatusResult{
		Repository: orElse(m.store.WorkTree(), m.store.CommonDir()), Branch: m.store.Branch(), Mode: ModeLexical,
		StateDir: m.store.StateDir(), CheckedOut: m.store.CheckedOutAt(), NoModel: m.noModel,
	}
	if m.embedder != nil {
		s.Model = m.embedder.ID()
	}
	tip, _, err := m.tip(ctx)
	if errors.Is(err, gitstore.ErrNoBranch) {
		s.Answer, s.NextCommand = answer(""), "engram init"
		return s, nil
	}
	if err != nil {
		return s, err
	}
	s.Answer, s.Ready = answer(tip), true
	if err := m.describeSharing(ctx, &s); err != nil {
		return s, err
	}
	if err := m.describeTip(ctx, &s, tip); err != nil {
		return s, err
	}
	if m.embedder != nil {
		var any bool
		if s.NoVector, any, err = m.pendingVectors(ctx, tip); err != nil {
			return s, err
		}
		if any || m.embedder.Instant() { // which the next question makes
			s.Mode = ModeHybrid
		}
	}
	if err := m.describeConflicts(ctx, &s, tip); err != nil {
		return s, err
	}
	if s.Proposed, err = m.countProposals(ctx, tip); err != nil {
		return s, err
	}
	stats, err := m.index.Stats(ctx)
	if err != nil {
		m.log.Warn("index not readable", "error", err)
		stats = index.Stats{}
	}
	s.Indexed, s.IndexBytes = stats.Revision, stats.Bytes
	if s.Indexed == "" {
		s.Pending = s.Files
		return s, nil
	}
	s.Pending, err = m.pending(ctx, s.Indexed, tip)
	return s, err
}

func (m *Memory) describeSharing(ctx context.Context, s *StatusResult) (err error) {
	if s.Remote, err = m.store.Upstream(ctx); err != nil || s.Remote == "" {
		return err
	}
	if q, waiting := m.queuedSync(); waiting && q.Remote == s.Remote {
		s.QueuedSince = q.Since
	}
	s.Unshared, s.Behind, err = m.store.Standing(ctx, s.Remote)
	return err
}

func (m *Memory) describeConflicts(ctx context.Context, s *StatusResult, tip string) error {
	conflicts, err := m.conflictsAt(ctx, tip)
	if err != nil {
		return err
	}
	now := m.moment()
	for _, c := range conflicts {
		if c.Status != detect.Open {
			continue
		}
		_, _, over, err := m.over(ctx, tip, c, now)
		if err != nil {
			return err
		}
		switch {
		case over:
		case c.Verdict == detect.Evolution:
			s.Updates++
		default:
			s.Conflicts++
		}
	}
	blobs, err := m.unaudited(ctx, m.readMark().Revision, tip, tip)
	s.Unaudited = len(blobs)
	return err
}

func (m *Memory) describeTip(ctx context.Context, s *StatusResult, tip string) error {
	files, err := m.store.Files(ctx, tip, "")
	if err != nil {
		return err
	}
	for _, f := range files {
		if belongsToFacts(f) && !underAny(f.Path, unasked("")) {
			s.Files++
		}
	}
	entry, err := m.store.Describe(ctx, tip)
	s.LastCommit, s.LastChange = entry.Subject, entry.Date
	return err
}
