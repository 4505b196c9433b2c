package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
)

// SourceAnswer says which state of a source an answer reflects.
type SourceAnswer struct {
	Name           string     `json:"name"`
	Revision       string     `json:"revision"`
	Fetched        *time.Time `json:"fetched_at"` // null if not known
	Facts          int        `json:"facts"`      // considered
	Pending        int        `json:"pending"`
	PendingVectors int        `json:"pending_vectors"`
	Mode           string     `json:"mode"`
}

// sourceSearch is the search of sources for a question, concurrent with that of this memory.
// A nil sourceSearch asks none.
type sourceSearch struct {
	done    sync.WaitGroup
	answers []*sourceAnswer
}

// sourceAnswer is the answer of one source.
type sourceAnswer struct {
	mem      *Reader
	shown    SourceAnswer
	found    index.Answer
	facts    map[string]facts.Fact // by blob
	seen     audit.Audited         // the conflicts that its own team found
	explain  map[string]*Explanation
	trust    map[string]*float64 // of their agents, as readers see it
	absences map[string]Absence  // by the text in WhyNot
	notes    []string
	err      error
}

// askSources starts the search of the sources that a question is for. It returns nil if
// there are none.
func (m *Reader) askSources(ctx context.Context, a *question, result *QueryResult) (*sourceSearch, error) {
	if a.onlyOurs() {
		return nil, nil
	}
	list, err := m.Store.Sources(ctx)
	if err != nil {
		result.Notes = append(result.Notes, fmt.Sprintf("no source was asked: %v", err))
		return nil, nil
	}
	for _, name := range a.in.Origins {
		known := slices.ContainsFunc(list, func(src gitstore.Source) bool { return src.Name == name })
		if !known && name != core.Ours && name != core.NoSource {
			return nil, fmt.Errorf("%w: %.60q", gitstore.ErrNoSource, name)
		}
	}
	list = slices.DeleteFunc(list, func(src gitstore.Source) bool { return !a.wantsOrigin(src.Name) })
	if len(list) == 0 {
		return nil, nil
	}
	if a.known != nil || !a.in.AsOf.IsZero() {
		if len(a.in.Origins) > 0 {
			return nil, core.UsageErrorf(hint.New("ask its own memory, in a clone of it, about the past"), "a source is asked about the present only")
		}
		result.Notes = append(result.Notes, core.Plural(len(list), "source")+" left out: a source is asked about the present only")
		return nil, nil
	}
	a.query.Limit = MaxLimit // the best hits of one source need not be the best of all
	e := &sourceSearch{answers: make([]*sourceAnswer, len(list))}
	for i, src := range list {
		answer := &sourceAnswer{shown: SourceAnswer{Name: src.Name, Mode: ModeLexical}, err: src.Problem}
		if e.answers[i] = answer; answer.err != nil {
			continue
		}
		answer.mem = New(m.OpenSource(src))
		mine := *a
		e.done.Go(func() { answer.err = answer.ask(ctx, mine) })
	}
	return e, nil
}

// onlyOurs reports whether no source can contribute to the answer.
func (a *question) onlyOurs() bool {
	return len(a.in.Origins) > 0 && !slices.ContainsFunc(a.in.Origins, func(name string) bool { return name != core.Ours && name != core.NoSource }) ||
		len(a.query.Without) < len(core.InternalPrefixes("")) // the question is about conflicts or other bookkeeping
}

func (a *question) wantsOrigin(name string) bool {
	return len(a.in.Origins) == 0 || slices.Contains(a.in.Origins, name)
}

// wantsOurs reports whether this memory is among those that are asked.
func (a *question) wantsOurs() bool {
	return a.wantsOrigin(core.Ours) || slices.Contains(a.in.Origins, core.NoSource)
}

// wait returns the answers of the sources.
func (e *sourceSearch) wait() []*sourceAnswer {
	if e == nil {
		return nil
	}
	e.done.Wait()
	return e.answers
}

