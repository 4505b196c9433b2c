package share

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// What can be wrong with an invitation.
var (
	// ErrNoInvitation reports that not exactly one invitation has an id.
	ErrNoInvitation = errors.New("no such invitation")
	// ErrNotInvited reports that an invitation is not valid, or not any more.
	ErrNotInvited = errors.New("the invitation does not hold")
)

// The defaults of an invitation.
const (
	DefaultInviteTTL  = "P7D"
	DefaultInviteUses = 10 // as in the consistency plan
)

// InviteInput says what an invitation is for.
type InviteInput struct {
	Remote  string `json:"remote,omitempty"`  // "" is the one that the memory is shared with
	Expires string `json:"expires,omitempty"` // ISO-8601 duration or days; "" means DefaultInviteTTL
	Uses    int    `json:"uses"`              // how many may join with it; 0 is no limit
}

// InviteResult is an invitation that was made.
type InviteResult struct {
	core.Answer
	Key        string     `json:"invite_key"` // the one string; nothing else keeps it
	ID         string     `json:"invite_id"`
	Remote     string     `json:"remote"` // the address; everybody who has the key can read it
	Branch     string     `json:"branch"`
	Expires    time.Time  `json:"expires_at"`
	Uses       int        `json:"uses"`
	Visibility Visibility `json:"visibility"`
	Pushed     bool       `json:"pushed"` // the remote has it, so it can be used
	Notes      []string   `json:"notes,omitempty"`
}

// Invite makes an invitation: a string to give to colleagues, and a fact on the branch that
// says whether the invitation is valid. The fact is pushed at once if possible. The string
// gives no access by itself: it contains the address of the remote in clear text, and no
// credentials.
func (m *Sharer) Invite(ctx context.Context, in InviteInput) (InviteResult, error) {
	period, err := facts.ParseTTL(cmp.Or(in.Expires, DefaultInviteTTL))
	if err != nil || in.Uses < 0 {
		return InviteResult{}, core.UsageErrorf(hint.Hint{}, "%w", cmp.Or(err, errors.New("the number of uses is below 0")))
	}
	name, address, err := m.inviteRemote(ctx, in.Remote)
	if err != nil {
		return InviteResult{}, err
	}
	now := m.Moment()
	key := InviteKey{Remote: address, Branch: m.Store.Branch(), Expires: period.After(now).Truncate(time.Second), Uses: in.Uses, secret: make([]byte, secretBytes)}
	if _, err := rand.Read(key.secret); err != nil {
		return InviteResult{}, fmt.Errorf("make a secret: %w", err)
	}
	revision, err := m.write.Update(ctx, "invite", func(p *write.Planner) error {
		if err := p.MayDecide("to invite others"); err != nil {
			return err
		}
		_, err := p.Put(invitation(key), facts.Fact{}, false)
		return err
	})
	if err != nil {
		return InviteResult{}, err
	}
	result := InviteResult{
		Answer: core.AnswerAt(revision), Key: key.String(), ID: key.ID(), Remote: address, Branch: key.Branch, Expires: key.Expires, Uses: key.Uses,
	}
	if result.Visibility, err = m.Store.VisibilityOf(ctx, address); err != nil {
		return result, err
	}
	if result.Visibility == Local {
		result.Notes = append(result.Notes, "the address is a path, so it works on this machine only")
	}
	if err := m.Share(ctx, name); err != nil {
		result.Notes = append(result.Notes, fmt.Sprintf("%s does not have it yet, so nobody can use it: %v", name, err))
	} else {
		result.Pushed = true
	}
	return result, ctx.Err()
}

// inviteRemote returns the remote that an invitation is for, and its address.
func (m *Sharer) inviteRemote(ctx context.Context, stated string) (name, address string, err error) {
	r, err := m.findRemote(ctx, stated)
	switch {
	case err != nil:
		return "", "", err
	case r.name == "":
		return "", "", fmt.Errorf("%w: the memory is shared with no remote, so there is nothing to invite to", gitstore.ErrNoRemote)
	case r.isNew:
		return "", "", fmt.Errorf("%w: %q", gitstore.ErrNoRemote, stated)
	}
	if address, err = m.Store.Address(ctx, r.name); err != nil {
		return "", "", err
	}
	if err := m.ScanText("the address of "+r.name, address); err != nil {
		return "", "", err
	}
	return r.name, address, nil
}

func inviteKeyOf(id string) facts.Key {
	namespace, category, _ := strings.Cut(core.InvitePrefix, "/")
	return facts.Key{Namespace: namespace, Category: category, Identifier: id}
}

const usesTag = "uses:"

// invitation is the fact that records an invitation on the branch.
func invitation(k InviteKey) facts.Fact {
	uses := "any number of uses"
	if k.Uses > 0 {
		uses = core.Plural(k.Uses, "use")
	}
	return facts.Fact{
		Key: inviteKeyOf(k.ID()), Kind: facts.KindPolicy, Tags: []string{"invite", usesTag + strconv.Itoa(k.Uses)}, ValidUntil: k.Expires,
		Claim: fmt.Sprintf("Invitation to this memory, for %s, until %s.", uses, k.Expires.Format(time.RFC3339)),
	}
}

// The states of an invitation.
const (
	InviteOpen    = "open"
	InviteExpired = "expired"
	InviteRevoked = "revoked"
	InviteUsedUp  = "used up"
)

