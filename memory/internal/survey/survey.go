// Package survey shows what a memory holds as a whole: the facts that pass some filters,
// in pages, with how many have each property. It answers no questions and writes nothing.
package survey

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"engram/evidence"
	"engram/facts"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// Surveyor surveys a memory. It is safe for concurrent use.
type Surveyor struct {
	*core.Memory
	audit *audit.Auditor
	proof *proof.Verifier
}

// New returns the Surveyor of a memory.
func New(m *core.Memory) *Surveyor { return &Surveyor{m, audit.New(m), proof.New(m)} }

// Bounds of a page.
const (
	DefaultRows = 50
	MaxRows     = 200
)

// AnyState, as a State, is every state.
const AnyState = string(index.AnyState)

// SurveyInput narrows a survey. A zero field does not filter.
type SurveyInput struct {
	Scope string `json:"scope,omitempty"` // and those below it
	Kind  string `json:"kind,omitempty"`
	Type  string `json:"fact_type,omitempty"`
	Agent string `json:"agent_id,omitempty"`
	// State is a state of facts, "" for current and scheduled, or AnyState.
	State string `json:"state,omitempty"`
	// Freshness is a verdict on evidence, as the last Verify of all facts by this process
	// gave it (SurveyResult.Checked). Without one every fact is unchecked.
	Freshness string `json:"freshness,omitempty"`
	// Conflict is "open" for the facts that are a side of an open conflict, "none" for others.
	Conflict string `json:"conflict,omitempty"`
	// AsOf asks for what held at a moment instead of what the branch has now. Every fact of
	// such an answer is current, and what is only known of the present takes no part:
	// Freshness and Conflict must be "".
	AsOf time.Time `json:"as_of,omitzero"`
	// EndsBefore, if set, keeps only facts that end before it, by their TTL or because somebody
	// said so. With a zero State these are the facts that are about to end.
	EndsBefore time.Time `json:"ends_before,omitzero"`
	AskedBy    string    `json:"asked_by,omitempty"` // the agent that reads; "" whom the memory was opened for
	Branch     string    `json:"branch,omitempty"`   // as of QueryInput
	Offset     int       `json:"offset,omitempty"`
	Limit      int       `json:"limit,omitempty"` // rows, 1 to 200; 0 means 50
}

// SurveyResult is a page of facts by key, and what there is besides.
type SurveyResult struct {
	core.Answer
	Facts    []core.Fact `json:"facts"`
	Total    int         `json:"total"`    // facts that pass the filters, on all pages
	Withheld int         `json:"withheld"` // that pass them and that the agent may not read
	// Facets are scope, kind, fact_type, agent_id, state, conflict and, if this process has
	// checked all evidence, freshness.
	Facets []Facet `json:"facets"`
	// Checked is when the freshness of the facet and of the filter was found; zero if never.
	// The facts of the page are checked for this answer.
	Checked time.Time `json:"checked_at,omitzero"`
	// First is when a fact began to hold before all others, and Last when one last began or
	// ended up to now: between them lie the moments that AsOf tells apart. They are zero in
	// an empty memory.
	First time.Time `json:"first,omitzero"`
	Last  time.Time `json:"last,omitzero"`
	Notes []string  `json:"notes,omitempty"`
}

// Facet is how many facts have each value of a property among those that pass the filters on
// all other properties, so that it says what another choice would give.
type Facet struct {
	Name   string       `json:"name"`
	Values []FacetValue `json:"values"` // by value, at most 200; a scope includes those below it
	// Omitted is how many values are missing because of that bound: those with the smallest
	// counts.
	Omitted int `json:"omitted"`
}

// FacetValue is a value of a facet.
type FacetValue struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Survey lists the facts that pass the filters, by key, and counts them by facets. It omits
// conflicts and invitations, as List does. Only the facts of the page are read, and their
// evidence is checked for as long as a query may take.
func (m *Surveyor) Survey(ctx context.Context, in SurveyInput) (SurveyResult, error) {
	in.Limit = cmp.Or(in.Limit, DefaultRows)
	if err := in.check(); err != nil {
		return SurveyResult{}, err
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return SurveyResult{}, err
	}
	q := m.query(in, m.Reader(manifest, in.AskedBy))
	found, revision, checked, err := m.find(ctx, tip, q)
	if err != nil {
		return SurveyResult{}, fmt.Errorf("survey: %w", err)
	}
	result, err := m.show(ctx, found, q)
	if err != nil {
		return SurveyResult{}, fmt.Errorf("survey: %w", err)
	}
	result.Answer, result.Checked = core.AnswerAt(revision), checked
	if !in.AsOf.IsZero() {
		return result, nil
	}
	rows := make([]*core.Fact, len(result.Facts))
	for i := range rows {
		rows[i] = &result.Facts[i]
	}
	if err = m.audit.TellDisputed(ctx, revision, rows...); err == nil {
		result.Notes, err = m.proof.MarkFreshness(ctx, revision, proof.FreshTime, rows...)
	}
	return result, err
}

