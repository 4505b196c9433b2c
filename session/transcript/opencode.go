package transcript

import (
	"engram/session"
)

// exported reads a message of an export of OpenCode: {info, parts}. The client changes a
// message while it works: each version begins with a note, which supersedes that of the
// version before, and has the events that no version before had.
func (r *reader) exported(v value) {
	r.openMessage(v.At("info"))
	r.record.Unique = true
	r.note("message")
	for _, part := range v.At("parts").Elements() {
		if id := part.At("id").Text(); id == "" || part.At("type").Text() == "tool" || r.first(id, part.At("text").Text()) {
			r.part(part)
		}
	}
}

// stored reads a file of OpenCode's storage: a session, a message or a part of one.
func (r *reader) stored(v value) {
	r.record.Unique = v.At("id") != nil
	switch {
	case v.At("messageID") != nil:
		r.base.At = moment(v.At("time", "start"))
		r.base.SubAgent, r.base.Model = r.meta.Agent, r.meta.Model
		r.part(v)
	case v.At("role") != nil:
		r.openMessage(v)
		r.note("message")
	default:
		r.openSession(v)
	}
}

// openSession reads what OpenCode says of a session.
func (r *reader) openSession(v value) {
	id, parent := v.At("id").Text(), v.At("parentID").Text()
	r.meta.Agent = ""
	if parent != "" {
		r.meta.Agent, id = id, parent
	}
	if id != "" {
		r.meta.Session = id
	}
	set(&r.meta.Cwd, v.At("directory"))
	set(&r.meta.Version, v.At("version"))
	if at := moment(v.At("time", "created")); !at.IsZero() {
		r.meta.Started, r.base.At = at, at
	}
	r.base.SubAgent = r.meta.Agent
	r.note("session")
}

// roleSummary is the role of the message that a compaction leaves.
const roleSummary = "summary"

// openMessage reads what OpenCode says of a message.
func (r *reader) openMessage(v value) {
	if id := v.At("sessionID"); r.meta.Agent == "" {
		set(&r.meta.Session, id)
	}
	r.meta.Role = v.At("role").Text()
	if v.At("summary").Is('t') {
		r.meta.Role = roleSummary
	}
	r.meta.Model = ""
	set(&r.meta.Model, v.At("model", "modelID"))
	set(&r.meta.Model, v.At("modelID"))
	set(&r.meta.Cwd, v.At("path", "cwd"))
	r.base.At = moment(v.At("time", "created"))
	r.base.SubAgent, r.base.Model = r.meta.Agent, r.meta.Model
}

// part reads a part of a message.
func (r *reader) part(v value) {
	kind := session.AgentMessage
	if r.meta.Role == "user" {
		kind = session.UserMessage
	}
	switch typ := v.At("type").Text(); typ {
	case "text":
		if v.At("synthetic").Is('t') {
			r.say(session.SystemNote, v.At("text").Text(), "synthetic")
		} else if text := v.At("text").Text(); text != "" && r.meta.Role == roleSummary {
			r.say(session.SystemNote, text, session.TagCompaction, session.TagSummary)
		} else if text != "" {
			r.say(kind, text)
		}
	case "reasoning":
		r.say(session.AgentMessage, v.At("text").Text(), session.TagThinking)
	case "tool":
		r.openTool(v)
	case "file":
		if blob, ok := dataURL(v.At("filename").Text(), v.At("url").Text()); ok {
			r.attach(kind, blob)
		} else {
			r.note(typ)
		}
	case "compaction":
		r.note(session.TagCompaction)
	default: // a step or a snapshot
		if r.format == OpenCodeStorage {
			r.note(typ)
		}
	}
}

// openTool reads a call with its result, if that is there already.
func (r *reader) openTool(v value) {
	name, id, state := v.At("tool").Text(), v.At("callID").Text(), v.At("state")
	if at := moment(state.At("time", "start")); !at.IsZero() {
		r.base.At = at
	}
	if id == "" || r.first(id, "call") {
		r.call(name, id, asText(state.At("input")))
	}
	status := state.At("status").Text()
	if status != "completed" && status != "error" || id != "" && !r.first(id, "result") {
		return
	}
	text := state.At("output").Text()
	if status == "error" {
		set(&text, state.At("error"))
	}
	result := r.result(name, id, status == "error" || state.At("metadata", "exit").Number() != 0, text)
	if at := moment(state.At("time", "end")); !at.IsZero() {
		result.At = at
	}
	for _, file := range state.At("attachments").Elements() {
		if blob, ok := dataURL(file.At("filename").Text(), file.At("url").Text()); ok {
			result.Blobs = append(result.Blobs, blob)
		}
	}
}
