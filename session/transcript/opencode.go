package transcript

import (
	"engram/session"
)

// exported reads a message of an export of OpenCode: {info, parts}.
func (r *reader) exported(v value) {
	r.openMessage(v.at("info"))
	r.record.Unique = true
	for _, part := range v.at("parts").elements() {
		r.part(part)
	}
	if len(r.record.Events) == 0 {
		r.note("message")
	}
}

// stored reads a file of OpenCode's storage: a session, a message or a part of one.
func (r *reader) stored(v value) {
	r.record.Unique = v.at("id") != nil
	switch {
	case v.at("messageID") != nil:
		r.base.At = moment(v.at("time", "start"))
		r.base.SubAgent, r.base.Model = r.meta.Agent, r.meta.Model
		r.part(v)
	case v.at("role") != nil:
		r.openMessage(v)
		r.note("message")
	default:
		r.openSession(v)
	}
}

// openSession reads what OpenCode says of a session.
func (r *reader) openSession(v value) {
	id, parent := v.at("id").text(), v.at("parentID").text()
	r.meta.Agent = ""
	if parent != "" {
		r.meta.Agent, id = id, parent
	}
	if id != "" {
		r.meta.Session = id
	}
	set(&r.meta.Cwd, v.at("directory"))
	set(&r.meta.Version, v.at("version"))
	if at := moment(v.at("time", "created")); !at.IsZero() {
		r.meta.Started, r.base.At = at, at
	}
	r.base.SubAgent = r.meta.Agent
	r.note("session")
}

// openMessage reads what OpenCode says of a message.
func (r *reader) openMessage(v value) {
	if id := v.at("sessionID"); r.meta.Agent == "" {
		set(&r.meta.Session, id)
	}
	r.meta.Role = v.at("role").text()
	r.meta.Model = ""
	set(&r.meta.Model, v.at("model", "modelID"))
	set(&r.meta.Model, v.at("modelID"))
	set(&r.meta.Cwd, v.at("path", "cwd"))
	r.base.At = moment(v.at("time", "created"))
	r.base.SubAgent, r.base.Model = r.meta.Agent, r.meta.Model
}

// part reads a part of a message.
func (r *reader) part(v value) {
	kind := session.AgentMessage
	if r.meta.Role == "user" {
		kind = session.UserMessage
	}
	switch typ := v.at("type").text(); typ {
	case "text":
		if v.at("synthetic").is('t') {
			r.say(session.SystemNote, v.at("text").text(), "synthetic")
		} else if text := v.at("text").text(); text != "" {
			r.say(kind, text)
		}
	case "reasoning":
		r.say(session.AgentMessage, v.at("text").text(), session.TagThinking)
	case "tool":
		r.openTool(v)
	case "file":
		if blob, ok := dataURL(v.at("filename").text(), v.at("url").text()); ok {
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
	name, id, state := v.at("tool").text(), v.at("callID").text(), v.at("state")
	if at := moment(state.at("time", "start")); !at.IsZero() {
		r.base.At = at
	}
	if id == "" || r.first(id, "call") {
		r.call(name, id, asText(state.at("input")))
	}
	status := state.at("status").text()
	if status != "completed" && status != "error" || id != "" && !r.first(id, "result") {
		return
	}
	text := state.at("output").text()
	if status == "error" {
		set(&text, state.at("error"))
	}
	result := r.result(name, id, status == "error" || state.at("metadata", "exit").number() != 0, text)
	if at := moment(state.at("time", "end")); !at.IsZero() {
		result.At = at
	}
	for _, file := range state.at("attachments").elements() {
		if blob, ok := dataURL(file.at("filename").text(), file.at("url").text()); ok {
			result.Blobs = append(result.Blobs, blob)
		}
	}
}