// ask asks one source, by its own index.
func (s *sourceAnswer) ask(ctx context.Context, a question) error {
	m := s.mem
	s.shown.Fetched = m.source.FetchedAt()
	tip, _, err := m.Tip(ctx)
	if s.shown.Revision = tip; err != nil {
		return m.SourceError(err)
	}
	m.Restrict(&a.query)
	var told QueryResult // receives the notes on vectors
	if a.wantsVectors() {
		m.EmbedQuestion(ctx, tip, a.query.Text, &a.ranking, &told)
	}
	report, err := m.Index.View(ctx, tip, func(view *index.View) error { return s.search(ctx, view, a, &told) })
	if err != nil {
		return err
	}
	s.notes, s.shown.PendingVectors, s.shown.Mode = told.Notes, told.PendingVectors, told.Mode
	s.shown.Pending, err = m.Pending(ctx, report.Revision, tip)
	return err
}

func (s *sourceAnswer) search(ctx context.Context, view *index.View, a question, told *QueryResult) error {
	m := s.mem
	seen, err := m.audit.AuditedAt(ctx, view.Revision(), view)
	if err != nil {
		return err
	}
	s.seen = seen
	if a.ranking.Trust, err = seen.Trust(ctx, view); err != nil {
		return err
	}
	if s.found, err = view.Rank(ctx, a.query, a.ranking); err != nil {
		return err
	}
	m.setMode(s.found, a.ranking, told)
	if s.shown.Facts, err = view.Count(ctx, index.Query{Shared: true, Within: m.From.Scopes, Without: a.query.Without, Now: a.query.Now}); err != nil {
		return err
	}
	list, err := m.FactsOf(ctx, s.found.Hits)
	if err != nil {
		return err
	}
	s.facts, s.explain, s.trust = make(map[string]facts.Fact), make(map[string]*Explanation), make(map[string]*float64)
	for i, hit := range s.found.Hits {
		// The index has filtered already; permissions are checked twice.
		if !m.MayShow(list[i], a.query.Now) || !hasPhrases(list[i], a.phrases) {
			continue
		}
		s.facts[hit.Blob] = list[i]
		if s.trust[hit.Blob], err = seen.Rating(ctx, view, list[i].Provenance.Agent, hit.Parts.Trust); err != nil {
			return err
		}
		if a.in.Explain {
			if s.explain[hit.Blob], err = explain(ctx, view, a, hit); err != nil {
				return err
			}
		}
	}
	return s.explainAbsences(ctx, view, a)
}

// explainAbsences explains why facts of the source, named NAME:KEY, are not among the results.
// A fact that this repository may not see is reported like one that does not exist.
func (s *sourceAnswer) explainAbsences(ctx context.Context, view *index.View, a question) error {
	s.absences = make(map[string]Absence)
	for _, text := range a.in.WhyNot {
		rest, ours := strings.CutPrefix(text, s.shown.Name+":")
		if !ours {
			continue
		}
		absence := Absence{Key: text, Reason: s.shown.Name + " has no fact at that key that this repository may see"}
		key, err := facts.ParseKey(rest)
		if err != nil {
			absence.Reason = err.Error()
			s.absences[text] = absence
			continue
		}
		if f, found, err := s.mem.FactAt(ctx, view.Revision(), key); err == nil && found && s.mem.MayShow(f, a.query.Now) {
			hit, placed, err := view.Place(ctx, a.query, a.ranking, key)
			if err != nil {
				return err
			}
			absence.Reason = strings.Join(append(a.exclusions(f), "it shares too little with the question"), "; ")
			if placed {
				absence.Reason, absence.Score = outranked(hit, nil), hit.Score
				if absence.Explanation, err = explain(ctx, view, a, hit); err != nil {
					return err
				}
			}
		}
		s.absences[text] = absence
	}
	return nil
}

// absence explains why a fact of a source is not among the results.
func (e *sourceSearch) absence(text string, ranked []Hit) (Absence, bool) {
	for _, s := range e.wait() {
		absence, asked := s.absences[text]
		if !asked {
			continue
		}
		i := slices.IndexFunc(ranked, func(h Hit) bool { return h.Origin+":"+h.Key.String() == text })
		if i >= 0 {
			return Absence{Key: text, Reason: fmt.Sprintf("it is result %d", i+1), Score: ranked[i].Score}, true
		}
		if _, found := s.facts[s.blobOf(text)]; found {
			absence.Reason = "others score higher, or this memory says the same; " + absence.Reason
		}
		return absence, true
	}
	return Absence{}, false
}

func (s *sourceAnswer) blobOf(text string) string {
	for blob, f := range s.facts {
		if s.shown.Name+":"+f.Key.String() == text {
			return blob
		}
	}
	return ""
}
