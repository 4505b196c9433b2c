package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
)

// Bounds of a query.
const (
	DefaultLimit  = 10   // hits, seed 4
	MaxLimit      = 50   // hits, seed 4
	DefaultBudget = 4000 // tokens an answer, seed 4
)

// ModeLexical: matching and ranking by words alone.
const ModeLexical = "lexical"

// QueryInput is a question and what narrows it. A zero field does not filter.
type QueryInput struct {
	Question  string    `json:"question"`
	Scope     string    `json:"scope,omitempty"` // with its sub-scopes
	Kind      string    `json:"kind,omitempty"`
	Type      string    `json:"fact_type,omitempty"`
	Agent     string    `json:"agent_id,omitempty"`
	Tags      []string  `json:"tags,omitempty"` // all of them
	KeyPrefix string    `json:"key_prefix,omitempty"`
	AsOf      time.Time `json:"as_of,omitzero"` // what held then; zero: what holds now
	Ephemeral bool      `json:"include_ephemeral,omitempty"`
	Limit     int       `json:"limit,omitempty"`  // 0 means DefaultLimit; at most MaxLimit
	Budget    int       `json:"budget,omitempty"` // tokens; 0 means DefaultBudget
	// Signals are what takes part in the ranking; none means all there are.
	Signals []string `json:"signals,omitempty"`
}

// The signals that a ranking is made of.
const (
	SignalWords    = "words"    // BM25
	SignalKeys     = "keys"     // hash keys
	SignalEntities = "entities" // what detect finds in a text
	SignalVectors  = "vectors"  // cosine of embeddings
)

// QueryResult is the answer to a question.
type QueryResult struct {
	Answer
	Mode    string `json:"mode"`
	Pending int    `json:"pending"` // facts on the branch that the answer does not reflect yet
	Matched int    `json:"matched"` // facts that share a word with the question
	Omitted int    `json:"omitted"` // results left out because the token budget was used up
	Tokens  int    `json:"tokens"`  // what the results take, estimated
	Results []Hit  `json:"results"`
	// Notes are what a reader should know of how the answer came about.
	Notes []string `json:"notes,omitempty"`
}

// Hit is one fact found, as briefly as it can be judged; Get gives the rest.
type Hit struct {
	Key         facts.Key  `json:"key"`
	FactID      string     `json:"fact_id"`
	Claim       string     `json:"claim"`
	Scope       string     `json:"scope"`
	Kind        string     `json:"kind"`
	FactType    string     `json:"fact_type"`
	Score       float64    `json:"score"`
	Confidence  *float64   `json:"confidence"`
	AgentID     string     `json:"agent_id"`
	Committed   time.Time  `json:"committed_at"`
	ValidFrom   time.Time  `json:"valid_from"`
	ValidUntil  *time.Time `json:"valid_until"`
	Verified    bool       `json:"verified"`
	Freshness   string     `json:"freshness"`
	HasConflict *bool      `json:"has_open_conflict"` // null: no audit has looked
}

// Query finds the facts that answer a question, best first. Every write that
// was acknowledged before the call is in the answer, whoever made it.
func (m *Memory) Query(ctx context.Context, in QueryInput) (QueryResult, error) {
	q, budget, err := m.queryOf(in)
	if err != nil {
		return QueryResult{}, err
	}
	tip, _, err := m.tip(ctx)
	if err != nil {
		return QueryResult{}, err
	}
	result := QueryResult{Mode: ModeLexical, Results: []Hit{}}
	report, err := m.index.View(ctx, tip, func(view *index.View) error {
		hits, matched, err := view.Search(ctx, q)
		if err != nil {
			return err
		}
		result.Answer, result.Matched = answer(view.Revision()), matched
		return m.fill(ctx, &result, hits, budget)
	})
	if err != nil {
		return QueryResult{}, fmt.Errorf("search: %w", err)
	}
	if report.Rebuilt && report.Reason != index.NoIndex {
		result.Notes = append(result.Notes, "the index was rebuilt: "+report.Reason)
	}
	result.Pending, err = m.pending(ctx, report.Revision, tip)
	if result.Pending > 0 {
		result.Notes = append(result.Notes, "the index could not be brought up to date; the newest facts are missing")
	}
	return result, err
}

