package bus

import (
	"strings"
	"unicode"

	"engram/internal/lazyregexp"
)

// shapes match the beginnings and ends of lines of code, and diffs, with their scores.
var shapes = []struct {
	form  *lazyregexp.Regexp
	score float64
}{
	{lazyregexp.New(`^@@ -\d|^diff --git |^(---|\+\+\+) ([ab]/|/dev/null)|^index [0-9a-f]{7,}\.\.`), 5},
	{lazyregexp.New(`^(export |pub |async |static )*(func|fn|def|function)\b.*\(`), 5},
	{lazyregexp.New(`^(export |pub |public |abstract )*(class|struct|enum|interface|impl|trait)\s+\w+.*[{:]$`), 4},
	{lazyregexp.New(`^type \w+(\[.*\])? (struct|interface|func|map|\[\]|=)`), 4},
	{lazyregexp.New(`^from [\w.]+ import \S|^import (\(|\{|"|'|\* as|[\w.]+( as \w+)?;?$|\w+ from ["'])|^package [a-z]\w*;?$`), 4},
	{lazyregexp.New(`^#include\s*[<"]|^#!/|^#(define|ifdef|ifndef|endif|pragma)\b`), 4},
	{lazyregexp.New(`^(export |pub |static )*(const|let|var|val|mut|auto)\s+[\w\[\]{}, :<>*]+\s*(=|;|:=)`), 4},
	{lazyregexp.New(`^(if|for|while|switch|match|elif|else if|with|select|case|default|except|catch|try|else|finally|do)\b.*[{:]$`), 2.5},
	{lazyregexp.New(`^\}\s*(else|catch|finally|while)\b|^(else|try|finally|do|default|begin|then|fi|done|esac|end);?$`), 3},
	{lazyregexp.New(`^return\b(\s+\S+){0,3};?$|^(break|continue|pass);?$`), 1.5},
	{lazyregexp.New(`^(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (TABLE|INDEX)|ALTER TABLE|FROM|WHERE|LEFT JOIN|GROUP BY|ORDER BY)\b`), 4},
	{lazyregexp.New(`^@\w+(\(.*\))?$|^[\w.]+!?\(.*\);?$`), 2},
	{lazyregexp.New(`^\$ [a-z]`), 3},
	{lazyregexp.New(`^["'][\w.$ -]+["']\s*:\s`), 2},
	{lazyregexp.New(`^[\s()\[\]{}]*[()\[\]{}][,;]?$`), 1.5},
	{lazyregexp.New(`^</?[a-zA-Z][\w-]*( [^>]*)?/?>`), 3},
	{lazyregexp.New(`[;{]$|^\w+:\s+\S.*,$`), 1.5},
	{lazyregexp.New(`^[\w.\[\]"'*]+(, [\w.\[\]]+)*\s*(:=|=|\+=|-=)\s*\S`), 3},
}

// A comment in code reads like prose, but does not end the code around it.
var comment = lazyregexp.New(`^(//|/\*|\*/|<!--|--\s)`)

// The score of an indentation that makes a line code in Markdown.
const indentScore = 0.75

// lineScore scores a line: above 0 it looks like code, below like prose.
func lineScore(line string) float64 {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		return -0.5
	}
	if comment.MatchString(trimmed) {
		return 0.5
	}
	added := strings.TrimLeft(trimmed, "+-") // of a diff
	if added != trimmed && !strings.HasPrefix(added, " ") || strings.HasPrefix(added, "    ") {
		if s := statement(strings.TrimSpace(added)); s > 1 {
			return s + 1
		}
	}
	s := statement(trimmed)
	if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ") {
		s += indentScore
	}
	return max(s, -4)
}

func statement(trimmed string) float64 {
	score := 0.0
	for _, w := range wordsOf(trimmed) {
		score += w.score
	}
	for _, shape := range shapes {
		if shape.form.MatchString(trimmed) {
			score += shape.score
			break
		}
	}
	return score
}

// scoredWord is a word between spaces, or a whole `span`.
type scoredWord struct {
	start, end int
	score      float64
}

// maxSpan is the length in characters up to which text in backquotes counts as a name or a
// short command.
const maxSpan = 60

func wordsOf(line string) []scoredWord {
	var words []scoredWord
	for at := 0; at < len(line); {
		if line[at] == ' ' || line[at] == '\t' {
			at++
			continue
		}
		end := len(line)
		if n := strings.IndexAny(line[at:], " \t"); n >= 0 {
			end = at + n
		}
		if open := strings.IndexByte(line[at:end], '`'); open >= 0 {
			if n := strings.IndexByte(line[at+open+1:], '`'); n >= 0 {
				inner := line[at+open+1 : at+open+1+n]
				end = at + open + 1 + n + 1
				words = append(words, scoredWord{at, end, spanScore(inner)})
				at = end
				continue
			}
		}
		words = append(words, scoredWord{at, end, wordScore(line[at:end])})
		at = end
	}
	return words
}

