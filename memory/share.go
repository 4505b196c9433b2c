package memory

import (
	"context"

	"engram/memory/internal/share"
)

type (
	// Privacy has two decisions that a team makes once, when its memory begins.
	Privacy = share.Privacy
	// BeginInput says how a memory is to begin.
	BeginInput = share.BeginInput
	// InitResult says what Init made and where everything lies.
	InitResult = share.InitResult
	// InviteInput says what an invitation is for.
	InviteInput = share.InviteInput
	// InviteResult is an invitation that was made.
	InviteResult = share.InviteResult
	// Invitation is an invitation as the branch has it.
	Invitation = share.Invitation
	// InvitationsResult lists invitations.
	InvitationsResult = share.InvitationsResult
	// RevokeResult is an invitation that holds no longer.
	RevokeResult = share.RevokeResult
	// InviteKey is what an invitation says to whoever holds it.
	InviteKey = share.InviteKey
	// MergeFileInput is one file as git hands it to a merge driver.
	MergeFileInput = share.MergeFileInput
	// MergeFileResult is what a merge driver leaves.
	MergeFileResult = share.MergeFileResult
	// JoinResult says what Join did and where everything lies.
	JoinResult = share.JoinResult
	// Visibility says who may read a remote: public, private, local (a path) or unknown.
	Visibility = share.Visibility
	// SettleInput says how long Settle may take.
	SettleInput = share.SettleInput
	// SettleResult says what arrived and what came of it.
	SettleResult = share.SettleResult
	// SyncInput says with whom.
	SyncInput = share.SyncInput
	// SyncResult says what was brought, what came of it, and what was sent.
	SyncResult = share.SyncResult
	// WatchReport is what one look at the branch led to.
	WatchReport = share.WatchReport
	// WatchOptions are the settings of Watch; the zero value is the default.
	WatchOptions = share.WatchOptions
)

const (
	DefaultInviteTTL = share.DefaultInviteTTL
	// DefaultInviteUses is how many may join with an invitation by default.
	DefaultInviteUses = share.DefaultInviteUses
	InviteOpen        = share.InviteOpen
	InviteExpired     = share.InviteExpired
	InviteRevoked     = share.InviteRevoked
	InviteUsedUp      = share.InviteUsedUp
	Public            = share.Public
	Local             = share.Local
)

var (
	// ErrNoInvitation: no invitation, or several, have that id.
	ErrNoInvitation = share.ErrNoInvitation
	// ErrNotInvited: the invitation does not hold, or not any more.
	ErrNotInvited = share.ErrNotInvited
	// ErrInviteKey: a text is no invitation that this engram can read.
	ErrInviteKey = share.ErrInviteKey
	// ErrNotTakenIn reports that what a remote has could not be merged, so that nothing can be
	// sent either.
	ErrNotTakenIn = share.ErrNotTakenIn
)

// Begin begins the memory branch, with no history in common with the code, and touches
// nothing else but the settings by which plain git fetches it: 1.
func (m *Memory) Begin(ctx context.Context, in BeginInput) (InitResult, error) {
	return m.share.Begin(ctx, in)
}

// Init is Begin with nothing stated.
func (m *Memory) Init(ctx context.Context) (InitResult, error) {
	return m.share.Init(ctx)
}

// Invite makes an invitation: one string to give to colleagues, and a fact on the branch by
// which it is told whether it holds.
func (m *Memory) Invite(ctx context.Context, in InviteInput) (InviteResult, error) {
	return m.share.Invite(ctx, in)
}

// Invitations lists all invitations on the branch, whatever their state.
func (m *Memory) Invitations(ctx context.Context) (InvitationsResult, error) {
	return m.share.Invitations(ctx)
}

// Revoke ends an invitation, named by the first digits of its id.
func (m *Memory) Revoke(ctx context.Context, id, reason string) (RevokeResult, error) {
	return m.share.Revoke(ctx, id, reason)
}

// ParseInviteKey reads a key as somebody pasted it: in quotes, or broken into lines by a
// mail.
func ParseInviteKey(text string) (InviteKey, error) {
	return share.ParseInviteKey(text)
}

// MergeFile is the merge of one file, the same as that of a merge that engram makes, for
// git's merge driver.
func (m *Memory) MergeFile(ctx context.Context, in MergeFileInput) (MergeFileResult, error) {
	return m.share.MergeFile(ctx, in)
}

// Join brings the memory that an invitation is to into this repository, a clone of the
// code, whose memory branch has to be the invitation's: 1.
func (m *Memory) Join(ctx context.Context, key InviteKey) (JoinResult, error) {
	return m.share.Join(ctx, key)
}

// RemoteVisibility asks a remote ("" is the one that the memory is shared with) whether it
// shows itself to somebody it does not know.
func (m *Memory) RemoteVisibility(ctx context.Context, name string) (Visibility, error) {
	return m.share.RemoteVisibility(ctx, name)
}

// Remotes names the remotes of the repository.
func (m *Memory) Remotes(ctx context.Context) (names []string, err error) {
	return m.share.Remotes(ctx)
}

// Settle takes in what was fetched of the upstream's memory branch, and audits what
// arrived.
func (m *Memory) Settle(ctx context.Context, in SettleInput) (SettleResult, error) {
	return m.share.Settle(ctx, in)
}

// SettleFetched is Settle where something was fetched since this process last settled, and
// otherwise costs a look at a few files' times.
func (m *Memory) SettleFetched(ctx context.Context, in SettleInput) (SettleResult, error) {
	return m.share.SettleFetched(ctx, in)
}

// Sync fetches the memory, takes it in, audits what arrived, and sends what the remote
// lacks, again from the beginning where somebody else was faster.
func (m *Memory) Sync(ctx context.Context, in SyncInput) (SyncResult, error) {
	return m.share.Sync(ctx, in)
}

// Share sends the memory to a remote, as Sync does, for who wants to know nothing more.
func (m *Memory) Share(ctx context.Context, remote string) error {
	return m.share.Share(ctx, remote)
}

// Watch takes in what was fetched, as Settle does, and keeps index and vectors up to date
// with the branch until ctx is done.
func (m *Memory) Watch(ctx context.Context, opts WatchOptions) error {
	return m.share.Watch(ctx, opts)
}
