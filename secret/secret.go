// Package secret finds secrets in one text before the first byte of it is
// written to git, where it would stay for good.
//
// The patterns are the default rule set of gitleaks. The package adds a check
// for connection strings with passwords, and lets object ids, digests, ULIDs
// and UUIDs pass, which engram's texts are full of and which gitleaks takes
// for tokens in some contexts.
//
// It is not for scanning files, histories or repositories (gitleaks itself
// does that), and it reads no configuration: neither a
// file nor the environment can turn it off.
package secret

import (
	"sync"

	"engram/internal/visible"
)

const (
	// RuleConnectionString is the rule that Scan names for a connection
	// string with a password. All other names are gitleaks rule ids.
	RuleConnectionString = "connection-string-password"

	// RuleUnavailable is what Scan names, with found true, where the rule set
	// cannot be loaded: a text that cannot be scanned is not written.
	RuleUnavailable = "secret-rules-unavailable"
)

// windowSize and windowOverlap bound the work on one long text, because
// gitleaks takes time quadratic in the number of findings. The overlap exceeds
// the longest secret worth finding, a PEM-encoded 16,384-bit RSA key.
const (
	windowSize    = 64 << 10
	windowOverlap = 16 << 10
)

// Scanner finds secrets in texts. Make it with New; a copy must not be made
// after first use. All methods are safe for concurrent use.
type Scanner struct {
	once  sync.Once
	rules *ruleSet
	err   error
}

// New returns a Scanner. It costs nothing: the rules are loaded by the first
// Scan or Warm, once, and each is compiled when a text first contains one of
// its keywords.
func New() *Scanner { return &Scanner{} }

// Warm starts loading the rules in the background, with those that most texts
// need, and returns at once. The goroutine does no I/O and ends within
// milliseconds; a Scan meanwhile waits for what it needs. Calling Warm is
// optional and calling it again is harmless.
func (s *Scanner) Warm() {
	go func() {
		if s.load() == nil {
			s.rules.warm()
		}
	}()
}

// Scan reports whether the text contains a secret, and the rule that found it.
// The text is scanned as it is and in its folded form (visible.Fold), which lacks the
// invisible characters that a text made of it loses. The rule is a gitleaks rule id, RuleConnectionString or
// RuleUnavailable; it never contains any part of the text. Which rule is named
// when several find something depends on the text alone. A gitleaks:allow comment
// in the text has no effect.
func (s *Scanner) Scan(text string) (rule string, found bool) {
	s.each(text, func(sp span) bool {
		rule, found = sp.rule, true
		return false
	})
	return rule, found
}

// span is where a text holds a secret.
type span struct {
	start, end int
	rule       string
}

// each reports the secrets in the text, and then those in its folded form, until
// report returns false.
func (s *Scanner) each(text string, report func(span) bool) {
	if s.load() != nil {
		report(span{0, len(text), RuleUnavailable})
		return
	}
	if !s.windows(text, report) {
		return
	}
	if folded, at := visible.Fold(text); at != nil {
		s.windows(folded, func(sp span) bool { return report(unfolded(text, at, sp)) })
	}
}

func (s *Scanner) windows(text string, report func(span) bool) bool {
	for from := 0; ; from += windowSize - windowOverlap {
		window := text[from:min(len(text), from+windowSize)]
		if !s.window(window, func(sp span) bool { return report(span{from + sp.start, from + sp.end, sp.rule}) }) {
			return false
		}
		if from+len(window) == len(text) {
			return true
		}
	}
}

// window scans a window as it stands, then with what is encoded in it (base64,
// hex, percent, \u) decoded once in place, and the folded form of that.
func (s *Scanner) window(window string, original func(span) bool) bool {
	report := original
	if !s.plain(window, report) {
		return false
	}
	decoded, segments := decode(window)
	if len(segments) == 0 {
		return true
	}
	report = func(sp span) bool { return original(encoded(segments, sp)) }
	if !s.plain(decoded, report) {
		return false
	}
	folded, at := visible.Fold(decoded)
	return at == nil || s.plain(folded, func(sp span) bool { return report(unfolded(decoded, at, sp)) })
}

func (s *Scanner) plain(text string, report func(span) bool) bool {
	return connectionPasswords(text, func(start, end int) bool {
		return report(span{start, end, RuleConnectionString})
	}) && s.rules.find(text, report)
}

func (s *Scanner) load() error {
	s.once.Do(func() { s.rules, s.err = loadRules() })
	return s.err
}
