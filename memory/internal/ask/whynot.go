package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/index"
	"engram/memory/internal/core"
)

// Absence says why a key is not among the results.
type Absence struct {
	Key         string       `json:"key"`
	Reason      string       `json:"reason"`
	Score       float64      `json:"score,omitempty"`
	Explanation *Explanation `json:"explanation,omitempty"`
}

// whyNot explains the absence of each key in the input; ranked are the results before the
// budget cut them. The cases:
//
//  1. it is a result, or would be with a larger budget;
//  2. it is not a key, or has no fact;
//  3. no version held at the moment in question, or a filter excludes it;
//  4. nothing in the question finds it;
//  5. others have better scores.
func (m *Reader) whyNot(ctx context.Context, view *index.View, a question, result *QueryResult, ranked []Hit) ([]Absence, error) {
	var absences []Absence
	for _, text := range a.in.WhyNot {
		if absence, ok := a.sources.absence(text, ranked); ok {
			absences = append(absences, absence)
			continue
		}
		key, err := facts.ParseKey(text)
		if err != nil {
			absences = append(absences, Absence{Key: text, Reason: err.Error()})
			continue
		}
		absence, err := m.absence(ctx, view, a, result, ranked, key)
		if err != nil {
			return nil, err
		}
		absence.Key = text
		absences = append(absences, absence)
	}
	return absences, nil
}

func (m *Reader) absence(ctx context.Context, view *index.View, a question, result *QueryResult, ranked []Hit, key facts.Key) (Absence, error) {
	if i := slices.IndexFunc(ranked, func(h Hit) bool { return h.Key == key && h.Origin == "" }); i >= 0 {
		reason := fmt.Sprintf("it is result %d", i+1)
		if i >= len(result.Results) {
			reason = fmt.Sprintf("it would be result %d, but the token budget of %d ended after %d", i+1, a.budget, len(result.Results))
		}
		return Absence{Reason: reason, Score: ranked[i].Score}, nil
	}
	hit, found, err := view.Place(ctx, a.query, a.ranking, key)
	if err != nil {
		return Absence{}, err
	}
	if !found {
		reason, err := m.whyNotFound(ctx, view, a, key)
		return Absence{Reason: reason}, err
	}
	f, err := m.FactOfBlob(ctx, hit.Blob)
	if err != nil {
		return Absence{}, err
	}
	if !hasPhrases(f, a.phrases) {
		return Absence{Reason: "it has the words of the phrase, but not in that order"}, nil
	}
	e, err := explain(ctx, view, a, hit)
	return Absence{Reason: outranked(hit, ranked), Score: hit.Score, Explanation: e}, err
}

// outranked returns the ranks of a fact that did not make it into the results.
func outranked(hit index.Ranked, ranked []Hit) string {
	var places []string
	for _, p := range hit.Places {
		place := fmt.Sprintf("%s %d", p.Signal, p.Rank)
		if p.Rank == 0 {
			place = string(p.Signal) + " too low to be counted"
		}
		places = append(places, place)
	}
	where := "its ranks: " + strings.Join(places, ", ")
	if hit.Parts.Relevance == 0 || len(ranked) == 0 {
		return "no signal ranks it among its candidates; " + where
	}
	last := ranked[len(ranked)-1]
	return fmt.Sprintf("it scores %.3f, and the last of %s %.3f; %s", hit.Score, core.Plural(len(ranked), "result"), last.Score, where)
}

// whyNotFound returns why the question does not find the fact at a key.
func (m *Reader) whyNotFound(ctx context.Context, view *index.View, a question, key facts.Key) (string, error) {
	revision := view.Revision()
	if a.known != nil {
		revision = a.known.Revision
	}
	f, found, err := m.FactAt(ctx, revision, key)
	if err != nil {
		return err.Error(), nil
	}
	if !found {
		return "no fact has this key", nil
	}
	if err := a.reader.Check(ctx, revision, f); err != nil {
		return err.Error(), nil
	}
	var reasons []string
	if held, ok, err := m.versionHeld(ctx, view, a, key); err != nil {
		return "", err
	} else if ok {
		f = held
	} else {
		reasons = append(reasons, whyNotHeld(f, a))
	}
	standIn, err := m.OverrideNotes(ctx, revision, a.query, key)
	if err != nil {
		return "", err
	}
	if reasons = append(append(reasons, a.exclusions(f)...), standIn...); len(reasons) > 0 {
		return strings.Join(reasons, "; "), nil
	}
	if a.ranking.Vector == nil {
		return "it shares no word, hash key or entity with the question", nil
	}
	return "it shares no word, hash key or entity with the question, and its vector is far from it or not made yet", nil
}

// versionHeld returns the version of a key that held at the moment of the question.
func (m *Reader) versionHeld(ctx context.Context, view *index.View, a question, key facts.Key) (facts.Fact, bool, error) {
	q := index.Query{KeyPrefix: key.String(), AsOf: a.query.AsOf, Now: a.query.Now, Past: a.query.Past, Ephemeral: true, Branch: core.EveryBranch, Limit: MaxLimit}
	hits, _, err := view.Search(ctx, q)
	if err != nil {
		return facts.Fact{}, false, err
	}
	for _, hit := range hits { // the prefix also finds sub-identifiers
		if hit.Key == key {
			f, err := m.FactOfBlob(ctx, hit.Blob)
			return f, err == nil, err
		}
	}
	return facts.Fact{}, false, nil
}

// whyNotHeld returns why the current fact at a key did not hold at that moment.
func whyNotHeld(f facts.Fact, a question) string {
	if !a.query.AsOf.IsZero() {
		return "no version of it held at " + a.query.AsOf.Format(time.RFC3339)
	}
	switch state := f.StateAt(a.query.Now); state {
	case facts.Scheduled:
		return "it begins " + f.ValidFrom.Format(time.RFC3339)
	case facts.Retired:
		return "it is retired"
	default:
		return "it held until " + f.Window().Until.Format(time.RFC3339)
	}
}

// exclusions lists the filters of the question that exclude a fact.
func (a question) exclusions(f facts.Fact) []string {
	var reasons []string
	add := func(excluded bool, format string, args ...any) {
		if excluded {
			reasons = append(reasons, fmt.Sprintf(format, args...))
		}
	}
	in, stated := a.in, f.WithDefaults()
	add(stated.Durability == facts.Ephemeral && !in.Ephemeral, "it is ephemeral, and ephemeral facts were not asked for")
	add(!core.VisibleOn(f, a.query.Branch), "it is bound to the branch %s", f.Branch)
	add(!core.UnderScope(f.Scope, in.Scope), "its scope is %q", f.Scope)
	add(in.Kind != "" && string(stated.Kind) != in.Kind, "its kind is %s", stated.Kind)
	add(in.Type != "" && string(stated.Type) != in.Type, "its type is %s", stated.Type)
	add(in.Reach != "" && string(stated.Reach) != in.Reach, "its reach is %s", stated.Reach)
	add(in.Agent != "" && stated.Provenance.Agent != in.Agent, "it was stated by %q", stated.Provenance.Agent)
	add(in.KeyPrefix != "" && !f.Key.HasPrefix(strings.Trim(in.KeyPrefix, "/")), "its key does not begin with %s", in.KeyPrefix)
	for _, tag := range in.Tags {
		has := slices.ContainsFunc(f.Tags, func(t string) bool { return strings.EqualFold(t, tag) })
		add(!has, "it does not have the tag %s", tag)
	}
	add(len(a.query.Must) > 0, "it may lack a word that has to occur")
	add(len(a.query.MustNot) > 0, "it may have a word that must not occur")
	return reasons
}
