package exchange

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"engram/bus"
	"engram/bus/ledger"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/write"
)

// IssueGrant signs a grant. The error is a *LeadError if Parent is not a parent, wraps
// ErrUsage if the grant is not valid or is wider than the one it is derived from, and
// bus.ErrForged or bus.ErrUnknownGrant if From is not a valid token.
func (m *Bus) IssueGrant(ctx context.Context, in budget.GrantInput) (budget.GrantResult, error) {
	if err := m.NormalizeAgents(&in.Parent, &in.Child); err != nil {
		return budget.GrantResult{}, err
	}
	switch {
	case in.From != "" && in.Parent == "":
		return budget.GrantResult{}, core.UsageErrorf(hint.New("name the agent that the token is for as parent"), "only the child of a grant makes another out of it")
	case in.From == "" && !m.budget.MayLead(in.Parent):
		return budget.GrantResult{}, &write.LeadError{Agent: in.Parent, What: "issue grants"}
	case in.Lifetime < 0:
		return budget.GrantResult{}, core.UsageErrorf(hint.New("say how long it is good, such as 1h"), "a grant cannot end before it begins")
	}
	pointer, err := m.grantPointer(ctx, in)
	if err != nil {
		return budget.GrantResult{}, err
	}
	revision, err := m.budget.RevisionIfAny(ctx)
	if err != nil {
		return budget.GrantResult{}, err
	}
	now := m.Moment()
	g := budget.Grant{ID: m.NewID(now), Parent: in.Parent, Child: in.Child, Purpose: bus.Purpose(in.Purpose), Pointer: pointer, Prefix: in.Prefix,
		Cap: in.Cap, Uses: in.Uses, Issued: now, PassOn: in.PassOn}
	if in.Lifetime > 0 {
		g.Expires = now.Add(in.Lifetime)
	}
	token, g, err := m.Ledger.Issue(ctx, g, in.From)
	if err != nil {
		return budget.GrantResult{}, grantError(err)
	}
	kind, _, _ := strings.Cut(g.Pointer, ":")
	m.budget.Note(ctx, budget.Event{Name: ledger.DerefGrant, Agent: g.Parent, Child: g.Child, IDs: []string{g.ID}, Pointers: budget.PointerTypes(facts.PointerType(kind)), Tokens: g.Cap})
	return budget.GrantResult{Answer: core.AnswerAt(revision), BudgetToken: token, Grant: g, Notes: m.grantNotes(ctx, revision, g)}, nil
}

// grantError turns an error of a grant into a usage error.
func grantError(err error) error {
	var fault *bus.GrantError
	if errors.As(err, &fault) {
		return core.UsageErrorf(GrantHint(), "%w", err)
	}
	return err
}

// GrantState is a grant and what is left of it.
type GrantState struct {
	budget.Grant
	UsesLeft int    `json:"uses_left"`
	CapLeft  int    `json:"cap_left"`
	State    string `json:"state"` // open, used up, expired or revoked
}

// GrantsResult lists grants, the newest first.
type GrantsResult struct {
	core.Answer
	Grants []GrantState `json:"grants"`
}

// Grants lists the grants that were issued in this repository; a child that is not ""
// narrows the list. Grants that ended a week ago are forgotten.
func (m *Bus) Grants(ctx context.Context, child string) (GrantsResult, error) {
	if err := m.NormalizeAgents(&child); err != nil {
		return GrantsResult{}, err
	}
	list, err := m.Ledger.Grants(child)
	if err != nil {
		return GrantsResult{}, err
	}
	return m.grantsResult(ctx, list)
}

func (m *Bus) grantsResult(ctx context.Context, list []bus.Standing) (GrantsResult, error) {
	revision, err := m.budget.RevisionIfAny(ctx)
	result := GrantsResult{Answer: core.AnswerAt(revision), Grants: []GrantState{}}
	now := m.Moment()
	for _, s := range list {
		left := s.Left()
		result.Grants = append(result.Grants, GrantState{Grant: s.Grant, UsesLeft: left.Uses, CapLeft: left.Cap, State: string(s.State(now))})
	}
	return result, err
}

// RevokeGrant ends a grant and the grants derived from it, and lists them. agent must be
// its parent, the parent of a grant that it was derived from, or a person. The error wraps
// ledger.ErrNoGrant or ledger.ErrNotTheirs.
func (m *Bus) RevokeGrant(ctx context.Context, id, agent string) (GrantsResult, error) {
	if err := m.NormalizeAgents(&agent); err != nil {
		return GrantsResult{}, err
	}
	ended, err := m.Ledger.Revoke(ctx, id, agent)
	if err != nil {
		return GrantsResult{}, err
	}
	return m.grantsResult(ctx, ended)
}

