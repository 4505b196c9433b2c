// Package transcript reads the transcripts of clients: what a client wrote of a session,
// line by line or in one document. It is pure: it gets bytes and returns records of
// package session, and nothing that it is given makes it fail; what cannot be read is a
// record that says so.
//
// The formats, with what stands in them:
//
//   - claude-code: JSON lines, ~/.claude/projects/FOLDER/SESSION.jsonl. A line has type,
//     uuid, parentUuid, sessionId, timestamp, cwd, gitBranch, version, and message with
//     role and content: a string, or blocks (text, thinking, tool_use, tool_result, image).
//     A sub-agent's lines have isSidechain, and agentId in newer versions, which give it a
//     file of its own (agent-ID.jsonl).
//   - codex: JSON lines, ~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl. A line has
//     timestamp, type (session_meta, turn_context, response_item, event_msg, compacted)
//     and payload. event_msg repeats what response_item says, so only its name is noted.
//     Older versions wrote the payloads of response_item alone, after a first line with id.
//     A sub-agent's rollout names the parent's thread in session_meta.
//   - gemini: one document, ~/.gemini/tmp/PROJECT/chats/session-*.json, with sessionId and
//     messages; a message has id, timestamp, type, content, thoughts and toolCalls, each
//     with its result. gemini-lines is what newer versions write: a line of sessionId, then
//     a line for each state of a message, {"$set": …} and {"$rewindTo": …}.
//   - opencode: one document {info, messages: [{info, parts}]}, written by opencode export.
//     opencode-storage are the files of its storage, one record each: session/PROJECT/ID,
//     message/SESSION/ID, part/MESSAGE/ID. The parts of a message are read after it.
//   - jsonl: JSON lines of role and content, as models' APIs have them, with tool_calls and
//     the role tool, or with blocks.
//   - swe-agent: one document (.traj) with history; the rest stays in its frame.
package transcript

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"engram/internal/lazyregexp"
	"engram/session"
	"engram/session/internal/jsontext"
)

// value is a JSON value as it stands in a record.
type value = jsontext.Value

// Format is a way in which a client writes a session down.
type Format string

// The formats.
const (
	ClaudeCode      Format = "claude-code"
	Codex           Format = "codex"
	Gemini          Format = "gemini"
	GeminiLines     Format = "gemini-lines"
	OpenCode        Format = "opencode"
	OpenCodeStorage Format = "opencode-storage"
	JSONLines       Format = "jsonl"
	SWEAgent        Format = "swe-agent"
)

// Formats lists every format.
func Formats() []Format {
	return []Format{ClaudeCode, Codex, Gemini, GeminiLines, OpenCode, OpenCodeStorage, JSONLines, SWEAgent}
}

// Client is the name of the client that writes a format.
func (f Format) Client() string {
	switch f {
	case GeminiLines:
		return string(Gemini)
	case OpenCodeStorage:
		return string(OpenCode)
	}
	return string(f)
}

// agent is who acts in a transcript; "" if the format does not tell.
func (f Format) agent() string {
	if f == JSONLines {
		return ""
	}
	return f.Client()
}

// Meta is what is known of a session and its client after a line. Line takes what was
// known before the line, so that it can be stored between two reads. The zero Meta stands
// before the first line.
type Meta struct {
	Session string    `json:"session,omitzero"` // the client's id of the session that the line belongs to
	Agent   string    `json:"agent,omitzero"`   // id of the sub-agent that wrote the line; "" for the agent itself
	Cwd     string    `json:"cwd,omitzero"`
	Branch  string    `json:"branch,omitzero"`
	Started time.Time `json:"started,omitzero"`
	Version string    `json:"version,omitzero"` // of the client
	Model   string    `json:"model,omitzero"`
	// Role is who wrote what comes next, where a line does not say it itself.
	Role string `json:"role,omitzero"`
	// Forked is the session that this one began as a copy of.
	Forked string `json:"forked,omitzero"`
	// Seen has what was read last of messages that their client writes again and again.
	Seen []string `json:"seen,omitzero"`
	// Chains has, for the last line of each side chain, the line that it began with.
	Chains map[string]string `json:"chains,omitzero"`
}

