package exchange

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"engram/bus/ledger"
	"engram/facts"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/ask"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// EngramQuery asks for engrams, by one of Keys, Text and Near.
type EngramQuery struct {
	Keys    []string `json:"keys,omitempty" help:"identifiers, words, tags or file names, any of which an engram has"`
	Text    string   `json:"text,omitempty" tool:"question" query:"q" help:"a question in words, instead of keys"`
	Near    string   `json:"near,omitempty" query:"embedding_ref" help:"the id or key of a fact, to find what is near it by meaning"`
	K       int      `json:"k,omitempty" min:"1" max:"12" default:"12" help:"how many at most"`
	Kind    string   `json:"kind,omitempty" enum:"kinds" help:"of this kind alone"`
	Reach   string   `json:"reach,omitempty" enum:"reaches" help:"of this reach alone: the scope on the wire"`
	Scope   string   `json:"scope,omitempty" help:"a topic path such as payments/webhooks, with what is below it"`
	AskedBy string   `json:"asked_by,omitempty"`
}

// EngramsResult is the engrams that were found, best first. In an answer to Keys, ties are
// resolved by the topic's depth, recency, confidence and pointers in common with the keys
// (the bus document, §5.1).
type EngramsResult struct {
	core.Answer
	Mode     string      `json:"mode"`
	Engrams  []EngramHit `json:"engrams"`
	Matched  int         `json:"matched"`
	Omitted  int         `json:"omitted"` // found, but beyond the inline budget
	Withheld int         `json:"withheld"`
	Tokens   int         `json:"tokens"`
	Notes    []string    `json:"notes,omitempty"`
}

// EngramHit is an engram with what a reader must know about it.
type EngramHit struct {
	budget.Engram
	Key         facts.Key      `json:"key"`
	Freshness   core.Freshness `json:"freshness"`
	HasConflict *bool          `json:"has_open_conflict"`
	Age         string         `json:"age"`
}

// The modes of an answer with engrams, beside those of Query.
const (
	ModeHashKeys = "hash_keys" // by hash keys alone: the same memory gives the same answer
	ModeVectors  = "vectors"   // by nearness of meaning alone
)

// MaxEngrams is how many engrams a query returns at most (the bus document, §5.2).
const MaxEngrams = 12

// QueryEngrams finds current engrams, ephemeral ones too: by hash keys, by a question, or
// by nearness to a fact. It returns as many as fit into the inline budget, at least one.
// It asks no source and promotes nothing.
func (m *Bus) QueryEngrams(ctx context.Context, in EngramQuery) (EngramsResult, error) {
	s, err := m.engramSearch(in)
	if err != nil {
		return EngramsResult{}, err
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return EngramsResult{}, err
	}
	s.reader = m.Reader(manifest, in.AskedBy)
	s.query.Access = s.reader.ScopeRules()
	if err := s.prepare(ctx, tip); err != nil {
		return EngramsResult{}, err
	}
	_, err = m.Index.View(ctx, tip, func(view *index.View) error {
		s.result.Engrams, s.result.Notes, s.evidence = []EngramHit{}, slices.Clone(s.notes), make(proof.PointersByKey) // called twice if the index was damaged
		return s.find(ctx, view)
	})
	if err == nil {
		err = s.markFreshness(ctx, tip)
	}
	if err != nil {
		return EngramsResult{}, fmt.Errorf("search for engrams: %w", err)
	}
	m.budget.Note(ctx, budget.Event{Name: ledger.EngramQuery, Agent: in.AskedBy, Count: len(s.result.Engrams), Tokens: s.result.Tokens})
	return s.result, nil
}

// engramSearch is one call of QueryEngrams.
type engramSearch struct {
	m       *Bus
	in      EngramQuery
	keys    []string
	query   index.Query
	ranking index.Ranking
	self    facts.Key // the fact of Near
	reader  *core.Reader
	notes   []string
	// evidence is the pointers of the engrams that were found.
	evidence proof.PointersByKey
	result   EngramsResult
}

func (m *Bus) engramSearch(in EngramQuery) (*engramSearch, error) {
	s := &engramSearch{m: m, in: in}
	for _, key := range in.Keys {
		if key = facts.FoldSpace(key); key != "" {
			s.keys = append(s.keys, key)
		}
	}
	asked := 0
	for _, is := range []bool{len(s.keys) > 0, facts.FoldSpace(in.Text) != "", in.Near != ""} {
		if is {
			asked++
		}
	}
	k := cmp.Or(in.K, MaxEngrams)
	switch {
	case asked != 1:
		return nil, core.UsageErrorf(hint.New("%s: gateway timeout; or %s: when does the gateway time out; or %s: domain/gateway/timeout", hint.Keys, hint.Text, hint.Near),
			"ask by keys, by a text or by a fact to be near to, and by one of these")
	case k < 1 || k > MaxEngrams:
		return nil, core.UsageErrorf(core.OmitHint(hint.K), "k %d is not between 1 and %d", k, MaxEngrams)
	}
	if err := cmp.Or(core.CheckOneOf("kind", facts.Kind(in.Kind), facts.Kinds()), core.CheckOneOf("reach", facts.Reach(in.Reach), facts.Reaches())); err != nil {
		return nil, err
	}
	s.query = index.Query{
		Kind: facts.Kind(in.Kind), Reach: facts.Reach(in.Reach), Scope: core.TrimWildcard(in.Scope), Now: m.Moment(), Ephemeral: true,
		Branch: m.ResolveBranch(""), Without: core.InternalPrefixes(""), Limit: min(k, max(1, m.budget.Limits().Inline.Engrams)),
	}
	s.ranking.Weights = m.Weights
	s.result.Mode = ModeHashKeys
	return s, nil
}

// prepare sets the text and the vector of the query.
func (s *engramSearch) prepare(ctx context.Context, tip string) error {
	if len(s.keys) > 0 {
		return nil
	}
	s.query.Text = s.in.Text
	if s.in.Near != "" {
		f, err := s.nearFact(ctx, tip)
		if err != nil {
			return err
		}
		s.self, s.query.Text = f.Key, f.Claim
		s.query.Limit++ // itself
	}
	var said ask.QueryResult
	s.m.ask.EmbedQuestion(ctx, tip, s.query.Text, &s.ranking, &said)
	s.notes = said.Notes
	switch {
	case s.in.Near == "":
	case s.ranking.Vector != nil:
		s.ranking.Signals = []index.Signal{index.Vectors}
	default:
		s.notes = append(s.notes, "there are no vectors to be near by, so the words of the claim were looked for: `engram model` says how to get a model")
	}
	return nil
}

// nearFact returns the fact of Near.
func (s *engramSearch) nearFact(ctx context.Context, tip string) (facts.Fact, error) {
	key, err := s.m.resolveKey(ctx, s.in.Near)
	if err != nil {
		return facts.Fact{}, err
	}
	f, found, err := s.m.FactAt(ctx, tip, key)
	if err == nil && !found {
		err = fmt.Errorf("%w: %s", core.ErrNotFound, key)
	}
	if err == nil {
		err = s.reader.Check(ctx, tip, f)
	}
	return f, err
}
