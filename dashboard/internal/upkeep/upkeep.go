// Package upkeep has the pages about the state of the memory: what runs out or rests on code that
// changed, and whether everything works.
package upkeep

import (
	"context"
	"embed"
	"slices"
	"time"

	"engram/dashboard/internal/site"
	"engram/memory"
)

//go:embed pages/*.html
var templates embed.FS

// Section is its pages.
func Section() site.Section {
	return site.Section{Templates: templates, Pages: []site.Page{
		{Path: "/expiring", Name: "Expiring", File: "pages/expiring.html", Read: readExpiring, Write: verify},
		{Path: "/health", Name: "Health", File: "pages/health.html", Read: readHealth},
	}}
}

// Bounds of the page.
const (
	soon       = 30 * 24 * time.Hour
	mostListed = 100
	// mostRead bounds the facts in which an end is looked for, and checkTime a check of all evidence.
	mostRead  = 20_000
	checkTime = 20 * time.Second
)

// expiring is the page of what runs out and of what rests on code that changed.
type expiring struct {
	Ending  []memory.Fact // within 30 days, the next first
	Ended   int           // facts whose TTL has passed
	Changed []memory.Fact // evidence moved, drifted or missing
	Checked time.Time     // zero: nobody asked this server to
	Left    int
	Cut     bool // there are more facts than were looked through
}

func readExpiring(r *site.Request) (site.View, error) {
	var page expiring
	ended, err := r.Memory.Survey(r.Context(), memory.SurveyInput{State: "expired", AskedBy: r.Agent, Limit: 1})
	if err != nil {
		return site.View{}, err
	}
	page.Ended = ended.Total
	all, err := r.Memory.List(r.Context(), memory.ListInput{AskedBy: r.Agent, Limit: mostRead})
	if err != nil {
		return site.View{}, err
	}
	page.Cut = all.Omitted > 0
	for _, f := range all.Facts {
		if f.ValidUntil != nil && f.ValidUntil.Sub(r.Now) < soon && f.ValidUntil.After(r.Now) {
			page.Ending = append(page.Ending, f)
		}
	}
	slices.SortFunc(page.Ending, func(a, b memory.Fact) int { return a.ValidUntil.Compare(*b.ValidUntil) })
	page.Left = max(len(page.Ending)-mostListed, 0)
	page.Ending = page.Ending[:len(page.Ending)-page.Left]
	for _, verdict := range []memory.Freshness{memory.Missing, memory.Drifted, memory.Moved} {
		got, err := r.Memory.Survey(r.Context(), memory.SurveyInput{Freshness: string(verdict), AskedBy: r.Agent, Limit: mostListed})
		if err != nil {
			return site.View{}, err
		}
		page.Changed, page.Checked = append(page.Changed, got.Facts...), got.Checked
	}
	return site.View{Title: "Expiring and stale", Revision: ended.Revision, Data: page}, nil
}

// verify compares all evidence with the checkout, for as long as a person may wait.
func verify(r *site.Request) (site.Said, error) {
	ctx, cancel := context.WithTimeout(r.Context(), checkTime)
	defer cancel()
	_, err := r.Memory.Verify(ctx, memory.VerifyInput{AskedBy: r.Agent})
	if ctx.Err() != nil && r.Context().Err() == nil {
		return site.Said{}, site.Outdated("there is more evidence than can be compared in 20 seconds; `engram verify` takes its time")
	}
	return site.Said{Path: "/expiring", Done: "verified"}, err
}

// health is the page of the state of everything.
type health struct {
	Status  memory.StatusResult
	Checks  []memory.Check
	Healthy bool
	Sources []memory.Source
	Folder  string
	Size    string
}

func readHealth(r *site.Request) (site.View, error) {
	status, err := r.Memory.Status(r.Context())
	if err != nil {
		return site.View{}, err
	}
	page := health{Status: status, Size: site.Size(status.IndexBytes)}
	doctor, err := r.Memory.Doctor(r.Context(), memory.DoctorInput{})
	if err != nil {
		return site.View{}, err
	}
	page.Checks, page.Healthy = doctor.Checks, doctor.Healthy
	sources, err := r.Memory.Sources(r.Context())
	page.Sources = sources.Sources
	return site.View{Title: "Health", Revision: status.Revision, Data: page}, err
}
