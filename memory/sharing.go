package memory

import (
	"context"

	"engram/memory/internal/share"
	"engram/memory/internal/source"
	"engram/memory/internal/views"
)

type (
	// Privacy is the two decisions about privacy that a team makes once.
	Privacy = share.Privacy
	// BeginInput says how to begin a memory.
	BeginInput = share.BeginInput
	// InitResult says what Init created, and where.
	InitResult = share.InitResult
	// InviteInput describes an invitation to make.
	InviteInput = share.InviteInput
	// InviteResult is a new invitation.
	InviteResult = share.InviteResult
	// Invitation is an invitation as recorded on the branch.
	Invitation = share.Invitation
	// InvitationsResult lists invitations.
	InvitationsResult = share.InvitationsResult
	// RevokeResult is a revoked invitation.
	RevokeResult = share.RevokeResult
	// InviteKey is the content of an invitation key.
	InviteKey = share.InviteKey
	// JoinResult says what Join did, and where.
	JoinResult = share.JoinResult
	// MergeFileInput is one file as git passes it to a merge driver.
	MergeFileInput = share.MergeFileInput
	// MergeFileResult is the file that a merge driver produces.
	MergeFileResult = share.MergeFileResult
	// SettleInput says how long Settle may take.
	SettleInput = share.SettleInput
	// SettleResult says what arrived and what Settle did with it.
	SettleResult = share.SettleResult
	// SyncInput names the remote.
	SyncInput = share.SyncInput
	// SyncResult says what was fetched, what happened to it, and what was sent.
	SyncResult = share.SyncResult
	// WatchOptions are the settings of Watch; the zero value is the default.
	WatchOptions = share.WatchOptions
	// WatchReport is the result of one look at the branch.
	WatchReport = share.WatchReport
	// Visibility says who may read a remote: public, private, local (a path) or unknown.
	Visibility = share.Visibility
	// PublishInput says which facts to publish to which source.
	PublishInput = source.PublishInput
	// PublishResult says what was published, or would be.
	PublishResult = source.PublishResult
	// SourceInput names another repository's memory to read.
	SourceInput = source.SourceInput
	// Source is a source as configured and fetched.
	Source = source.Source
	// SourceResult is one source.
	SourceResult = source.SourceResult
	// SourcesResult is a list of sources.
	SourcesResult = source.SourcesResult
	// SourceFetch is what a fetch brought from one source.
	SourceFetch = source.SourceFetch
	// FetchResult says what a fetch brought.
	FetchResult = source.FetchResult
	// RemoveResult says what was removed with a source.
	RemoveResult = source.RemoveResult
)

// Words of invitations and remotes.
const (
	DefaultInviteTTL  = share.DefaultInviteTTL  // how long an invitation is valid by default
	DefaultInviteUses = share.DefaultInviteUses // how many people may use an invitation by default
	InviteOpen        = share.InviteOpen        // the states of an invitation
	InviteExpired     = share.InviteExpired
	InviteRevoked     = share.InviteRevoked
	InviteUsedUp      = share.InviteUsedUp
	Public            = share.Public          // visible to everybody
	Local             = share.Local           // a path, which has no visibility
	PublishPresent    = source.PublishPresent // the source has this version or a newer one
	PublishRefuse     = source.PublishRefuse  // not published; Reason says why
)

// Begin creates the memory branch, which shares no history with the code, and configures plain
// git to fetch it.
func (m *Memory) Begin(ctx context.Context, in BeginInput) (InitResult, error) {
	return m.share.Begin(ctx, in)
}

// Init is Begin with the zero input.
func (m *Memory) Init(ctx context.Context) (InitResult, error) { return m.share.Init(ctx) }

// Invite makes an invitation: a key to give to colleagues, and a fact on the branch that
// records its validity.
func (m *Memory) Invite(ctx context.Context, in InviteInput) (InviteResult, error) {
	return m.share.Invite(ctx, in)
}

// Invitations lists all invitations on the branch, whatever their state.
func (m *Memory) Invitations(ctx context.Context) (InvitationsResult, error) {
	return m.share.Invitations(ctx)
}

