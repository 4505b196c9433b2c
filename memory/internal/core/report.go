package core

// Check is the result of one check.
type Check struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
	Hint    string `json:"hint,omitempty"`
	Fixable bool   `json:"fixable"` // Fix can fix it
	Fixed   bool   `json:"fixed"`
}

// Footprint is one thing that engram stores, and how to remove it.
type Footprint struct {
	What   string `json:"what"`
	Where  string `json:"where"`
	Remove string `json:"remove"`
}
