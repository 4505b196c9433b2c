package budget

import (
	"time"

	"engram/facts"
	"engram/memory/internal/core"
)

// GrantInput is what a parent lets a child do.
type GrantInput struct {
	Parent  string `json:"parent"` // "" is a person
	Child   string `json:"child" help:"the agent that may use it"`
	Purpose string `json:"purpose,omitempty" enum:"deref,inline" default:"deref" help:"deref: to pull excerpts; inline: to have code in messages"`
	// Pointer is a whole reference or, where Strict is not set, a short form (Complete),
	// with Prefix a folder. For code it may be "", and only says what is meant.
	Pointer  string        `json:"pointer"`
	Strict   bool          `json:"-"` // at the boundary between agents: a pointer names its commit
	Prefix   bool          `json:"prefix,omitempty" help:"everything whose ref begins with the pointer's"`
	Cap      int           `json:"cap_tokens,omitempty" default:"500" help:"tokens of all uses together; characters for inline"`
	Uses     int           `json:"uses,omitempty" default:"1" help:"how often it is good"`
	Lifetime time.Duration `json:"lifetime,omitempty"` // 0 means bus.DefaultGrantLifetime
	PassOn   bool          `json:"pass_on,omitempty" help:"the child may make narrower grants out of it"`
	// From is the budget token that a child makes a narrower grant out of. What that has
	// left is then less by what the new one has, and a zero Cap, Uses or Lifetime is at
	// most what is left.
	From string `json:"from,omitempty" help:"budget_token that this grant is made out of"`
}

// GrantResult is a grant with its token.
type GrantResult struct {
	core.Answer
	BudgetToken string `json:"budget_token"`
	Grant       Grant  `json:"grant"`
	// Notes say where the grant lets its child read nothing, or less than it looks like.
	Notes []string `json:"notes,omitempty"`
}

func PointerTypes(t facts.PointerType) []string {
	if t == "" {
		return nil
	}
	return []string{string(t)}
}
