package setup

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// statement is a line of TOML that says something: a header or a key and value.
type statement struct {
	start, end int      // whole lines, with the line break
	table      []string // that it stands in; of a header, its own
	key        []string // nil of a header
	value      tomlValue
	array      bool // a header of an array of tables
}

// path is the whole path of a key.
func (s statement) path() []string { return append(append([]string{}, s.table...), s.key...) }

// tomlValue is a value and where it stands; items are those of an inline table.
type tomlValue struct {
	kind       byte // '{', '[' or 's'
	start, end int
	items      []tomlItem
}

type tomlItem struct {
	start int
	key   []string
	value tomlValue
	comma int
}

// tomlScanner finds where things stand in TOML that is known to be valid.
type tomlScanner struct {
	text string
	pos  int
}

var errTOML = errors.New("is written in a way that engram cannot edit")

// treeOf is what a text says, by a real parser.
func treeOf(text string) (map[string]any, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("it has %d bytes; at most %d are read", len(text), maxFile)
	}
	tree := map[string]any{}
	err := toml.Unmarshal([]byte(strings.TrimPrefix(text, byteOrderMark)), &tree)
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, column := wrong.Position()
		return nil, fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	return tree, err
}

// scanTOML lists the statements of a text.
func scanTOML(text string) ([]statement, error) {
	s := &tomlScanner{text: text}
	if strings.HasPrefix(text, byteOrderMark) {
		s.pos = len(byteOrderMark)
	}
	var list []statement
	var table []string
	for {
		s.space(true)
		if s.pos >= len(text) {
			return list, nil
		}
		st := statement{start: strings.LastIndexByte(text[:s.pos], '\n') + 1, table: table}
		if st.start == 0 && strings.HasPrefix(text, byteOrderMark) {
			st.start = len(byteOrderMark)
		}
		var err error
		if text[s.pos] == '[' {
			st.array = strings.HasPrefix(text[s.pos:], "[[")
			s.pos++
			if st.array {
				s.pos++
			}
			table, err = s.key(']')
			st.table = table
		} else {
			if st.key, err = s.key('='); err == nil {
				s.pos++
				st.value, err = s.value(0)
			}
		}
		if err != nil {
			return nil, err
		}
		s.pos += lineLength(text[s.pos:])
		if s.pos < len(text) {
			s.pos++
		}
		st.end = s.pos
		list = append(list, st)
	}
}

// space passes over blanks and, where lines may end, line breaks and comments.
func (s *tomlScanner) space(lines bool) {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == ' ' || c == '\t':
			s.pos++
		case lines && (c == '\n' || c == '\r'):
			s.pos++
		case lines && c == '#':
			s.pos += lineLength(s.text[s.pos:])
		default:
			return
		}
	}
}

// key reads a dotted key up to a mark, at which it stops.
func (s *tomlScanner) key(until byte) ([]string, error) {
	var path []string
	for {
		s.space(false)
		part, err := s.keyPart()
		if err != nil {
			return nil, err
		}
		path = append(path, part)
		s.space(false)
		if s.pos >= len(s.text) {
			return nil, errTOML
		}
		switch s.text[s.pos] {
		case until:
			return path, nil
		case '.':
			s.pos++
		default:
			return nil, errTOML
		}
	}
}

func (s *tomlScanner) keyPart() (string, error) {
	start := s.pos
	if start < len(s.text) && (s.text[start] == '"' || s.text[start] == '\'') {
		if err := s.quoted(); err != nil {
			return "", err
		}
		var v map[string]string
		if err := toml.Unmarshal([]byte("v = "+s.text[start:s.pos]), &v); err != nil {
			return "", errTOML
		}
		return v["v"], nil
	}
	for s.pos < len(s.text) && strings.IndexByte(" \t\r\n.=]#[{}\",'", s.text[s.pos]) < 0 {
		s.pos++
	}
	if s.pos == start {
		return "", errTOML
	}
	return s.text[start:s.pos], nil
}

// quoted passes over a string of any of the four kinds.
func (s *tomlScanner) quoted() error {
	rest := s.text[s.pos:]
	mark := rest[:1]
	long := strings.HasPrefix(rest, strings.Repeat(mark, 3))
	if long {
		mark = rest[:3]
	}
	for i := len(mark); i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && mark[0] == '"':
			i++
		case strings.HasPrefix(rest[i:], mark):
			i += len(mark)
			for n := 0; long && n < 2 && i < len(rest) && rest[i] == mark[0]; n++ {
				i++ // up to two quotes may stand before the three
			}
			s.pos += i
			return nil
		case !long && rest[i] == '\n':
			return errTOML
		}
	}
	return errTOML
}

func (s *tomlScanner) value(depth int) (v tomlValue, err error) {
	s.space(false)
	if s.pos >= len(s.text) || depth > maxDepth {
		return v, errTOML
	}
	v = tomlValue{kind: 's', start: s.pos}
	switch c := s.text[s.pos]; c {
	case '"', '\'':
		err = s.quoted()
	case '[', '{':
		v.kind = c
		v.items, err = s.items(c, depth)
	default:
		for s.pos < len(s.text) && strings.IndexByte(",]}#\r\n", s.text[s.pos]) < 0 {
			s.pos++
		}
		s.pos = v.start + len(strings.TrimRight(s.text[v.start:s.pos], " \t"))
	}
	v.end = s.pos
	return v, err
}

func (s *tomlScanner) items(kind byte, depth int) (list []tomlItem, err error) {
	for s.pos++; ; {
		s.space(true)
		if s.pos >= len(s.text) {
			return nil, errTOML
		}
		if s.text[s.pos] == kind+2 {
			s.pos++
			return list, nil
		}
		it := tomlItem{start: s.pos, comma: -1}
		if kind == '{' {
			if it.key, err = s.key('='); err != nil {
				return nil, err
			}
			s.pos++
		}
		if it.value, err = s.value(depth + 1); err != nil {
			return nil, err
		}
		s.space(true)
		if s.pos < len(s.text) && s.text[s.pos] == ',' {
			it.comma = s.pos
			s.pos++
		}
		list = append(list, it)
	}
}
