package brief

import (
	"engram/bus"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
)

// BroadcastInput says for whom to compose a shared brief.
type BroadcastInput struct {
	Parent       string              `json:"parent,omitempty" flag:"from,,NAME" env:"ENGRAM_AGENT" default:"a person" help:"NAME of the agent that briefs"`
	ParentRole   string              `json:"parent_role,omitempty" flag:"from-role,,ROLE" default:"its name, or else parent" help:"the ROLE of that agent"`
	Child        string              `json:"child,omitempty" flag:"to,,NAME" help:"NAME of the agent that the brief is for"`
	Role         string              `json:"role,omitempty" flag:"role,,ROLE" help:"the ROLE of that agent, which says what matters to it: reviewer, say"`
	Goal         string              `json:"goal,omitempty" flag:"goal,g,WORDS" help:"the goal of the work, in WORDS"`
	Instructions []string            `json:"instructions,omitempty" flag:"instruction,i,WORDS" help:"an instruction, in WORDS"`
	Scope        string              `json:"scope,omitempty" flag:"scope,s,PATH" help:"only facts of this topic PATH, and all constraints"`
	Branch       string              `json:"branch,omitempty"`
	Files        []string            `json:"files,omitempty" flag:"file,f,FILE" default:"changed files" help:"a FILE of the work, from this folder"`
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
