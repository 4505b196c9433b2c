package exchange

import (
	"cmp"
	"context"
	"fmt"

	"engram/bus"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/brief"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
	"engram/memory/internal/write"
)

// BroadcastResult is a shared brief.
type BroadcastResult struct {
	core.Answer
	Message  budget.ParentMessage `json:"message"`
	Text     string               `json:"text"`  // as YAML, at most bus.MaxBriefLines lines
	Lines    int                  `json:"lines"` // of it
	Tokens   int                  `json:"tokens"`
	Omitted  int                  `json:"omitted"`
	Withheld int                  `json:"withheld"`
	Notes    []string             `json:"notes,omitempty"`
}

// Broadcast composes what a parent tells a child: the goal, constraints, open
// conflicts, then the facts that matter most for goal, role and files, pointers to
// their evidence, budgets, and grants. It contains only what the child may read. Only a
// parent may call it, because the child's turn starts again. The same memory, checkout,
// input and moment give the same brief, except for the tokens of grants, if its evidence
// can be checked within two seconds; otherwise a note says so. The error wraps ErrUsage if
// the mandatory parts do not fit; its grants are revoked then. It is a *SecretError if a
// text contains a secret.
func (m *Bus) Broadcast(ctx context.Context, in brief.BroadcastInput) (BroadcastResult, error) {
	if err := m.NormalizeAgents(&in.Parent, &in.Child); err != nil {
		return BroadcastResult{}, err
	}
	if !m.budget.MayLead(in.Parent) {
		return BroadcastResult{}, &write.LeadError{Agent: in.Parent, What: "brief other agents"}
	}
	if err := m.ScanTexts(in.Texts()); err != nil {
		return BroadcastResult{}, err
	}
	in.Goal = facts.FoldSpace(in.Goal)
	if in.Goal == "" && len(in.Instructions) == 0 {
		return BroadcastResult{}, core.UsageErrorf(hint.New("as in %s", hint.Do(hint.ShareBrief, "sessions end after an hour", "reviewer")), "a shared brief needs a goal, or instructions")
	}
	about := in.Goal + "\n" + in.Role
	for i, instruction := range in.Instructions {
		in.Instructions[i] = facts.FoldSpace(instruction)
		about += "\n" + in.Instructions[i]
	}
	b, found, err := m.brief.Gather(ctx, brief.BriefInput{
		Branch: in.Branch, Files: in.Files, AskedBy: in.Child, About: about, Scope: in.Scope, Ephemeral: true, FreshTime: proof.FreshTimeShared,
	})
	if err != nil {
		return BroadcastResult{}, err
	}
	pointers, err := b.Targets(ctx, in)
	if err != nil {
		return BroadcastResult{}, err
	}
	c := brief.Composition{Limits: m.budget.Limits(), Message: budget.ParentMessage{Role: cmp.Or(in.ParentRole, in.Parent, "parent"), Budgets: brief.BudgetsOf(m.budget.Limits()), Instructions: in.Instructions}}
	c.Frame(in)
	issued, err := m.grantAll(ctx, in)
	if err != nil {
		return BroadcastResult{}, err
	}
	for _, g := range issued {
		c.Message.Grants = append(c.Message.Grants, bus.MessageGrant{BudgetToken: g.BudgetToken, Pointer: budget.PointerOf(g.Grant.Pointer, ""), CapTokens: g.Grant.Cap})
	}
	if v := c.Check(); !v.OK {
		return BroadcastResult{}, m.revokeAll(ctx, in.Parent, issued, core.UsageErrorf(hint.New("shorten goal and instructions, or issue grants on their own with %s", hint.Do(hint.IssueGrant)),
			"goal, instructions and grants alone make no brief: %s", v.Refusals[0].Reason))
	}
	c.Fill(found, pointers)
	m.budget.EndTurn(ctx, in.Child)
	result := BroadcastResult{
		Answer: found.Answer, Message: c.Message, Text: c.Message.YAML(), Omitted: c.Omitted + found.OpenConflicts - len(found.Conflicts),
		Withheld: found.Withheld, Notes: found.Notes,
	}
	result.Tokens, result.Lines = c.Size()
	return result, nil
}

// grantAll issues the grants of a brief, all or none.
func (m *Bus) grantAll(ctx context.Context, in brief.BroadcastInput) (issued []budget.GrantResult, err error) {
	for _, g := range in.Grants {
		g.Parent, g.Child = in.Parent, in.Child
		grant, err := m.IssueGrant(ctx, g)
		if err != nil {
			return nil, m.revokeAll(ctx, in.Parent, issued, err)
		}
		issued = append(issued, grant)
	}
	return issued, nil
}

// revokeAll revokes the grants of a brief that failed, and returns why it failed.
func (m *Bus) revokeAll(ctx context.Context, parent string, issued []budget.GrantResult, why error) error {
	for _, g := range issued {
		if _, err := m.RevokeGrant(ctx, g.Grant.ID, parent); err != nil {
			return fmt.Errorf("%w (and a grant of it could not be revoked: %w)", why, err)
		}
	}
	return why
}
