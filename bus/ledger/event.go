package ledger

import "time"

// Name is what happened, as source document 2 §12 names it.
type Name string

// The events.
const (
	EngramPut    Name = "less.engram.put"    // engrams were stored: by a message that was accepted, or one by one
	EngramQuery  Name = "less.engram.query"  // engrams were asked for
	DerefRequest Name = "less.deref.request" // an agent pulled an excerpt, or asked its parent to be let
	DerefGrant   Name = "less.deref.grant"   // a grant was issued
	BudgetReject Name = "less.budget.reject" // a message or the pulling of an excerpt was refused
)

// Event is one thing that happened: who, how much and of which kind, and never a
// text. What is not one of the known words, or not of the form of a name, is not
// kept: see clean.
type Event struct {
	Time  time.Time `json:"time"` // zero: now
	Name  Name      `json:"event"`
	Agent string    `json:"agent_id,omitempty"`
	// Role is the agent's; "" is the one that it last had.
	Role     string   `json:"role,omitempty"`
	Child    string   `json:"child,omitempty"`    // of a grant
	IDs      []string `json:"ids,omitempty"`      // of facts or grants
	Kinds    []string `json:"kinds,omitempty"`    // of engrams, one each
	Pointers []string `json:"pointers,omitempty"` // their types, one each
	Count    int      `json:"count,omitempty"`    // engrams that were found, or refusals of one message
	Tokens   int      `json:"tokens,omitempty"`   // of the message, the answer or the excerpt
	Code     string   `json:"code,omitempty"`     // of the first refusal
	Limit    string   `json:"limit,omitempty"`    // that was passed
	// Message is set where a whole message was accepted (EngramPut) or rejected
	// (BudgetReject): it makes the inline tokens of a turn, and the resend rate.
	Message bool `json:"message,omitempty"`
	// Asked is set of a DerefRequest that stands in a message to the parent: nothing
	// was pulled.
	Asked bool `json:"asked,omitempty"`
	// Began is set where an excerpt is the first of its agent's turn.
	Began bool `json:"began_turn,omitempty"`
	// Contradictions is how many of the engrams are risks with pointers to different
	// sources (bus.Contradicts).
	Contradictions int `json:"contradictions,omitempty"`
}
