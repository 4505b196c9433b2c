package transcript

import (
	"strings"

	"engram/session"
)

// content reads the content of a message: a string, or blocks.
func (r *reader) content(kind session.Kind, v value, tags ...string) {
	if v.Is('"') {
		if text := v.Text(); text != "" {
			r.say(kind, text, tags...)
		}
		return
	}
	if v.Is('{') {
		r.block(kind, v, tags)
		return
	}
	for _, block := range v.Elements() {
		if block.Is('"') {
			r.say(kind, block.Text(), tags...)
			continue
		}
		r.block(kind, block, tags)
	}
}

// block reads a block of a message.
func (r *reader) block(kind session.Kind, block value, tags []string) {
	var name, id, text, input, inner, failed, thinking value
	var typ string
	for key, v := range block.Fields() {
		switch key {
		case "type":
			typ = v.Text()
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
		if t := text.Text(); t != "" {
			r.say(kind, t, tags...)
		}
	case typ == "thinking" || typ == "redacted_thinking" || typ == "reasoning":
		t := thinking.Text() + text.Text()
		r.say(session.AgentMessage, t, session.TagThinking)
	case typ == "tool_use" || strings.HasSuffix(typ, "_tool_use") || typ == "function_call":
		r.call(name.Text(), id.Text(), asText(input))
	case typ == "tool_result" || strings.HasSuffix(typ, "_tool_result") || typ == "function_call_output":
		body, blobs := answer(inner)
		r.result("", id.Text(), failed.Is('t'), body).Blobs = blobs
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
	if v.Is('"') {
		return v.Text()
	}
	return v.Verbatim()
}

// answer returns the text of a result, and what it has besides.
func answer(v value) (text string, blobs []session.Blob) {
	if !v.Is('[') {
		if v.Is('n') {
			return "", nil
		}
		return asText(v), nil
	}
	var texts []string
	for _, block := range v.Elements() {
		if block.Is('"') {
			texts = append(texts, block.Text())
		} else if t := block.At("text"); t != nil {
			texts = append(texts, t.Text())
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
	name := block.At("title").Text()
	if source := block.At("source"); source != nil {
		return decoded(source.At("media_type").Text(), name, source.At("data"))
	}
	if url := block.At("image_url"); url != nil {
		if url.Is('{') {
			url = url.At("url")
		}
		return dataURL(name, url.Text())
	}
	if inline := block.At("inlineData"); inline != nil {
		return picture(inline)
	}
	if data := block.At("data"); data != nil {
		return decoded(block.At("mimeType").Text(), name, data)
	}
	return session.Blob{}, false
}
