package memory

import (
	"context"
	"errors"
	"io"

	"engram/memory/internal/archive"
	"engram/memory/internal/capture"
	"engram/memory/internal/core"
	"engram/session"
)

type (
	// SessionOptions are the settings of sessions; the zero value is the default.
	SessionOptions = core.SessionOptions
	// SessionEvent is one thing that happened in a session.
	SessionEvent = session.Event
	// SessionSummary is what is known of a session without reading it.
	SessionSummary = archive.Summary
	// SessionMatch is an event that a search found.
	SessionMatch = archive.Match
	// SessionsInput says which sessions to list.
	SessionsInput = archive.ListInput
	// SessionsResult is a list of sessions.
	SessionsResult = archive.ListResult
	// SessionInput names a session, and which of its events to show.
	SessionInput = archive.ShowInput
	// SessionResult is a session with events in order.
	SessionResult = archive.ShowResult
	// SessionArtifactInput names an artifact of a session.
	SessionArtifactInput = archive.ArtifactInput
	// SessionLogInput names a file or a folder.
	SessionLogInput = archive.LogInput
	// SessionLogResult is what sessions did to a file, newest first.
	SessionLogResult = archive.LogResult
	// SessionExportInput names a session and the form of its export.
	SessionExportInput = archive.ExportInput
	// DescribeSessionResult is what is known of a session.
	DescribeSessionResult = archive.DescribeResult
	// ResumeResult says how to continue a session with its client.
	ResumeResult = archive.ResumeResult
	// ShareSessionsInput names the sessions to send to a remote.
	ShareSessionsInput = archive.ShareInput
	// ShareSessionsResult says what was sent, or would be.
	ShareSessionsResult = archive.ShareResult
	// FetchSessionsInput names the sessions to bring from a remote.
	FetchSessionsInput = archive.FetchInput
	// FetchSessionsResult says what a remote has, and what was brought.
	FetchSessionsResult = archive.FetchResult
	// RedactSessionInput says what to take out of a session.
	RedactSessionInput = archive.RedactInput
	// ForgetSessionInput names a session to remove.
	ForgetSessionInput = archive.ForgetInput
	// ForgetSessionResult says what was removed from a session, or would be.
	ForgetSessionResult = archive.ForgetResult
	// PruneSessionsInput says which artifacts to archive.
	PruneSessionsInput = archive.PruneInput
	// PruneSessionsResult says which artifacts were archived, or would be.
	PruneSessionsResult = archive.PruneResult
	// ImportSessionsInput says which transcripts to import.
	ImportSessionsInput = capture.ImportInput
	// ImportSessionsResult says what was imported.
	ImportSessionsResult = capture.ImportResult
	// AppendEventsInput is what an orchestrator adds to a session.
	AppendEventsInput = capture.AppendInput
	// AppendedEvent is an event as an orchestrator states it.
	AppendedEvent = capture.AppendEvent
	// AppendEventsResult says what was added to a session.
	AppendEventsResult = capture.AppendResult
	// CaptureInput is what a hook of a client tells.
	CaptureInput = capture.HookInput
	// CaptureResult says what a hook captured.
	CaptureResult = capture.HookResult
	// CaptureCommitInput is what git's hook tells of a commit.
	CaptureCommitInput = capture.CommitInput
	// Origin is where lines of the code come from.
	Origin = archive.Origin
)

// SessionID is the id that a session has in the store, given the client's own.
func SessionID(own string) string { return session.IDOf(own) }

// SessionKinds lists the kinds of events.
func SessionKinds() []session.Kind { return session.Kinds() }

// SessionLabels lists the labels of events.
func SessionLabels() []session.Label { return session.Labels() }

// SessionFormats lists the forms of an export.
func SessionFormats() []string { return archive.ExportFormats() }

// Sessions lists sessions, the newest first or those that a text finds.
func (m *Memory) Sessions(ctx context.Context, in SessionsInput) (SessionsResult, error) {
	return m.archive.List(ctx, in)
}

// Session returns events of a session.
func (m *Memory) Session(ctx context.Context, in SessionInput) (SessionResult, error) {
	return m.archive.Show(ctx, in)
}

// DescribeSession returns what is known of a session, without its events.
func (m *Memory) DescribeSession(ctx context.Context, id string) (DescribeSessionResult, error) {
	return m.archive.Describe(ctx, id)
}

