package scrub

import (
	"bytes"
	"encoding/json"
	"strings"
)

// str is a string of a JSON text, quotes included.
type str struct {
	start, end int
	isKey      bool
	key        string // of a value: its key, or that of the array it is in
	object     int    // the object that it is a member of; -1 for an array or none
	array      int    // the array that it, or its object, is an item of; -1 for none
}

// object is what the members of an object say of each other.
type object struct {
	redacted bool   // its type is redacted_thinking
	media    bool   // it has a media type
	readable bool   // which is one of text
	name     string // of a variable, whose value stands beside it
}

// parse returns the strings of a valid JSON text, in order, and its objects. It
// takes time linear in the text and no stack for its depth.
func parse(raw []byte) (strs []str, objects []object) {
	type frame struct {
		object int // -1 for an array
		array  int // that it is, or is an item of; -1 for none
		key    string
		isKey  bool // the next string is a key
	}
	var stack []frame
	arrays := 0
	top := frame{object: -1, array: -1}
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '{':
			stack = append(stack, top)
			array := -1
			if top.object < 0 {
				array = top.array
			}
			top = frame{object: len(objects), array: array, isKey: true}
			objects = append(objects, object{})
		case '[':
			stack = append(stack, top)
			top = frame{object: -1, array: arrays, key: top.key}
			arrays++
		case '}', ']':
			top, stack = stack[len(stack)-1], stack[:len(stack)-1]
		case ',':
			top.isKey = top.object >= 0
		case ':':
			top.isKey = false
		case '"':
			s := str{i, stringEnd(raw, i), top.isKey, top.key, top.object, top.array}
			i = s.end - 1
			if s.isKey {
				s.key, top.key = "", s.decode(raw)
			} else if s.object >= 0 {
				objects[s.object].learn(s, raw)
			}
			strs = append(strs, s)
		}
	}
	return strs, objects
}

func (o *object) learn(s str, raw []byte) {
	switch s.key {
	case "type":
		o.redacted = s.decode(raw) == "redacted_thinking"
	case "media_type", "mimeType", "mime_type":
		o.media = true
		o.readable = !isMedia(s.decode(raw))
	case "name", "key":
		o.name = s.decode(raw)
	}
}

// stringEnd returns the end of the string that begins at start.
func stringEnd(raw []byte, start int) int {
	for i := start + 1; ; i++ {
		i += bytes.IndexByte(raw[i:], '"')
		slashes := 0
		for raw[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
}

func (s str) decode(raw []byte) string {
	quoted := raw[s.start:s.end]
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var text string
	if json.Unmarshal(quoted, &text) != nil { // it is valid
		return string(quoted[1 : len(quoted)-1])
	}
	return text
}

// appendString writes a string as JSON.stringify does.
func appendString(b []byte, text string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch n := strings.IndexByte("\b\f\n\r\t\"\\", c); {
		case n >= 0:
			b = append(b, '\\', `bfnrt"\`[n])
		case c < ' ':
			b = append(b, `\u00`...)
			b = append(b, hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
