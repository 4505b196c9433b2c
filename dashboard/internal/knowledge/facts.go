package knowledge

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"engram/dashboard/internal/site"
	"engram/facts"
	"engram/memory"
)

// perPage is how many facts a page lists.
const perPage = 50

// list is the page of facts.
type list struct {
	Question string
	AsOf     string // as the field has it
	Filters  []filter
	Facets   []facet
	Facts    []memory.Fact
	Total    int
	Withheld int
	From, To int
	Before   string // the page before; "" for none
	After    string
	First    time.Time
	Last     time.Time
	At       int // of the slider, 0 to 1000
	Notes    []string
}

// filter is one that narrows the list, and the address without it.
type filter struct{ Field, Name, Value, Without string }

type facet struct {
	Name   string
	Values []choice
	Left   int
}

// choice is one value of a facet; choosing it again takes it back.
type choice struct {
	Value, Link string
	Count       int
	Chosen      bool
}

// facetNames are the facets, as the address names them and as people read them.
var facetNames = [][2]string{{"scope", "Scope"}, {"kind", "Kind"}, {"fact_type", "Type"}, {"agent_id", "Agent"}, {"state", "State"}, {"freshness", "Evidence"}}

func readFacts(r *site.Request) (site.View, error) {
	q := r.URL.Query()
	page := list{Question: strings.TrimSpace(q.Get("q")), AsOf: q.Get("as_of")}
	offset := number(q.Get("from"))
	in := memory.SurveyInput{
		Scope: q.Get("scope"), Kind: q.Get("kind"), Type: q.Get("fact_type"), Agent: q.Get("agent_id"), State: q.Get("state"), Freshness: q.Get("freshness"),
		AsOf: moment(page.AsOf), AskedBy: r.Agent, Offset: offset, Limit: perPage,
	}
	survey, err := r.Memory.Survey(r.Context(), in)
	if err != nil {
		return site.View{}, err
	}
	page.Facets, page.Filters = facetsOf(q, survey.Facets), filters(q)
	page.First, page.Last, page.Withheld, page.Notes = survey.First, survey.Last, survey.Withheld, survey.Notes
	page.At = position(in.AsOf, survey.First, survey.Last)
	if page.Question != "" {
		err = page.ask(r, in)
	} else {
		page.Facts, page.Total = survey.Facts, survey.Total
		page.From, page.To, page.Before, page.After = turn(q, offset, len(page.Facts), page.Total, perPage)
	}
	return site.View{Title: "Facts", Revision: survey.Revision, Data: page}, err
}

// ask answers a question, through the query that everybody uses.
func (p *list) ask(r *site.Request, in memory.SurveyInput) error {
	query := memory.QueryInput{
		Question: p.Question, Scope: in.Scope, Kind: in.Kind, Type: in.Type, Agent: in.Agent, AsOf: in.AsOf, AskedBy: r.Agent,
		Limit: perPage, Budget: perPage * 400,
	}
	answer, err := r.Memory.Query(r.Context(), query)
	if err != nil {
		return err
	}
	for _, h := range answer.Results {
		if in.Freshness != "" && string(h.Freshness) != in.Freshness {
			continue
		}
		p.Facts = append(p.Facts, memory.Fact{
			Key: h.Key, Origin: h.Origin, Claim: h.Claim, Scope: h.Scope, Kind: h.Kind, FactType: h.FactType, AgentID: h.AgentID,
			Committed: h.Committed, Freshness: h.Freshness, HasConflict: h.HasConflict, State: facts.Current,
		})
	}
	p.Total, p.From, p.To = answer.Matched, min(1, len(p.Facts)), len(p.Facts)
	p.Withheld, p.Notes = answer.Withheld, answer.Notes
	if in.Freshness != "" {
		p.Total = len(p.Facts)
		p.Notes = append(p.Notes, fmt.Sprintf("Looked for among the best %d answers.", len(answer.Results)))
	}
	if in.State != "" && in.State != string(facts.Current) {
		p.Notes = append(p.Notes, "A question finds what holds; the filter by state was left out.")
	}
	return nil
}

// number reads a number that is not below 0; anything else is 0.
func number(text string) int {
	n, _ := strconv.Atoi(text)
	return max(n, 0)
}

// turn says which of all a page shows, and makes the links to the pages before and after.
func turn(q url.Values, offset, shown, total, per int) (from, to int, before, after string) {
	from, to = min(offset+1, total), offset+shown
	if offset > 0 {
		before = with(q, "from", strconv.Itoa(max(offset-per, 0)))
	}
	if to < total {
		after = with(q, "from", strconv.Itoa(to))
	}
	return from, to, before, after
}

// with is the address of the page with another value of one parameter, at its beginning; "" takes
// the parameter away.
func with(q url.Values, name, value string) string {
	other := url.Values{}
	for n, v := range q {
		if n != name && n != "from" && n != "done" && len(v) > 0 && v[0] != "" {
			other[n] = v[:1]
		}
	}
	if value != "" {
		other.Set(name, value)
	}
	if len(other) == 0 {
		return "?"
	}
	return "?" + other.Encode()
}

func filters(q url.Values) (list []filter) {
	for _, name := range facetNames {
		if value := q.Get(name[0]); value != "" {
			list = append(list, filter{name[0], name[1], value, with(q, name[0], "")})
		}
	}
	return list
}

// mostValues are how many values of a facet are listed, the commonest.
const mostValues = 10

func facetsOf(q url.Values, counted []memory.Facet) (list []facet) {
	for _, name := range facetNames {
		at := slices.IndexFunc(counted, func(f memory.Facet) bool { return f.Name == name[0] })
		if at < 0 {
			continue
		}
		f := facet{Name: name[1]}
		values := slices.Clone(counted[at].Values)
		slices.SortStableFunc(values, func(a, b memory.FacetValue) int { return cmp.Compare(b.Count, a.Count) })
		for i, v := range values {
			chosen := q.Get(name[0]) == v.Value
			switch {
			case v.Value == "": // facts without one cannot be asked for
				continue
			case i >= mostValues && !chosen:
				f.Left++
				continue
			}
			link := with(q, name[0], v.Value)
			if chosen {
				link = with(q, name[0], "")
			}
			f.Values = append(f.Values, choice{v.Value, link, v.Count, chosen})
		}
		if len(f.Values) > 0 {
			list = append(list, f)
		}
	}
	return list
}

// moment reads what the field for a moment has; anything else is no moment.
func moment(text string) time.Time {
	for _, form := range []string{"2006-01-02T15:04", time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// steps of the slider.
const steps = 1000

// position is where a moment stands between the ends of the history.
func position(at, first, last time.Time) int {
	if at.IsZero() || !last.After(first) {
		return steps
	}
	return max(0, min(steps, int(at.Sub(first)*steps/last.Sub(first))))
}
