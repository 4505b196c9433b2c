package transcript

import (
	"strings"

	"engram/session"
)

// plain reads a message as models' APIs have it: role and content.
func (r *reader) plain(v value) {
	m := r.message(v)
	for _, thought := range []value{v.At("reasoning_content"), v.At("reasoning")} {
		if text := thought.Text(); text != "" {
			r.say(session.AgentMessage, text, session.TagThinking)
		}
	}
	switch m.role {
	case "user", "human":
		r.content(session.UserMessage, m.content)
	case "assistant", "ai", "model":
		r.content(session.AgentMessage, m.content)
		r.calls(m.calls)
	case "tool", "function":
		text, blobs := answer(m.content)
		r.result(m.name, m.answers, m.failed, text).Blobs = blobs
	default:
		r.content(session.SystemNote, m.content, r.tags(m.role, TagOther)...)
	}
	if len(r.record.Events) == 0 {
		r.note(m.role)
	}
}

// message is what a message of a model's API has.
type message struct {
	role, name, answers string
	content, calls      value
	failed              bool
}

func (r *reader) message(v value) (m message) {
	for key, v := range v.Fields() {
		switch key {
		case "role":
			m.role = v.Text()
		case "name":
			m.name = v.Text()
		case "tool_call_id":
			m.answers = v.Text()
		case "content":
			m.content = v
		case "tool_calls":
			m.calls = v
		case "is_error":
			m.failed = v.Is('t')
		case "timestamp", "created_at", "time", "created":
			r.base.At = moment(v)
		case "session_id", "sessionId", "conversation_id":
			set(&r.meta.Session, v)
		case "cwd":
			set(&r.meta.Cwd, v)
		case "model":
			set(&r.meta.Model, v)
		case "id", "uuid":
			r.record.Unique = v.Text() != ""
		}
	}
	r.base.Model = r.meta.Model
	return m
}

// calls reads the calls of a message.
func (r *reader) calls(v value) {
	for _, call := range v.Elements() {
		function := call.At("function")
		if function == nil {
			function = call
		}
		r.call(function.At("name").Text(), call.At("id").Text(), asText(function.At("arguments")))
	}
}

// trajectory reads an item of the history of SWE-agent. What the agent does is in action;
// the message of the user after it is what came of it.
func (r *reader) trajectory(v value) {
	m := r.message(v)
	before := r.meta.Role
	r.meta.Role = m.role
	switch {
	case v.At("is_demo").Is('t'):
		r.content(session.SystemNote, m.content, "demonstration")
	case m.role == "assistant":
		r.content(session.AgentMessage, m.content)
		if m.calls.Is('[') {
			r.calls(m.calls)
		} else if action := v.At("action").Text(); action != "" {
			tool, _, _ := strings.Cut(strings.TrimSpace(action), " ")
			tool, _, _ = strings.Cut(tool, "\n")
			r.call(tool, "", action)
		}
	case m.role == "tool", m.role == "user" && before == "assistant":
		for _, id := range v.At("tool_call_ids").Elements() {
			m.answers = id.Text()
			break
		}
		text, blobs := answer(m.content)
		r.result("", m.answers, m.failed, text).Blobs = blobs
	case m.role == "user":
		r.content(session.UserMessage, m.content)
	default:
		r.content(session.SystemNote, m.content, r.tags(m.role, TagOther)...)
	}
	if len(r.record.Events) == 0 {
		r.note(m.role)
	}
}
