package share

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// JoinResult says what Join did, and where.
type JoinResult struct {
	core.Answer
	Branch     string           `json:"branch"`
	ID         string           `json:"invite_id"`
	Remote     string           `json:"remote"`   // its name here
	Begun      bool             `json:"begun"`    // the local branch began now; false: there was one
	Behind     bool             `json:"behind"`   // the local branch lacks what the remote has
	Recorded   bool             `json:"recorded"` // the use of the invitation is on the branch
	Pushed     bool             `json:"pushed"`   // and at the remote
	Visibility Visibility       `json:"visibility"`
	Footprint  []core.Footprint `json:"footprint"`
	Notes      []string         `json:"notes,omitempty"`
}

// Join brings the memory of an invitation into this repository, a clone of the code. The
// memory branch must have the name that the invitation says:
//
//  1. Use the remote with the invitation's address, or add it as "engram".
//  2. Fetch its memory branch, which must be a memory in which the invitation is valid.
//  3. Begin the local branch there, unless it exists.
//  4. Set git up to fetch and push the memory.
//  5. Record the use of the invitation and push it. If that fails, for instance because
//     the user may only read, a note says so: the invitation is not a lock.
//
// If 1 or 2 fail, only fetched objects are left behind. The error wraps ErrNotInvited,
// ErrNotMemory or what the remote says.
func (m *Sharer) Join(ctx context.Context, key InviteKey) (JoinResult, error) {
	j := joinRun{m: m, key: key}
	j.result = JoinResult{Branch: m.Store.Branch(), ID: key.ID(), Footprint: m.footprint()}
	if key.Branch != m.Store.Branch() {
		return j.result, core.UsageErrorf(hint.New("%s names another branch here; omit it, or name that one", hint.MemoryBranch), "the invitation is to the branch %s", key.Branch)
	}
	if !m.Moment().Before(key.Expires) {
		return j.result, fmt.Errorf("%w: it was good until %s", ErrNotInvited, key.Expires.Format("2006-01-02 15:04 MST"))
	}
	err := j.join(ctx)
	return j.result, err
}

type joinRun struct {
	m      *Sharer
	key    InviteKey
	remote remote
	theirs string // the revision at the remote
	result JoinResult
}

func (j *joinRun) join(ctx context.Context) (err error) {
	if j.remote, err = j.m.findRemote(ctx, j.key.Remote); err != nil {
		return err
	}
	found, err := j.m.Store.Look(ctx, j.remote.target())
	if err == nil && !found.Memory {
		err = fmt.Errorf("%w: %s has no branch %s", ErrNotInvited, j.key.Remote, j.key.Branch)
	}
	if err != nil {
		return err
	}
	if err := j.fetch(ctx); err != nil {
		return err
	}
	if err := j.begin(ctx); err != nil {
		return err
	}
	_, footprint, err := j.m.track(ctx, j.remote.name)
	if err != nil {
		return err
	}
	j.result.Footprint = append(j.result.Footprint, footprint...)
	j.result.Remote = j.remote.name
	if err := j.record(ctx); err != nil {
		if ctx.Err() != nil {
			return err
		}
		j.note("your use of the invitation was not recorded: %v", err)
	}
	j.result.Visibility, err = j.m.RemoteVisibility(ctx, j.remote.name)
	return err
}

func (j *joinRun) note(format string, args ...any) {
	j.result.Notes = append(j.result.Notes, fmt.Sprintf(format, args...))
}

// fetch fetches the memory and checks the invitation in it. A remote that was added for it
// is removed if the invitation is not valid.
func (j *joinRun) fetch(ctx context.Context) (err error) {
	if j.remote.isNew {
		footprint, err := j.m.addRemote(ctx, j.remote)
		if err != nil {
			return err
		}
		j.result.Footprint = append(j.result.Footprint, footprint...)
		defer func() {
			if err != nil || j.theirs == "" {
				_ = j.m.Store.RemoveRemote(context.WithoutCancel(ctx), j.remote.name)
			}
		}()
	}
	fetched, err := j.m.Store.Fetch(ctx, j.remote.name)
	if err != nil {
		return err
	}
	if _, err := j.m.Manifest(ctx, fetched.After); err != nil {
		return err
	}
	if err := j.m.checkInvitation(ctx, fetched.After, j.key); err != nil {
		return err
	}
	j.theirs = fetched.After
	return nil
}

