package setup

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// statement is a header, or a key and value, of a TOML text.
type statement struct {
	start, end int      // whole lines, with the line break
	table      []string // that contains it; of a header, the table itself
	key        []string // nil of a header
	value      tomlValue
}

// path returns the full path of a key.
func (s statement) path() []string { return append(append([]string{}, s.table...), s.key...) }

// tomlValue is a value and its position, with the items of an inline table.
type tomlValue struct {
	kind       byte // '{' of an inline table, or 's'
	start, end int
	items      []tomlItem
}

type tomlItem struct {
	start int
	key   []string
	value tomlValue
	comma int
}

var errTOML = errors.New("is written in a way that engram cannot edit")

// treeOf returns what a text means, as a map[string]any.
func treeOf(text string) (any, error) {
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
	s := tomlScanner{text: text}
	if strings.HasPrefix(text, byteOrderMark) {
		s.first = len(byteOrderMark)
	}
	var list []statement
	var table []string
	var p unstable.Parser
	p.Reset([]byte(text[s.first:]))
	for p.NextExpression() {
		e := p.Expression()
		path, start, end := s.key(e)
		st := statement{table: table}
		if e.Kind == unstable.KeyValue {
			st.key, st.value = path, s.value(e, end)
			end = st.value.end
		} else {
			table, st.table = path, path
		}
		st.start = max(s.first, strings.LastIndexByte(text[:start], '\n')+1)
		if st.end = end + lineLength(text[end:]); st.end < len(text) {
			st.end++
		}
		list = append(list, st)
	}
	if p.Error() != nil {
		return nil, errTOML
	}
	return list, nil
}

// tomlScanner finds the positions of the nodes of go-toml's parser.
type tomlScanner struct {
	text  string
	first int // where the parser's text begins
}

// key returns the path of a header or of a key and value, and its position.
func (s tomlScanner) key(n *unstable.Node) (path []string, start, end int) {
	for it := n.Key(); it.Next(); {
		part := it.Node()
		if path == nil {
			start = s.first + int(part.Raw.Offset)
		}
		path, end = append(path, string(part.Data)), s.first+int(part.Raw.Offset+part.Raw.Length)
	}
	return path, start, end
}

// value returns the value of a key whose path ends at a position.
func (s tomlScanner) value(n *unstable.Node, end int) tomlValue {
	start := end + strings.IndexByte(s.text[end:], '=') + 1
	start += len(s.text[start:]) - len(strings.TrimLeft(s.text[start:], " \t"))
	v := tomlValue{kind: 's', start: start, end: s.first + int(n.Raw.Offset+n.Raw.Length)}
	v.end -= len(s.text[start:v.end]) - len(strings.TrimRight(s.text[start:v.end], " \t"))
	if n.Value().Kind != unstable.InlineTable {
		return v
	}
	v.kind = '{'
	for it := n.Value().Children(); it.Next(); {
		child := it.Node()
		if child.Kind != unstable.KeyValue {
			continue // a comment
		}
		path, from, to := s.key(child)
		item := tomlItem{start: from, key: path, value: s.value(child, to), comma: -1}
		if at := s.space(item.value.end); s.text[at] == ',' {
			item.comma = at
		}
		v.items = append(v.items, item)
	}
	return v
}

// space returns the end of the blanks, line breaks and comments from a position on.
func (s tomlScanner) space(at int) int {
	for strings.IndexByte(" \t\r\n#", s.text[at]) >= 0 {
		if s.text[at] == '#' {
			at += lineLength(s.text[at:])
		} else {
			at++
		}
	}
	return at
}
