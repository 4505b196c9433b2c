package core

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"engram/bus"
	"engram/facts"
	"engram/internal/hint"
	"engram/internal/lazyregexp"
	"engram/internal/visible"
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

// Scanner finds secrets in a text. rule names the pattern; it never repeats
// the secret. It is called from several goroutines.
type Scanner interface {
	Scan(text string) (rule string, found bool)
	// Redact replaces each secret by [redacted: RULE], and names the rules.
	Redact(text string) (clean string, rules []string)
}

// SecretError rejects a text that holds a secret, without repeating the secret.
type SecretError struct {
	Field string
	Rule  string // the pattern that matched
	Line  int    // of an import; 0 elsewhere
}

func (e *SecretError) Error() string { return e.What() + "; nothing was written" }

// What says what looks like a secret, without the consequence.
func (e *SecretError) What() string {
	return fmt.Sprintf("%s looks like a secret (pattern: %s)", e.Field, e.Rule)
}

// ScanTexts rejects texts of which one holds a secret, with a *SecretError, and then texts
// with characters that nobody sees, with a *facts.ValidationError.
func (m *Memory) ScanTexts(texts []bus.Text) error {
	for _, t := range texts {
		if err := m.scanSecret(t.Path, t.Value); err != nil {
			return err
		}
	}
	var faults []facts.Fault
	for _, t := range texts {
		r, before, found := visible.Find(strings.ReplaceAll(t.Value, "\r\n", "\n"))
		if found {
			what := "invisible"
			if unicode.IsControl(r) {
				what = "control"
			}
			faults = append(faults, facts.Fault{Field: t.Path, Problem: fmt.Sprintf("has the %s character %U behind %s; write it without", what, r, Plural(before, "character"))})
		}
	}
	if len(faults) > 0 {
		return &facts.ValidationError{Faults: faults}
	}
	return nil
}

// scanSecret scans a text as it stands and as a commit message has it, in one line.
func (m *Memory) scanSecret(field, text string) error {
	if text == "" {
		return nil
	}
	for _, form := range slices.Compact([]string{text, facts.OneLine(text)}) {
		if rule, found := m.Scanner.Scan(form); found {
			return &SecretError{Field: field, Rule: rule}
		}
	}
	return nil
}

// ScanText is ScanTexts of the one text of a field.
func (m *Memory) ScanText(field, text string) error {
	return m.ScanTexts([]bus.Text{{Path: field, Value: text}})
}

// cleanMessage replaces the secrets in a commit message, which may quote facts and names
// that somebody brought by plain git.
func cleanMessage(scanner Scanner) func(string) string {
	return func(message string) string {
		clean, _ := scanner.Redact(message)
		return clean
	}
}

// NormalizeAgents replaces names of agents by their form of AgentName, and rejects secrets
// with a *SecretError.
func (m *Memory) NormalizeAgents(names ...*string) error {
	const shortest = 16 // characters of a secret; shorter names need no scan
	for _, name := range names {
		if len(*name) < shortest {
			continue
		}
		if err := m.ScanText("agent", *name); err != nil {
			return err
		}
	}
	return NormalizeAgents(names...)
}
