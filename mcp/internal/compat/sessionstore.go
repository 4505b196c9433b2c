package compat

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"engram/mcp/internal/tool"
	"engram/memory"
)

// session is what the session store knows of one.
type session struct {
	ID        string     `json:"session_id"`
	StartedAt *time.Time `json:"started_at" jsonschema:"null: nobody began it here"`
	Saved     []string   `json:"saved" jsonschema:"keys that were saved in it"`
}

// startNote is the event with which a session begins.
const startNote = "session started"

// start notes in the session store that a session begins; one that goes on is left as it
// is.
func start(ctx context.Context, c *tool.Call, id string) (session, error) {
	if known, err := sessionOf(ctx, c, id); err != nil || known.StartedAt != nil {
		return known, err
	}
	if err := note(ctx, c, id, memory.AppendedEvent{Kind: "system_note", Text: startNote, Tags: []string{"note"}}, false); err != nil {
		return session{}, err
	}
	return sessionOf(ctx, c, id)
}

// note adds an event to a session. It ignores a session "".
func note(ctx context.Context, c *tool.Call, id string, e memory.AppendedEvent, seal bool) error {
	if id == "" {
		return nil
	}
	agent, err := c.Author("")
	if err != nil {
		return err
	}
	in := memory.AppendEventsInput{Session: id, Client: cmp.Or(c.Caller, "mcp"), Agent: agent, Seal: seal}
	if e.Kind != "" {
		in.Events = []memory.AppendedEvent{e}
	}
	_, err = c.Memory.AppendEvents(ctx, in)
	return err
}

// noteSaved adds to a session that a fact was saved in it. The fact stands already, so a
// failure is told and not returned.
func noteSaved(ctx context.Context, c *tool.Call, id, tag, text string, out *memSaveOutput) {
	if id == "" {
		return
	}
	tags := []string{"fact"}
	if tag != "" {
		tags = append(tags, tag)
	}
	if err := note(ctx, c, id, memory.AppendedEvent{Kind: "system_note", Text: text, Tags: tags, Facts: []string{out.Key}}, false); err != nil {
		out.Notes = append(out.Notes, "the session does not know of it: "+err.Error())
	}
}

// sessionOf is what the session store knows of a session. A missing session is not an error.
func sessionOf(ctx context.Context, c *tool.Call, id string) (session, error) {
	out := session{ID: id, Saved: []string{}}
	stored := memory.SessionID(id)
	known, err := c.Memory.Session(ctx, memory.SessionInput{ID: stored, Kinds: []string{"system_note"}, AskedBy: c.Caller})
	if errors.Is(err, memory.ErrNotFound) || errors.Is(err, memory.ErrUsage) { // nor does the beginning of several ids name one
		return out, nil
	}
	if err != nil || known.Session.ID != stored {
		return out, err
	}
	for _, e := range known.Events {
		if e.Text == startNote && out.StartedAt == nil {
			at := e.At
			out.StartedAt = &at
		}
		for _, key := range e.Facts {
			if !slices.Contains(out.Saved, key) {
				out.Saved = append(out.Saved, key)
			}
		}
	}
	return out, nil
}
