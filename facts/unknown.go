package facts

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// canonicalValue writes a value of a field this version does not know: lists
// and mappings in block style, indented by two, scalars as Marshal writes
// them. Comments and styles are dropped; what is said is kept.
func canonicalValue(v *yaml.Node, depth int) (string, error) {
	if depth > maxYAMLDepth {
		return "", fault(v, "it nests deeper than %d levels", maxYAMLDepth)
	}
	switch v.Kind {
	case yaml.ScalarNode:
		return canonicalScalar(v)
	case yaml.SequenceNode:
		return canonicalSequence(v, depth)
	case yaml.MappingNode:
		return canonicalMapping(v, depth)
	}
	return "", fault(v, "anchors and aliases are not allowed")
}

func canonicalScalar(v *yaml.Node) (string, error) {
	if err := checkScalar(v); err != nil {
		return "", err
	}
	switch tag := v.ShortTag(); tag {
	case "!!str", "!!merge":
		return string(appendString(nil, v.Value)), nil
	case "!!null":
		return "null", nil
	default:
		// An explicit tag may contradict its text (!!int "x"): what cannot be
		// written back as it is must not be taken in.
		plain := yaml.Node{Kind: yaml.ScalarNode, Value: v.Value}
		if plain.ShortTag() != tag || strings.ContainsFunc(v.Value, func(r rune) bool { return r <= ' ' && r != ' ' || r > '~' }) {
			return "", fault(v, "the value does not have the type its tag claims")
		}
		return v.Value, nil
	}
}

func canonicalSequence(v *yaml.Node, depth int) (string, error) {
	if len(v.Content) == 0 {
		return "[]", nil
	}
	var b strings.Builder
	err := eachItem(v, func(item *yaml.Node) error {
		text, err := canonicalValue(item, depth+1)
		if err != nil {
			return err
		}
		separate(&b)
		if isCollection(text) {
			b.WriteString("-\n  " + strings.ReplaceAll(text, "\n", "\n  "))
		} else {
			b.WriteString("- " + text)
		}
		return nil
	})
	return b.String(), err
}

func canonicalMapping(v *yaml.Node, depth int) (string, error) {
	if len(v.Content) == 0 {
		return "{}", nil
	}
	var b strings.Builder
	err := eachField(v, func(name string, v *yaml.Node) error {
		text, err := canonicalValue(v, depth+1)
		if err != nil {
			return err
		}
		separate(&b)
		b.Write(append(appendString(nil, name), ':'))
		if isCollection(text) {
			b.WriteString("\n  " + strings.ReplaceAll(text, "\n", "\n  "))
		} else {
			b.WriteString(" " + text)
		}
		return nil
	})
	return b.String(), err
}

func separate(b *strings.Builder) {
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
}

// isCollection tells a block list or mapping from a scalar by its first line:
// a scalar is one line that neither begins with "-" nor has an unquoted ": ".
func isCollection(text string) bool {
	if text == "-" || strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "-\n") || strings.Contains(text, "\n") {
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
	return strings.Contains(text, ": ") || strings.HasSuffix(text, ":")
}
