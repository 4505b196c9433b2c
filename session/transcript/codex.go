package transcript

import (
	"strings"

	"engram/internal/lazyregexp"
	"engram/session"
)

// codex reads a line of Codex.
func (r *reader) codex(v value) {
	var typ string
	var payload, at value
	for key, v := range v.Fields() {
		switch key {
		case "type":
			typ = v.Text()
		case "payload":
			payload = v
		case "timestamp":
			at = v
		}
	}
	r.base.At = moment(at)
	if payload == nil { // an older version
		if typ == "" && v.At("id") != nil {
			r.codexSession(v)
			return
		}
		payload, typ = v, "response_item"
		if v.At("record_type") != nil {
			typ = "state"
		}
	}
	r.base.SubAgent, r.base.Branch, r.base.Model = r.meta.Agent, r.meta.Branch, r.meta.Model
	switch typ {
	case "session_meta":
		r.codexSession(payload)
	case "turn_context":
		set(&r.meta.Model, payload.At("model"))
		set(&r.meta.Cwd, payload.At("cwd"))
		r.note(typ)
	case "compacted":
		r.say(session.SystemNote, payload.At("message").Text(), session.TagCompaction, session.TagSummary)
	case "response_item":
		r.codexItem(payload)
	case "event_msg":
		if typ = payload.At("type").Text(); typ == "context_compacted" {
			typ = session.TagCompaction
		}
		r.note(typ)
	default:
		r.note(typ)
	}
}

// codexSession reads the line that begins a session. A session that began as a copy of
// another one has the first line of that, too; it goes on with its own id.
func (r *reader) codexSession(v value) {
	id := v.At("id").Text()
	if id != "" && id == r.meta.Forked {
		r.note("session_meta")
		return
	}
	parent := v.At("source", "subagent", "thread_spawn", "parent_thread_id").Text()
	set(&parent, v.At("parent_thread_id"))
	r.meta.Agent, r.meta.Forked = "", v.At("forked_from_id").Text()
	if parent != "" && parent != id {
		r.meta.Agent, id = id, parent
	}
	if id != "" {
		r.meta.Session = id
	}
	set(&r.meta.Cwd, v.At("cwd"))
	set(&r.meta.Branch, v.At("git", "branch"))
	set(&r.meta.Version, v.At("cli_version"))
	if at := moment(v.At("timestamp")); !at.IsZero() {
		r.meta.Started = at
	}
	r.base.SubAgent, r.base.Branch = r.meta.Agent, r.meta.Branch
	r.note("session_meta")
}

// codexItem reads what went to the model or came from it.
func (r *reader) codexItem(v value) {
	var typ, role, name, id string
	var content, summary, input, output value
	for key, v := range v.Fields() {
		switch key {
		case "type":
			typ = v.Text()
		case "role":
			role = v.Text()
		case "name":
			name = v.Text()
		case "call_id":
			id = v.Text()
		case "content":
			content = v
		case "summary":
			summary = v
		case "arguments", "input", "action":
			input = v
		case "output":
			output = v
		}
	}
	switch typ {
	case "message":
		switch role {
		case "user":
			r.content(session.UserMessage, content)
		case "assistant":
			r.content(session.AgentMessage, content)
		default:
			r.content(session.SystemNote, content, r.tags(role, "context")...)
		}
	case "reasoning":
		for _, part := range summary.Elements() {
			r.say(session.AgentMessage, part.At("text").Text(), session.TagThinking)
		}
		for _, part := range content.Elements() {
			r.say(session.AgentMessage, part.At("text").Text(), session.TagThinking)
		}
	case "function_call", "custom_tool_call":
		r.call(name, id, asText(input))
		r.record.Unique = id != ""
	case "local_shell_call", "web_search_call":
		r.call(strings.TrimSuffix(typ, "_call"), id, asText(input))
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		if output.Is('{') { // an older version: {content, success}
			output = output.At("content")
		}
		text, blobs := answer(output)
		r.result("", id, codexFailed(text), text).Blobs = blobs
		r.record.Unique = id != ""
	}
	if len(r.record.Events) == 0 {
		r.note(typ)
	}
}

var exited = lazyregexp.New(`(?:^|\n)(?:Process exited with code|Exit code:) ([0-9]+)\n`)

// codexFailed reports whether the output of a command says that it failed.
func codexFailed(text string) bool {
	if strings.HasPrefix(text, `{"`) {
		return value(text).At("metadata", "exit_code").Number() != 0
	}
	m := exited.FindStringSubmatch(text[:min(len(text), 400)])
	return m != nil && m[1] != "0"
}
