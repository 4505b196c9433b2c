package core

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/facts"
	"engram/internal/hint"
	"engram/internal/lazyregexp"
)

// AgentName is the name of an agent as the bus stores it: without the spaces around it,
// so that names that look alike are one agent. "" is a person. The error wraps ErrUsage
// if the name has invisible characters or is blank.
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

// NormalizeAgents replaces names of agents by their form of AgentName.
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
