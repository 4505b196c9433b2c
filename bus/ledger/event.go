package ledger

import "time"

// Name is the kind of an event, as named in source document 2 §12.
type Name string

// The events.
const (
	EngramPut    Name = "less.engram.put"    // engrams were stored, by an accepted message or one by one
	EngramQuery  Name = "less.engram.query"  // engrams were queried
	DerefRequest Name = "less.deref.request" // an agent read an excerpt, or asked its parent for one
	DerefGrant   Name = "less.deref.grant"   // a grant was issued
	BudgetReject Name = "less.budget.reject" // a message or the reading of an excerpt was rejected
)

// Event is what happened: who, how much and of which kind, without free text. Unknown words
// and invalid names are not stored; see clean.
type Event struct {
	Time  time.Time `json:"time"` // zero: now
	Name  Name      `json:"event"`
	Agent string    `json:"agent_id,omitempty"`
	// Role is the agent's role; "" stands for its last one.
	Role     string   `json:"role,omitempty"`
	Child    string   `json:"child,omitempty"`    // of a grant
	IDs      []string `json:"ids,omitempty"`      // of facts or grants
	Kinds    []string `json:"kinds,omitempty"`    // of engrams, one for each
	Pointers []string `json:"pointers,omitempty"` // types of pointers, one for each
	Count    int      `json:"count,omitempty"`    // engrams found, or refusals of one message
	Tokens   int      `json:"tokens,omitempty"`   // of the message, the answer or the excerpt
	Code     string   `json:"code,omitempty"`     // of the first refusal
	Limit    string   `json:"limit,omitempty"`    // that was exceeded
	// Message is true if a whole message was accepted (EngramPut) or rejected
	// (BudgetReject): it gives the inline tokens of a turn and the resend rate.
	Message bool `json:"message,omitempty"`
	// Asked is true if a DerefRequest is a request in a message to the parent: nothing was
	// read.
	Asked bool `json:"asked,omitempty"`
	// Began is true if an excerpt is the first one of its agent's turn.
	Began bool `json:"began_turn,omitempty"`
	// Contradictions counts the engrams that are risks with pointers to different sources
	// (bus.Contradicts).
	Contradictions int `json:"contradictions,omitempty"`
}
