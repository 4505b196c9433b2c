package knowledge

import (
	"time"

	"engram/dashboard/internal/site"
	"engram/memory"
)

// timeline is the page of facts as bars over time.
type timeline struct {
	Scope      string
	First      time.Time
	Last       time.Time
	Ticks      []tick
	Rows       []bars
	Total      int
	From, To   int
	Before     string
	After      string
	Withheld   int
	Width      int
	Height     int
	LabelWidth int
}

type tick struct {
	X     int
	Label string
}

// bars are the versions of one fact.
type bars struct {
	memory.TimelineFact
	Y    int
	Bars []bar
	Also string // agents that state the same
}

type bar struct {
	X, W  int
	Past  bool
	Title string
	Link  string
}

// Sizes of the picture.
const (
	barsWidth = 900
	labels    = 280
	barRow    = 26
	topRow    = 30
	perPlan   = 40 // facts of a page
)

func readTimeline(r *site.Request) (site.View, error) {
	q := r.URL.Query()
	page := timeline{Scope: q.Get("scope"), Width: barsWidth + labels, LabelWidth: labels}
	offset := number(q.Get("from"))
	survey, err := r.Memory.Survey(r.Context(), memory.SurveyInput{Scope: page.Scope, State: memory.AnyState, AskedBy: r.Agent, Offset: offset, Limit: perPlan})
	if err != nil {
		return site.View{}, err
	}
	page.Total, page.Withheld = survey.Total, survey.Withheld
	page.From, page.To, page.Before, page.After = turn(q, offset, len(survey.Facts), survey.Total, perPlan)
	view := site.View{Title: "Timeline", Revision: survey.Revision}
	if len(survey.Facts) > 0 {
		keys := make([]string, len(survey.Facts))
		for i, f := range survey.Facts {
			keys[i] = f.Key.String()
		}
		lines, err := r.Memory.Timeline(r.Context(), memory.TimelineInput{Keys: keys, AskedBy: r.Agent})
		if err != nil {
			return view, err
		}
		page.draw(lines.Facts, r.Now)
	}
	view.Data = page
	return view, nil
}

// draw places the versions between the first that began and now, or the last that ends later.
func (p *timeline) draw(list []memory.TimelineFact, now time.Time) {
	p.Last = now
	for _, f := range list {
		for _, v := range f.Versions {
			if p.First.IsZero() || v.ValidFrom.Before(p.First) {
				p.First = v.ValidFrom
			}
			if v.ValidUntil != nil && v.ValidUntil.After(p.Last) {
				p.Last = *v.ValidUntil
			}
		}
	}
	span := max(p.Last.Sub(p.First), time.Minute)
	at := func(t time.Time) int { return labels + int(t.Sub(p.First).Seconds()/span.Seconds()*barsWidth) }
	const ticks = 5
	for i := range ticks {
		t := p.First.Add(span * time.Duration(i) / ticks)
		p.Ticks = append(p.Ticks, tick{at(t), tickLabel(t, span)})
	}
	for i, f := range list {
		row := bars{TimelineFact: f, Y: topRow + i*barRow}
		for _, v := range f.Versions {
			end := p.Last
			if v.ValidUntil != nil {
				end = *v.ValidUntil
			}
			if !end.After(v.ValidFrom) {
				continue // it never held
			}
			who := v.AgentID
			if who == "" {
				who = v.Engineer
			}
			row.Bars = append(row.Bars, bar{
				X: at(v.ValidFrom), W: max(at(end)-at(v.ValidFrom)-1, 3), Past: !v.Stands || v.ValidUntil != nil && !end.After(now), Link: site.Root + site.Path("/facts", f.Key.String()),
				Title: v.Claim + " — " + who + ", " + v.ValidFrom.UTC().Format("2 Jan 2006 15:04"),
			})
		}
		for _, agent := range f.CorroboratedBy {
			if row.Also != "" {
				row.Also += ", "
			}
			row.Also += agent
		}
		p.Rows = append(p.Rows, row)
	}
	p.Height = topRow + len(list)*barRow
}

func tickLabel(t time.Time, span time.Duration) string {
	switch {
	case span < 48*time.Hour:
		return t.UTC().Format("2 Jan 15:04")
	case span < 400*24*time.Hour:
		return t.UTC().Format("2 Jan")
	}
	return t.UTC().Format("Jan 2006")
}
