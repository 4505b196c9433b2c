package core

import (
	"fmt"

	"engram/bus"
)

// Scanner finds secrets in a text. rule names the pattern; it never repeats
// the secret. It is called from several goroutines.
type Scanner interface {
	Scan(text string) (rule string, found bool)
}

// SecretError rejects a text that holds a secret, without repeating the secret.
type SecretError struct {
	Field string
	Rule  string // the pattern that matched
	Line  int    // of an import; 0 elsewhere
}

func (e *SecretError) Error() string {
	return fmt.Sprintf("%s looks like a secret (pattern: %s); nothing was written", e.Field, e.Rule)
}

// ScanTexts rejects texts of which one holds a secret, with a *SecretError.
func (m *Memory) ScanTexts(texts []bus.Text) error {
	for _, t := range texts {
		if t.Value == "" {
			continue
		}
		if rule, found := m.Scanner.Scan(t.Value); found {
			return &SecretError{Field: t.Path, Rule: rule}
		}
	}
	return nil
}
