package bus

import (
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"
)

// Purpose is what a grant permits.
type Purpose string

// The purposes.
const (
	ForDeref Purpose = "deref"  // to read excerpts beyond the turn's budget
	ForCode  Purpose = "inline" // to have code in messages
)

// Grant is a parent's permission for a child to exceed its budget (the bus document §6.3).
// It is for one child and one purpose. Signed, it is the budget token.
type Grant struct {
	ID      string    `json:"id"` // a ULID
	Parent  string    `json:"parent"`
	Child   string    `json:"child"`
	Purpose Purpose   `json:"purpose"`
	Pointer string    `json:"pointer"` // a reference, or with Prefix the beginning of references, up to a whole folder
	Prefix  bool      `json:"prefix,omitempty"`
	Cap     int       `json:"cap"`  // tokens that may be read, or characters of code, over all uses
	Uses    int       `json:"uses"` // the number of uses
	Issued  time.Time `json:"issued"`
	Expires time.Time `json:"expires"`
	// PassOn lets the child derive narrower grants from this one; From is the id of the
	// grant that this one was derived from.
	PassOn bool   `json:"pass_on,omitempty"`
	From   string `json:"from,omitempty"`
}

// Defaults of a grant.
const (
	DefaultGrantCap      = 500 // tokens, as in the bus document §7.2
	DefaultGrantUses     = 1
	DefaultGrantLifetime = time.Hour
	MaxGrantLifetime     = 30 * 24 * time.Hour
)

// Bounds of a grant.
const (
	MaxGrantCap  = 100_000
	MaxGrantUses = 1_000
	maxName      = 200 // bytes of the name of an agent, as in facts
)

// Left is the unused part of a grant.
type Left struct {
	Uses int
	Cap  int
}

// GrantError says what is wrong with a grant, or why it does not permit something.
type GrantError struct{ reason string }

func (e *GrantError) Error() string { return e.reason }

func faulty(format string, args ...any) error {
	return &GrantError{fmt.Sprintf(format, args...)}
}

// Check returns a *GrantError if a grant is invalid by itself. A grant for code need not
// have a pointer, which only documents the intent: the origin of a text is unknown.
func (g Grant) Check() error {
	if id, err := ulid.ParseStrict(g.ID); err != nil || id.String() != g.ID {
		return faulty("grant id %.40q is not a ULID", g.ID)
	}
	switch {
	case g.Child == "":
		return faulty("a grant must name the child that it is for")
	case len(g.Child) > maxName || len(g.Parent) > maxName:
		return faulty("the name of an agent has at most %d bytes", maxName)
	case g.Child == g.Parent:
		return faulty("%s cannot grant itself anything", g.Child)
	case g.Purpose != ForDeref && g.Purpose != ForCode:
		return faulty("purpose %.40q is not one of %s, %s", g.Purpose, ForDeref, ForCode)
	case g.Cap < 1 || g.Cap > MaxGrantCap:
		return faulty("a cap of %d is not between 1 and %d", g.Cap, MaxGrantCap)
	case g.Uses < 1 || g.Uses > MaxGrantUses:
		return faulty("%d uses is not between 1 and %d", g.Uses, MaxGrantUses)
	case !g.Expires.After(g.Issued):
		return faulty("a grant must expire after it is issued")
	case g.Expires.Sub(g.Issued) > MaxGrantLifetime:
		return faulty("a grant lasts at most %d days", MaxGrantLifetime/(24*time.Hour))
	case g.Purpose == ForCode && g.Pointer == "" && !g.Prefix:
		return nil
	}
	if _, err := g.address(); err != nil {
		return faulty("%v", err)
	}
	return nil
}

// Narrows returns a *GrantError if a grant exceeds the grant that it is derived from, of
// which left is unused.
func (g Grant) Narrows(parent Grant, left Left) error {
	switch {
	case !parent.PassOn:
		return faulty("grant %s cannot be passed on", parent.ID)
	case g.From != parent.ID || g.Parent != parent.Child:
		return faulty("only %s, the child of grant %s, can pass it on", parent.Child, parent.ID)
	case g.Purpose != parent.Purpose:
		return faulty("grant %s is for %s, not for %s", parent.ID, parent.Purpose, g.Purpose)
	case g.Cap > left.Cap:
		return faulty("a cap of %d is more than the %d left in grant %s", g.Cap, left.Cap, parent.ID)
	case g.Uses > left.Uses:
		return faulty("%d uses are more than the %d left in grant %s", g.Uses, left.Uses, parent.ID)
	case g.Expires.After(parent.Expires):
		return faulty("it would expire after grant %s, which expires at %s", parent.ID, parent.Expires.UTC().Format(time.RFC3339))
	case !g.within(parent):
		return faulty("%s is not within %s", g.Pointer, parent.Pointer)
	}
	return nil
}

// within reports whether parent covers everything that g covers.
func (g Grant) within(parent Grant) bool {
	if parent.Pointer == "" { // for code from any source
		return true
	}
	a, err := g.address()
	return err == nil && (!g.Prefix || parent.Prefix) && parent.Covers(a)
}
