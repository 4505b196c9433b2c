package quantity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Form says what a word is made of.
type Form uint8

const (
	Plain      Form = iota // letters
	Number                 // digits, with a decimal point or a thousands separator
	Dotted                 // a version: 1.29.3, v2
	Timed                  // 14:30
	Dated                  // 2026-03-31
	Identifier             // a name in code, a host, a flag
	Path                   // a file or folder
	Symbol                 // punctuation
)

// Word is a piece of a text.
type Word struct {
	Text, Lower string // Lower has look-alike letters folded
	Start, End  int
	Form        Form
	Quoted      bool // in backticks or quotation marks
	Glued       bool // no space before
}

// maxWords is how many words of a text are read: a claim has at most 500 characters, which are about 100.
const maxWords = 200

// Split cuts a text into words. Hyphens and slashes part words of prose, but not those
// of paths, identifiers, hosts and versions.
func Split(text string) []Word {
	s := splitter{text: text, words: make([]Word, 0, len(text)/5+4)}
	for i := 0; i < len(text) && len(s.words) < maxWords; {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '`' || c == '"':
			s.quoted = !s.quoted && strings.IndexByte(text[i+1:], c) >= 0
			i++
		case c >= '0' && c <= '9':
			i = s.number(i)
		default:
			i = s.word(i)
		}
	}
	return s.words
}

type splitter struct {
	text   string
	words  []Word
	quoted bool
}

func (s *splitter) add(form Form, from, to int) int {
	text := s.text[from:to]
	n := len(s.words)
	s.words = append(s.words, Word{
		Text: text, Lower: Fold(text), Start: from, End: to, Form: form, Quoted: s.quoted,
		Glued: n > 0 && s.words[n-1].End == from,
	})
	return to
}

// number adds the number at i: its digits and what belongs to them, but no unit.
func (s *splitter) number(i int) int {
	to, dots, form := i, 0, Number
	for to < len(s.text) {
		c := s.at(to)
		next := s.at(to + 1)
		digitNext := next >= '0' && next <= '9'
		switch {
		case c >= '0' && c <= '9':
		case c == '.' && (digitNext || next == 'x' && dots > 0):
			dots++
		case c == ',' && digitNext && s.thousands(to+1):
		case c == ':' && digitNext && to-i <= 2:
			form = Timed
		case c == '-' && digitNext && to-i == 4 && s.at(to+3) != 0 && s.isDate(i):
			form = Dated
			to = i + 9
		default:
			goto done
		}
		to++
	}
done:
	switch {
	case dots == 3 && form == Number:
		form = Identifier // an address
	case dots > 1:
		form = Dotted
	}
	if c := s.at(to); dots > 0 && (c == 'p' || c == 'b' || c == 'r' && s.at(to+1) == 'c') && (s.at(to+1) >= '0' && s.at(to+1) <= '9' || c == 'r') {
		for to++; s.letterAt(to) || s.at(to) >= '0' && s.at(to) <= '9'; to++ {
		}
		return s.add(Dotted, i, to) // 8.9p1, 2.0rc1
	}
	if c := s.at(to); c == '-' && dots == 0 && s.letterAt(to+1) || c == '_' {
		if to2 := s.chunkEnd(i); strings.Contains(s.text[i:to2], "_") {
			return s.add(Identifier, i, to2)
		}
	}
	return s.add(form, i, to)
}

