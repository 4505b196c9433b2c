package evidence

import (
	"strconv"
	"strings"
	"unicode"

	"engram/internal/lazyregexp"
)

// heading is a heading of a Markdown document.
type heading struct {
	line   int // its first, from 0
	level  int
	text   string
	anchor string // as GitHub makes it, with a number if others have the same
}

var (
	atxForm   = lazyregexp.New(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	ruleForm  = lazyregexp.New(`^ {0,3}(=+|-+)[ \t]*$`)
	fenceForm = lazyregexp.New("^ {0,3}(`{3,}|~{3,})(.*)$")
	otherForm = lazyregexp.New(`^ {0,3}([-*+>|]|[0-9]{1,9}[.)])`) // begins a list, a quotation or a table
	linkForm  = lazyregexp.New(`!?\[([^\]]*)\]\([^)]*\)`)
)

// headings finds the headings of a document: # and underlined ones
// (https://spec.commonmark.org/0.31.2/), but none in fenced code, in comments or in
// the fields that a document may begin with.
func headings(lines []textLine) []heading {
	var found []heading
	paragraph := -1 // where the paragraph that the last line belongs to begins
	for i := frontMatter(lines); i < len(lines); i++ {
		text := lines[i].text
		if end := skipped(lines, i); end > i {
			i, paragraph = end-1, -1
			continue
		}
		if m := atxForm.FindStringSubmatch(text); m != nil {
			found, paragraph = append(found, heading{line: i, level: len(m[1]), text: plainText(m[2])}), -1
			continue
		}
		if m := ruleForm.FindStringSubmatch(text); m != nil && paragraph >= 0 {
			found = append(found, heading{line: paragraph, level: 1 + strings.Count(m[1][:1], "-"), text: plainText(joined(lines[paragraph:i]))})
			paragraph = -1
			continue
		}
		switch {
		case strings.TrimSpace(text) == "", otherForm.MatchString(text), paragraph < 0 && indentation(text) > 3:
			paragraph = -1
		case paragraph < 0 && (i == 0 || !continuesOther(lines, i)):
			paragraph = i
		}
	}
	setAnchors(found)
	return found
}

// continuesOther reports whether a line goes on with a list or a quotation.
func continuesOther(lines []textLine, i int) bool {
	before := lines[i-1].text
	return strings.TrimSpace(before) != "" && (otherForm.MatchString(before) || indentation(before) > 3) && !ruleForm.MatchString(before)
}

// frontMatter is where a document begins behind its fields.
func frontMatter(lines []textLine) int {
	if len(lines) == 0 || lines[0].text != "---" {
		return 0
	}
	for i := 1; i < len(lines); i++ {
		if lines[i].text == "---" || lines[i].text == "..." {
			return i + 1
		}
	}
	return 0
}

// skipped is where what begins at a line ends, if it is fenced code or a comment: the
// line behind it. Otherwise it is that line.
func skipped(lines []textLine, i int) int {
	text := lines[i].text
	if m := fenceForm.FindStringSubmatch(text); m != nil && (m[1][0] == '~' || !strings.Contains(m[2], "`")) {
		for j := i + 1; j < len(lines); j++ {
			if end := fenceForm.FindStringSubmatch(lines[j].text); end != nil && strings.HasPrefix(end[1], m[1]) && strings.TrimSpace(end[2]) == "" {
				return j + 1
			}
		}
		return len(lines)
	}
	if indentation(text) > 3 || !strings.HasPrefix(strings.TrimLeft(text, " "), "<!--") {
		return i
	}
	for j := i; j < len(lines); j++ {
		if strings.Contains(lines[j].text, "-->") {
			return j + 1
		}
	}
	return len(lines)
}

func joined(lines []textLine) string {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = strings.TrimSpace(l.text)
	}
	return strings.Join(texts, " ")
}

// plainText is a heading without links and marks of emphasis and code.
func plainText(text string) string {
	text = linkForm.ReplaceAllString(text, "$1")
	return strings.TrimSpace(strings.NewReplacer("`", "", "*", "").Replace(text))
}

func setAnchors(list []heading) {
	seen := make(map[string]int)
	for i := range list {
		base := slug(list[i].text)
		list[i].anchor = base
		if n := seen[base]; n > 0 {
			list[i].anchor = base + "-" + strconv.Itoa(n)
		}
		seen[base]++
	}
}

// slug is an anchor as GitHub makes it: lower case, blanks as hyphens, and of the rest
// only letters, digits, hyphens and underscores.
func slug(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r):
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// bare is a text without anything but letters and digits, in lower case.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
