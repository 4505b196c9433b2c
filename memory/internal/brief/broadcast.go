package brief

import (
	"engram/bus"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
)

// BroadcastInput says for whom to compose a shared brief.
type BroadcastInput struct {
	Parent       string              `json:"parent,omitempty"`
	ParentRole   string              `json:"parent_role,omitempty"` // "" means the parent's name, or "parent" where nobody is named
	Child        string              `json:"child,omitempty"`
	Role         string              `json:"role,omitempty"` // of the child
	Goal         string              `json:"goal,omitempty"`
	Instructions []string            `json:"instructions,omitempty"`
	Scope        string              `json:"scope,omitempty"`
	Branch       string              `json:"branch,omitempty"`
	Files        []string            `json:"files,omitempty"`
	Grants       []budget.GrantInput `json:"grants,omitempty"` // to issue with it; parent and child are those above
}

// BudgetsOf returns the limits in the form of a message to a child.
func BudgetsOf(l core.Limits) bus.Budgets {
	return bus.Budgets{
		MaxEngrams: l.Inline.Engrams, MaxRepoSpans: l.Deref.RepoSpans, MaxArtifactSections: l.Deref.ArtifactSections,
		MaxSAMItems: l.Deref.SAMItems, MaxInlineTokens: l.Inline.Tokens, MaxDerefTokens: l.Deref.Tokens,
	}
}

// Texts returns the texts of the input, which must be scanned for secrets.
func (in BroadcastInput) Texts() []bus.Text {
	all := []bus.Text{{Path: "parent", Value: in.Parent}, {Path: "parent_role", Value: in.ParentRole}, {Path: "child", Value: in.Child}, {Path: "role", Value: in.Role}, {Path: "goal", Value: in.Goal}}
	for _, text := range in.Instructions {
		all = append(all, bus.Text{Path: "instructions", Value: text})
	}
	return all
}
