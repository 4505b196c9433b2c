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
	AnyClient  = "" // somebody who reads text
)

// AgentClients lists every client.
func AgentClients() []string { return []string{ClaudeCode, Codex, Cursor, Gemini, OpenCode} }

// form is how a client takes a text.
type form int

const (
	nothing  form = iota // it does not
	plain                // as it is
	injected             // {"hookSpecificOutput": {"hookEventName": …, "additionalContext": …}}
	shown                // {"systemMessage": …}, to the person
	added                // {"additional_context": …}
)

// formOf is how a client takes what engram has to say at an event. What would
// stop an agent, or make it go on, is not among the forms: Cursor's only answer
// to a stop is a message that it goes on with.
//
//	               session-start  pre-compact  stop
//	Claude Code    injected       plain (a)    shown
//	Codex          injected       nothing (b)  shown
//	Gemini CLI     injected       nothing (b)  shown
//	Cursor         added          nothing      nothing
//	OpenCode (c)   plain          plain        plain
//	AnyClient      plain          plain        plain
//
//	(a) it goes to who writes the summary
//	(b) only the person would see it
//	(c) has no hooks that are processes; a plugin takes what is printed
func formOf(client, event string) form {
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

// takes reports whether a client takes any text at an event.
func takes(client, event string) bool { return formOf(client, event) != nothing }

// reply puts a text into the form that a client takes at an event; nil where
// there is none, or nothing to say.
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

// object is one line of JSON.
func object(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return b.Bytes()
}
