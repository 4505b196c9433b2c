package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Bounds of a JSON file that is edited. Settings are smaller.
const (
	maxFile  = 4 << 20
	maxDepth = 200
)

// node is a JSON value and its position in the text.
type node struct {
	kind       byte // '{', '[', or 's' for a scalar
	start, end int
	items      []item
}

// item is a member of an object or an element of an array.
type item struct {
	start int    // of the name, or of the value
	name  string // "" of an element
	value *node
	comma int // the position of the comma after it; -1 if there is none
}

// index returns the place of the first member of a name; -1 if there is none.
func (n *node) index(name string) int {
	return slices.IndexFunc(n.items, func(it item) bool { return it.name == name })
}

// member returns the first member of a name; its value is nil if there is none.
func (n *node) member(name string) item {
	if i := n.index(name); i >= 0 {
		return n.items[i]
	}
	return item{}
}

// jsonScanner reads JSON as in the settings of editors: with comments, commas after the
// last item, and a byte order mark.
type jsonScanner struct {
	text string
	pos  int
}

const byteOrderMark = "\ufeff"

// scanJSON reads a whole text. The error says line and column.
func scanJSON(text string) (*node, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("it has %d bytes; at most %d are read", len(text), maxFile)
	}
	s := &jsonScanner{text: text}
	if strings.HasPrefix(text, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
	n, err := s.value(0)
	if err == nil {
		err = s.space()
	}
	if err == nil && s.pos < len(text) {
		err = errors.New("something follows the value")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", position(text, s.pos), err)
	}
	return n, nil
}

func position(text string, at int) string {
	before := text[:min(at, len(text))]
	return fmt.Sprintf("line %d, column %d", strings.Count(before, "\n")+1, len(before)-strings.LastIndexByte(before, '\n'))
}

// hasComment reports whether a text that can be read has a comment.
func hasComment(text string) bool {
	s := &jsonScanner{text: text}
	for s.pos < len(text) {
		switch text[s.pos] {
		case '/':
			return true
		case '"':
			if _, err := s.quoted(); err != nil {
				return false
			}
		default:
			s.pos++
		}
	}
	return false
}

// space skips white space and comments.
func (s *jsonScanner) space() error {
	for s.pos < len(s.text) {
		rest := s.text[s.pos:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			s.pos++
		case strings.HasPrefix(rest, "//"):
			s.pos += lineLength(rest)
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return errors.New("a comment does not end")
			}
			s.pos += end + 4
		default:
			return nil
		}
	}
	return nil
}

// lineLength is the length of the first line without its line break.
func lineLength(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

func (s *jsonScanner) value(depth int) (*node, error) {
	if err := s.space(); err != nil {
		return nil, err
	}
	if s.pos == len(s.text) {
		return nil, errors.New("the text ends where a value should be")
	}
	if depth > maxDepth {
		return nil, errors.New("it is nested too deeply")
	}
	n := &node{kind: 's', start: s.pos}
	var err error
	switch c := s.text[s.pos]; c {
	case '{', '[':
		n.kind = c
		err = s.items(n, depth)
	case '"':
		_, err = s.quoted()
	default:
		err = s.bare()
	}
	n.end = s.pos
	return n, err
}

func (s *jsonScanner) quoted() (string, error) {
	start := s.pos
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch s.text[s.pos] {
		case '\\':
			s.pos++
		case '"':
			s.pos++
			var text string
			if err := json.Unmarshal([]byte(s.text[start:s.pos]), &text); err != nil {
				s.pos = start
				return "", errors.New("a string is not valid")
			}
			return text, nil
		}
	}
	s.pos = start
	return "", errors.New("a string does not end")
}

func (s *jsonScanner) bare() error {
	end := s.pos
	for end < len(s.text) && strings.IndexByte(" \t\r\n,:{}[]\"/", s.text[end]) < 0 {
		end++
	}
	if !json.Valid([]byte(s.text[s.pos:end])) {
		return errors.New("not a JSON value")
	}
	s.pos = end
	return nil
}

func (s *jsonScanner) items(n *node, depth int) error {
	closing := n.kind + 2 // } and ] are two characters after { and [
	for s.pos++; ; {
		if err := s.space(); err != nil {
			return err
		}
		if s.pos < len(s.text) && s.text[s.pos] == closing {
			s.pos++
			return nil
		}
		if k := len(n.items); k > 0 && n.items[k-1].comma < 0 {
			return errors.New("a comma or a bracket is missing")
		}
		it := item{start: s.pos, comma: -1}
		if err := s.item(&it, n.kind, depth); err != nil {
			return err
		}
		if s.pos < len(s.text) && s.text[s.pos] == ',' {
			it.comma = s.pos
			s.pos++
		}
		n.items = append(n.items, it)
	}
}

// item reads a member or an element, with the space after it.
func (s *jsonScanner) item(it *item, kind byte, depth int) (err error) {
	if kind == '{' {
		if s.pos == len(s.text) || s.text[s.pos] != '"' {
			return errors.New("a name in quotes is missing")
		}
		if it.name, err = s.quoted(); err != nil {
			return err
		}
		if err = s.space(); err != nil {
			return err
		}
		if s.pos == len(s.text) || s.text[s.pos] != ':' {
			return errors.New("a colon is missing")
		}
		s.pos++
	}
	if it.value, err = s.value(depth + 1); err != nil {
		return err
	}
	return s.space()
}

// decode returns the value of a node. Of two members of the same name the last one counts,
// as in clients.
func decode(text string, n *node) any {
	switch n.kind {
	case '{':
		m := map[string]any{}
		for _, it := range n.items {
			m[it.name] = decode(text, it.value)
		}
		return m
	case '[':
		list := make([]any, 0, len(n.items))
		for _, it := range n.items {
			list = append(list, decode(text, it.value))
		}
		return list
	}
	raw := text[n.start:n.end]
	if raw[0] != '"' {
		return json.Number(raw) // true, false and null are told apart by their text as well
	}
	var v string
	_ = json.Unmarshal([]byte(raw), &v)
	return v
}
