package purge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"engram/facts"
	"engram/memory/internal/core"
)

// redactor removes purged keys and claims from texts.
type redactor struct {
	keys map[facts.Key]bool // true: the key says what the claim said, so it goes too
	// claims are what messages may quote: whole claims, or their beginnings as
	// messageLine cuts them.
	claims []string
}

const (
	purgeVerb = "purge"
	redacted  = "(purged)"
	// shortClaim is below how many characters a claim may be part of any text by
	// chance. It counts only where nothing else is said.
	shortClaim = 12
)

func newRedactor() *redactor { return &redactor{keys: make(map[facts.Key]bool)} }

// add takes a version that is purged.
func (r *redactor) add(f facts.Fact) {
	r.keys[f.Key] = r.keys[f.Key] || derivedFrom(f.Key, f.Claim)
	quoted := strings.TrimSuffix(core.MessageText(f.Claim), "…")
	if quoted != "" && !slices.Contains(r.claims, quoted) {
		r.claims = append(r.claims, quoted)
	}
}

// derivedFrom reports whether a key was made of the words of a claim, as keys are
// that nobody stated.
func derivedFrom(k facts.Key, claim string) bool {
	slug := facts.Slug(claim)
	return slug != "" && (strings.HasPrefix(k.Identifier, slug) || k.Sub != "" && strings.HasPrefix(k.Sub, slug))
}

// message is the message of a commit without what is purged, line by line.
func (r *redactor) message(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = r.line(line)
	}
	return strings.Join(lines, "\n")
}

// line keeps of a line that mentions a purged key, or quotes a purged claim, no
// more than "verb KEY". What a purge itself wrote mentions keys for good reason.
func (r *redactor) line(line string) string {
	quotes := r.quotes(line)
	if !quotes && len(r.mentioned(line)) == 0 {
		return line
	}
	verb, rest, _ := strings.Cut(line, " ")
	name, said, _ := strings.Cut(rest, " ")
	key, err := facts.ParseKey(strings.TrimSuffix(name, ":"))
	switch {
	case err != nil || strings.ContainsAny(verb, ":/"):
		return redacted
	case r.keys[key]:
		return verb + " " + redacted
	case said == "" && !strings.HasSuffix(name, ":"), verb == purgeVerb && !quotes:
		return line
	}
	return verb + " " + key.String() + ": " + redacted
}

// quotes reports whether a text repeats a purged claim.
func (r *redactor) quotes(text string) bool {
	return slices.ContainsFunc(r.claims, func(claim string) bool {
		if utf8.RuneCountInString(claim) >= shortClaim {
			return strings.Contains(text, claim)
		}
		_, said, found := strings.Cut(text, ": ")
		return found && strings.TrimSpace(said) == claim || strings.TrimSpace(text) == claim
	})
}

// mentioned are the purged keys that a text names, as whole words; also as
// paths of files.
func (r *redactor) mentioned(text string) (keys []facts.Key) {
	other := func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("._/-", c))
	}
	for word := range strings.FieldsFuncSeq(text, other) {
		if strings.Count(word, "/") < 2 {
			continue
		}
		word = strings.TrimSuffix(strings.Trim(word, "./"), facts.FileSuffix)
		key, err := facts.ParseKey(strings.TrimLeft(word, "-_"))
		if err != nil {
			continue
		}
		if _, purged := r.keys[key]; purged && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}
