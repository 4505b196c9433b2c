package facts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

func fault(n *yaml.Node, format string, args ...any) error {
	return &ParseError{Line: n.Line, Problem: fmt.Sprintf(format, args...)}
}

// rootMapping reads the one document in b, which has to be a mapping that
// checkTree accepts. The error is a *ParseError.
func rootMapping(b []byte) (*yaml.Node, error) {
	if !utf8.Valid(b) {
		return nil, &ParseError{Problem: "it is not UTF-8 text"}
	}
	var doc yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(b))
	if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, &ParseError{Problem: "it is empty"}
	} else if err != nil {
		return nil, syntaxError(err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, &ParseError{Problem: "it holds more than one YAML document"}
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, &ParseError{Line: 1, Problem: "it is not a mapping of fields to values"}
	}
	return doc.Content[0], checkTree(doc.Content[0], 1)
}

// syntaxError parses the line number in the YAML library's "yaml: line 3: text".
func syntaxError(err error) *ParseError {
	e := &ParseError{Problem: strings.TrimPrefix(err.Error(), "yaml: ")}
	if rest, ok := strings.CutPrefix(e.Problem, "line "); ok {
		number, problem, _ := strings.Cut(rest, ": ")
		if line, err := strconv.Atoi(number); err == nil {
			e.Line, e.Problem = line, problem
		}
	}
	return e
}

// checkTree rejects YAML features that a fact never needs:
//
//  1. anchors and aliases, merge keys among them;
//  2. tags other than those a plain value has by itself;
//  3. lists and mappings nested deeper than maxYAMLDepth;
//  4. names of fields that are repeated, empty, over-long or no single value.
func checkTree(n *yaml.Node, depth int) error {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return fault(n, "anchors and aliases are not allowed")
	case !tagAllowed(n):
		return fault(n, "the YAML tag %s is not allowed here", abridge(n.ShortTag(), 40))
	case depth > maxYAMLDepth && n.Kind != yaml.ScalarNode:
		return fault(n, "it nests deeper than %d levels", maxYAMLDepth)
	case n.Kind == yaml.MappingNode:
		if err := checkNames(n); err != nil {
			return err
		}
	}
	for _, child := range n.Content {
		if err := checkTree(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// tagAllowed accepts a tag that says what the value says without it, so that
// nothing is lost when the tag is dropped, and !!str, which quotes say too.
func tagAllowed(n *yaml.Node) bool {
	tag := n.ShortTag()
	switch n.Kind {
	case yaml.MappingNode:
		return tag == "!!map"
	case yaml.SequenceNode:
		return tag == "!!seq"
	}
	plain := yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
	return tag == "!!str" || tag == plain.ShortTag() || tag == "!!merge" && n.Value == "<<"
}

func checkNames(mapping *yaml.Node) error {
	seen := make(map[string]bool, len(mapping.Content)/2)
	for i := 0; i < len(mapping.Content); i += 2 {
		n := mapping.Content[i]
		switch {
		case n.Kind != yaml.ScalarNode || isNull(n) || n.Value == "" || len(n.Value) > MaxSegment:
			return fault(n, "the name of a field has to be 1 to %d bytes of text", MaxSegment)
		case n.ShortTag() == "!!merge":
			return fault(n, "merge keys are not allowed")
		case seen[n.Value]:
			return fault(n, "the field %q is repeated", n.Value)
		}
		seen[n.Value] = true
	}
	return nil
}

func eachItem(v *yaml.Node, add func(*yaml.Node) error) error {
	if isNull(v) {
		return nil
	}
	if v.Kind != yaml.SequenceNode {
		return fault(v, "a list is expected here")
	}
	for _, item := range v.Content {
		if err := add(item); err != nil {
			return err
		}
	}
	return nil
}

func isNull(v *yaml.Node) bool { return v.Kind == yaml.ScalarNode && v.ShortTag() == "!!null" }

// setString reads any scalar as text: `tags: [2026]` is the tag "2026".
func setString[T ~string](v *yaml.Node, field *T) error {
	if v.Kind != yaml.ScalarNode {
		return fault(v, "a single value is expected here, not a list or mapping")
	}
	if !isNull(v) {
		*field = T(v.Value)
	}
	return nil
}

// setText hands the text of a scalar to a parser, if there is a text.
func setText(v *yaml.Node, parse parser) error {
	var text string
	if err := setString(v, &text); err != nil || text == "" {
		return err
	}
	if err := parse(text); err != nil {
		return fault(v, "%v", err)
	}
	return nil
}

// setParsed sets a field from its text, and leaves it alone if there is no text.
func setParsed[T any](v *yaml.Node, field *T, parse func(string) (T, error)) error {
	return setText(v, func(text string) error {
		value, err := parse(text)
		if err == nil {
			*field = value
		}
		return err
	})
}

func parseNumber(text string) (*float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return nil, fmt.Errorf("%q is not a number", abridge(text, 40))
	}
	return &n, nil
}

func parseBool(text string) (bool, error) {
	if text != "true" && text != "false" {
		return false, fmt.Errorf("%q is not true or false", abridge(text, 40))
	}
	return text == "true", nil
}
