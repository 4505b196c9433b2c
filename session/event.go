// Package session has the values of the session store: events, artifacts, markers and
// the state of a task. It also has the line in which an event is kept, and the way from
// a client's transcript to such lines and back, byte for byte (docs/sessions.md).
//
// The package is pure: it reads no files and knows no client's format. Package
// transcript reads the formats, journal and gitstore keep the lines.
package session

import (
	"slices"
	"time"
)

// Version is the version of the format that docs/sessions.md describes.
const Version = 1

// Kind says what an event is.
type Kind string

// The kinds of source document 5, §4.3.
const (
	UserMessage  Kind = "user_message"
	AgentMessage Kind = "agent_message"
	ToolCall     Kind = "tool_call"
	ToolResult   Kind = "tool_result"
	Decision     Kind = "decision"
	SystemNote   Kind = "system_note" // what the client notes for itself, commits, raw lines
)

// Kinds lists every kind.
func Kinds() []Kind {
	return []Kind{UserMessage, AgentMessage, ToolCall, ToolResult, Decision, SystemNote}
}

// Label says how far an event may go.
type Label string

// The labels. The zero Label stands for Internal.
const (
	Public   Label = "public"
	Internal Label = "internal"
	Private  Label = "private" // not shared, and shown only to people and to the agent that wrote it
)

// Labels lists every label.
func Labels() []Label { return []Label{Public, Internal, Private} }

// Tags that engram gives.
const (
	TagMalformed  = "malformed"  // the record could not be read; its bytes are kept
	TagCommit     = "commit"     // a commit was made
	TagFact       = "fact"       // a fact was committed
	TagThinking   = "thinking"   // what a model wrote for itself
	TagSummary    = "summary"    // a client's own summary of the session
	TagCompaction = "compaction" // the client compacted its window
	TagFrame      = "frame"      // what a document has around its items
	TagTaskState  = "task_state"
	TagNote       = "note"
)

// Event is one thing that happened in a session. Events never change; one that
// replaces another names it in Supersedes.
type Event struct {
	ID    string    `json:"id"`             // ULID; see NewID
	Turn  int       `json:"turn"`           // counts the messages of the user so far; 0 before the first
	Kind  Kind      `json:"kind"`           //
	At    time.Time `json:"at,omitzero"`    // as the client says; zero if it does not
	Agent string    `json:"agent,omitzero"` // who acted: the client's name, or an agent's
	// SubAgent is the id of a sub-agent; "" for the agent itself.
	SubAgent string `json:"sub_agent,omitzero"`
	// Parent is the event that this one answers: a call for its result, or the call that
	// started a sub-agent.
	Parent     string      `json:"parent,omitzero"`
	Model      string      `json:"model,omitzero"`
	Task       string      `json:"task,omitzero"`
	Premise    string      `json:"premise,omitzero"` // version of the premises it was produced under
	Tags       []string    `json:"tags,omitzero"`    // sorted
	Label      Label       `json:"label,omitzero"`
	Tokens     int         `json:"tokens,omitzero"` // of Text, or of all the content if it is an artifact
	Supersedes string      `json:"supersedes,omitzero"`
	Tool       string      `json:"tool,omitzero"`    // the tool's name, of calls and results
	Call       string      `json:"call,omitzero"`    // the client's id of a call, of calls and results
	Failed     bool        `json:"failed,omitzero"`  // of a result: the tool reported an error
	Branch     string      `json:"branch,omitzero"`  // code branch
	Paths      []string    `json:"paths,omitzero"`   // files that it reads or changes, as the client names them
	Commits    []string    `json:"commits,omitzero"` // commits that were made, hexadecimal, maybe abbreviated
	Facts      []string    `json:"facts,omitzero"`   // keys of facts that were committed
	Text       string      `json:"text,omitzero"`    // the content, or the preview of an artifact
	Artifacts  []Artifact  `json:"artifacts,omitzero"`
	Redacted   []Redaction `json:"redacted,omitzero"`
	Omitted    []Omission  `json:"omitted,omitzero"`
	Source     *Source     `json:"-"` // of the first event of a record
}

// Artifact is content that is stored beside the events, once for each digest.
type Artifact struct {
	Digest    string `json:"digest"`             // SHA-256, 64 hexadecimal digits
	MediaType string `json:"media_type"`         //
	Size      int64  `json:"size"`               // bytes
	Preview   string `json:"preview,omitzero"`   // if it is not the event's Text
	Name      string `json:"name,omitzero"`      // file name, if there is one
	Archived  bool   `json:"archived,omitempty"` // set when it is read: the bytes are in cold storage
}

// Redaction says how many secrets of a kind were replaced in a record.
type Redaction struct {
	Rule  string `json:"rule"`
	Count int    `json:"count"`
}

// Omission is a field that was left out because nobody can read it.
type Omission struct {
	Field string `json:"field"`
	Bytes int    `json:"bytes"`
}

// Source is the record of a transcript that an event was read from. Its bytes can be
// restored (see Restore).
type Source struct {
	Format string `json:"format"`          // as package transcript names it
	Stream string `json:"stream,omitzero"` // "" for the main transcript, else a sub-agent's
	Item   int    `json:"item"`            // line, or position in a document, from 0
	Events int    `json:"events"`          // how many events the record has, this one included
	Cuts   []Cut  `json:"cuts,omitzero"`   // by offset
	// Open says that the record ended without a newline: it was the last of its file.
	Open bool   `json:"open,omitzero"`
	Raw  []byte `json:"-"` // the record without what was cut out
}

// Cut is a part of a record that is kept elsewhere. In Raw, an empty string stands in its
// place; for CutBytes, nothing.
type Cut struct {
	At int `json:"at"` // offset in Raw of what replaces the part
	// Digest is that of the artifact; if it is "", the part is the text of an event of the
	// record: the first one plus Event.
	Digest string `json:"digest,omitzero"`
	Event  int    `json:"event,omitzero"`
	Form   Form   `json:"form"`
}

// Form says how a part is written in the record.
type Form string

// The forms.
const (
	AsBytes  Form = "bytes"  // as it is
	AsString Form = "string" // as JSON.stringify writes a string
	AsASCII  Form = "ascii"  // a JSON string with \u escapes for all but ASCII
	AsHTML   Form = "html"   // as Go's encoding/json writes a string by default
	AsBase64 Form = "base64" // a JSON string of standard base64
)

// Has reports whether an event has a tag.
func (e *Event) Has(tag string) bool { return slices.Contains(e.Tags, tag) }

// Header is session.json: what is known of a session when it is sealed first.
type Header struct {
	Format  int       `json:"format"` // Version
	ID      string    `json:"session_id"`
	Client  string    `json:"client"`
	Agent   string    `json:"agent,omitzero"`
	Branch  string    `json:"branch,omitzero"`
	Folder  string    `json:"folder,omitzero"` // of the client, as it names it
	Started time.Time `json:"started_at,omitzero"`
}

// Digests returns the digests of all artifacts that an event needs: those that it shows,
// and those that its record was cut into.
func (e *Event) Digests() (list []string) {
	add := func(digest string) {
		if digest != "" && !slices.Contains(list, digest) {
			list = append(list, digest)
		}
	}
	for _, a := range e.Artifacts {
		add(a.Digest)
	}
	if e.Source != nil {
		for _, c := range e.Source.Cuts {
			add(c.Digest)
		}
	}
	return list
}