// grantPointer returns the pointer of a grant as a whole reference with a commit. It
// completes a short form or, if the grant is strict, returns an error that says what to
// write. A prefix applies to all commits unless it names one.
func (m *Bus) grantPointer(ctx context.Context, in budget.GrantInput) (string, error) {
	if in.Pointer == "" {
		if bus.Purpose(in.Purpose) == bus.ForCode {
			return "", nil
		}
		return "", core.UsageErrorf(hint.New("name what may be pulled: repo:path#L12-L40@commit, or a folder with %s", hint.Prefix), "a grant needs a pointer")
	}
	if in.Prefix {
		if !in.Strict && !strings.Contains(in.Pointer, ":") {
			return "repo:" + strings.TrimPrefix(in.Pointer, "./"), nil
		}
		return in.Pointer, nil
	}
	a, err := facts.ParseRef(in.Pointer)
	if err == nil && !needsCommit(a) {
		return in.Pointer, nil
	}
	whole, completing := m.deref.CompleteFor(ctx, in.Parent, in.Pointer)
	switch {
	case completing != nil && err != nil:
		return "", completing // neither a valid form nor an existing thing
	case completing != nil:
		return "", core.UsageErrorf(hint.New("write the commit after it: %s@COMMIT", in.Pointer), "pointer %s names no commit, so what it is for would move", in.Pointer)
	case in.Strict:
		return "", core.UsageErrorf(hint.New("write %s", whole.Ref), "pointer %s names no commit, so what it is for would move", in.Pointer)
	}
	if a, err = facts.ParseRef(whole.Ref); err == nil && needsCommit(a) {
		return "", core.UsageErrorf(hint.New("commit the file first, or grant its folder with %s", hint.Prefix), "%s is not committed, so nobody could read it", in.Pointer)
	}
	return whole.Ref, err
}

// needsCommit reports whether the address has a different meaning in each commit.
func needsCommit(a facts.Address) bool { return a.InRepository() && a.Commit == "" }

// grantNotes returns a note if a grant for reading covers nothing that is here, or only
// the listing of a folder.
func (m *Bus) grantNotes(ctx context.Context, tip string, g budget.Grant) []string {
	if g.Prefix || g.Purpose != bus.ForDeref {
		return nil
	}
	a, err := facts.ParseRef(g.Pointer)
	if err != nil {
		return nil
	}
	if _, err := m.deref.Locate(ctx, tip, a, deref.Requester{Agent: g.Child}); err != nil {
		if why, nothing := deref.Unresolved(err); nothing {
			return []string{"it permits nothing at present: " + why}
		}
		return nil
	}
	if a.Type != facts.PointRepo && a.Type != facts.PointArtifact || a.InSession() {
		return nil
	}
	if code, err := m.Store.CodeAt(ctx, a.Commit, a.Path); err == nil && code.Kind == gitstore.CodeFolder {
		return []string{a.Path + " is a folder: the grant covers its listing alone, and with --prefix (prefix) what is below it"}
	}
	return nil
}

// ParseLifetime reads how long a grant is good for: as Go writes durations (30m, 8h,
// 1h30m), in days or weeks (7d, 2w), or as ISO 8601 does (PT30M, P7D). "" is 0, which
// stands for the default. The error wraps ErrUsage.
func ParseLifetime(text string) (time.Duration, error) {
	form := hint.New("write it as PT30M or P1D, or as 30m or 1d; at most 30 days")
	if text == "" {
		return 0, nil
	}
	d, ok := lifetimeOf(text)
	switch {
	case !ok || d <= 0:
		return 0, core.UsageErrorf(form, "lifetime %.40q is not a duration", text)
	case d > bus.MaxGrantLifetime:
		return 0, core.UsageErrorf(form, "lifetime %.40q is too long: a grant lasts 30 days at most", text)
	}
	return d, nil
}

func lifetimeOf(text string) (time.Duration, bool) {
	if d, err := time.ParseDuration(text); err == nil {
		return d, true
	}
	const day = 24 * time.Hour
	for unit, length := range map[string]int{"d": 1, "w": 7} {
		if number, found := strings.CutSuffix(text, unit); found {
			if n, err := strconv.ParseUint(number, 10, 16); err == nil {
				return time.Duration(n) * time.Duration(length) * day, true
			}
		}
	}
	p, err := facts.ParseTTL(text)
	if err != nil {
		return 0, false
	}
	// Whatever has months in it is too long, and so are days that no Duration holds.
	days := min(p.Days+31*p.Months+365*p.Years, 10_000)
	return time.Duration(days)*day + min(p.Exact, 10_000*day), true
}