func spanScore(inner string) float64 {
	if len(inner) <= maxSpan {
		return 0
	}
	sum := 0.0
	for _, w := range strings.Fields(inner) {
		sum += wordScore(w)
	}
	return max(sum, 0)
}

var (
	address  = lazyregexp.New(`^[(\["']*((https?|repo|artifact|sam|diff|test|url):\S+|[~.]{0,2}/?[\w.@-]+(/[\w.@*-]+)+(:\d+(-\d+)?)?)[)\]"',.;:]*$`)
	jsonName = lazyregexp.New(`^[{\[]*["'][\w.$-]+["']:$`)
	setting  = lazyregexp.New(`^-{1,2}[\w-]+(=\S*)?$`)
	call     = lazyregexp.New(`^[\w.*&!]+\(`)
	escape   = lazyregexp.New(`\\[nt"]|%[sdvqw]\b|\$\{|\$\(|::|\[\]|\w\[\w*\]`)
)

// operators are scores of whole words.
var operators = map[string]float64{
	"=": 2, ":=": 3, "==": 1.5, "===": 2, "!=": 1.5, "!==": 2, "+=": 2, "-=": 2, "=>": 1, "->": 0.25, "<-": 2,
	"&&": 1, "||": 1, "{": 1.5, "}": 1.5, "{}": 1, "});": 3, ");": 3, "};": 3, "//": 1, "*/": 2, "/*": 2, "<<": 1, ">>": 1,
	"<=": 0.25, ">=": 0.25, "!": 0.5, "?": 0.25, "):": 2, "(": 0.5, ")": 0.5, "[": 0.5, "]": 0.5, "nil": 0.5, "null": 0.25, "None": 0.25,
	"err": 0.5, "func": 0.5, "const": 0.25, "var": 0.25, "def": 0.5, "elif": 1, "fn": 1, "struct": 0.25, "i++": 2, "int": 0.5, "string": 0.25, "bool": 0.5,
	"SELECT": 0.5, "FROM": 0.5, "WHERE": 0.5, "SET": 0.5, "VALUES": 0.5,
	"if": 0, "for": 0, "return": 0, "else": 0, "while": 0, "import": 0, "from": 0, "in": -0.5, "not": -0.5, "is": -0.75, "and": -0.75, "or": -0.75,
}

// wordScore scores a word: above 0 it looks like code, below like prose.
func wordScore(word string) float64 {
	if s, known := operators[word]; known {
		return s
	}
	core := strings.Trim(word, `"'“”‘’()[],.;:!?*_—–`)
	if core == "" {
		return punctuationScore(word)
	}
	score := 0.0
	if strings.HasSuffix(word, ";") && strings.ContainsAny(word, "()\"'=]}") {
		score += 1.5
	} else if strings.HasSuffix(word, "{") {
		score += 1
	}
	switch {
	case isWord(core):
		if s := plainScore(word, core); s != 0 {
			return s + score
		}
	case jsonName.MatchString(word):
		return 2
	case address.MatchString(word), setting.MatchString(word):
		return 0
	}
	return score + mixedScore(word)
}

func punctuationScore(word string) float64 {
	if strings.ContainsAny(word, "{};") {
		return 1.5
	}
	return 0
}

// plainScore scores a word of letters, by the characters around it.
func plainScore(word, core string) float64 {
	opened, closed := strings.Count(word, "("), strings.Count(word, ")")
	switch {
	case call.MatchString(word) && opened > closed:
		return 1.5
	case call.MatchString(word):
		return 0.5
	case strings.IndexFunc(core[1:], unicode.IsUpper) >= 0 && strings.ToUpper(core) != core: // camelCase
		return 0.1
	}
	return -1
}

// mixedScore scores a word with other characters than letters.
func mixedScore(word string) float64 {
	score := 0.0
	if call.MatchString(word) {
		score += 0.5
		if strings.Count(word, "(") != strings.Count(word, ")") || strings.ContainsAny(word, `"',&*[]{}=`) {
			score++
		}
	}
	for _, mark := range []struct {
		chars string
		score float64
	}{{"{", 1}, {"}", 1}, {"=", 1}, {"<", 0.5}, {"\\", 0.25}} {
		if strings.Contains(word, mark.chars) {
			score += mark.score
		}
	}
	if escape.MatchString(word) {
		score += 0.75
	}
	if strings.HasPrefix(word, "&") || strings.HasPrefix(word, "*") && !strings.HasSuffix(word, "*") && !strings.HasPrefix(word, "**") {
		score += 0.5
	}
	return score
}

// isWord reports whether a text consists of letters, hyphens and apostrophes.
func isWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && r != '-' && r != '\'' && r != '’' && r != '/' && r != '('
	}) < 0
}
