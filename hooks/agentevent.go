package hooks

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"time"
)

// maxEvent bounds the event of a client. Stop events carry the last message of the agent;
// the fields that matter here are not longer than a path.
const maxEvent = 1 << 20 // bytes

// agentListen is how long a hook waits for the client to send the event.
const agentListen = 100 * time.Millisecond

// agentEvent has the fields of a client's event that matter here; the zero value stands for
// an event that was not understood.
type agentEvent struct {
	session string
	source  string   // of a session's start: startup, resume, clear or compact
	folders []string // of the session, the likeliest first
	// Paths of the transcripts of the session and of the sub-agent that has ended.
	transcript, subAgent string
}

// listen reads the event of a client, for a bounded time. A client need not close its
// input, nor send an event. The input after the event is discarded, so that the client can
// finish writing.
func listen(ctx context.Context, in io.Reader) agentEvent {
	if in == nil {
		return agentEvent{}
	}
	heard := make(chan agentEvent, 1)
	go func() {
		heard <- readEvent(in)
		_, _ = io.Copy(io.Discard, in)
	}()
	select {
	case e := <-heard:
		return e
	case <-time.After(agentListen):
	case <-ctx.Done():
	}
	return agentEvent{}
}

// readEvent reads the JSON object of an event, up to its closing brace.
func readEvent(in io.Reader) agentEvent {
	var data json.RawMessage
	if err := json.NewDecoder(&skipMark{in: io.LimitReader(in, maxEvent)}).Decode(&data); err != nil {
		return agentEvent{}
	}
	return parseEvent(data)
}

// parseEvent reads the known fields of an event and ignores others. Claude Code, Codex and
// Gemini CLI have cwd and session_id; Cursor has workspace_roots and conversation_id.
func parseEvent(data []byte) (e agentEvent) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(data, &fields) != nil {
		return e
	}
	text := func(name string) (s string) {
		_ = json.Unmarshal(fields[name], &s) // "" if it has another type
		return s
	}
	if e.session = text("session_id"); e.session == "" {
		e.session = text("conversation_id")
	}
	e.source, e.transcript, e.subAgent = text("source"), text("transcript_path"), text("agent_transcript_path")
	if dir := text("cwd"); dir != "" {
		e.folders = append(e.folders, dir)
	}
	var roots []string
	if json.Unmarshal(fields["workspace_roots"], &roots) == nil {
		e.folders = append(e.folders, roots...)
	}
	return e
}

// skipMark skips the byte order mark that some shells write into a pipe.
type skipMark struct {
	in   io.Reader
	read bool
}

func (s *skipMark) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	if !s.read && n > 0 {
		s.read = true
		if rest, found := bytes.CutPrefix(p[:n], []byte("\xef\xbb\xbf")); found {
			n = copy(p, rest)
		}
	}
	return n, err
}
