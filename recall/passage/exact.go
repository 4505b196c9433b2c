package passage

import (
	"slices"
	"strings"
	"unicode"

	"engram/internal/lazyregexp"
)

// maxExact bounds how many exact strings one query has.
const maxExact = 8

var (
	quotedRE = lazyregexp.New("`[^`\n]{3,300}`|\"[^\"\n]{3,300}\"|“[^”\n]{3,300}”")
	codeRE   = lazyregexp.New(`^(?:E[A-Z]{3,}|[A-Z]+[-_]?\d+|0x[0-9A-Fa-f]+)$`) // ECONNREFUSED, ORA-00942, 0x80070005
)

// Exact returns what of a query has to be found letter by letter, in its order: what stands in
// quotes, and words that are no words of a language, such as paths, digests, addresses,
// flags, versions, names of variables and codes of errors.
func Exact(query string) []string {
	var list []string
	add := func(s string) {
		if s != "" && len(list) < maxExact && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	for _, quoted := range quotedRE.FindAllString(query, maxExact) {
		add(strings.TrimSpace(strings.Trim(quoted, "`\"“”")))
	}
	for word := range strings.FieldsSeq(quotedRE.ReplaceAllString(query, " ")) {
		if word = trimSentence(word); isExact(word) {
			add(word)
		}
	}
	return list
}

// trimSentence removes what a sentence puts around a word.
func trimSentence(word string) string {
	word = strings.TrimLeft(word, `([{<"'“‘,;`)
	word = strings.TrimRight(word, `)]}>"'”’,;:.!?…`)
	// Markdown's "**" stands around words, too; a pattern such as **/*.go stays.
	if bare := strings.TrimPrefix(word, "**"); strings.IndexFunc(bare, unicode.IsLetter) == 0 {
		word = bare
	}
	return strings.TrimRight(strings.TrimSuffix(word, "**"), `:.,;!?`)
}

// isExact reports whether a word is a string that people copy and do not pronounce.
func isExact(word string) bool {
	if len(word) < 3 || len(word) > 300 || codeRE.MatchString(word) {
		return len(word) >= 3 && len(word) <= 300
	}
	var digits, letters, upper, inner int
	for i, r := range word {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
			if unicode.IsUpper(r) && i > 0 {
				upper++
			}
		case strings.ContainsRune(`/\_=:@.#%&+~$*`, r):
			inner++
		case r == '-' && i == 0: // a flag
			inner++
		}
	}
	switch {
	case inner > 0 && letters+digits > 0:
		return !isAlternative(word)
	case digits > 0 && letters > 0:
		return letters+digits >= 4 // a digest, a version; not "2nd"
	case upper > 0 && upper < letters-1:
		return true // camelCase
	}
	return digits >= 4 && letters == 0
}

// isAlternative reports "and/or" and "e.g.": letters with one slash or with full stops only
// after single letters.
func isAlternative(word string) bool {
	if parts := strings.Split(word, "/"); len(parts) == 2 {
		return len(parts[0]) <= 5 && len(parts[1]) <= 5 && allLetters(parts[0]) && allLetters(parts[1])
	}
	for part := range strings.SplitSeq(word, ".") {
		if len(part) > 1 || !allLetters(part) {
			return false
		}
	}
	return true
}

func allLetters(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
}
