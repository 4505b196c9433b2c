package preview

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// match is a line of a search: file:12:text, or file-12-text for a line around a match.
type match struct {
	file, text string
	number     int
	around     bool
}

// readMatch reads a line of a search. In a file's name there may be colons and hyphens: it
// ends at the first of them that a number and another one follow.
func readMatch(line []byte) (m match, ok bool) {
	for i, c := range line[:min(len(line), 1024)] {
		if c != ':' && c != '-' || i == 0 {
			continue
		}
		end := i + 1
		for end < len(line) && end < i+9 && line[end] >= '0' && line[end] <= '9' {
			end++
		}
		if end == i+1 || end >= len(line) || line[end] != c {
			continue
		}
		number, err := strconv.Atoi(string(line[i+1 : end]))
		if err != nil {
			continue
		}
		return match{string(line[:i]), string(line[end+1 : min(len(line), end+1+longLine)]), number, c == '-'}, true
	}
	return m, false
}

// isSearch reports whether a text is what a search found: by its tool and one such line,
// or by most of its first lines.
func isSearch(tool string, data []byte) bool {
	lines, matches := 0, 0
	for line := range bytes.Lines(data[:min(len(data), 32<<10)]) {
		if line = bytes.TrimSpace(line); len(line) == 0 || string(line) == "--" {
			continue
		}
		if m, ok := readMatch(line); ok && !strings.ContainsAny(m.file, " \t\"'") && strings.ContainsAny(m.file, "./") {
			matches++
		}
		if lines++; lines == 50 {
			break
		}
	}
	if strings.Contains(tool, "grep") || tool == "rg" || strings.HasPrefix(tool, "search") {
		return matches > 0
	}
	return matches >= 5 && matches*10 >= lines*8
}

// Bounds of what is shown of a search.
const (
	mostFiles = 5
	mostLines = 4 // of a file
)

// sameFile reports whether two names are of one file: agents' tools print some of them
// with the folder and some without.
func sameFile(a, b string) bool {
	return a == b || strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}

// search previews what a search found: how much, and the first matches of the first files
// with the lines around them.
func search(o *output, data []byte) {
	type group struct {
		name  string
		count int
		lines []string
	}
	var groups []group
	files, matches, current := 0, 0, ""
	for line := range bytes.Lines(data) {
		m, ok := readMatch(bytes.TrimRight(line, "\r\n"))
		if !ok {
			continue
		}
		if files == 0 || !sameFile(m.file, current) {
			files, current = files+1, m.file
			if len(groups) < mostFiles {
				groups = append(groups, group{name: m.file})
			}
		} else if len(m.file) < len(current) {
			current = m.file
		}
		mark := "-"
		if !m.around {
			matches++
			mark = ":"
		}
		if files > mostFiles {
			continue
		}
		g := &groups[len(groups)-1]
		if !m.around {
			g.count++
		}
		g.name = current
		text := fmt.Sprintf("  %d%s %s", m.number, mark, strings.TrimSpace(clean(m.text)))
		switch {
		case m.around && g.count == 0: // of the lines before a match, the last
			g.lines = []string{text}
		case len(g.lines) < mostLines:
			g.lines = append(g.lines, text)
		}
	}
	o.line(fmt.Sprintf("%d %s in %d %s", matches, map[bool]string{true: "match", false: "matches"}[matches == 1], files, plural(files, "file")), 100)
	var found []string
	for _, g := range groups {
		found = append(found, fmt.Sprintf("%s (%d)", clean(g.name), g.count))
		found = append(found, g.lines...)
	}
	o.lines(found, o.left-30)
	if files > len(groups) {
		o.line(fmt.Sprintf("%s %d more %s", dots, files-len(groups), plural(files-len(groups), "file")), 100)
	}
}
