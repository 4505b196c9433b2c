package secret

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// rule is a compiled rule of gitleaks. It finds in a text what gitleaks's detector
// finds in a text without a path, to the byte: tests compare the two.
type rule struct {
	id          string
	form        *regexp.Regexp
	secretGroup int
	entropy     float64 // a secret must have more bits a character; 0 accepts any
	allowlists  []*allowlist
}

// finding is a match of a rule, and the part of the match that is the secret, with
// where they begin in the text.
type finding struct {
	match, secret     string
	matchAt, secretAt int
}

func newRule(text ruleText, global *allowlist) (*rule, error) {
	form, err := regexp.Compile(text.Regex)
	if err != nil {
		return nil, fmt.Errorf("gitleaks rule %s: %w", text.ID, err)
	}
	r := &rule{id: text.ID, form: form, secretGroup: text.SecretGroup, entropy: text.Entropy, allowlists: []*allowlist{global}}
	if r.secretGroup > form.NumSubexp() {
		return nil, fmt.Errorf("gitleaks rule %s: no group %d", r.id, r.secretGroup)
	}
	for _, a := range text.Allowlists {
		allowed, err := newAllowlist(a)
		if err != nil {
			return nil, fmt.Errorf("gitleaks rule %s: %w", r.id, err)
		}
		r.allowlists = append(r.allowlists, allowed)
	}
	return r, nil
}

// find returns what the rule finds in text[from:to] and no allow-list allows. There
// is no comment by which the author of a text could allow a secret.
func (r *rule) find(text string, from, to int) []finding {
	var found []finding
	for _, at := range r.form.FindAllStringIndex(text[from:to], -1) {
		start, end := from+at[0], from+at[1]
		line := func() string { return lineOf(text, start, start+len(strings.Trim(text[start:end], "\n"))) }
		f := r.finding(text, start, end)
		if r.entropy != 0 && entropy(f.secret) <= r.entropy {
			continue
		}
		if !slices.ContainsFunc(r.allowlists, func(a *allowlist) bool { return a.allows(f, line) }) {
			found = append(found, f)
		}
	}
	return found
}

// finding is the match text[start:end]. Its secret is the group that the rule
// names, or the first group that is not empty, or the whole match.
func (r *rule) finding(text string, start, end int) finding {
	match := strings.TrimLeft(text[start:end], "\n")
	start = end - len(match)
	match = strings.TrimRight(match, "\n")
	f := finding{match, match, start, start}
	groups := r.form.FindStringSubmatchIndex(match)
	group := func(n int) finding {
		if from, to := groups[2*n], groups[2*n+1]; from >= 0 {
			return finding{match, match[from:to], start, start + from}
		}
		return finding{match, "", start, start}
	}
	switch {
	case groups == nil:
		return f
	case r.secretGroup > 0:
		return group(r.secretGroup)
	}
	for n := 1; 2*n < len(groups); n++ {
		if g := group(n); g.secret != "" {
			return g
		}
	}
	return f
}

// entropy is Shannon's, in bits, over the characters of a text. Like gitleaks's,
// it divides by the number of bytes.
func entropy(text string) (bits float64) {
	var ascii [unicode.MaxASCII + 1]int
	var others map[rune]int
	for _, c := range text {
		switch {
		case c <= unicode.MaxASCII:
			ascii[c]++
			continue
		case others == nil:
			others = make(map[rune]int)
		}
		others[c]++
	}
	inverse := 1.0 / float64(len(text))
	add := func(n int) {
		if n > 0 {
			frequency := float64(n) * inverse
			bits -= frequency * math.Log2(frequency)
		}
	}
	for _, n := range ascii {
		add(n)
	}
	for _, n := range others {
		add(n)
	}
	return bits
}

// allowlist says which findings are no secrets.
type allowlist struct {
	all       bool // its conditions must all hold, instead of one
	paths     bool // it has a condition on the path, which never holds here
	target    string
	forms     *regexp.Regexp // nil for none
	stopWords []string       // in lower case
}

func newAllowlist(text allowlistText) (*allowlist, error) {
	a := &allowlist{paths: len(text.Paths) > 0, target: text.RegexTarget}
	switch strings.ToUpper(text.Condition) {
	case "AND", "&&":
		a.all = true
	case "", "OR", "||":
	default:
		return nil, fmt.Errorf("unknown condition %q", text.Condition)
	}
	if len(text.Regexes) > 0 {
		// gitleaks joins them, so that a flag such as (?i) also holds for those behind it.
		forms, err := regexp.Compile("(?:" + strings.Join(text.Regexes, "|") + ")")
		if err != nil {
			return nil, err
		}
		a.forms = forms
	}
	for _, w := range text.StopWords {
		a.stopWords = append(a.stopWords, strings.ToLower(w))
	}
	return a, nil
}

func (a *allowlist) allows(f finding, line func() string) bool {
	matches, stopped := a.matches(f, line), a.stops(f.secret)
	if !a.all {
		return matches || stopped
	}
	return !a.paths && (a.forms == nil || matches) && (len(a.stopWords) == 0 || stopped)
}

func (a *allowlist) matches(f finding, line func() string) bool {
	if a.forms == nil {
		return false
	}
	target := f.secret
	switch a.target {
	case "match":
		target = f.match
	case "line":
		target = line()
	}
	return target != "" && a.forms.MatchString(target)
}

func (a *allowlist) stops(secret string) bool {
	secret = strings.ToLower(secret)
	return slices.ContainsFunc(a.stopWords, func(w string) bool { return strings.Contains(secret, w) })
}

// lineOf returns what gitleaks takes for the line of text[start:end]: it begins
// with the newline before the line, and the last line of a text of several that
// does not end in a newline begins at the start of the text.
func lineOf(text string, start, end int) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	next := strings.IndexByte(text[start:], '\n')
	if next == 0 {
		if next = strings.IndexByte(text[start+1:], '\n'); next >= 0 {
			next++
		}
	}
	if next < 0 {
		to := end
		if end < len(text) {
			to = len(text)
			if n := strings.IndexAny(text[end:], "\r\n"); n >= 0 {
				to = end + n
			}
		}
		return text[:to]
	}
	from, to := max(0, strings.LastIndexByte(text[:start+1], '\n')), start+next
	if n := strings.IndexByte(text[end:], '\n'); n >= 0 && end > start {
		to = end + n
	}
	return text[from:max(to, end)]
}
