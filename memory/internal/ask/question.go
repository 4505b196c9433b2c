package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"engram/facts"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// question is a question that was checked and translated for the index.
type question struct {
	in      QueryInput
	query   index.Query
	ranking index.Ranking
	limit   int
	budget  int
	phrases []string   // that a hit must contain, in lower case
	known   *core.Past // the branch at an earlier time; nil: as it is now
	reader  *core.Reader
	// sources is what sources answer meanwhile; nil: none is asked.
	sources  *sourceSearch
	evidence proof.PointersByKey // of the hits of this memory
}

// question checks a question and translates it into a query of the index.
func (m *Reader) newQuestion(in QueryInput) (question, error) {
	a := question{in: in, limit: cmp.Or(in.Limit, DefaultLimit), budget: cmp.Or(in.Budget, DefaultBudget), ranking: index.Ranking{Weights: m.Weights}}
	if in.KnownAtRevision != "" || !in.KnownAt.IsZero() {
		a.known = &core.Past{}
	}
	for _, s := range in.Signals {
		a.ranking.Signals = append(a.ranking.Signals, index.Signal(s))
	}
	if err := a.check(); err != nil {
		return a, err
	}
	a.query = index.Query{
		Text: in.Question, Scope: in.Scope, Kind: facts.Kind(in.Kind), Type: facts.Type(in.Type),
		Reach: facts.Reach(in.Reach), Agent: in.Agent,
		Tags: in.Tags, KeyPrefix: in.KeyPrefix, AsOf: in.AsOf, Now: m.Moment(), Ephemeral: in.Ephemeral, Branch: m.ResolveBranch(in.Branch), Limit: a.limit,
	}
	a.query.Without = core.InternalPrefixes(in.KeyPrefix)
	if !in.Syntax {
		return a, nil
	}
	d, err := parseSyntax(in.Question)
	a.query.Text, a.query.Must, a.query.MustNot, a.phrases = d.text, d.must, d.mustNot, d.phrases
	if len(a.phrases) > 0 {
		a.query.Limit = MaxLimit // some hits may not have the words in that order
	}
	return a, err
}

func (a question) check() error {
	in := a.in
	switch {
	case a.limit < 1 || a.limit > MaxLimit:
		return core.UsageErrorf(core.OmitHint(hint.Limit), "limit %d is not between 1 and %d", a.limit, MaxLimit)
	case a.budget < 1:
		return core.UsageErrorf(core.BudgetHint, "a budget of %d tokens holds nothing", a.budget)
	case facts.FoldSpace(in.Question) == "":
		return core.UsageErrorf(hint.New(`say what you want to know in a sentence: "When does the gateway time out?"`), "the question is empty")
	case in.KnownAtRevision != "" && !in.KnownAt.IsZero():
		return core.UsageErrorf(core.OneOfTwoHint, "known at a moment or at a revision, not both")
	}
	for _, s := range a.ranking.Signals {
		if err := core.CheckOneOf("signal", s, index.Signals()); err != nil {
			return err
		}
	}
	return cmp.Or(core.CheckOneOf("kind", facts.Kind(in.Kind), facts.Kinds()), core.CheckOneOf("reach", facts.Reach(in.Reach), facts.Reaches()),
		core.CheckOneOf("type", facts.Type(in.Type), facts.Types()))
}

func (a question) wantsVectors() bool {
	return len(a.ranking.Signals) == 0 || slices.Contains(a.ranking.Signals, index.Vectors)
}

// markFreshness sets the freshness of the hits of this memory.
func (m *Reader) markFreshness(ctx context.Context, tip string, found proof.PointersByKey, result *QueryResult) error {
	hits := result.Results
	notes, err := found.CheckEach(ctx, m.proof, tip, proof.FreshTime, len(hits), func(i int) facts.Key {
		if hits[i].Origin != "" {
			return facts.Key{}
		}
		return hits[i].Key
	}, func(i int, f core.Freshness) { hits[i].Freshness = f })
	result.Notes = append(result.Notes, notes...)
	return err
}

// searchSyntax is a question in search syntax:
//
//	word       may occur
//	+word      must occur
//	-word      must not occur
//	"a phrase" must occur in this order, in claim or detail
//
// Words are matched as in any question: by stem, identifiers by part.
type searchSyntax struct {
	text          string // everything except the words that must not occur
	must, mustNot []string
	phrases       []string // in lower case, with single spaces
}

