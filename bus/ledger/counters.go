package ledger

// Counters are sums over all events of a clone. They only rise, unless the file that
// keeps them is lost.
type Counters struct {
	Events         map[Name]int        `json:"events"`
	Kinds          map[string]int      `json:"engrams"` // stored, by kind
	Contradictions int                 `json:"contradictions"`
	Accepted       int                 `json:"messages_accepted"`
	Rejected       int                 `json:"messages_rejected"`
	Resent         int                 `json:"messages_resent"` // accepted after one of the same agent was rejected
	Codes          map[string]int      `json:"refusals"`        // by code
	Roles          map[string]RoleSums `json:"roles"`
}

// RoleSums are what the agents of one role did; "" are those of which none is known.
type RoleSums struct {
	Messages     int `json:"messages"`      // that were accepted
	InlineTokens int `json:"inline_tokens"` // of those
	Derefs       int `json:"derefs"`        // excerpts that were pulled
	DerefTokens  int `json:"deref_tokens"`
	Turns        int `json:"turns"` // in which any was
}