func (s *splitter) isDate(i int) bool {
	if i+10 > len(s.text) {
		return false
	}
	for j, c := range []byte(s.text[i : i+10]) {
		if (j == 4 || j == 7) != (c == '-') || j != 4 && j != 7 && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// thousands reports three digits at i and no fourth.
func (s *splitter) thousands(i int) bool {
	for j := range 4 {
		c := s.at(i + j)
		if digit := c >= '0' && c <= '9'; digit != (j < 3) {
			return false
		}
	}
	return true
}

func (s *splitter) at(i int) byte {
	if i < 0 || i >= len(s.text) {
		return 0
	}
	return s.text[i]
}

func (s *splitter) letterAt(i int) bool {
	if i < 0 || i >= len(s.text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	return unicode.IsLetter(r)
}

// chunkEnd returns the end of what is written without a space at i, without the
// punctuation of the sentence.
func (s *splitter) chunkEnd(i int) int {
	to := i
	for to < len(s.text) && strings.IndexByte(" \t\n\r`\"<>(),;|=", s.text[to]) < 0 {
		to++
	}
	for to > i && strings.IndexByte(".:!?'", s.text[to-1]) >= 0 {
		to--
	}
	return to
}

// word adds what begins at i: an identifier or a path as a whole, otherwise letters or
// one symbol.
func (s *splitter) word(i int) int {
	if to := s.chunkEnd(i); to > i {
		if form := s.chunkForm(i, to); form != Plain {
			return s.add(form, i, i+nameEnd(s.text[i:to]))
		}
	}
	to := i
	unit := len(s.words) > 0 && s.words[len(s.words)-1].Form == Number && s.words[len(s.words)-1].End == i
	for to < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[to:])
		if unit && unicode.IsDigit(r) {
			break // 1h30m is 1 h and 30 m
		}
		if to > i && unicode.IsDigit(r) && s.decimal(to) {
			break // TLS1.2
		}
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '_' && !(to > i && unicode.IsDigit(r)) {
			if (r == '\'' || r == '’') && s.letterAt(to+n) && to > i && !s.possessive(to+n) {
				to += n
				continue
			}
			break
		}
		to += n
	}
	if to > i {
		form := Plain
		if isVersionWord(s.text[i:to]) && s.at(to) != '.' {
			form = Dotted
		} else if strings.ContainsAny(s.text[i:to], "_") || mixedCase(s.text[i:to]) {
			form = Identifier
		}
		s.add(form, i, to)
		if s.at(to) == '\'' && s.possessive(to+1) {
			to += 2
		} else if strings.HasPrefix(s.text[to:], "’") && s.possessive(to+len("’")) {
			to += len("’") + 1
		}
		return to
	}
	return s.symbol(i)
}

// decimal reports digits, a dot and a digit at i.
func (s *splitter) decimal(i int) bool {
	for s.at(i) >= '0' && s.at(i) <= '9' {
		i++
	}
	return s.at(i) == '.' && s.at(i+1) >= '0' && s.at(i+1) <= '9'
}

// nameEnd returns where a name ends that has a port or a version behind it:
// cache.example:8980, runtime/cuda:12.4, openmpi/5.0.3.
func nameEnd(chunk string) int {
	for i := 1; i+1 < len(chunk); i++ {
		if strings.IndexByte(":/@", chunk[i]) < 0 {
			continue
		}
		rest := strings.TrimPrefix(chunk[i+1:], "v")
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		switch {
		case digits == 0:
		case chunk[i] == ':' && digits == len(rest) && digits > 1, digits+1 < len(rest) && rest[digits] == '.' && rest[digits+1] >= '0' && rest[digits+1] <= '9' && strings.Count(rest, ".") < 3:
			return i
		}
	}
	return len(chunk)
}

// possessive reports the s of "the relay's" at i.
func (s *splitter) possessive(i int) bool { return s.at(i) == 's' && !s.letterAt(i+1) }

func (s *splitter) symbol(i int) int {
	for _, two := range [...]string{">=", "<=", "->", "=>", "=="} {
		if strings.HasPrefix(s.text[i:], two) {
			return s.add(Symbol, i, i+2)
		}
	}
	_, n := utf8.DecodeRuneInString(s.text[i:])
	return s.add(Symbol, i, i+n)
}

// chunkForm tells identifiers and paths by their shape.
func (s *splitter) chunkForm(i, to int) Form {
	chunk := s.text[i:to]
	slashes := strings.Count(chunk, "/")
	switch {
	case versionLike(chunk):
		return Dotted
	case strings.Contains(chunk, "://"):
		return Identifier
	case slashes > 0 && s.pathLike(chunk, slashes):
		return Path
	case slashes > 0:
		return Plain
	case strings.HasPrefix(chunk, "--") && len(chunk) > 3, strings.HasPrefix(chunk, "@") && len(chunk) > 2:
		return Identifier
	case strings.HasPrefix(chunk, ".") && len(chunk) > 2 && s.letterAt(i+1):
		return Path
	case dottedName(chunk) || numberedName(chunk):
		return Identifier
	}
	return Plain
}

func (s *splitter) pathLike(chunk string, slashes int) bool {
	switch {
	case strings.HasPrefix(chunk, "/") || strings.HasPrefix(chunk, "~/") || strings.HasPrefix(chunk, "./"):
		return len(chunk) > 2 && strings.Trim(chunk[1:], "0123456789") != "" // and not udp/51820, 1/100
	case slashes > 1 || strings.HasSuffix(chunk, "/") || strings.ContainsAny(chunk, "._*"):
		return !strings.HasPrefix(chunk, "-") && strings.IndexFunc(chunk, unicode.IsLetter) == 0
	}
	n := len(s.words)
	if n == 0 {
		return false
	}
	switch s.words[n-1].Lower {
	case "in", "under", "below", "at", "into", "from", "inside", "is", "to", "out":
		return len(chunk) > 5 && strings.IndexFunc(chunk, unicode.IsUpper) < 0
	}
	return false
}

// dottedName reports letters on both sides of a dot: order.status, api.example.com.
func dottedName(chunk string) bool {
	dot := strings.IndexByte(chunk, '.')
	if dot <= 0 || dot+2 >= len(chunk) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(chunk[dot+1:])
	first, _ := utf8.DecodeRuneInString(chunk)
	return unicode.IsLetter(r) && unicode.IsLetter(first) && chunk != "e.g" && chunk != "i.e"
}

// numberedName reports names that end in a number: eu-west-1, INC-2041.
func numberedName(chunk string) bool {
	dash := strings.LastIndexByte(chunk, '-')
	if dash < 2 || dash+1 == len(chunk) || strings.Trim(chunk[dash+1:], "0123456789") != "" {
		return false
	}
	return strings.Trim(chunk[:dash], "-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && strings.IndexByte(chunk, '+') < 0
}

// mixedCase reports camelCase and ALL_CAPS with digits, and no ordinary name.
func mixedCase(w string) bool {
	lower := false
	for i, r := range w {
		if unicode.IsUpper(r) && lower && i > 1 {
			return true
		}
		lower = lower || unicode.IsLower(r)
	}
	return false
}

func isVersionWord(w string) bool {
	if len(w) < 2 || w[0] != 'v' && w[0] != 'V' {
		return false
	}
	return w[1] >= '0' && w[1] <= '9'
}

// versionLike reports v1.66.3 and v0.0.0-20241215.
func versionLike(chunk string) bool {
	rest, found := strings.CutPrefix(chunk, "v")
	return found && len(rest) > 2 && rest[0] >= '0' && rest[0] <= '9' && strings.Contains(rest, ".") && !strings.ContainsAny(rest, "/_")
}

// Fold returns a word in lower case with letters that look like Latin ones replaced by
// these, if the word has Latin letters too, and full-width characters by narrow ones.
func Fold(w string) string {
	lower := strings.ToLower(w)
	ascii := true
	for i := range len(lower) {
		ascii = ascii && lower[i] < utf8.RuneSelf
	}
	if ascii {
		return lower
	}
	latin := strings.IndexFunc(lower, func(r rune) bool { return r >= 'a' && r <= 'z' }) >= 0
	return strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' {
			return unicode.ToLower(r - '！' + '!')
		}
		if at := strings.IndexRune(lookAlikes, r); latin && at >= 0 {
			return rune(looksLike[len([]rune(lookAlikes[:at]))])
		}
		if r == '’' {
			return '\''
		}
		return r
	}, lower)
}

// Letters of other alphabets, and the Latin ones that they look like.
const (
	lookAlikes = "аеорсухіјѕԁһӏкмтпгορνκαιτυεχ"
	looksLike  = "aeopcyxijsdhlkmtnropvkaituex"
)
