package survey

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"engram/detect"
	"engram/index"
	"engram/memory/internal/core"
)

// ActivityInput says for whom to count.
type ActivityInput struct {
	AskedBy string `json:"asked_by,omitempty"` // the agent that reads; "" whom the memory was opened for
}

// ActivityResult is what each agent contributed.
type ActivityResult struct {
	core.Answer
	Agents []AgentActivity `json:"agents"` // who wrote most first
}

// AgentActivity is what one agent contributed, as far as the reader may see the facts.
type AgentActivity struct {
	AgentID  string `json:"agent_id"` // "" is people
	Facts    int    `json:"facts"`    // that hold
	Versions int    `json:"versions"` // written in all that ever held or will
	// Won and Lost are conflicts with other agents that were resolved for one side, Open the
	// open ones that a fact of the agent is a side of.
	Won  int `json:"conflicts_won"`
	Lost int `json:"conflicts_lost"`
	Open int `json:"conflicts_open"`
	// Corroborated are the facts of the agent that another agent states as well, as far as
	// audits of this clone found.
	Corroborated int `json:"corroborated"`
	// Trust is that of Hit.
	Trust *float64  `json:"trust"`
	Last  time.Time `json:"last_write"`
	Weeks []int     `json:"weeks"` // versions written in each of the 52 weeks up to now, the last seven days at the end
}

// Activity counts what each agent contributed. It leaves out the bookkeeping of audits.
func (m *Surveyor) Activity(ctx context.Context, in ActivityInput) (ActivityResult, error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return ActivityResult{}, err
	}
	reader := m.Reader(manifest, in.AskedBy)
	q := index.Query{Now: m.Moment(), Access: reader.ScopeRules(), Without: core.InternalPrefixes("")}
	var result ActivityResult
	_, err = m.Index.View(ctx, tip, func(view *index.View) error {
		result = ActivityResult{Answer: core.AnswerAt(view.Revision()), Agents: []AgentActivity{}}
		list, err := view.Activities(ctx, q)
		if err != nil {
			return err
		}
		for _, a := range list {
			result.Agents = append(result.Agents, AgentActivity{
				AgentID: a.Agent, Facts: a.Holding, Versions: a.Versions, Last: a.Last, Weeks: slices.Clone(a.Writes[:]),
			})
		}
		return m.addStanding(ctx, view, reader, result.Agents)
	})
	if err != nil {
		return ActivityResult{}, fmt.Errorf("activity: %w", err)
	}
	slices.SortStableFunc(result.Agents, func(a, b AgentActivity) int { return cmp.Compare(b.Versions, a.Versions) })
	return result, nil
}

// addStanding adds what others made of the agents' facts.
func (m *Surveyor) addStanding(ctx context.Context, view *index.View, reader *core.Reader, agents []AgentActivity) error {
	seen, err := m.audit.AuditedAt(ctx, view.Revision(), view)
	if err != nil {
		return err
	}
	trust, err := seen.Trust(ctx, view)
	if err != nil {
		return err
	}
	disputes, err := m.disputesAt(ctx, view, seen.Folder)
	if err != nil {
		return err
	}
	corroborated, err := m.audit.Corroborated(ctx, view.Revision(), reader)
	if err != nil {
		return err
	}
	for i := range agents {
		a := &agents[i]
		for _, d := range disputes {
			if reader.MayReadScope(d.sides[0].Scope) && reader.MayReadScope(d.sides[1].Scope) {
				d.count(a)
			}
		}
		a.Corroborated = corroborated[a.AgentID]
		if a.Trust, err = seen.RatingBy(ctx, view, a.AgentID, trust); err != nil {
			return err
		}
	}
	return nil
}

// dispute is a conflict between versions whose authors are known.
type dispute struct {
	sides  [2]index.Traits
	open   bool
	winner int // of sides; -1: neither
}

func (d dispute) count(a *AgentActivity) {
	is := func(side int) bool { return d.sides[side].Agent == a.AgentID }
	switch {
	case d.open && (is(0) || is(1)):
		a.Open++
	case d.winner < 0 || is(0) == is(1):
	case is(d.winner):
		a.Won++
	default:
		a.Lost++
	}
}

// disputeCache keeps the disputes of the last folder of conflicts. It is safe for
// concurrent use.
type disputeCache struct {
	mu     sync.Mutex
	folder string
	list   []dispute
}

// disputesAt are the conflicts in a view whose folder of conflicts is the tree folder. They
// are read if that has changed.
func (m *Surveyor) disputesAt(ctx context.Context, view *index.View, folder string) ([]dispute, error) {
	c := core.CacheOf[disputeCache](m.Memory)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.folder == folder {
		return c.list, nil
	}
	conflicts, err := m.audit.ConflictsAt(ctx, view.Revision())
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, c := range conflicts {
		ids = append(ids, c.A.ID, c.B.ID)
	}
	traits, err := view.TraitsOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	var list []dispute
	for _, c := range conflicts {
		a, known := traits[c.A.ID]
		b, knownToo := traits[c.B.ID]
		if !known || !knownToo || c.Verdict == detect.Evolution {
			continue
		}
		d := dispute{sides: [2]index.Traits{a, b}, open: c.Status == detect.Open, winner: -1}
		if c.Status == detect.Resolved {
			d.winner = slices.Index([]string{c.A.ID, c.B.ID}, c.Winner)
		}
		list = append(list, d)
	}
	c.folder, c.list = folder, list
	return list, nil
}
