package knowledge

import (
	"engram/dashboard/internal/site"
	"engram/memory"
)

// agents is the page of who wrote what.
type agents struct{ Agents []agent }

type agent struct {
	memory.AgentActivity
	Name  string
	Weeks []week
	Busy  int // versions in the last year
}

// week is a bar of the year's picture.
type week struct{ X, Y, H int }

// Sizes of the picture of a year.
const (
	weekStep   = 5
	weekHeight = 28
)

func readAgents(r *site.Request) (site.View, error) {
	got, err := r.Memory.Activity(r.Context(), memory.ActivityInput{AskedBy: r.Agent})
	if err != nil {
		return site.View{}, err
	}
	var page agents
	for _, a := range got.Agents {
		one := agent{AgentActivity: a, Name: a.AgentID}
		if one.Name == "" {
			one.Name = "people"
		}
		most := 1
		for _, n := range a.Weeks {
			most = max(most, n)
			one.Busy += n
		}
		for i, n := range a.Weeks {
			if n > 0 {
				h := max(n*weekHeight/most, 2)
				one.Weeks = append(one.Weeks, week{i * weekStep, weekHeight - h, h})
			}
		}
		page.Agents = append(page.Agents, one)
	}
	return site.View{Title: "Agents", Revision: got.Revision, Data: page}, nil
}
