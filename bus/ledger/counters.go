package ledger

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Counters are sums over all events of a clone. They only rise, unless their file is lost.
type Counters struct {
	Events         map[Name]int        `json:"events"`
	Kinds          map[string]int      `json:"engrams"` // stored, by kind
	Contradictions int                 `json:"contradictions"`
	Accepted       int                 `json:"messages_accepted"`
	Rejected       int                 `json:"messages_rejected"`
	Resent         int                 `json:"messages_resent"` // accepted after the agent's previous message was rejected
	Codes          map[string]int      `json:"refusals"`        // by code
	Roles          map[string]RoleSums `json:"roles"`
}

// RoleSums are the sums for the agents of one role; the role "" stands for unknown ones.
type RoleSums struct {
	Messages     int `json:"messages"`      // that were accepted
	InlineTokens int `json:"inline_tokens"` // of those
	Derefs       int `json:"derefs"`        // excerpts that were read
	DerefTokens  int `json:"deref_tokens"`
	Turns        int `json:"turns"` // in which an excerpt was read
}

// made returns counters without nil maps.
func (c Counters) made() Counters {
	if c.Events == nil {
		c.Events = make(map[Name]int)
	}
	if c.Kinds == nil {
		c.Kinds = make(map[string]int)
	}
	if c.Codes == nil {
		c.Codes = make(map[string]int)
	}
	c.Roles = foldRoles(c.Roles)
	return c
}

// foldRoles adds the sums of unknown roles, which older versions kept, to those of other.
func foldRoles(by map[string]RoleSums) map[string]RoleSums {
	folded := make(map[string]RoleSums)
	for role, r := range by {
		role = knownRole(role)
		sum := folded[role]
		folded[role] = RoleSums{sum.Messages + r.Messages, sum.InlineTokens + r.InlineTokens, sum.Derefs + r.Derefs, sum.DerefTokens + r.DerefTokens, sum.Turns + r.Turns}
	}
	return folded
}

// Bounds of the maps, so that arbitrary names cannot fill a disk.
const (
	maxCodes  = 50
	maxAgents = 1_000 // whose role and last message are remembered
)

// sums is the content of counters.json.
type sums struct {
	Counters
	Agents map[string]agent `json:"agents"`
}

// agent is the state of one agent.
type agent struct {
	Role     string    `json:"role,omitempty"`
	Rejected bool      `json:"rejected,omitempty"` // its last message was rejected
	Seen     time.Time `json:"seen"`
}

// add adds an event. An event without a role gets the last role of its agent.
func (s *sums) add(e *Event) {
	s.Counters = s.made()
	a := s.Agents[e.Agent]
	if e.Role == "" {
		e.Role = knownRole(a.Role)
	}
	role := e.Role
	r := s.Roles[role]
	s.Events[e.Name]++
	switch e.Name {
	case EngramPut:
		for _, kind := range e.Kinds {
			s.Kinds[kind]++
		}
		s.Contradictions += e.Contradictions
		if e.Message {
			r.Messages, r.InlineTokens = r.Messages+1, r.InlineTokens+e.Tokens
			if s.Accepted++; a.Rejected {
				s.Resent++
			}
			a.Rejected = false
		}
	case DerefRequest:
		if !e.Asked {
			r.Derefs, r.DerefTokens = r.Derefs+1, r.DerefTokens+e.Tokens
		}
		if e.Began {
			r.Turns++
		}
	case BudgetReject:
		s.refuse(e.Code)
		if e.Message {
			s.Rejected++
			a.Rejected = true
		}
	}
	if r != (RoleSums{}) {
		s.Roles[role] = r
	}
	s.remember(e.Agent, agent{Role: e.Role, Rejected: a.Rejected, Seen: e.Time})
}

func (s *sums) refuse(code string) {
	if _, known := s.Codes[code]; !known && len(s.Codes) >= maxCodes {
		code = other
	}
	s.Codes[code]++
}

// remember stores the state of an agent. If there are too many, it removes those that were
// not seen for longest.
func (s *sums) remember(name string, a agent) {
	if name == "" {
		return
	}
	if s.Agents == nil {
		s.Agents = make(map[string]agent)
	}
	s.Agents[name] = a
	if len(s.Agents) <= maxAgents {
		return
	}
	names := slices.SortedFunc(maps.Keys(s.Agents), func(x, y string) int {
		return cmp.Or(s.Agents[x].Seen.Compare(s.Agents[y].Seen), strings.Compare(x, y))
	})
	for _, n := range names[:maxAgents/10] { // several at once, so that it happens rarely
		delete(s.Agents, n)
	}
}
