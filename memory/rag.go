package memory

import "context"

// Retrieved is a passage that a retrieval system found.
type Retrieved struct {
	Text  string  `json:"text"`
	Path  string  `json:"path"` // file path or URL, as that system has it
	Score float64 `json:"score,omitempty"`
}

// RetrievedInput is the result of a retrieval.
type RetrievedInput struct {
	Question string      `json:"question,omitempty"`
	Passages []Retrieved `json:"passages"`
	Agent    string      `json:"-"` // whose turn pays for excerpts; "" gets none
	Excerpts bool        `json:"excerpts,omitempty"`
}

// RetrievedResult is the same with pointers first (seed 2 §8.1).
type RetrievedResult struct {
	Answer
	Items   []RetrievedItem `json:"items"`
	Notes   []string        `json:"notes,omitempty"`
	Dropped int             `json:"dropped"` // of which nothing in this repository is the source
}

// RetrievedItem is a passage as a pointer.
type RetrievedItem struct {
	Pointer EngramPointer `json:"pointer"`
	Engram  *Engram       `json:"engram,omitempty"`  // "this span likely answers X"; not stored
	Excerpt string        `json:"excerpt,omitempty"` // only as far as the turn has room
	Score   float64       `json:"score,omitempty"`
}

// PointersOf turns what a retrieval found into pointers into this repository, with
// excerpts only inside the agent's dereference budget.
func (m *Memory) PointersOf(ctx context.Context, in RetrievedInput) (RetrievedResult, error) {
	return RetrievedResult{}, errNotBuilt
}
