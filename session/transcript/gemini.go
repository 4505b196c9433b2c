package transcript

import (
	"strings"

	"engram/session"
)

// gemini reads a message of Gemini CLI, or another line of its newer versions.
func (r *reader) gemini(v value) {
	var typ, id string
	var content, thoughts, calls value
	for key, v := range v.Fields() {
		switch key {
		case "type":
			typ = v.Text()
		case "id":
			id = v.Text()
		case "content":
			content = v
		case "thoughts":
			thoughts = v
		case "toolCalls":
			calls = v
		case "model":
			r.base.Model = v.Text()
			r.meta.Model = r.base.Model
		case "timestamp":
			r.base.At = moment(v)
		case "sessionId":
			set(&r.meta.Session, v)
		case "startTime":
			r.base.At = moment(v)
		case "$set":
			typ = "set"
		case "$rewindTo":
			typ = "rewind"
		}
	}
	r.base.SubAgent, r.base.Branch = r.meta.Agent, r.meta.Branch
	r.record.Unique = id != ""
	switch typ {
	case "user":
		if id == "" || r.first(id, "content", string(content)) {
			r.content(session.UserMessage, content)
		}
	case "gemini":
		r.thoughts(id, thoughts)
		if len(content) > 2 && (id == "" || r.first(id, "content", string(content))) {
			r.content(session.AgentMessage, content)
		}
		for _, call := range calls.Elements() {
			r.geminiCall(call)
		}
	case "info", "warning", "error":
		if text, _ := answer(content); text != "" {
			r.say(session.SystemNote, text, typ)
		}
	case "":
		typ = "session"
	}
	if len(r.record.Events) == 0 {
		r.note(typ)
	}
}

// thoughts reads the thoughts of a message: each has a subject and a description.
func (r *reader) thoughts(id string, v value) {
	for _, thought := range v.Elements() {
		if id == "" || r.first(id, "thought", string(thought)) {
			text := strings.TrimSpace(thought.At("subject").Text() + "\n" + thought.At("description").Text())
			r.say(session.AgentMessage, text, session.TagThinking)
		}
	}
}

// geminiCall reads a call of a tool with its result, if that is there already.
func (r *reader) geminiCall(v value) {
	var id, name, status string
	var args, result value
	for key, v := range v.Fields() {
		switch key {
		case "id":
			id = v.Text()
		case "name":
			name = v.Text()
		case "status":
			status = v.Text()
		case "args":
			args = v
		case "result":
			result = v
		}
	}
	if id == "" || r.first(id, "call") {
		r.call(name, id, asText(args))
	}
	if !result.Is('[') && !result.Is('{') && !result.Is('"') && status != "error" && status != "cancelled" {
		return
	}
	if id != "" && !r.first(id, "result") {
		return
	}
	text, blobs := geminiResult(result)
	r.result(name, id, status == "error" || status == "cancelled", text).Blobs = blobs
}

// geminiResult returns the text of a result: the output of its function responses.
func geminiResult(v value) (text string, blobs []session.Blob) {
	var texts []string
	part := func(v value) {
		response := v.At("functionResponse", "response")
		switch {
		case v.Is('"'):
			texts = append(texts, v.Text())
		case v.At("text") != nil:
			texts = append(texts, v.At("text").Text())
		case response.At("output") != nil:
			texts = append(texts, asText(response.At("output")))
		case response.At("error") != nil:
			texts = append(texts, asText(response.At("error")))
		case response != nil:
			texts = append(texts, response.Verbatim())
		}
		if blob, ok := picture(v); ok {
			blobs = append(blobs, blob)
		}
	}
	if !v.Is('[') {
		part(v)
	}
	for _, element := range v.Elements() {
		part(element)
	}
	return strings.Join(texts, "\n"), blobs
}
