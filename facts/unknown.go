package facts

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// canonicalValue writes a value of a field this version does not know: lists
// and mappings in block style, indented by two, scalars as Marshal writes
// them. Comments and styles are dropped; what is said is kept. The value has
// passed checkTree.
func canonicalValue(v *yaml.Node) string {
	switch {
	case v.Kind == yaml.SequenceNode:
		return canonicalSequence(v)
	case v.Kind == yaml.MappingNode:
		return canonicalMapping(v)
	case isNull(v):
		return "null"
	}
	if tag := v.ShortTag(); tag == "!!str" || tag == "!!merge" {
		return string(appendString(nil, v.Value))
	}
	return v.Value // a number, truth value or date, which its text alone makes one
}

func canonicalSequence(v *yaml.Node) string {
	if len(v.Content) == 0 {
		return "[]"
	}
	items := make([]string, len(v.Content))
	for i, item := range v.Content {
		items[i] = "-" + hang(canonicalValue(item))
	}
	return strings.Join(items, "\n")
}

func canonicalMapping(v *yaml.Node) string {
	if len(v.Content) == 0 {
		return "{}"
	}
	fields := make([]string, len(v.Content)/2)
	for i := range fields {
		name := appendString(nil, v.Content[2*i].Value)
		fields[i] = string(name) + ":" + hang(canonicalValue(v.Content[2*i+1]))
	}
	return strings.Join(fields, "\n")
}

// hang puts a value behind the "-" or the name it belongs to: a scalar on the
// same line, a list or mapping on lines of its own.
func hang(value string) string {
	if isCollection(value) {
		return "\n  " + strings.ReplaceAll(value, "\n", "\n  ")
	}
	return " " + value
}

// isCollection tells a block list or mapping from a scalar by its first line:
// a scalar is one line that neither begins with "-" nor has an unquoted ": ".
func isCollection(text string) bool {
	if strings.HasPrefix(text, "- ") || strings.Contains(text, "\n") {
		return true
	}
	if strings.HasPrefix(text, `"`) {
		// A quoted scalar ends with its quote; a mapping goes on after a quoted name.
		end := 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		return end < len(text)-1
	}
	return strings.Contains(text, ": ")
}
