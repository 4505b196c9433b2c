package facts

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// ParseError says why bytes cannot be read as a fact, and where.
type ParseError struct {
	Line    int // 1-based; 0 if the whole file is at fault
	Problem string
}

func (e *ParseError) Error() string {
	if e.Line == 0 {
		return "not readable: " + e.Problem
	}
	return fmt.Sprintf("not readable: line %d: %s", e.Line, e.Problem)
}

// Parse reads one fact. It accepts any YAML with the same content as the canonical
// form. It keeps unknown fields and drops comments. It rejects YAML features that
// only an attacker needs (see checkTree), a fact of more than MaxFile bytes, as given
// or in canonical form, and a fact without any field. So any fact that it accepts can
// be written and read again. It checks syntax; Validate checks the meaning. The error
// is a *ParseError.
func Parse(b []byte) (Fact, error) {
	if len(b) > MaxFile {
		return Fact{}, &ParseError{Problem: fmt.Sprintf("%d bytes are more than the %d a fact may have", len(b), MaxFile)}
	}
	if f, ok := parseCanonical(b); ok {
		return f, nil
	}
	f, err := parseYAML(b)
	if err != nil {
		return Fact{}, err
	}
	switch n := len(Marshal(f)); {
	case n == 0:
		return Fact{}, &ParseError{Problem: "it states nothing"}
	case n > MaxFile:
		return Fact{}, &ParseError{Problem: fmt.Sprintf("its canonical form takes %d bytes, more than the %d a fact may have", n, MaxFile)}
	}
	return f, nil
}

// ParseAt reads the fact in the file of a key. Beyond what Parse checks, the fact
// must have that key and the required fields. The error is a *ParseError.
func ParseAt(k Key, b []byte) (Fact, error) {
	f, err := Parse(b)
	switch {
	case err != nil:
		return Fact{}, err
	case f.Key != k:
		return Fact{}, &ParseError{Problem: fmt.Sprintf("its key field is %q", f.Key)}
	case f.ID == "" || f.Lineage == "" || f.Claim == "" || f.ValidFrom.IsZero():
		return Fact{}, &ParseError{Problem: "it has no id, lineage, claim or valid_from"}
	}
	return f, nil
}

// parseYAML is the reference implementation of parseCanonical.
func parseYAML(b []byte) (Fact, error) {
	root, err := rootMapping(b)
	if err != nil {
		return Fact{}, err
	}
	var f Fact
	fields := f.fields()
	if err := eachField(root, fields[:], &f.Unknown); err != nil {
		return Fact{}, err
	}
	return f, nil
}

// eachField sets the fields that a mapping has, and keeps those that are not listed,
// in the order of their names.
func eachField(v *yaml.Node, fields []field, unknown *[]Unknown) error {
	if v.Kind != yaml.MappingNode {
		return fault(v, "a mapping of fields to values is expected here")
	}
	for i := 0; i < len(v.Content); i += 2 {
		name, value := v.Content[i].Value, v.Content[i+1]
		if at := indexOf(fields, name); at < 0 {
			*unknown = append(*unknown, Unknown{Name: name, YAML: canonicalValue(value)})
		} else if err := setValue(value, fields[at].value); err != nil {
			return err
		}
	}
	slices.SortFunc(*unknown, func(a, b Unknown) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

func indexOf(fields []field, name string) int {
	return slices.IndexFunc(fields, func(f field) bool { return f.name == name })
}

// setValue sets a field of any of the types in the lists of fields.
func setValue(v *yaml.Node, value any) error {
	switch field := value.(type) {
	case *string:
		return setString(v, field)
	case *lines:
		return setString(v, field)
	case parser:
		return setText(v, field)
	case *Key:
		return setParsed(v, field, ParseKey)
	case *time.Time:
		return setParsed(v, field, ParseTime)
	case **float64:
		return setParsed(v, field, parseNumber)
	case *bool:
		return setParsed(v, field, parseBool)
	case **bool:
		if !isNull(v) {
			*field = new(bool)
			return setParsed(v, *field, parseBool)
		}
	case *[]string:
		return setTexts(v, field)
	case *[]Pointer:
		return setPointers(v, field)
	case *Permissions:
		return setPermissions(v, field)
	case *[]Gate:
		return setGates(v, field)
	case *Provenance:
		if fields := field.fields(); !isNull(v) {
			return eachField(v, fields[:], &field.Unknown)
		}
	case *Review:
		if !isNull(v) {
			return setReview(v, field)
		}
	}
	return nil
}

func setPointers(v *yaml.Node, pointers *[]Pointer) error {
	return eachItem(v, func(item *yaml.Node) error {
		var p Pointer
		var err error
		if item.Kind == yaml.ScalarNode { // a person may write just the reference
			err = setString(item, &p.Ref)
		} else {
			err = eachField(item, p.fields(), &p.Unknown)
		}
		if err == nil && p.Ref == "" {
			err = fault(item, "a pointer needs a ref")
		}
		*pointers = append(*pointers, p)
		return err
	})
}

func setTexts(v *yaml.Node, texts *[]string) error {
	return eachItem(v, func(item *yaml.Node) error {
		var text string
		err := setString(item, &text)
		*texts = append(*texts, text)
		return err
	})
}
