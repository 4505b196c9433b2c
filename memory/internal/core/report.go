package core

// Check is one thing that was examined.
type Check struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
	Hint    string `json:"hint,omitempty"`
	Fixable bool   `json:"fixable"` // Fix would mend it
	Fixed   bool   `json:"fixed"`
}

// Footprint is one thing that engram keeps, and how to be rid of it.
type Footprint struct {
	What   string `json:"what"`
	Where  string `json:"where"`
	Remove string `json:"remove"`
}
