package transcript

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
)

// Detect returns the format of a file by the first bytes of it, and by its name if they do
// not tell; "" if it is no transcript. A few KiB are enough; head may end anywhere.
func Detect(name string, head []byte) Format {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	rest := head
	for i := range 50 {
		line, after, more := bytes.Cut(rest, []byte("\n"))
		if line = bytes.TrimSpace(line); i == 0 && !json.Valid(line) {
			if f := detect(head); f != "" { // a document of several lines, or the beginning of a line
				return f
			}
		} else if len(line) > 0 && line[0] == '{' && (json.Valid(line) || !more) {
			switch f := detect(line); {
			case f == Gemini && (len(bytes.TrimSpace(after)) > 0 || strings.HasSuffix(name, ".jsonl")):
				return GeminiLines
			case f != "":
				return f
			}
		}
		if rest = after; !more {
			break
		}
	}
	return named(strings.ReplaceAll(name, `\`, "/"), head)
}

// named returns the format that a name promises for a file that begins like JSON.
func named(name string, head []byte) Format {
	if len(head) == 0 || !bytes.Contains(head[:min(len(head), 4096)], []byte(`{"`)) && head[0] != '{' {
		return ""
	}
	base := path.Base(name)
	switch {
	case strings.HasPrefix(base, "rollout-") && strings.HasSuffix(base, ".jsonl"):
		return Codex
	case strings.HasSuffix(base, ".traj"):
		return SWEAgent
	case strings.HasPrefix(base, "agent-") && strings.HasSuffix(base, ".jsonl"), strings.Contains(name, "/.claude/") && strings.HasSuffix(base, ".jsonl"):
		return ClaudeCode
	case strings.HasPrefix(base, "session-") && strings.HasSuffix(base, ".json"):
		return Gemini
	case strings.HasPrefix(base, "session-") && strings.HasSuffix(base, ".jsonl"):
		return GeminiLines
	}
	return ""
}

// detect returns the format of an object, or of the beginning of one.
func detect(object value) Format {
	has := map[string]value{}
	for key, v := range object.Fields() {
		has[key] = v
	}
	all := func(names ...string) bool {
		for _, name := range names {
			if _, ok := has[name]; !ok {
				return false
			}
		}
		return true
	}
	lines := json.Valid(object) // a whole object on a line
	switch {
	case all("type", "payload"), all("record_type"), all("id", "timestamp", "instructions"):
		return Codex
	case all("type", "sessionId") && !all("projectHash"), all("type", "uuid"), all("type", "leafUuid"), all("type", "messageId", "snapshot"):
		return ClaudeCode
	case all("sessionId", "projectHash", "messages"), all("sessionId", "projectHash") && !lines:
		return Gemini
	case all("sessionId", "projectHash"):
		return GeminiLines
	case all("history") && has["history"].Is('['), all("trajectory") && has["trajectory"].Is('['):
		return SWEAgent
	case all("info", "messages"), all("info") && has["info"].At("projectID") != nil:
		return OpenCode
	case all("sessionID", "messageID", "type"), all("id", "sessionID", "role"), all("id", "projectID", "directory"):
		return OpenCodeStorage
	case all("role", "content"), all("role", "tool_calls"):
		return JSONLines
	}
	return ""
}
