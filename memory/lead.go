package memory

import "fmt"

// LeadError refuses an agent what only a parent does, or a person
// (BusOptions.Parents).
type LeadError struct {
	Agent string
	What  string // that it may not do: "issue grants", say
}

func (e *LeadError) Error() string {
	return fmt.Sprintf("the agent %s may not %s, which only parents may; nothing was written", e.Agent, e.What)
}