// Tags of records that say nothing to a reader. Others have the client's name of the type.
const (
	TagBlank = "blank" // an empty line
	TagOther = "other" // a line without a type
)

// Line reads a line, or an item of a document, or a file of a storage. Record has its
// Format, Raw, Unique and Events set; there is at least one event.
func (f Format) Line(raw []byte, before Meta) (session.Record, Meta) {
	r := &reader{format: f, meta: before, record: session.Record{Format: string(f), Raw: raw}}
	r.base.Agent = f.agent()
	switch trimmed := bytes.TrimSpace(raw); {
	case len(trimmed) == 0:
		r.note(TagBlank)
	case trimmed[0] != '{' || !json.Valid(trimmed):
		r.note(session.TagMalformed)
	default:
		r.read(trimmed)
		if len(r.record.Events) == 0 {
			r.note(TagOther)
		}
	}
	if r.meta.Started.IsZero() {
		r.meta.Started = r.base.At
	}
	return r.record, r.meta
}

// reader reads one record.
type reader struct {
	format Format
	meta   Meta
	record session.Record
	base   session.Event // what all events of the record have
}

func (r *reader) read(v value) {
	switch r.format {
	case ClaudeCode:
		r.claude(v)
	case Codex:
		r.codex(v)
	case Gemini, GeminiLines:
		r.gemini(v)
	case OpenCode:
		r.exported(v)
	case OpenCodeStorage:
		r.stored(v)
	case SWEAgent:
		r.trajectory(v)
	default:
		r.plain(v)
	}
}

// add adds an event.
func (r *reader) add(e session.Event) *session.Content {
	e.At, e.SubAgent, e.Branch = r.base.At, r.base.SubAgent, r.base.Branch
	switch e.Kind {
	case session.UserMessage:
	case session.AgentMessage, session.ToolCall:
		e.Agent, e.Model = r.base.Agent, r.base.Model
	default:
		e.Agent = r.base.Agent
	}
	r.record.Events = append(r.record.Events, session.Content{Event: e})
	return &r.record.Events[len(r.record.Events)-1]
}