func (m *Memory) queryOf(in QueryInput) (index.Query, int, error) {
	limit, budget := in.Limit, in.Budget
	if limit == 0 {
		limit = DefaultLimit
	}
	if budget == 0 {
		budget = DefaultBudget
	}
	switch {
	case limit < 1 || limit > MaxLimit:
		return index.Query{}, 0, fmt.Errorf("%w: limit %d is not between 1 and %d", ErrUsage, limit, MaxLimit)
	case budget < 1:
		return index.Query{}, 0, fmt.Errorf("%w: a budget of %d tokens holds nothing", ErrUsage, budget)
	case facts.FoldSpace(in.Question) == "":
		return index.Query{}, 0, fmt.Errorf("%w: the question is empty", ErrUsage)
	}
	if err := checkOneOf("kind", facts.Kind(in.Kind), facts.Kinds()); err != nil {
		return index.Query{}, 0, err
	}
	if err := checkOneOf("type", facts.Type(in.Type), facts.Types()); err != nil {
		return index.Query{}, 0, err
	}
	return index.Query{
		Text: in.Question, Scope: in.Scope, Kind: facts.Kind(in.Kind), Type: facts.Type(in.Type), Agent: in.Agent,
		Tags: in.Tags, KeyPrefix: in.KeyPrefix, AsOf: in.AsOf, Now: m.moment(), Ephemeral: in.Ephemeral, Limit: limit,
	}, budget, nil
}

func checkOneOf[T ~string](name string, value T, allowed []T) error {
	if value == "" {
		return nil
	}
	for _, a := range allowed {
		if a == value {
			return nil
		}
	}
	return fmt.Errorf("%w: %s %q is none of %v", ErrUsage, name, value, allowed)
}

// fill reads the hits' facts and stops where the budget does.
func (m *Memory) fill(ctx context.Context, result *QueryResult, hits []index.Hit, budget int) error {
	for i, hit := range hits {
		f, err := m.factOf(ctx, hit.Blob)
		if err != nil {
			return err
		}
		shown := briefly(f, hit)
		b, err := json.Marshal(shown)
		if err != nil {
			return fmt.Errorf("count tokens: %w", err)
		}
		cost := Tokens(string(b))
		if result.Tokens+cost > budget {
			result.Omitted = len(hits) - i
			return nil
		}
		result.Tokens += cost
		result.Results = append(result.Results, shown)
	}
	return nil
}

func (m *Memory) factOf(ctx context.Context, blob string) (facts.Fact, error) {
	data, err := m.store.Blob(ctx, blob)
	if err != nil {
		return facts.Fact{}, err
	}
	f, err := facts.Parse(data)
	if err != nil {
		return f, fmt.Errorf("read object %s: %w", blob, err)
	}
	return f, nil
}

func briefly(f facts.Fact, hit index.Hit) Hit {
	f = f.WithDefaults()
	return Hit{
		Key: f.Key, FactID: f.ID, Claim: f.Claim, Scope: f.Scope, Kind: string(f.Kind), FactType: string(f.Type),
		Score: hit.Score, Confidence: f.Confidence, AgentID: f.Provenance.Agent, Committed: f.Provenance.CreatedAt,
		ValidFrom: hit.Window.From, ValidUntil: openTime(hit.Window.Until), Verified: f.Verified(), Freshness: Unchecked,
	}
}

// pending counts the facts that differ between what the index reflects and
// the tip: 0 but where the index cannot be written.
func (m *Memory) pending(ctx context.Context, reflected, tip string) (int, error) {
	if reflected == tip || reflected == "" {
		return 0, nil
	}
	introduced, relation, err := m.store.Introduced(ctx, reflected, tip)
	if err != nil || relation == gitstore.Behind { // the index is ahead of the tip we read: others wrote meanwhile
		return 0, err
	}
	return len(introduced), nil
}
