package hooks

import (
	"bytes"
	"encoding/json"
)

// The clients that have hooks.
const (
	ClaudeCode = "claude-code"
	Codex      = "codex"
	Cursor     = "cursor"
	Gemini     = "gemini"
	OpenCode   = "opencode"
	AnyClient  = "" // a person, or a client that reads text
)

// AgentClients lists every client.
func AgentClients() []string { return []string{ClaudeCode, Codex, Cursor, Gemini, OpenCode} }

// The events of an agent's session that have a hook. Each client has its own names for them
// (docs/agents.md).
const (
	SessionStart = "session-start"
	PreCompact   = "pre-compact"
	Stop         = "stop"
)

// The events at which a session is captured and nothing else is done.
const (
	Prompt    = "prompt"    // the user said something
	Tool      = "tool"      // a tool has returned
	SubAgent  = "subagent"  // a sub-agent has ended
	Compacted = "compacted" // the client has compacted its text
	End       = "end"       // the session is over
)

// AgentEvents lists every event.
func AgentEvents() []string {
	return []string{SessionStart, Prompt, Tool, SubAgent, PreCompact, Compacted, Stop, End}
}

// form is the form in which a client accepts a text.
type form int

const (
	nothing  form = iota // not at all
	plain                // unchanged
	injected             // {"hookSpecificOutput": {"hookEventName": …, "additionalContext": …}}
	shown                // {"systemMessage": …}, shown to the person
	added                // {"additional_context": …}
)

// formOf returns the form of the answer to an event. No form stops an agent or makes it go
// on: Cursor's only answer to a stop is a message with which it goes on.
//
//	               session-start  pre-compact  stop
//	Claude Code    injected       plain (a)    shown
//	Codex          injected       nothing (b)  shown
//	Gemini CLI     injected       nothing (b)  shown
//	Cursor         added          nothing      nothing
//	OpenCode (c)   plain          plain        plain
//	AnyClient      plain          plain        plain
//
//	(a) for the model that writes the summary
//	(b) only the person would see it
//	(c) its hooks are not processes; a plugin takes the output
//
// At the other events nothing is said.
func formOf(client, event string) form {
	switch event {
	case SessionStart, PreCompact, Stop:
	default:
		return nothing
	}
	switch client {
	case OpenCode, AnyClient:
		return plain
	case Cursor:
		if event == SessionStart {
			return added
		}
		return nothing
	case ClaudeCode, Codex, Gemini:
		switch event {
		case SessionStart:
			return injected
		case Stop:
			return shown
		}
		if client == ClaudeCode {
			return plain
		}
	}
	return nothing
}

// takes reports whether a client accepts a text at an event.
func takes(client, event string) bool { return formOf(client, event) != nothing }

// reply returns a text in the form of a client and an event; nil if the client accepts
// none, or the text is empty.
func reply(client, event, text string) []byte {
	if text == "" {
		return nil
	}
	switch formOf(client, event) {
	case plain:
		return []byte(text)
	case injected:
		return object(map[string]any{"hookSpecificOutput": map[string]string{"hookEventName": "SessionStart", "additionalContext": text}})
	case shown:
		return object(map[string]any{"systemMessage": text})
	case added:
		return object(map[string]any{"additional_context": text})
	}
	return nil
}

// object returns a value as one line of JSON.
func object(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return b.Bytes()
}