// SessionArtifact returns the content of an artifact of a session.
func (m *Memory) SessionArtifact(ctx context.Context, in SessionArtifactInput) ([]byte, error) {
	return m.archive.ReadArtifact(ctx, in)
}

// SessionLog lists what sessions did to a file.
func (m *Memory) SessionLog(ctx context.Context, in SessionLogInput) (SessionLogResult, error) {
	return m.archive.Log(ctx, in)
}

// ExportSession writes a session.
func (m *Memory) ExportSession(ctx context.Context, in SessionExportInput, w io.Writer) error {
	return m.archive.Export(ctx, in, w)
}

// ResumeSession returns the client's command that continues a session.
func (m *Memory) ResumeSession(ctx context.Context, id string) (ResumeResult, error) {
	return m.archive.Resume(ctx, id)
}

// ImportSessions reads transcripts into the session store. A transcript that was read
// before is continued.
func (m *Memory) ImportSessions(ctx context.Context, in ImportSessionsInput) (ImportSessionsResult, error) {
	return m.capture.Import(ctx, in)
}

// WaitingSessions counts the transcripts of this repository that clients keep in a home
// folder, and that were never imported.
func (m *Memory) WaitingSessions(home string, getenv func(string) string) (int, error) {
	return m.capture.Waiting(home, getenv)
}

// AppendEvents adds events to a session that no transcript has. They are durable when it
// returns.
func (m *Memory) AppendEvents(ctx context.Context, in AppendEventsInput) (AppendEventsResult, error) {
	return m.capture.Append(ctx, in)
}

// Capture brings what a client's transcripts have gained into the journal of its session,
// without git and without opening the memory. What it acknowledges is synced.
func Capture(ctx context.Context, scanner Scanner, in CaptureInput) (CaptureResult, error) {
	return capture.Hook(ctx, scanner, in)
}

// CaptureRest brings what a transcript has gained since the last hook into the journal of
// its session.
func (m *Memory) CaptureRest(ctx context.Context, id, transcript string) error {
	return m.capture.Rest(ctx, id, transcript)
}

// CaptureCommit makes a commit an event of the session that is at work in its work tree,
// without git and without opening the memory. It returns the id of the session, or "".
func CaptureCommit(ctx context.Context, scanner Scanner, in CaptureCommitInput) (string, error) {
	return capture.Commit(ctx, scanner, in)
}

// SealSession moves the journal of a session, by its whole id, to its reference: not many
// more bytes than most. Without a journal it does nothing.
func (m *Memory) SealSession(ctx context.Context, id string, most int64) error {
	_, err := m.archive.SealSome(ctx, id, most)
	return err
}

// ReadySession seals a session and makes ready what is needed once its client has compacted its
// window: the index of its events, and its markers. left says that there is more to seal.
func (m *Memory) ReadySession(ctx context.Context, id string, most int64) (left bool, err error) {
	tip, err := m.archive.SealSome(ctx, id, most)
	if err != nil || tip == "" {
		return false, err
	}
	size, err := m.archive.Journal(id).Size()
	return size > 0, errors.Join(err, m.archive.CatchUp(ctx), m.window.Refresh(ctx, id))
}

// SealSessions does so with the journals that others have left.
func (m *Memory) SealSessions(ctx context.Context, most int64) error {
	return m.archive.SealLeft(ctx, most)
}

// ShareSessions sends the references of sessions to a remote.
func (m *Memory) ShareSessions(ctx context.Context, in ShareSessionsInput) (ShareSessionsResult, error) {
	return m.archive.Share(ctx, in)
}

// FetchSessions brings sessions from a remote.
func (m *Memory) FetchSessions(ctx context.Context, in FetchSessionsInput) (FetchSessionsResult, error) {
	return m.archive.Fetch(ctx, in)
}

// RedactSession takes out of a session what the scan for secrets missed.
func (m *Memory) RedactSession(ctx context.Context, in RedactSessionInput) (ForgetSessionResult, error) {
	return m.archive.Redact(ctx, in)
}

// ForgetSession removes a session.
func (m *Memory) ForgetSession(ctx context.Context, in ForgetSessionInput) (ForgetSessionResult, error) {
	return m.archive.Forget(ctx, in)
}

// PruneSessions moves the bytes of old artifacts into cold storage, or drops them.
func (m *Memory) PruneSessions(ctx context.Context, in PruneSessionsInput) (PruneSessionsResult, error) {
	return m.archive.Prune(ctx, in)
}
