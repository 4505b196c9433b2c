package bus

import (
	"bytes"
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"
)

// isJSON reports whether a text is one JSON object. The YAML library would read most of
// them, but not characters that JSON writes as two escapes.
func isJSON(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && json.Valid(text)
}

// jsonTree returns the same tree as YAML of the same content.
func jsonTree(text []byte) (*yaml.Node, *Problem) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	b := jsonBuilder{decoder, text, 0, 1}
	return b.value(1)
}

type jsonBuilder struct {
	*json.Decoder
	text []byte
	read int // bytes counted into line
	line int
}

// node returns a node with the line of the decoder.
func (b *jsonBuilder) node(kind yaml.Kind, tag, value string) *yaml.Node {
	at := int(b.InputOffset())
	b.line += bytes.Count(b.text[b.read:at], []byte("\n"))
	b.read = at
	return &yaml.Node{Kind: kind, Tag: tag, Value: value, Line: b.line}
}

func (b *jsonBuilder) value(depth int) (*yaml.Node, *Problem) {
	token, err := b.Token()
	if err != nil {
		return nil, &Problem{Text: "is not JSON: " + err.Error()}
	}
	switch token := token.(type) {
	case json.Delim:
		n := b.node(yaml.MappingNode, "!!map", "")
		if token == '[' {
			n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		}
		if depth > maxDepth {
			return nil, &Problem{Line: n.Line, Text: fmt.Sprintf("it nests deeper than %d levels", maxDepth)}
		}
		for b.More() {
			child, problem := b.value(depth + 1)
			if problem != nil {
				return nil, problem
			}
			n.Content = append(n.Content, child)
		}
		_, _ = b.Token() // the closing bracket, which json.Valid has checked
		return n, nil
	case string:
		return b.node(yaml.ScalarNode, "!!str", token), nil
	case json.Number:
		return b.node(yaml.ScalarNode, "!!float", token.String()), nil
	case bool:
		return b.node(yaml.ScalarNode, "!!bool", fmt.Sprint(token)), nil
	}
	return b.node(yaml.ScalarNode, "!!null", ""), nil
}
