package ask

import (
	"context"
	"fmt"
	"math"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// countWithheld counts the facts that match a question and that the reader may not read.
func (a question) countWithheld(ctx context.Context, view *index.View) (int, error) {
	if a.reader == nil {
		return 0, nil
	}
	q := a.query
	q.Access, q.Limit = a.reader.WithheldRules(), 1
	found, err := view.Rank(ctx, q, a.ranking)
	return found.Matched, err
}

// Bounds of a query, as the consistency plan sets them.
const (
	DefaultLimit  = 10   // hits
	MaxLimit      = 50   // hits
	DefaultBudget = 4000 // tokens of an answer
)

// The modes of an answer.
const (
	ModeLexical = "lexical" // by words, hash keys and entities
	ModeHybrid  = "hybrid"  // also by the vectors of a model
)

// QueryInput is a question and the filters that narrow it. A zero field does not filter.
type QueryInput struct {
	Question  string    `json:"question" tool:"topic" help:"what you want to know, as a specific question"`
	Scope     string    `json:"scope,omitempty" flag:"scope,s,PATH" help:"only facts of this topic PATH and those below it, such as payments/webhooks"`
	Kind      string    `json:"kind,omitempty" enum:"kinds" help:"only this kind"`
	Type      string    `json:"fact_type,omitempty" flag:"type" enum:"types" help:"only this type"`
	Reach     string    `json:"reach,omitempty" enum:"reaches" help:"only this reach"`
	Agent     string    `json:"agent_id,omitempty" flag:"agent,a,NAME" help:"only facts that the agent NAME stated"`
	Tags      []string  `json:"tags,omitempty" flag:"tag,t,TAG" help:"only facts with this TAG; all of several must match"`
	KeyPrefix string    `json:"key_prefix,omitempty" flag:"key-prefix,,PREFIX" help:"only keys below PREFIX, in whole segments"`
	AsOf      time.Time `json:"as_of,omitzero" flag:"as-of,,TIME" help:"what held at this TIME instead of now"`
	// What the branch knew then, or at that commit, instead of what it knows
	// now. At most one of the two; without AsOf the answer is about that moment.
	KnownAt         time.Time `json:"known_at,omitzero" flag:"known-at,,TIME" help:"what the branch knew at this TIME"`
	KnownAtRevision string    `json:"known_at_revision,omitempty"`
	Ephemeral       bool      `json:"include_ephemeral,omitempty" flag:"ephemeral" help:"include short-lived scratch facts"`
	// Branch is the code branch to ask as on: "" the one that this work tree is on,
	// EveryBranch all of them.
	Branch string `json:"branch,omitempty" flag:"branch,,NAME" help:"ask as on the code branch NAME instead of the one checked out; * for all"`
	Limit  int    `json:"limit,omitempty" flag:"limit,n,N" env:"ENGRAM_QUERY_LIMIT" min:"1" max:"50" default:"10" help:"at most N facts"`
	Budget int    `json:"budget,omitempty" flag:"budget,,TOKENS" env:"ENGRAM_QUERY_BUDGET" min:"1" default:"4000" help:"at most so many TOKENS in the answer"`
	// Syntax gives quotes, + and - a meaning; otherwise they are text.
	Syntax bool `json:"syntax,omitempty" help:"\"a phrase\" and +word have to occur, -word must not"`
	// AskedBy is the agent that asks, "" whom the memory was opened for: hits of its
	// own ephemeral facts do not count, and what it may not read is withheld.
	AskedBy string `json:"asked_by,omitempty"`
	// Signals are what takes part in the ranking; none means all there are.
	Signals []string `json:"signals,omitempty"`
	Explain bool     `json:"explain,omitempty" help:"show what each score is made of"`
	WhyNot  []string `json:"why_not,omitempty" flag:"why-not,,KEY" help:"say why the fact at KEY is not a result"`
	// Origins are the memories that are asked: names of sources, Ours, or
	// NoSource for ours alone. None means ours and every source.
	Origins []string `json:"origins,omitempty" flag:"source,,NAME" help:"ask this source NAME, ours, or none but ours"`
}

// The signals that a ranking is made of.
const (
	SignalWords    = string(index.Words)
	SignalKeys     = string(index.Keys)
	SignalEntities = string(index.Entities)
	SignalVectors  = string(index.Vectors)
)

// QueryResult is the answer to a question.
type QueryResult struct {
	core.Answer
	Mode           string         `json:"mode"`
	Model          string         `json:"model"`           // whose vectors took part; "" in lexical mode
	PendingVectors int            `json:"pending_vectors"` // facts without a vector yet
	Pending        int            `json:"pending"`         // facts on the branch that the answer does not reflect yet
	Matched        int            `json:"matched"`         // facts that share a word with the question
	Omitted        int            `json:"omitted"`         // results left out because the token budget was used up
	Withheld       int            `json:"withheld"`        // facts that match and that the agent that asks may not read
	Tokens         int            `json:"tokens"`          // what the results take, estimated
	KnownAt        string         `json:"known_at_revision,omitempty"`
	Results        []Hit          `json:"results"`
	Sources        []SourceAnswer `json:"sources,omitempty"` // that were asked beside ours
	// WhyNot explains the absence of the keys in the input.
	WhyNot []Absence `json:"why_not,omitempty"`
	// Notes say what limits the answer.
	Notes []string `json:"notes,omitempty"`
}

// Hit is one fact that a question found, in short; Get returns the whole fact.
type Hit struct {
	Key        facts.Key `json:"key"`
	Origin     string    `json:"origin,omitempty"` // the source that has it; "": this memory
	FactID     string    `json:"fact_id"`
	Claim      string    `json:"claim"`
	Scope      string    `json:"scope"`
	Kind       string    `json:"kind"`
	FactType   string    `json:"fact_type"`
	Score      float64   `json:"score"`
	Confidence *float64  `json:"confidence"`
	AgentID    string    `json:"agent_id"`
	Committed  time.Time `json:"committed_at"`
	// Age is the time since then, in words. It is counted from today, also in an answer
	// about the past.
	Age         string         `json:"age"`
	ValidFrom   time.Time      `json:"valid_from"`
	ValidUntil  *time.Time     `json:"valid_until"`
	Verified    bool           `json:"verified"`
	Freshness   core.Freshness `json:"freshness"`
	HasConflict *bool          `json:"has_open_conflict"` // null if no audit has examined it
	// Trust is the reliability of the agent that stated it, 0 to 1, as the ranking
	// has it: 1 − flagged / total (the consistency plan). Null if no audit has run, in answers
	// about the past, if a person stated it, and for an agent with fewer than five
	// versions, for which the figure means little; the ranking uses it anyway.
	Trust        *float64 `json:"trust"`
	Corroborated int      `json:"corroborated_by"` // agents beside its own that say nearly the same
	// Newer is the key of a fact that looks like a newer state of this one and awaits
	// confirmation (Conflicts, evolution).
	Newer     facts.Key `json:"maybe_superseded_by,omitzero"`
	Ephemeral bool      `json:"ephemeral,omitempty"`
	// Branch is the code branch on which the fact holds, and For the key that it replaces
	// on that branch.
	Branch      string       `json:"branch,omitempty"`
	For         facts.Key    `json:"for,omitzero"`
	Explanation *Explanation `json:"explanation,omitempty"` // if Explain is set
}

// Query finds the facts that answer a question, best first. The answer reflects every
// write that was acknowledged before the call, also by other processes. An ephemeral fact
// that two questions found is promoted (Promote).
func (m *Reader) Query(ctx context.Context, in QueryInput) (QueryResult, error) {
	a, err := m.newQuestion(in)
	if err != nil {
		return QueryResult{}, err
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return QueryResult{}, err
	}
	a.reader = m.Reader(manifest, in.AskedBy)
	a.query.Access = a.reader.ScopeRules()
	result := QueryResult{Mode: ModeLexical, Results: []Hit{}}
	if a.known != nil {
		if *a.known, err = m.ResolvePast(ctx, tip, in.KnownAtRevision, in.KnownAt); err != nil {
			return QueryResult{}, err
		}
		result.KnownAt, a.query.Past, a.query.Now = a.known.Revision, a.known.Standing, a.known.Date
	}
	if a.sources, err = m.askSources(ctx, &a, &result); err != nil {
		return QueryResult{}, err
	}
	defer a.sources.wait()
	a.evidence = make(proof.PointersByKey)
	if a.wantsVectors() {
		m.EmbedQuestion(ctx, tip, a.query.Text, &a.ranking, &result)
	}
	report, err := m.Index.View(ctx, tip, func(view *index.View) error {
		result.Results, result.Tokens, result.Omitted = []Hit{}, 0, 0 // called twice if the index was damaged
		return m.rank(ctx, view, a, &result)
	})
	if err != nil {
		return QueryResult{}, fmt.Errorf("search: %w", err)
	}
	if report.Rebuilt && report.Reason != index.NoIndex {
		result.Notes = append(result.Notes, "the index was rebuilt: "+report.Reason)
	}
	if err := m.markFreshness(ctx, tip, a.evidence, &result); err != nil {
		return QueryResult{}, err
	}
	result.Pending, err = m.Pending(ctx, report.Revision, tip)
	if result.Pending > 0 {
		result.Notes = append(result.Notes, "the index could not be brought up to date; the newest facts are missing")
	}
	if err == nil && in.Ephemeral && a.known == nil && in.AsOf.IsZero() {
		m.countHits(ctx, in.AskedBy, &result)
	}
	return result, err
}

func (m *Reader) rank(ctx context.Context, view *index.View, a question, result *QueryResult) error {
	var seen audit.Audited
	if a.known == nil && a.in.AsOf.IsZero() {
		var err error
		if seen, err = m.audit.AuditedAt(ctx, view.Revision(), view); err != nil {
			return err
		}
		if a.ranking.Trust, err = seen.Trust(ctx, view); err != nil {
			return err
		}
		a.ranking.Agreeing = m.audit.Agreeing(ctx, view.Revision())
	}
	found, err := view.Rank(ctx, a.query, a.ranking)
	if err != nil {
		return err
	}
	m.setMode(found, a.ranking, result)
	if result.Withheld, err = a.countWithheld(ctx, view); err != nil {
		return err
	}
	a.sources.mergeScores(a, &found)
	result.Answer, result.Matched = core.AnswerAt(view.Revision()), found.Matched
	list, err := m.FactsOf(ctx, found.Hits)
	if err != nil {
		return err
	}
	now := m.Moment()
	shown := make([]Hit, 0, len(found.Hits))
	for i, hit := range found.Hits {
		f := list[i]
		if len(shown) == a.limit {
			break
		}
		if !hasPhrases(f, a.phrases) {
			continue
		}
		if may, err := a.reader.MayRead(ctx, view.Revision(), f); err != nil {
			return err
		} else if !may { // a conflict: the index knows only one of its scopes
			result.Withheld++
			continue
		}
		h := newHit(f, hit, now)
		if seen.Disputes != nil {
			a.evidence.Add(f) // not known for the past
			h.HasConflict = seen.HasConflict(ctx, hit.Key, hit.Blob)
			if h.Trust, err = seen.Rating(ctx, view, h.AgentID, hit.Parts.Trust); err != nil {
				return err
			}
			if h.Newer, err = seen.NewerOf(ctx, hit.Key, a.reader); err != nil {
				return err
			}
		}
		if a.in.Explain {
			if h.Explanation, err = explain(ctx, view, a, hit); err != nil {
				return err
			}
		}
		shown = append(shown, h)
	}
	if shown, err = m.mergeSources(ctx, view, a, shown, result); err != nil {
		return err
	}
	if err := fitBudget(result, shown, a.budget); err != nil {
		return err
	}
	result.WhyNot, err = m.whyNot(ctx, view, a, result, shown)
	return err
}

// fitBudget adds hits, best first, until the budget is used up.
func fitBudget(result *QueryResult, hits []Hit, budget int) error {
	for i, hit := range hits {
		hit.Explanation = nil // not counted: the caller asked for it
		cost, err := core.CountTokens(hit)
		if err != nil {
			return err
		}
		if result.Tokens+cost > budget {
			result.Omitted = len(hits) - i
			return nil
		}
		result.Tokens += cost
		result.Results = append(result.Results, hits[i])
	}
	return nil
}

func newHit(f facts.Fact, hit index.Ranked, now time.Time) Hit {
	f = core.FillUnstated(f)
	return Hit{
		Key: f.Key, FactID: f.ID, Claim: f.Claim, Scope: f.Scope, Kind: string(f.Kind), FactType: string(f.Type),
		Score: math.Round(hit.Score*1e4) / 1e4, Confidence: f.Confidence, AgentID: f.Provenance.Agent, Committed: f.Provenance.CreatedAt, Age: core.Age(f.Provenance.CreatedAt, now),
		ValidFrom: hit.Window.From, ValidUntil: core.TimeOrNil(hit.Window.Until), Verified: f.Verified(), Freshness: core.Unchecked,
		Corroborated: hit.Corroborated, Ephemeral: f.Durability == facts.Ephemeral,
		Branch: f.Branch, For: f.For,
	}
}

// Pending counts the facts that differ between the index and the tip; it is 0 unless the
// index cannot be written.
func (m *Reader) Pending(ctx context.Context, reflected, tip string) (int, error) {
	if reflected == tip || reflected == "" {
		return 0, nil
	}
	introduced, relation, err := m.Store.Introduced(ctx, reflected, tip)
	if err != nil || relation == gitstore.Behind { // the index is ahead of the tip we read: others wrote meanwhile
		return 0, err
	}
	return len(introduced), nil
}
