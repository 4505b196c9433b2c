package bus

import "time"

// Purpose is the one thing that a grant is for.
type Purpose string

// The purposes.
const (
	ForDeref Purpose = "deref"  // to pull excerpts beyond the turn's budget
	ForCode  Purpose = "inline" // to have code in messages
)

// Grant is what a parent lets a child do beyond its budget (seed 1 §6.3). It is for
// one child and one purpose. Signed, it is the budget token.
type Grant struct {
	ID      string    `json:"id"` // a ULID
	Parent  string    `json:"parent"`
	Child   string    `json:"child"`
	Purpose Purpose   `json:"purpose"`
	Pointer string    `json:"pointer"` // a reference, or with Prefix the beginning of references up to a whole folder
	Prefix  bool      `json:"prefix,omitempty"`
	Cap     int       `json:"cap"`  // tokens that may be pulled, or characters of code, all uses together
	Uses    int       `json:"uses"` // how often
	Issued  time.Time `json:"issued"`
	Expires time.Time `json:"expires"`
	// PassOn lets the child issue narrower grants out of this one; From is the id of
	// the grant that this one was made out of.
	PassOn bool   `json:"pass_on,omitempty"`
	From   string `json:"from,omitempty"`
}

// What a grant has where nobody says otherwise.
const (
	DefaultGrantCap      = 500 // tokens, as in seed 1 §7.2
	DefaultGrantUses     = 1
	DefaultGrantLifetime = time.Hour
	MaxGrantLifetime     = 30 * 24 * time.Hour
)
