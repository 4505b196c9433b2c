package setup

import (
	_ "embed"
	"errors"
	"strings"
)

// openCodePlugin is the plugin of OpenCode, whose hooks are functions and not commands.
//
//go:embed opencode.js
var openCodePlugin string

// errNotOurs reports that a file of engram's name is not engram's.
var errNotOurs = errors.New("was not made by engram: rename it, and run the command again")

// script is a file that is all engram's. Its first line tells it.
type script struct {
	text string
	// keeps says that it keeps sessions.
	keeps bool
}

// openCodeHooks returns the plugin. The folder is read by all versions: older ones know no
// other name.
func (b builder) openCodeHooks() target {
	s := script{openCodePlugin, !b.NoSessions}
	if b.NoSessions {
		s.text = strings.Replace(s.text, "const keep = true", "const keep = false", 1)
	}
	t := b.project(".opencode/plugin/engram.js", s)
	t.base = ""
	return t
}

func (s script) put(text string) (string, error) {
	if strings.TrimSpace(text) != "" && !s.holds(text) {
		return text, errNotOurs
	}
	return s.text, nil
}

func (s script) take(text, _ string) (string, error) {
	if s.holds(text) {
		return "", nil
	}
	return text, nil
}

func (s script) holds(text string) bool {
	first, _, _ := strings.Cut(s.text, "\n")
	return strings.HasPrefix(text, first)
}

// begins reports whether a text keeps no sessions before it is written.
func (s script) begins(before, _ string) bool { return s.keeps && !s.holds(before) }