// checkInvitation returns an error unless the invitation can be used.
func (m *Sharer) checkInvitation(ctx context.Context, revision string, key InviteKey) error {
	list, err := m.invitationsAt(ctx, revision, key.ID())
	if err != nil {
		return err
	}
	if len(list) != 1 {
		return fmt.Errorf("%w: the memory at %s does not have it; it may not have been pushed yet", ErrNotInvited, key.Remote)
	}
	switch invited := list[0]; invited.State {
	case InviteOpen:
		return nil
	case InviteUsedUp:
		if _, mine, err := m.FactAt(ctx, revision, m.joinKey(ctx, key)); err != nil || mine {
			return err // the same person, in another clone
		}
		return fmt.Errorf("%w: it was for %d, and all of them have joined", ErrNotInvited, invited.Uses)
	case InviteRevoked:
		return fmt.Errorf("%w: %s revoked it", ErrNotInvited, cmp.Or(invited.By, "somebody"))
	}
	return fmt.Errorf("%w: it has expired", ErrNotInvited)
}

// begin begins the local branch, or finds out whether it is behind the remote's.
func (j *joinRun) begin(ctx context.Context) error {
	tip, err := j.m.Store.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoBranch) {
		if err := j.m.Store.BeginAt(ctx, j.theirs); err != nil {
			return err
		}
		j.result.Answer, j.result.Begun = core.AnswerAt(j.theirs), true
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := j.m.Manifest(ctx, tip); err != nil {
		return err
	}
	j.result.Answer = core.AnswerAt(tip)
	if _, err := j.m.Store.Ancestor(ctx, j.theirs, tip); errors.Is(err, gitstore.ErrNotFound) {
		j.result.Behind = true
	} else if err != nil {
		return err
	}
	return nil
}

// record records the use of the invitation and pushes it. If the remote does not permit
// writing, the record is taken back.
func (j *joinRun) record(ctx context.Context) error {
	if j.result.Behind {
		return fmt.Errorf("the memory here lacks what the remote has; `engram sync %s` joins the two", j.remote.name)
	}
	before, known := j.result.Revision, false
	revision, err := j.m.write.Update(ctx, "join", func(p *write.Planner) error {
		f := j.usage(ctx, p)
		var err error
		if _, known, err = p.At(ctx, f.Key); err != nil || known {
			return err
		}
		_, err = p.Put(f, facts.Fact{}, false)
		return err
	})
	if err != nil {
		return err
	}
	j.result.Answer, j.result.Recorded = core.AnswerAt(revision), true
	if known {
		j.result.Pushed = true
		return nil
	}
	err = j.m.Store.Push(ctx, j.remote.name)
	switch {
	case err == nil:
		j.result.Pushed = true
	case errors.Is(err, gitstore.ErrDenied), errors.Is(err, gitstore.ErrRefused):
		if j.result.Begun && j.m.Store.TakeBack(ctx, revision, before) == nil {
			j.result.Answer, j.result.Recorded = core.AnswerAt(before), false
			return fmt.Errorf("you may read the memory and not write to it: %w", err)
		}
		j.note("your use of the invitation stays in this clone: %v", err)
	default:
		j.note("your use of the invitation was not pushed: %v; `engram sync` does it later", err)
	}
	return ctx.Err()
}

// usage is the fact by which the use of an invitation is counted.
func (j *joinRun) usage(ctx context.Context, p *write.Planner) facts.Fact {
	name, _, _ := strings.Cut(p.Engineer, " <")
	key := j.m.joinKey(ctx, j.key)
	if p.Manifest.AnonymousMode {
		name = "Somebody"
		who := make([]byte, 6)
		_, _ = rand.Read(who) // never fails
		key.Sub = hex.EncodeToString(who)
	}
	return facts.Fact{Key: key, Kind: facts.KindPolicy, Tags: []string{"invite"}, Claim: facts.FoldSpace(name) + " joined."}
}

// joinKey is the key of the fact that records a use of an invitation. It is the same for the
// same person in every clone, and cannot be guessed without the invitation.
func (m *Sharer) joinKey(ctx context.Context, invited InviteKey) facts.Key {
	who, _ := m.Store.Identity(ctx)
	mac := hmac.New(sha256.New, invited.secret)
	mac.Write([]byte(strings.ToLower(write.Email(who))))
	key := inviteKeyOf(invited.ID())
	key.Sub = hex.EncodeToString(mac.Sum(nil))[:12]
	return key
}
