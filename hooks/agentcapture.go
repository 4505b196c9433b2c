package hooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"engram/memory"
)

// Bounds of one hook. What it does not reach is done by the next ones.
const (
	captureTime = 3       // this part of its time is for reading transcripts
	sealBytes   = 3 << 20 // of a journal, that are moved to the reference
)

// seals reports whether journals are sealed at an event; it takes git and the memory.
// Gemini CLI says before every request that it may compact its text.
func seals(client, event string) bool {
	return event == Stop || event == PreCompact && client != Gemini || event == End
}

// capture brings what the transcripts of the session have gained into its journal, and
// begins to seal it if there is time at this event.
func (h *agentHook) capture(ctx context.Context) {
	began := time.Now()
	transcript := h.event.transcript
	apart := h.Client == OpenCode && transcript != "" && h.SealApart != nil // a whole session is read again
	if apart {
		transcript = ""
	}
	result, err := memory.Capture(ctx, h.Scanner, memory.CaptureInput{
		CommonDir: h.place.CommonDir, WorkTree: realPath(h.place.WorkTree), Client: h.Client, Session: h.event.session,
		Transcript: transcript, SubAgent: h.event.subAgent, LinesOnly: h.Event == Prompt || h.Event == Tool,
		Time: h.Time / captureTime, Ended: h.Event == End, Now: h.Now,
	})
	h.Log.Debug("captured", "session", result.Session, "events", result.Events, "behind", result.Behind, "took", time.Since(began), "error", err)
	h.session = result.Session
	switch {
	case h.session == "":
	case apart, h.Event == Stop && h.SealApart != nil:
		h.SealApart(h.place, h.session, h.event.transcript)
	case seals(h.Client, h.Event):
		h.sealLater(ctx)
	}
}

// sealLater moves journals to their references, in the background: at the start of a
// session those that others have left.
func (h *agentHook) sealLater(ctx context.Context) {
	h.sealed = inBackground(func() bool {
		began := time.Now()
		left, err := h.seal(ctx)
		h.Log.Debug("sealed", "session", h.session, "left", left, "took", time.Since(began), "error", err)
		return err == nil && !left
	}, func(fault any) bool {
		h.Log.Debug("internal error", "fault", fmt.Sprint(fault))
		return false
	})
}

// seal seals, and before a compaction makes ready what is needed after it; left says that there
// is more to do.
func (h *agentHook) seal(ctx context.Context) (left bool, err error) {
	m, done, err := h.Open(ctx, h.place, End)
	if err != nil {
		return false, err
	}
	defer done()
	switch h.Event {
	case SessionStart:
		return false, m.SealSessions(ctx, sealBytes)
	case PreCompact:
		ready := inBackground(func() error { h.makeReady(ctx, m); return nil }, func(fault any) error { return fmt.Errorf("internal error: %v", fault) })
		left, err := m.ReadySession(ctx, h.session, sealBytes)
		return left, errors.Join(err, <-ready)
	}
	return false, m.SealSession(ctx, h.session, sealBytes)
}
