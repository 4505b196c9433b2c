// Package terms turns texts into what they are indexed and looked up by: terms,
// with stop words, stems and accents folded, and the hash keys made of them. It is
// pure, and it decides nothing about facts.
package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

const (
	// maxTerm is the longest term, in bytes. What is longer (a data URL, a
	// minified line) is not a word that anybody asks for.
	maxTerm = 60
	// maxStems bounds the memory of an analyzer that lives through a rebuild.
	maxStems = 1 << 16
)

// Terms returns the terms of a text, in order and with repetitions: the units
// that facts are indexed by and questions are matched with.
//
//  1. Words are lower-cased, rid of accents and reduced to their English stem.
//  2. An identifier, version or path (AUTH_RATE_LIMIT, refreshToken, v1.29.3,
//     internal/auth/token.go) gives itself as a whole, each segment of a path,
//     and its parts at punctuation, at changes of case and between letters and
//     digits.
//  3. Scripts written without spaces give pairs of neighbouring characters.
//  4. Stop words are omitted unless the text has nothing else.
//
// Terms is pure; any text, valid UTF-8 or not, gives terms of at most 60 bytes.
func Terms(text string) []string {
	return (&Analyzer{}).Terms(text)
}

// Analyzer turns texts into terms and remembers stems, which are what it
// spends most of its time on. It is for one goroutine at a time.
type Analyzer struct {
	env       *snowballstem.Env
	stems     map[string]string
	terms     []string
	stop      []string // stop words of the current text
	wordsOnly bool     // omit whole identifiers
}

// Terms is Terms; the result is valid until the next call.
func (a *Analyzer) Terms(text string) []string {
	a.terms, a.stop = a.terms[:0], a.stop[:0]
	text = normalize(text)
	for text != "" {
		start := strings.IndexFunc(text, isWord)
		if start < 0 {
			break
		}
		text = text[start:]
		end := runEnd(text)
		a.add(text[:end])
		text = text[end:]
	}
	if len(a.terms) == 0 {
		a.terms = append(a.terms, a.stop...)
	}
	return a.terms
}

// normalize gives full-width letters their usual shape and drops what cannot
// be seen, which otherwise would split words.
func normalize(text string) string {
	if isASCII(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xff01 && r <= 0xff5e:
			return r - 0xff01 + '!'
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, " "))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isWord reports the characters that words are made of.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// isJoiner reports the characters that hold an identifier together.
func isJoiner(r rune) bool { return r == '_' || r == '-' || r == '.' || r == '/' }

// isUnspaced reports scripts that are written without spaces between words.
func isUnspaced(r rune) bool {
	return r > 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// runEnd returns where the run of words and single joiners at the beginning
// of text ends; a run is either dense or not.
func runEnd(text string) int {
	first, _ := utf8.DecodeRuneInString(text)
	dense := isUnspaced(first)
	end, joined := 0, false
	for i, r := range text {
		switch {
		case isWord(r):
			if isUnspaced(r) != dense && !unicode.IsMark(r) {
				return end
			}
			end, joined = i+utf8.RuneLen(r), false
		case isJoiner(r) && !joined && !dense:
			joined = true
		default:
			return end
		}
	}
	return end
}

func (a *Analyzer) add(s string) {
	if r, _ := utf8.DecodeRuneInString(s); isUnspaced(r) {
		a.pairs(s)
		return
	}
	if !compound(s) {
		a.word(s)
		return
	}
	a.whole(s)
	for segment := range strings.SplitSeq(s, "/") {
		if len(segment) < len(s) && compound(segment) {
			a.whole(segment)
		}
		for part := range strings.FieldsFuncSeq(segment, isJoiner) {
			if len(part) < len(segment) && compound(part) {
				a.whole(part)
			}
			a.splitCase(part)
		}
	}
}

// Whole is a text that is a single word, identifier, version or path, as Terms gives
// identifiers as wholes; "" if the text is anything else.
func Whole(text string) string {
	text = normalize(text)
	start := max(0, strings.IndexFunc(text, isWord))
	text = text[start:]
	if text == "" {
		return ""
	}
	end := runEnd(text)
	if strings.IndexFunc(text[end:], isWord) >= 0 {
		return ""
	}
	return fold(text[:end])
}

// compound reports whether s has parts: joiners, changes of case, or letters
// next to digits.
func compound(s string) bool {
	return strings.IndexFunc(s, isJoiner) >= 0 || nextPart(s) < len(s)
}

// nextPart returns the length of the first part of s, a word without joiners.
func nextPart(s string) int {
	var before, previous rune
	at := 0 // where previous stands
	for i, r := range s {
		switch {
		case i == 0 || unicode.IsMark(r):
		case unicode.IsNumber(r) != unicode.IsNumber(previous):
			return i
		case unicode.IsUpper(r) && unicode.IsLower(previous):
			return i
		case unicode.IsLower(r) && unicode.IsUpper(previous) && unicode.IsUpper(before):
			return at // HTTPServer is HTTP and Server
		}
		if !unicode.IsMark(r) {
			before, previous, at = previous, r, i
		}
	}
	return len(s)
}

func (a *Analyzer) splitCase(s string) {
	for s != "" {
		end := nextPart(s)
		a.word(s[:end])
		s = s[end:]
	}
}

// whole adds an identifier as it stands.
func (a *Analyzer) whole(s string) {
	if s = fold(s); s != "" && len(s) <= maxTerm && !a.wordsOnly {
		a.terms = append(a.terms, s)
	}
}

// word adds a word by its stem.
func (a *Analyzer) word(s string) {
	s = fold(s)
	switch {
	case s == "" || len(s) > maxTerm:
	case IsStopWord(s):
		a.stop = append(a.stop, s)
	default:
		a.terms = append(a.terms, a.stem(s))
	}
}

// pairs adds the pairs of neighbouring characters.
func (a *Analyzer) pairs(s string) {
	runes := []rune(s)
	if len(runes) == 1 {
		a.terms = append(a.terms, s)
	}
	for i := 0; i+1 < len(runes); i++ {
		a.terms = append(a.terms, string(runes[i:i+2]))
	}
}

func (a *Analyzer) stem(s string) string {
	if len(s) < 3 || !isASCII(s) || s[0] <= '9' {
		return s
	}
	if stem, ok := a.stems[s]; ok {
		return stem
	}
	if a.env == nil {
		a.env = snowballstem.NewEnv("")
		a.stems = make(map[string]string)
	}
	a.env.SetCurrent(s)
	english.Stem(a.env)
	if len(a.stems) < maxStems {
		a.stems[strings.Clone(s)] = a.env.Current()
	}
	return a.env.Current()
}