var validTag = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$`)

// note adds a note without a text. Names that a client gives are tags only if they look
// like names.
func (r *reader) note(tag string) *session.Content {
	if !validTag.MatchString(tag) {
		tag = TagOther
	}
	return r.add(session.Event{Kind: session.SystemNote, Tags: []string{tag}})
}

// last returns the event that more content of a kind belongs to: the last one if it is of
// the kind. What the user says in one record is one message wherever it stands.
func (r *reader) last(kind session.Kind) *session.Content {
	for i := len(r.record.Events) - 1; i >= 0; i-- {
		if e := &r.record.Events[i]; e.Kind == kind {
			return e
		}
		if kind != session.UserMessage {
			break
		}
	}
	return nil
}

// say adds a text of a kind, to the last event of that kind if it can. What a client puts into the mouth of its user is a note.
func (r *reader) say(kind session.Kind, text string, tags ...string) {
	if kind == session.UserMessage {
		if tag := inserted(text); tag != "" {
			kind, tags = session.SystemNote, []string{tag}
		}
	}
	if last := r.last(kind); last != nil && slices.Equal(last.Tags, tags) {
		if last.Text != "" && text != "" {
			last.Text += "\n"
		}
		last.Text += text
		return
	}
	r.add(session.Event{Kind: kind, Text: text, Tags: tags})
}

// call adds a call of a tool. input is its input, as JSON if the client has it as JSON.
func (r *reader) call(tool, id, input string) {
	r.add(session.Event{Kind: session.ToolCall, Tool: tool, Call: id, Text: input, Paths: paths(input, r.meta.Cwd)})
}

// result adds the result of a call.
func (r *reader) result(tool, id string, failed bool, text string) *session.Content {
	return r.add(session.Event{Kind: session.ToolResult, Tool: tool, Call: id, Failed: failed, Text: text,
		Commits: commits(text), Facts: factKeys(text)})
}

// attach adds a blob to the last event of a kind if it can.
func (r *reader) attach(kind session.Kind, blob session.Blob) {
	last := r.last(kind)
	if last == nil {
		last = r.add(session.Event{Kind: kind})
	}
	last.Blobs = append(last.Blobs, blob)
}

// insertions are how texts begin that clients send in the name of the user.
var insertions = []struct{ start, tag string }{
	{"<command-", "command"},
	{"<local-command-", "command"},
	{"<bash-", "command"},
	{"<user_shell_command>", "command"},
	{"Caveat: The messages below were generated by the user while running local commands", "command"},
	{"<system-reminder>", "reminder"},
	{"<user-prompt-submit-hook>", "hook"},
	{"<task-notification>", "notification"},
	{"<subagent_notification>", "notification"},
	{"[Request interrupted by user", "interrupted"},
	{"<turn_aborted>", "interrupted"},
	{"This session is being continued from a previous conversation", session.TagSummary},
	{"<environment_context>", "context"},
	{"<user_instructions>", "context"},
	{"<permissions instructions>", "context"},
	{"<collaboration_mode>", "context"},
	{"<INSTRUCTIONS>", "context"},
	{"<skill>", "context"},
	{"# AGENTS.md instructions for ", "context"},
	{"<session_context>", "context"},
}

// inserted returns the tag of a text that a client sent in the name of the user; "" if the
// user wrote it.
func inserted(text string) string {
	text = strings.TrimLeft(text[:min(len(text), 200)], " \n\t\r")
	for _, i := range insertions {
		if strings.HasPrefix(text, i.start) {
			return i.tag
		}
	}
	return ""
}

// moment reads a time, as text or as milliseconds or seconds since 1970; zero if there is
// none.
func moment(v value) time.Time {
	var at time.Time
	if v.Is('"') {
		at, _ = time.Parse(time.RFC3339Nano, v.Text())
	} else if n := v.Number(); n > 1e11 {
		at = time.UnixMilli(n)
	} else if n > 0 {
		at = time.Unix(n, 0)
	}
	if at = at.UTC(); at.Year() < 1970 || at.Year() > 9999 {
		return time.Time{}
	}
	return at
}

// mostSeen is how many parts of messages are remembered.
const mostSeen = 256

// first reports whether a part of a message was not read before. Clients that write a
// message again whenever it grows would otherwise have said everything several times.
func (r *reader) first(parts ...string) bool {
	h := fnv.New64a()
	for _, part := range parts {
		_, _ = h.Write([]byte(part)) // a hash cannot fail
		_, _ = h.Write([]byte{0})
	}
	key := strconv.FormatUint(h.Sum64(), 36)
	if slices.Contains(r.meta.Seen, key) {
		return false
	}
	r.meta.Seen = append(slices.Clone(r.meta.Seen[max(0, len(r.meta.Seen)-mostSeen+1):]), key)
	return true
}

// set assigns a text if there is one.
func set(to *string, v value) {
	if text := v.Text(); text != "" {
		*to = text
	}
}

// decoded returns a blob of a base64 string.
func decoded(mediaType, name string, data value) (session.Blob, bool) {
	if !data.Is('"') || len(data) < 3 {
		return session.Blob{}, false
	}
	bytes, err := base64.StdEncoding.DecodeString(data.Text())
	return session.Blob{MediaType: mediaType, Name: name, Data: bytes}, err == nil && len(bytes) > 0
}

// dataURL returns a blob of a data: URL.
func dataURL(name, url string) (session.Blob, bool) {
	head, data, found := strings.Cut(url, ",")
	mediaType, isBase64 := strings.CutSuffix(strings.TrimPrefix(head, "data:"), ";base64")
	if !found || !isBase64 || !strings.HasPrefix(head, "data:") {
		return session.Blob{}, false
	}
	bytes, err := base64.StdEncoding.DecodeString(data)
	return session.Blob{MediaType: mediaType, Name: name, Data: bytes}, err == nil && len(bytes) > 0
}
