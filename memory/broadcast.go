package memory

import (
	"cmp"
	"context"
	"fmt"

	"engram/bus"
	"engram/facts"
	"engram/internal/hint"
)

// BroadcastInput says for whom a shared brief is.
type BroadcastInput struct {
	Parent       string       `json:"parent,omitempty"`
	ParentRole   string       `json:"parent_role,omitempty"` // "" means the parent's name, or "parent" where nobody is named
	Child        string       `json:"child,omitempty"`
	Role         string       `json:"role,omitempty"` // of the child
	Goal         string       `json:"goal,omitempty"`
	Instructions []string     `json:"instructions,omitempty"`
	Scope        string       `json:"scope,omitempty"`
	Branch       string       `json:"branch,omitempty"`
	Files        []string     `json:"files,omitempty"`
	Grants       []GrantInput `json:"grants,omitempty"` // to issue with it; parent and child are those above
}

// BroadcastResult is a shared brief.
type BroadcastResult struct {
	Answer
	Message  ParentMessage `json:"message"`
	Text     string        `json:"text"`  // as YAML, at most bus.MaxBriefLines lines
	Lines    int           `json:"lines"` // of it
	Tokens   int           `json:"tokens"`
	Omitted  int           `json:"omitted"`
	Withheld int           `json:"withheld"`
	Notes    []string      `json:"notes,omitempty"`
}

// Broadcast composes what a parent tells a child: the goal, constraints, open
// conflicts, then the facts that matter most for goal, role and files, pointers to
// their evidence, budgets, and grants. It is for what the child may read. Only a parent
// may: the child's turn begins anew. The same memory, checkout, input and moment give the
// same brief, but for the tokens of grants, as long as the evidence in it can be checked
// within two seconds; a note says where it cannot. The error wraps ErrUsage where what has to be in
// it leaves no room; no grant is left then. It is a *SecretError where a text holds a secret.
func (m *Memory) Broadcast(ctx context.Context, in BroadcastInput) (BroadcastResult, error) {
	if err := nameAgents(&in.Parent, &in.Child); err != nil {
		return BroadcastResult{}, err
	}
	if !m.MayLead(in.Parent) {
		return BroadcastResult{}, &LeadError{Agent: in.Parent, What: "brief other agents"}
	}
	if err := m.scanTexts(in.texts()); err != nil {
		return BroadcastResult{}, err
	}
	in.Goal = facts.FoldSpace(in.Goal)
	if in.Goal == "" && len(in.Instructions) == 0 {
		return BroadcastResult{}, wrong(hint.New("as in %s", hint.Do(hint.ShareBrief, "sessions end after an hour", "reviewer")), "a shared brief needs a goal, or instructions")
	}
	about := in.Goal + "\n" + in.Role
	for i, instruction := range in.Instructions {
		in.Instructions[i] = facts.FoldSpace(instruction)
		about += "\n" + in.Instructions[i]
	}
	b, found, err := m.gather(ctx, BriefInput{
		Branch: in.Branch, Files: in.Files, AskedBy: in.Child, About: about, Scope: in.Scope, Ephemeral: true, freshTime: freshTimeShared,
	})
	if err != nil {
		return BroadcastResult{}, err
	}
	pointers, err := b.targets(ctx, in)
	if err != nil {
		return BroadcastResult{}, err
	}
	c := composition{limits: m.limits(), message: ParentMessage{Role: cmp.Or(in.ParentRole, in.Parent, "parent"), Budgets: budgetsOf(m.limits()), Instructions: in.Instructions}}
	c.frame(in)
	issued, err := m.grantAll(ctx, in)
	if err != nil {
		return BroadcastResult{}, err
	}
	for _, g := range issued {
		c.message.Grants = append(c.message.Grants, bus.MessageGrant{BudgetToken: g.BudgetToken, Pointer: pointerOf(g.Grant.Pointer, ""), CapTokens: g.Grant.Cap})
	}
	if v := c.check(); !v.OK {
		return BroadcastResult{}, m.takeBack(ctx, in.Parent, issued, wrong(hint.New("shorten goal and instructions, or issue grants on their own with %s", hint.Do(hint.IssueGrant)),
			"goal, instructions and grants alone make no brief: %s", v.Refusals[0].Reason))
	}
	c.fill(found, pointers)
	m.endTurn(ctx, in.Child)
	result := BroadcastResult{
		Answer: found.Answer, Message: c.message, Text: c.message.YAML(), Omitted: c.omitted + found.OpenConflicts - len(found.Conflicts),
		Withheld: found.Withheld, Notes: found.Notes,
	}
	result.Tokens, result.Lines = c.size()
	return result, nil
}

// budgetsOf are the limits as a child is told of them.
func budgetsOf(l Limits) bus.Budgets {
	return bus.Budgets{
		MaxEngrams: l.Inline.Engrams, MaxRepoSpans: l.Deref.RepoSpans, MaxArtifactSections: l.Deref.ArtifactSections,
		MaxSAMItems: l.Deref.SAMItems, MaxInlineTokens: l.Inline.Tokens, MaxDerefTokens: l.Deref.Tokens,
	}
}

// grantAll issues the grants of a brief, all or none.
func (m *Memory) grantAll(ctx context.Context, in BroadcastInput) (issued []GrantResult, err error) {
	for _, g := range in.Grants {
		g.Parent, g.Child = in.Parent, in.Child
		grant, err := m.IssueGrant(ctx, g)
		if err != nil {
			return nil, m.takeBack(ctx, in.Parent, issued, err)
		}
		issued = append(issued, grant)
	}
	return issued, nil
}

// takeBack revokes the grants of a brief that is not made, and returns why it is not.
func (m *Memory) takeBack(ctx context.Context, parent string, issued []GrantResult, why error) error {
	for _, g := range issued {
		if _, err := m.RevokeGrant(ctx, g.Grant.ID, parent); err != nil {
			return fmt.Errorf("%w (and a grant of it could not be revoked: %w)", why, err)
		}
	}
	return why
}
