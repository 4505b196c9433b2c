package session

import (
	"strings"

	"engram/session/internal/jsontext"
)

// Plain is what an event says, without the JSON around it: of a call of a tool, the texts
// and numbers of its input, one a line; of other events, Text.
func (e *Event) Plain() string {
	if e.Kind != ToolCall || !strings.HasPrefix(e.Text, "{") {
		return e.Text
	}
	var b strings.Builder
	plain(&b, jsontext.Value(e.Text), 0)
	if b.Len() == 0 { // it is cut, or no JSON after all
		return e.Text
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// maxNesting ends the reading of an input that is nested beyond reason.
const maxNesting = 32

func plain(b *strings.Builder, v jsontext.Value, depth int) {
	switch {
	case depth > maxNesting:
	case v.Is('{'):
		for _, field := range v.Fields() {
			plain(b, field, depth+1)
		}
	case v.Is('['):
		for _, element := range v.Elements() {
			plain(b, element, depth+1)
		}
	case v.Is('"'):
		b.WriteString(v.Text() + "\n")
	case len(v) > 0:
		b.WriteString(string(v) + "\n")
	}
}
