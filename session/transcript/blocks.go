package transcript

import (
	"strings"

	"engram/session"
)

// content reads the content of a message: a string, or blocks.
func (r *reader) content(kind session.Kind, v value, tags ...string) {
	if v.is('"') {
		if text := v.text(); text != "" {
			r.say(kind, text, tags...)
		}
		return
	}
	if v.is('{') {
		r.block(kind, v, tags)
		return
	}
	for _, block := range v.elements() {
		if block.is('"') {
			r.say(kind, block.text(), tags...)
			continue
		}
		r.block(kind, block, tags)
	}
}

// block reads a block of a message.
func (r *reader) block(kind session.Kind, block value, tags []string) {
	var name, id, text, input, inner, failed, thinking value
	var typ string
	for key, v := range block.fields() {
		switch key {
		case "type":
			typ = v.text()
		case "name":
			name = v
		case "id", "tool_use_id", "call_id":
			id = v
		case "text":
			text = v
		case "thinking":
			thinking = v
		case "input", "arguments":
			input = v
		case "content":
			inner = v
		case "is_error":
			failed = v
		}
	}
	switch {
	case typ == "text" || typ == "input_text" || typ == "output_text" || typ == "" && text != nil:
		if t := text.text(); t != "" {
			r.say(kind, t, tags...)
		}
	case typ == "thinking" || typ == "redacted_thinking" || typ == "reasoning":
		t := thinking.text() + text.text()
		r.say(session.AgentMessage, t, session.TagThinking)
	case typ == "tool_use" || strings.HasSuffix(typ, "_tool_use") || typ == "function_call":
		r.call(name.text(), id.text(), asText(input))
	case typ == "tool_result" || strings.HasSuffix(typ, "_tool_result") || typ == "function_call_output":
		body, blobs := answer(inner)
		r.result("", id.text(), failed.is('t'), body).Blobs = blobs
	default:
		if blob, ok := picture(block); ok {
			r.attach(kind, blob)
		} else if !isPicture(typ) {
			r.note(typ)
		} else {
			r.say(kind, "", tags...)
		}
	}
}

// asText returns the text of a string, or another value as it is written.
func asText(v value) string {
	if v.is('"') {
		return v.text()
	}
	return v.verbatim()
}

// answer returns the text of a result, and what it has besides.
func answer(v value) (text string, blobs []session.Blob) {
	if !v.is('[') {
		if v.is('n') {
			return "", nil
		}
		return asText(v), nil
	}
	var texts []string
	for _, block := range v.elements() {
		if block.is('"') {
			texts = append(texts, block.text())
		} else if t := block.at("text"); t != nil {
			texts = append(texts, t.text())
		} else if blob, ok := picture(block); ok {
			blobs = append(blobs, blob)
		}
	}
	return strings.Join(texts, "\n"), blobs
}

func isPicture(typ string) bool {
	switch typ {
	case "image", "document", "image_url", "input_image", "file", "input_file":
		return true
	}
	return false
}

// picture returns the blob of a block that has an image or a document, in the ways of
// models' APIs: source.data, image_url, inlineData, data.
func picture(block value) (session.Blob, bool) {
	name := block.at("title").text()
	if source := block.at("source"); source != nil {
		return decoded(source.at("media_type").text(), name, source.at("data"))
	}
	if url := block.at("image_url"); url != nil {
		if url.is('{') {
			url = url.at("url")
		}
		return dataURL(name, url.text())
	}
	if inline := block.at("inlineData"); inline != nil {
		return picture(inline)
	}
	if data := block.at("data"); data != nil {
		return decoded(block.at("mimeType").text(), name, data)
	}
	return session.Blob{}, false
}