// Invitation is an invitation as the branch has it.
type Invitation struct {
	ID      string     `json:"invite_id"`
	State   string     `json:"state"` // open, expired, revoked or used up
	By      string     `json:"engineer"`
	Created time.Time  `json:"committed_at"`
	Expires *time.Time `json:"expires_at"` // of a revoked one: when it was
	Uses    int        `json:"uses"`       // 0: no limit
	Joined  []Joined   `json:"joined"`     // who used it, the first first
}

// Joined is somebody who used an invitation.
type Joined struct {
	Engineer string    `json:"engineer"` // "" where the team stores no names
	At       time.Time `json:"committed_at"`
}

// InvitationsResult lists invitations.
type InvitationsResult struct {
	core.Answer
	Invitations []Invitation `json:"invitations"` // the newest first
}

// Invitations lists all invitations on the branch, whatever their state.
func (m *Sharer) Invitations(ctx context.Context) (InvitationsResult, error) {
	tip, _, err := m.Tip(ctx)
	if err != nil {
		return InvitationsResult{}, err
	}
	list, err := m.invitationsAt(ctx, tip, "")
	slices.SortStableFunc(list, func(a, b Invitation) int { return b.Created.Compare(a.Created) })
	return InvitationsResult{Answer: core.AnswerAt(tip), Invitations: append([]Invitation{}, list...)}, err
}

// invitationsAt reads the invitations of a revision whose ids begin with a
// prefix, by id.
func (m *Sharer) invitationsAt(ctx context.Context, revision, id string) (list []Invitation, err error) {
	now := m.Moment()
	joined := make(map[string][]Joined)
	_, err = m.Each(ctx, revision, core.InvitePrefix, func(f facts.Fact) error {
		if !strings.HasPrefix(f.Key.Identifier, id) {
			return nil
		}
		if f.Key.Sub != "" {
			joined[f.Key.Identifier] = append(joined[f.Key.Identifier], Joined{f.Provenance.Engineer, f.ValidFrom})
			return nil
		}
		list = append(list, Invitation{
			ID: f.Key.Identifier, State: inviteState(f, now), By: f.Provenance.Engineer, Created: f.Provenance.CreatedAt,
			Expires: core.TimeOrNil(f.Window().Until), Uses: usesOf(f), Joined: []Joined{},
		})
		return nil
	})
	for i := range list {
		invited := &list[i]
		invited.Joined = append(invited.Joined, joined[invited.ID]...)
		slices.SortStableFunc(invited.Joined, func(a, b Joined) int { return a.At.Compare(b.At) })
		if invited.State == InviteOpen && invited.Uses > 0 && len(invited.Joined) >= invited.Uses {
			invited.State = InviteUsedUp
		}
	}
	return list, err
}

func inviteState(f facts.Fact, now time.Time) string {
	switch f.StateAt(now) {
	case facts.Current, facts.Scheduled:
		return InviteOpen
	case facts.Retired:
		return InviteRevoked
	}
	return InviteExpired
}

func usesOf(f facts.Fact) int {
	for _, tag := range f.Tags {
		if n, ok := strings.CutPrefix(tag, usesTag); ok {
			if uses, err := strconv.Atoi(n); err == nil {
				return uses
			}
		}
	}
	return 0
}

// RevokeResult is an invitation that was revoked.
type RevokeResult struct {
	core.Answer
	ID     string   `json:"invite_id"`
	Pushed bool     `json:"pushed"` // the remote knows
	Notes  []string `json:"notes,omitempty"`
}

// Revoke ends an invitation, named by the first digits of its id. The error wraps
// ErrNoInvitation unless exactly one open invitation begins with them.
func (m *Sharer) Revoke(ctx context.Context, id, reason string) (RevokeResult, error) {
	if err := m.ScanText("reason", reason); err != nil {
		return RevokeResult{}, err
	}
	id = strings.TrimPrefix(strings.TrimSpace(id), core.InvitePrefix+"/")
	if id == "" {
		return RevokeResult{}, core.UsageErrorf(core.InvitationsHint(), "the id of an invitation is missing")
	}
	var result RevokeResult
	revision, err := m.write.Update(ctx, "revoke", func(p *write.Planner) error {
		list, err := m.invitationsAt(ctx, p.Tip, id)
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(i Invitation) bool { return i.State != InviteOpen && i.State != InviteUsedUp })
		if len(list) != 1 {
			return fmt.Errorf("%w: %d that are open begin with %q", ErrNoInvitation, len(list), id)
		}
		result.ID = list[0].ID
		if err := p.MayDecide("to revoke invitations"); err != nil {
			return err
		}
		_, err = p.Retire(ctx, write.Draft{Fact: facts.Fact{Key: inviteKeyOf(result.ID)}, Reason: facts.FoldSpace(reason)})
		return err
	})
	if err != nil {
		return RevokeResult{}, err
	}
	result.Answer = core.AnswerAt(revision)
	name, err := m.upstream(ctx)
	if err == nil && name != "" {
		err = m.Share(ctx, name)
		result.Pushed = err == nil
	}
	if !result.Pushed {
		result.Notes = append(result.Notes, fmt.Sprintf("it holds at the remote until this is pushed: %v", cmp.Or(err, errors.New("the memory is shared with no remote"))))
	}
	return result, ctx.Err()
}
