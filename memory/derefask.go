package memory

import (
	"context"
)

// DerefAsk is what an agent wants to read, and why.
type DerefAsk struct {
	Pointer EngramPointer
	Reason  string
	Agent   string
}

// DerefAskResult says whether the agent's turn has room for it.
type DerefAskResult struct {
	Answer
	Room bool `json:"room"` // Deref will not be refused by the turn's counts now
	Turn Turn `json:"turn"` // what the agent used of it
	// Request is what to send the parent in DEREF_REQUESTS, as YAML, where there is none.
	Request string `json:"request,omitempty"`
}

// AskDeref says whether an agent's turn has room for what it wants to read, and where
// it has none, what to send to the parent. It pulls nothing, uses nothing up, and
// records that somebody asked.
func (m *Memory) AskDeref(ctx context.Context, in DerefAsk) (DerefAskResult, error) {
	return DerefAskResult{}, errNotBuilt
}
