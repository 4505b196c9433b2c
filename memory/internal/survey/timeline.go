package survey

import (
	"context"
	"fmt"
	"time"

	"engram/facts"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// TimelineInput names the facts to follow through time.
type TimelineInput struct {
	Keys    []string `json:"keys"`               // 200 at most, such as those of a survey
	AskedBy string   `json:"asked_by,omitempty"` // the agent that reads; "" whom the memory was opened for
}

// TimelineResult is the versions of some facts, when each held, and who wrote it.
type TimelineResult struct {
	core.Answer
	Facts    []TimelineFact `json:"facts"`    // in the order of the keys
	Withheld int            `json:"withheld"` // versions that the agent may not read
}

// TimelineFact is the versions of one key.
type TimelineFact struct {
	Key      facts.Key         `json:"key"`
	Versions []TimelineVersion `json:"versions"` // by when they began to hold
	// CorroboratedBy are the agents that state as well what stands now, as far as audits of
	// this clone found.
	CorroboratedBy []string `json:"corroborated_by"`
}

// TimelineVersion is a version and the window in which it held, as it follows from all
// versions of the key: a later one ends an earlier one.
type TimelineVersion struct {
	FactID     string     `json:"fact_id"`
	Claim      string     `json:"claim"`
	AgentID    string     `json:"agent_id"`
	Engineer   string     `json:"engineer"`
	MemoryOp   string     `json:"memory_op"`
	Committed  time.Time  `json:"committed_at"`
	ValidFrom  time.Time  `json:"valid_from"`
	ValidUntil *time.Time `json:"valid_until"` // null: open; equal to ValidFrom: it never held, or only ended the fact
	Stands     bool       `json:"stands"`      // it is the one on the branch
	Supersedes string     `json:"supersedes_fact_id,omitempty"`
}

// Timeline returns the versions of some keys. A key without versions has none in the answer.
func (m *Surveyor) Timeline(ctx context.Context, in TimelineInput) (TimelineResult, error) {
	if len(in.Keys) == 0 || len(in.Keys) > MaxRows {
		return TimelineResult{}, core.UsageErrorf(hint.New("name the keys of a page"), "%d keys are not between 1 and %d", len(in.Keys), MaxRows)
	}
	keys := make([]facts.Key, len(in.Keys))
	for i, text := range in.Keys {
		var err error
		if keys[i], err = facts.ParseKey(text); err != nil {
			return TimelineResult{}, err
		}
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return TimelineResult{}, err
	}
	reader := m.Reader(manifest, in.AskedBy)
	var result TimelineResult
	_, err = m.Index.View(ctx, tip, func(view *index.View) error {
		versions, err := view.VersionsOf(ctx, keys)
		if err != nil {
			return err
		}
		result, err = m.showTimeline(ctx, view.Revision(), reader, keys, versions)
		return err
	})
	if err != nil {
		return TimelineResult{}, fmt.Errorf("timeline: %w", err)
	}
	return result, nil
}

func (m *Surveyor) showTimeline(ctx context.Context, revision string, reader *core.Reader, keys []facts.Key, versions [][]index.Hit) (TimelineResult, error) {
	r := TimelineResult{Answer: core.AnswerAt(revision), Facts: []TimelineFact{}}
	at := make(map[facts.Key]int)
	var hits []index.Hit
	for i, key := range keys {
		at[key] = i
		r.Facts = append(r.Facts, TimelineFact{Key: key, Versions: []TimelineVersion{}, CorroboratedBy: []string{}})
		hits = append(hits, versions[i]...)
	}
	agreeing := m.audit.Agreeing(ctx, revision)
	err := m.EachHit(ctx, hits, func(hit index.Hit, f facts.Fact) error {
		if may, err := reader.MayRead(ctx, revision, f); err != nil || !may {
			r.Withheld++
			return err
		}
		f = core.FillUnstated(f)
		of := &r.Facts[at[hit.Key]]
		of.Versions = append(of.Versions, TimelineVersion{
			FactID: f.ID, Claim: f.Claim, AgentID: f.Provenance.Agent, Engineer: f.Provenance.Engineer, MemoryOp: string(f.Operation),
			Committed: f.Provenance.CreatedAt, ValidFrom: hit.Window.From, ValidUntil: core.TimeOrNil(hit.Window.Until), Stands: hit.Tip, Supersedes: f.Supersedes,
		})
		if hit.Tip && agreeing != nil && reader == nil {
			of.CorroboratedBy = append(of.CorroboratedBy, agreeing(hit.Blob)...)
		}
		return nil
	})
	return r, err
}