// Revoke ends the invitation whose id begins with the given digits.
func (m *Memory) Revoke(ctx context.Context, id, reason string) (RevokeResult, error) {
	return m.share.Revoke(ctx, id, reason)
}

// ParseInviteKey reads an invitation key, also one in quotes or broken into lines.
func ParseInviteKey(text string) (InviteKey, error) { return share.ParseInviteKey(text) }

// Join brings the memory of an invitation into this repository, which must be a clone of the
// same code.
func (m *Memory) Join(ctx context.Context, key InviteKey) (JoinResult, error) {
	return m.share.Join(ctx, key)
}

// Remotes lists the names of the repository's remotes.
func (m *Memory) Remotes(ctx context.Context) (names []string, err error) {
	return m.share.Remotes(ctx)
}

// MergeFile merges one file as engram does, for git's merge driver.
func (m *Memory) MergeFile(ctx context.Context, in MergeFileInput) (MergeFileResult, error) {
	return m.share.MergeFile(ctx, in)
}

// Settle merges what was fetched of the upstream's memory branch, and audits what arrived.
func (m *Memory) Settle(ctx context.Context, in SettleInput) (SettleResult, error) {
	return m.share.Settle(ctx, in)
}

// SettleFetched is Settle if something was fetched since this process last settled; otherwise
// it only looks at the times of a few files.
func (m *Memory) SettleFetched(ctx context.Context, in SettleInput) (SettleResult, error) {
	return m.share.SettleFetched(ctx, in)
}

// Sync fetches and merges the memory, audits what arrived, and pushes; if another push was
// faster, it starts again.
func (m *Memory) Sync(ctx context.Context, in SyncInput) (SyncResult, error) {
	return m.share.Sync(ctx, in)
}

// Share is Sync for callers that do not need the result.
func (m *Memory) Share(ctx context.Context, remote string) error { return m.share.Share(ctx, remote) }

// Watch settles what was fetched and keeps the index and the vectors up to date until ctx is
// done. When there is nothing else to do it derives views of the sessions that have changed, and
// makes vectors of what they said.
func (m *Memory) Watch(ctx context.Context, opts WatchOptions) error {
	opts.AtRest = func(ctx context.Context) (more bool, err error) {
		derived, err := m.views.Consolidate(ctx, ConsolidateInput{Questions: views.AtRest})
		if err != nil {
			return false, err
		}
		slice, cancel := context.WithTimeout(ctx, share.EmbedSlice)
		defer cancel()
		_, err = m.archive.Embed(slice)
		if err != nil && ctx.Err() == nil && slice.Err() != nil {
			return true, nil
		}
		return derived.Asked > 0 && derived.Unread > 0, err
	}
	return m.share.Watch(ctx, opts)
}

// Follow calls moved with the revision of the branch now, and whenever that changes, until ctx is
// done.
func (m *Memory) Follow(ctx context.Context, moved func(revision string)) error {
	return m.share.Follow(ctx, moved)
}

// Publish pushes facts of this memory to a source, in one commit and without force.
func (m *Memory) Publish(ctx context.Context, in PublishInput) (PublishResult, error) {
	return m.source.Publish(ctx, in)
}

// AddSource fetches another repository's memory and makes it a source of this one.
func (m *Memory) AddSource(ctx context.Context, in SourceInput) (SourceResult, error) {
	return m.source.AddSource(ctx, in)
}

// Sources lists the sources by name, with their state.
func (m *Memory) Sources(ctx context.Context) (SourcesResult, error) { return m.source.Sources(ctx) }

// FetchSources fetches the named sources, or all of them if none is named.
func (m *Memory) FetchSources(ctx context.Context, names []string) (FetchResult, error) {
	return m.source.FetchSources(ctx, names)
}

// RemoveSource removes a source: its configuration, its reference and everything derived from
// it.
func (m *Memory) RemoveSource(ctx context.Context, name string) (RemoveResult, error) {
	return m.source.RemoveSource(ctx, name)
}
