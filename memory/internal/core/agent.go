package core

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/facts"
	"engram/internal/hint"
	"engram/internal/lazyregexp"
)

// AgentName is the name of an agent as the bus keeps it: without the spaces around it, so
// that nobody has two turns under names that look alike. "" is a person. The error wraps
// ErrUsage where it has characters that nobody sees, or spaces and nothing else.
func AgentName(name string) (string, error) {
	form := hint.New("an agent's name is letters and digits, such as reviewer-1")
	trimmed := strings.Trim(name, " ")
	switch {
	case trimmed == "" && name != "":
		return "", UsageErrorf(form, "the name of an agent is blank")
	case !utf8.ValidString(trimmed):
		return "", UsageErrorf(form, "the name of an agent is not UTF-8")
	case utf8.RuneCountInString(trimmed) > facts.MaxName:
		return "", UsageErrorf(form, "the name of an agent has at most %d characters", facts.MaxName)
	}
	for _, r := range trimmed {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.IsSpace(r) && r != ' ' {
			return "", UsageErrorf(form, "the name of an agent has the character %U", r)
		}
	}
	return trimmed, nil
}

// NormalizeAgents puts the names of agents into the form of AgentName.
func NormalizeAgents(names ...*string) error {
	for _, name := range names {
		var err error
		if *name, err = AgentName(*name); err != nil {
			return err
		}
	}
	return nil
}

// IsAlias tells the names that aliases have.
var IsAlias = lazyregexp.New(`^agent-[0-9a-f]{8}$`).MatchString
