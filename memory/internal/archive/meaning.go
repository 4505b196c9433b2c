package archive

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"engram/session"
)

// What gets a vector, and of how much of it. People ask in other words about what was said and
// done: messages, decisions, calls of tools. What tools printed is asked for by its exact strings,
// is most of the text of a session, and means nothing as a whole; the call before and the message
// after it lead there. A vector of a long text is near everything, so the beginning, which says
// what it is about, and the end, which says what came of it, count. Of a call, the name of the tool and
// what its input begins with count: the rest is code.
const (
	meaningHead = 900 // bytes
	meaningTail = 300
	meaningCall = 400
	// leastMeaning is how many words say anything: "yes, go on" does not.
	leastMeaning = 3
)

// meaningKinds are the kinds of the events that have vectors.
func meaningKinds() []string {
	return []string{string(session.UserMessage), string(session.AgentMessage), string(session.Decision), string(session.ToolCall)}
}

// meaning is the text that the vector of an event is made of; "" is none.
func meaning(stored []byte) string {
	var k kept
	if json.Unmarshal(stored, &k) != nil || slices.Contains(k.Tags, session.TagMalformed) {
		return ""
	}
	text := k.Plain()
	if k.Kind == session.ToolCall {
		text = cutTo(k.Tool+" "+text, meaningCall)
	} else if len(text) > meaningHead+meaningTail {
		tail := text[len(text)-meaningTail:]
		for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
		text = cutTo(text, meaningHead) + "\n" + tail
	}
	if len(strings.Fields(text)) < leastMeaning {
		return ""
	}
	return text
}

// cutTo is the beginning of a text.
func cutTo(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
