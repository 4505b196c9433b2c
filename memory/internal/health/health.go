// Package health checks a memory: doctor, status, lint, and what a commit by git on the
// memory branch has staged.
package health

import (
	"cmp"
	"context"
	"errors"
	"time"

	"engram/detect"
	"engram/gitstore"
	"engram/index"
	"engram/memory/internal/archive"
	"engram/memory/internal/ask"
	"engram/memory/internal/audit"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/purge"
	"engram/memory/internal/review"
	"engram/memory/internal/share"
	"engram/memory/internal/source"
)

// Doctor checks the state of a memory. It is safe for concurrent use.
type Doctor struct {
	*core.Memory
	archive *archive.Archive
	ask     *ask.Reader
	audit   *audit.Auditor
	compare *compare.Comparer
	purge   *purge.Purger
	review  *review.Reviewer
	share   *share.Sharer
	source  *source.Sources
}

// lastCount keeps how many files of facts a revision has.
type lastCount struct{ core.Last[string, int] }

// New returns the Doctor of a memory.
func New(m *core.Memory) *Doctor {
	return &Doctor{Memory: m, archive: archive.New(m), ask: ask.New(m), audit: audit.New(m), compare: compare.New(m), purge: purge.New(m), review: review.New(m), share: share.New(m), source: source.New(m)}
}

// StatusResult is the state of a memory at a glance.
type StatusResult struct {
	core.Answer
	Repository string    `json:"repository"` // the work tree, or the git directory of a bare one
	Branch     string    `json:"branch" jsonschema:"the memory's branch"`
	Ready      bool      `json:"ready"`                                                    // there is a memory to read and write
	Files      int       `json:"files" jsonschema:"facts there are, whatever their state"` // files of facts, whatever their state, without conflicts and invitations
	LastCommit string    `json:"last_commit"`                                              // its subject; "" for an agent that may not read every fact
	LastChange time.Time `json:"last_change,omitzero"`
	Mode       string    `json:"mode" jsonschema:"hybrid: found by meaning; lexical: by words alone"`
	Indexed    string    `json:"indexed_revision"` // "" if there is no index yet
	IndexBytes int64     `json:"index_bytes"`
	Pending    int       `json:"pending"` // facts that the next query will index first
	Model      string    `json:"model"`   // "" in lexical mode
	NoModel    string    `json:"model_problem,omitempty"`
	NoVector   int       `json:"pending_vectors"`                                                                    // facts without a vector of the model yet
	Conflicts  int       `json:"open_conflicts" jsonschema:"claims that contradict each other"`                      // on the branch, not counting updates to confirm
	Updates    int       `json:"open_updates" jsonschema:"claims that look like newer states of others, to confirm"` // facts that look like newer states of others, to confirm
	Unaudited  int       `json:"unaudited" jsonschema:"facts that nobody has compared yet"`                          // facts that changed since the last audit of this clone
	Proposed   int       `json:"proposed" jsonschema:"facts that wait for somebody to accept them"`                  // facts that await a decision
	// Remote is the remote that the memory is shared with, or "". Unshared counts the
	// commits that it did not have at the last fetch or push, and Behind those of its
	// commits that are not merged. QueuedSince is since when a sync waits for the remote
	// to be reachable.
	Remote      string    `json:"remote" jsonschema:"the remote that the memory is shared with; empty: none"`
	Unshared    int       `json:"unshared" jsonschema:"commits that the remote lacks"`
	Behind      int       `json:"behind" jsonschema:"commits of the remote that are not merged"`
	QueuedSince time.Time `json:"queued_since,omitzero"`
	// Sessions counts those of coding agents, LiveSessions those at work, and
	// UnindexedSessions those that the next search of sessions indexes first.
	Sessions          int    `json:"sessions" jsonschema:"sessions of coding agents that are kept"`
	LiveSessions      int    `json:"live_sessions"`
	UnindexedSessions int    `json:"unindexed_sessions"`
	StateDir          string `json:"state_dir"`
	CheckedOut        string `json:"checked_out_at,omitempty"` // writes are rejected while it is checked out
	NextCommand       string `json:"next_command,omitempty"`
}

// StatusInput says who asks.
type StatusInput struct {
	AskedBy string // the agent that reads; "" whom the memory was opened for
}

