package evidence

import (
	"fmt"
	"go/scanner"
	"go/token"
	"path"
	"strings"

	"engram/internal/lazyregexp"
)

// Test returns the test with a name in a file, whose extension tells the language. A
// test is a function, method or class, or a call such as it("name", …). The name of a
// nested test begins with what contains it: TestAccount::test_empty, tests::empties,
// cart > empties. For a Go subtest, Test returns its function.
//
// In Go, brackets end a test. In other languages it ends before the next line that is
// indented no further than its first line, except closing brackets, comments and lines
// of a multi-line string. The error wraps ErrNoSuchPart, also if several tests have the
// name.
func Test(file string, content []byte, name string) (Span, error) {
	if !IsText(content) {
		return Span{}, ErrBinary
	}
	t := testFile{file: file, content: content, lines: linesOf(content)}
	t.declared = t.find(formsFor(file))
	parts := t.parts(name)
	from, to := 0, len(t.lines)
	for i, part := range parts {
		at, err := t.one(part, from, to, name)
		if err != nil && i == 0 && len(parts) > 1 { // a name may have what looks like a separator
			if whole, wholeErr := t.one(name, from, to, name); wholeErr == nil {
				return between(content, t.lines, whole, t.end(whole)), nil
			}
		}
		if err != nil {
			return Span{}, err
		}
		from, to = at, t.end(at)
		if i < len(parts)-1 {
			from++
		}
	}
	return between(content, t.lines, from, to), nil
}

// testFile is a file of code with what is declared in it.
type testFile struct {
	file     string
	content  []byte
	lines    []textLine
	declared []declared
}

type declared struct {
	line int // from 0
	name string
}

// parts takes a name apart into what holds the test and the test.
func (t testFile) parts(name string) []string {
	if path.Ext(t.file) == ".go" {
		function, _, _ := strings.Cut(name, "/")
		return []string{function}
	}
	if at := strings.IndexByte(name, '['); at > 0 && path.Ext(t.file) == ".py" {
		name = name[:at] // a case of a parametrized test
	}
	for _, separator := range []string{" > ", " › ", "::", "."} {
		if strings.Contains(name, separator) {
			return strings.Split(name, separator)
		}
	}
	return []string{name}
}

// find lists what is declared, in the order of the file.
func (t testFile) find(list []*lazyregexp.Regexp) []declared {
	var found []declared
	for i, line := range t.lines {
		text := line.text
		if strings.HasSuffix(text, "(") && i+1 < len(t.lines) { // the name is on the next line
			text += strings.TrimSpace(t.lines[i+1].text)
		}
		for _, form := range list {
			if name := firstGroup(form, text); name != "" {
				found = append(found, declared{i, name})
				break
			}
		}
	}
	return found
}

// noNames are words that stand where a method's type or name would.
var noNames = map[string]bool{"return": true, "new": true, "throw": true, "else": true, "await": true, "if": true, "for": true, "while": true, "switch": true, "catch": true, "using": true, "lock": true, "case": true}

// firstGroup is what the first group that matched holds; "" where the form does not
// match.
func firstGroup(form *lazyregexp.Regexp, text string) string {
	m := form.FindStringSubmatch(text)
	if m == nil || noNames[strings.ToLower(firstWord(text))] {
		return ""
	}
	for _, group := range m[1:] {
		if group != "" && !noNames[group] {
			return strings.ReplaceAll(group, `\`, "")
		}
	}
	return ""
}

func firstWord(text string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return word
}

// one is the line of the only declaration of a name between two lines.
func (t testFile) one(part string, from, to int, whole string) (int, error) {
	var found, names []string
	at := -1
	for _, d := range t.declared {
		if d.line < from || d.line >= to {
			continue
		}
		names = append(names, d.name)
		if d.name == part {
			at, found = d.line, append(found, fmt.Sprint(d.line+1))
		}
	}
	switch {
	case len(found) == 1:
		return at, nil
	case len(found) > 1:
		return 0, fmt.Errorf("%w: %d tests are called %q, on the lines %s", ErrNoSuchPart, len(found), whole, strings.Join(found[:min(len(found), maxListed)], ", "))
	case len(names) == 0:
		return 0, fmt.Errorf("%w: no test %q, nor any other, is found in it", ErrNoSuchPart, whole)
	}
	return 0, fmt.Errorf("%w: it has no test %q; the nearest are %s", ErrNoSuchPart, whole, nearest(part, names))
}

// end is the index of the line behind the block that begins at one.
func (t testFile) end(at int) int {
	if path.Ext(t.file) == ".go" {
		if end, ok := t.goEnd(at); ok {
			return end
		}
	}
	first := indentation(t.lines[at].text)
	end := at + 1
	kinds := syntaxFor(t.file).kinds(t.lines[at:])
	for i := at + 1; i < len(t.lines); i++ {
		text, kind := t.lines[i].text, kinds[i-at]
		in := indentation(text)
		switch {
		case kind == quotedLine: // wherever it begins
		case strings.TrimSpace(text) == "", kind == commentLine && in <= first+1: // one more: the stars of a comment
			continue // it is of the block if more of that follows
		case in < first || in == first && !closes(text):
			return end
		}
		end = i + 1
	}
	return end
}

var closingForm = lazyregexp.New(`^[ \t]*(?:[)\]}]|end\b)|^[ \t]*\{`)

// closes reports whether a line belongs to the block above it although it is not
// indented: it closes a bracket, or opens one that stands alone.
func closes(text string) bool { return closingForm.MatchString(text) }

// goEnd counts brackets, because a raw string may begin its lines anywhere.
func (t testFile) goEnd(at int) (int, bool) {
	source := t.content[t.lines[at].at:]
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, func(token.Position, string) {}, 0)
	depth, parens := 0, 0
	for {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return 0, false
		case token.LPAREN, token.LBRACK:
			parens++
		case token.RPAREN, token.RBRACK:
			parens--
		case token.LBRACE:
			depth++
		case token.RBRACE:
			if depth--; depth > 0 || parens > 0 {
				continue
			}
			if _, next, _ := s.Scan(); next == token.SEMICOLON || next == token.EOF {
				return at + file.Line(pos), depth == 0
			} else if next == token.LBRACE { // it was a type of what is returned
				depth++
			}
		}
	}
}