func parseSyntax(question string) (searchSyntax, error) {
	var d searchSyntax
	var text []string
	for rest := strings.TrimSpace(question); rest != ""; rest = strings.TrimSpace(rest) {
		if quoted, ok := strings.CutPrefix(rest, `"`); ok {
			phrase, after, closed := strings.Cut(quoted, `"`)
			if !closed {
				return d, core.UsageErrorf(hint.New("close the quote, or omit it"), "a quote is not closed: %s", rest)
			}
			if phrase = facts.FoldSpace(phrase); phrase != "" {
				d.phrases = append(d.phrases, strings.ToLower(phrase))
				d.must, text = append(d.must, phrase), append(text, phrase)
			}
			rest = after
			continue
		}
		word, after, _ := strings.Cut(rest, " ")
		rest = after
		switch bare := word[1:]; {
		case word[0] == '+' && bare != "":
			d.must, text = append(d.must, bare), append(text, bare)
		case word[0] == '-' && bare != "":
			d.mustNot = append(d.mustNot, bare)
		default:
			text = append(text, word)
		}
	}
	if d.text = strings.Join(text, " "); d.text == "" {
		return d, core.UsageErrorf(hint.New("say what it is about as well"), "the question only says what must not occur")
	}
	return d, nil
}

func hasPhrases(f facts.Fact, phrases []string) bool {
	for _, phrase := range phrases {
		text := strings.ToLower(facts.FoldSpace(f.Claim) + "\n" + facts.FoldSpace(f.Detail))
		if !strings.Contains(text, phrase) {
			return false
		}
	}
	return true
}

// EmbedQuestion adds the question's vector to a ranking if there is a model, and records
// in the result which facts lack vectors. If the model fails, the answer is lexical, with
// a note.
func (m *Reader) EmbedQuestion(ctx context.Context, tip, question string, ranking *index.Ranking, result *QueryResult) {
	note := func(format string, args ...any) {
		result.Notes = append(result.Notes, fmt.Sprintf(format, args...))
	}
	if m.EmbedderProblem != "" {
		note("answered by words alone: %s", m.EmbedderProblem)
	}
	if m.Embedder == nil {
		return
	}
	remedy := "`engram watch` makes them"
	if m.Embedder.Instant() {
		report, err := m.Index.Embed(ctx, tip, false)
		switch {
		case err != nil:
			remedy = fmt.Sprintf("they could not be made: %v", err)
		case report.Busy:
			remedy = "another process is making them"
		case report.Replaced != "":
			note("the model changed from %s to %s: %s embedded again", report.Replaced, report.Model, core.Plural(report.Embedded, "fact"))
		}
	}
	pending, any, err := m.PendingVectors(ctx, tip)
	if err != nil {
		note("what the vectors lack is not known: %v", err)
	}
	result.PendingVectors = pending
	if !any {
		if pending > 0 {
			note("no fact has a vector yet; %s", remedy)
		}
		return
	}
	vectors, err := m.Embedder.Embed(ctx, []string{question})
	if err != nil {
		note("answered without vectors: %v", err)
		return
	}
	ranking.Vector = vectors[0]
	if pending > 0 {
		note("%s without a vector yet, found by words alone; %s", core.Plural(pending, "fact"), remedy)
	}
}

// setMode records in the result whether vectors took part after all: another process may be
// replacing them.
func (m *Reader) setMode(found index.Answer, ranking index.Ranking, result *QueryResult) {
	result.Mode, result.Model = ModeLexical, ""
	switch {
	case found.Compared:
		result.Mode, result.Model = ModeHybrid, m.Embedder.ID()
	case ranking.Vector != nil:
		result.Notes = append(result.Notes, "answered without vectors: they are being replaced")
	}
}

// PendingVectors counts the facts at the tip that may lack a vector; any reports whether
// any fact has one.
func (m *Reader) PendingVectors(ctx context.Context, tip string) (pending int, any bool, err error) {
	v := m.Index.Vectors()
	if v.Revision == "" {
		files, err := m.Store.Files(ctx, tip, "")
		for _, f := range files {
			if core.IsFactFile(f) {
				pending++
			}
		}
		return pending, false, err
	}
	changed, err := m.Pending(ctx, v.Revision, tip)
	return v.Missing + changed, true, err
}