// Status reports the state of the memory and changes nothing, not even the index.
func (m *Doctor) Status(ctx context.Context, in StatusInput) (StatusResult, error) {
	s := StatusResult{
		Repository: cmp.Or(m.Store.WorkTree(), m.Store.CommonDir()), Branch: m.Store.Branch(), Mode: ask.ModeLexical,
		StateDir: m.Store.StateDir(), CheckedOut: m.Store.CheckedOutAt(), NoModel: m.EmbedderProblem,
	}
	if m.Embedder != nil {
		s.Model = m.Embedder.ID()
	}
	err := m.describeSessions(ctx, &s)
	if err == nil {
		err = m.describeMemory(ctx, &s, in)
	}
	return s, err
}

func (m *Doctor) describeSessions(ctx context.Context, s *StatusResult) error {
	standing, err := m.archive.Standing(ctx)
	s.Sessions, s.LiveSessions, s.UnindexedSessions = standing.Sessions, standing.Live, standing.Unindexed
	return err
}

func (m *Doctor) describeMemory(ctx context.Context, s *StatusResult, in StatusInput) error {
	tip, manifest, err := m.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoBranch) {
		s.Answer, s.NextCommand = core.AnswerAt(""), "engram init"
		return nil
	}
	if err != nil {
		return err
	}
	s.Answer, s.Ready = core.AnswerAt(tip), true
	if err := m.describeSharing(ctx, s); err != nil {
		return err
	}
	if err := m.describeTip(ctx, s, tip, m.Reader(manifest, in.AskedBy)); err != nil {
		return err
	}
	if m.Embedder != nil {
		var any bool
		if s.NoVector, any, err = m.ask.PendingVectors(ctx, tip); err != nil {
			return err
		}
		if any || m.Embedder.Instant() { // made by the next question
			s.Mode = ask.ModeHybrid
		}
	}
	if err := m.describeConflicts(ctx, s, tip); err != nil {
		return err
	}
	if s.Proposed, err = m.review.CountProposals(ctx, tip); err != nil {
		return err
	}
	stats, err := m.Index.Stats(ctx)
	if err != nil {
		m.Log.Warn("index not readable", "error", err)
		stats = index.Stats{}
	}
	s.Indexed, s.IndexBytes = stats.Revision, stats.Bytes
	if s.Indexed == "" {
		s.Pending = s.Files
		return nil
	}
	s.Pending, err = m.ask.Pending(ctx, s.Indexed, tip)
	return err
}

func (m *Doctor) describeSharing(ctx context.Context, s *StatusResult) (err error) {
	if s.Remote, err = m.Store.Upstream(ctx); err != nil || s.Remote == "" {
		return err
	}
	if q, waiting := m.share.QueuedSync(); waiting && q.Remote == s.Remote {
		s.QueuedSince = q.Since
	}
	s.Unshared, s.Behind, err = m.Store.Standing(ctx, s.Remote)
	return err
}

func (m *Doctor) describeConflicts(ctx context.Context, s *StatusResult, tip string) error {
	conflicts, err := m.audit.ConflictsAt(ctx, tip)
	if err != nil {
		return err
	}
	now := m.Moment()
	for _, c := range conflicts {
		if c.Status != detect.Open {
			continue
		}
		_, _, over, err := m.audit.Ended(ctx, tip, c, now)
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
	blobs, err := m.audit.Unaudited(ctx, m.audit.ReadMark().Revision, tip, tip)
	s.Unaudited = len(blobs)
	return err
}

// describeTip says what the tip is. The subject of a commit quotes facts, so a reader who may not
// read all of them is not shown it.
func (m *Doctor) describeTip(ctx context.Context, s *StatusResult, tip string, reads *core.Reader) (err error) {
	if s.Files, err = core.CacheOf[lastCount](m.Memory).Of(tip, func() (int, error) { return m.countFiles(ctx, tip) }); err != nil {
		return err
	}
	entry, err := m.Store.Describe(ctx, tip)
	if s.LastChange = entry.Date; reads == nil {
		s.LastCommit = entry.Subject
	}
	return err
}

func (m *Doctor) countFiles(ctx context.Context, tip string) (n int, err error) {
	for f, err := range m.Store.Names(ctx, tip, "") {
		if err != nil {
			return n, err
		}
		if core.IsFactFile(f) && !core.HasAnyPrefix(f.Path, core.InternalPrefixes("")) {
			n++
		}
	}
	return n, nil
}