// find returns what the index finds for a query, in which it fills in what is only known of
// the present, and which revision that reflects. checked is when evidence was checked.
func (m *Surveyor) find(ctx context.Context, tip string, q index.SurveyQuery) (found index.SurveyResult, revision string, checked time.Time, err error) {
	if q.AsOf.IsZero() {
		q.Verdicts, checked = m.proof.LastCheck()
	}
	kept, question := core.CacheOf[answers](m.Memory), questionOf(tip, q, checked)
	if found, ok := kept.get(question, q.Now); ok {
		return found, tip, checked, nil
	}
	_, err = m.Index.View(ctx, tip, func(view *index.View) error {
		revision = view.Revision()
		if q.AsOf.IsZero() {
			if q.Disputed, err = m.disputed(ctx, revision); err != nil {
				return err
			}
		}
		found, err = view.Survey(ctx, q)
		return err
	})
	if err == nil && revision == tip {
		kept.put(question, q.Now, found)
	}
	return found, revision, checked, err
}

// disputed are the keys with an open conflict, by index.KeyDigest.
func (m *Surveyor) disputed(ctx context.Context, revision string) (map[uint64]bool, error) {
	seen, err := m.audit.DisputesAt(ctx, revision, nil)
	if err != nil {
		return nil, err
	}
	keys := make(map[uint64]bool, len(seen.Open))
	for key := range seen.Open {
		keys[index.KeyDigest(key)] = true
	}
	return keys, nil
}

func (in SurveyInput) check() error {
	switch {
	case in.Limit < 1 || in.Limit > MaxRows:
		return core.UsageErrorf(core.OmitHint(hint.Limit), "limit %d is not between 1 and %d", in.Limit, MaxRows)
	case !in.AsOf.IsZero() && (in.Freshness != "" || in.Conflict != ""):
		return core.UsageErrorf(hint.New("omit the moment, or freshness and conflict"), "whether evidence is fresh or a fact in conflict is only known of the present")
	case in.Offset < 0:
		return core.UsageErrorf(hint.New("omit it to begin with the first fact"), "an offset of %d is below 0", in.Offset)
	}
	states := []facts.State{facts.Current, facts.Scheduled, facts.Retired, facts.Expired, facts.Superseded, index.AnyState}
	return cmp.Or(core.CheckOneOf("kind", facts.Kind(in.Kind), facts.Kinds()), core.CheckOneOf("type", facts.Type(in.Type), facts.Types()),
		core.CheckOneOf("state", facts.State(in.State), states), core.CheckOneOf("freshness", core.Freshness(in.Freshness), evidence.Freshnesses()),
		core.CheckOneOf("conflict", in.Conflict, []string{index.InConflict, index.NoConflict}))
}

// query is the query of the index that an input means.
func (m *Surveyor) query(in SurveyInput, reader *core.Reader) index.SurveyQuery {
	return index.SurveyQuery{
		Query: index.Query{
			Scope: in.Scope, Kind: facts.Kind(in.Kind), Type: facts.Type(in.Type), Agent: in.Agent, AsOf: in.AsOf, Now: m.Moment(),
			Ephemeral: true, Without: core.InternalPrefixes(""), Access: reader.ScopeRules(), Branch: m.ResolveBranch(in.Branch),
		},
		State: facts.State(in.State), Freshness: in.Freshness, Conflict: in.Conflict, EndsBefore: in.EndsBefore, Unknown: string(core.Unchecked), Offset: in.Offset, Rows: in.Limit,
	}
}

// show reads the facts of a page.
func (m *Surveyor) show(ctx context.Context, found index.SurveyResult, q index.SurveyQuery) (SurveyResult, error) {
	r := SurveyResult{Facts: []core.Fact{}, Total: found.Total, Withheld: found.Withheld, First: found.First, Last: found.Last}
	for _, f := range found.Facets {
		shown := Facet{Name: f.Name, Values: []FacetValue{}, Omitted: f.Omitted}
		for _, v := range f.Values {
			shown.Values = append(shown.Values, FacetValue(v))
		}
		r.Facets = append(r.Facets, shown)
	}
	err := m.EachHit(ctx, found.Hits, func(hit index.Hit, f facts.Fact) error {
		shown := core.Show(f, hit.Window, q.Moment())
		shown.Age = core.Age(shown.Committed, q.Now)
		if !q.AsOf.IsZero() {
			shown.State = facts.Current
		}
		r.Facts = append(r.Facts, shown)
		return nil
	})
	return r, err
}
