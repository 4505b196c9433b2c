package survey

import (
	"context"
	"slices"
	"strings"
	"time"

	"engram/index/internal/query"
	"engram/index/internal/store"
)

// Weeks is how many weeks of writes Activity counts.
const Weeks = 52

// Activity is what an agent wrote.
type Activity struct {
	Agent    string // "" is people
	Holding  int    // facts on the tip that hold
	Versions int    // of facts that ever held or will, in all of the history
	Last     time.Time
	Writes   [Weeks]int // versions by week, the last one being the seven days before now
}

// week in milliseconds.
const week = 7 * 24 * int64(time.Hour/time.Millisecond)

// Activities counts what each agent wrote, by agent: of the versions on any code branch that
// the query's Access and Without show. Nothing else of the query takes part except Now.
func Activities(ctx context.Context, segments []store.Segment, cache *Cache, q query.Query) ([]Activity, error) {
	columns, names, err := cache.of(segments)
	if err != nil {
		return nil, err
	}
	s := newCounter(Query{Query: query.Query{Now: q.Now, Access: q.Access}}, names)
	list := make([]Activity, len(names.agents.texts))
	// A query of the past is not limited to the tip; what held then is not asked.
	all := query.Query{AsOf: q.Now, Without: q.Without, Ephemeral: true, Branch: query.EveryBranch}
	for i, seg := range segments {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		f, err := query.NewFilter(seg, all)
		if err != nil {
			return nil, err
		}
		for it := f.Documents().Iterator(); it.HasNext(); {
			doc, c := it.Next(), columns[i]
			// What ends a fact repeats who stated it and when: one of the two never held.
			if s.shown[c.scope[doc]] && c.from[doc] < c.until[doc] {
				s.addActivity(&list[c.agent[doc]], c, doc)
			}
		}
	}
	for n, text := range names.agents.texts {
		list[n].Agent = text
	}
	list = slices.DeleteFunc(list, func(a Activity) bool { return a.Versions == 0 })
	slices.SortFunc(list, func(a, b Activity) int { return strings.Compare(a.Agent, b.Agent) })
	return list, nil
}

func (s *counter) addActivity(a *Activity, c *columns, doc uint32) {
	a.Versions++
	if at := moment(c.committed[doc]); at.After(a.Last) {
		a.Last = at
	}
	if state, _ := s.state(c, doc); c.flags[doc]&isTip != 0 && state == 0 {
		a.Holding++
	}
	if ago := max(0, s.now-c.committed[doc]) / week; ago < Weeks {
		a.Writes[Weeks-1-ago]++
	}
}
