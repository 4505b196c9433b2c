package facts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// ParseError says why bytes are not a fact, and where.
type ParseError struct {
	Line    int // 1-based, 0 where the whole file is at fault
	Problem string
}

func (e *ParseError) Error() string {
	if e.Line == 0 {
		return "not a fact: " + e.Problem
	}
	return fmt.Sprintf("not a fact: line %d: %s", e.Line, e.Problem)
}

func fault(n *yaml.Node, format string, args ...any) error {
	return &ParseError{Line: n.Line, Problem: fmt.Sprintf(format, args...)}
}

// Parse reads one fact. It takes any YAML that says the same as the canonical
// form and keeps fields it does not know; it refuses what a fact never needs
// and an attacker might: more than MaxFile bytes, aliases, merge keys, custom
// tags, deep nesting, repeated fields, several documents. It checks form, not
// sense: that is Validate's. The error is a *ParseError.
func Parse(b []byte) (Fact, error) {
	if len(b) > MaxFile {
		return Fact{}, &ParseError{Problem: fmt.Sprintf("%d bytes are more than the %d a fact may have", len(b), MaxFile)}
	}
	if f, ok := parseCanonical(b); ok {
		return f, nil
	}
	return parseYAML(b)
}

// parseYAML is the reference that parseCanonical has to agree with.
func parseYAML(b []byte) (Fact, error) {
	root, err := rootMapping(b)
	if err != nil {
		return Fact{}, err
	}
	var f Fact
	err = eachField(root, func(name string, v *yaml.Node) error {
		known, err := f.setField(name, v)
		if err != nil || known {
			return err
		}
		return addUnknown(&f.Unknown, name, v)
	})
	if err != nil {
		return Fact{}, err
	}
	sortUnknown(f.Unknown)
	return f, nil
}

func rootMapping(b []byte) (*yaml.Node, error) {
	if !utf8.Valid(b) {
		return nil, &ParseError{Problem: "it is not UTF-8 text"}
	}
	var doc yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(b))
	if err := decoder.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &ParseError{Problem: "it is empty"}
		}
		return nil, &ParseError{Problem: strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, &ParseError{Problem: "it holds more than one YAML document"}
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, &ParseError{Line: 1, Problem: "it is not a mapping of fields to values"}
	}
	return doc.Content[0], nil
}

// setField sets the field called name; known is false if there is none.
func (f *Fact) setField(name string, v *yaml.Node) (known bool, err error) {
	switch name {
	case "key":
		return true, setKey(v, &f.Key)
	case "id":
		return true, setString(v, &f.ID)
	case "lineage":
		return true, setString(v, &f.Lineage)
	case "claim":
		return true, setString(v, &f.Claim)
	case "detail":
		return true, setString(v, &f.Detail)
	case "kind":
		return true, setString(v, &f.Kind)
	case "type":
		return true, setString(v, &f.Type)
	case "scope":
		return true, setString(v, &f.Scope)
	case "reach":
		return true, setString(v, &f.Reach)
	case "confidence":
		return true, setNumber(v, &f.Confidence)
	case "tags":
		return true, setTags(v, &f.Tags)
	case "pointers":
		return true, setPointers(v, &f.Pointers)
	case "valid_from":
		return true, setTime(v, &f.ValidFrom)
	case "valid_until":
		return true, setTime(v, &f.ValidUntil)
	case "ttl":
		return true, setString(v, &f.TTL)
	case "durability":
		return true, setString(v, &f.Durability)
	case "operation":
		return true, setString(v, &f.Operation)
	case "supersedes":
		return true, setString(v, &f.Supersedes)
	case "provenance":
		return true, setProvenance(v, &f.Provenance)
	}
	return false, nil
}

func setProvenance(v *yaml.Node, p *Provenance) error {
	if isNull(v) {
		return nil
	}
	err := eachField(v, func(name string, v *yaml.Node) error {
		switch name {
		case "agent":
			return setString(v, &p.Agent)
		case "engineer":
			return setString(v, &p.Engineer)
		case "source":
			return setString(v, &p.Source)
		case "evidence":
			return setString(v, &p.Evidence)
		case "created_at":
			return setTime(v, &p.CreatedAt)
		}
		return addUnknown(&p.Unknown, name, v)
	})
	sortUnknown(p.Unknown)
	return err
}

func setPointers(v *yaml.Node, pointers *[]Pointer) error {
	return eachItem(v, func(item *yaml.Node) error {
		var p Pointer
		if item.Kind == yaml.ScalarNode { // a person may write just the reference
			if err := setString(item, &p.Ref); err != nil {
				return err
			}
		} else if err := setPointer(item, &p); err != nil {
			return err
		}
		if p.Ref == "" {
			return fault(item, "a pointer needs a ref")
		}
		*pointers = append(*pointers, p)
		return nil
	})
}

func setPointer(v *yaml.Node, p *Pointer) error {
	err := eachField(v, func(name string, v *yaml.Node) error {
		switch name {
		case "ref":
			return setString(v, &p.Ref)
		case "digest":
			return setString(v, &p.Digest)
		}
		return addUnknown(&p.Unknown, name, v)
	})
	sortUnknown(p.Unknown)
	return err
}

func setTags(v *yaml.Node, tags *[]string) error {
	return eachItem(v, func(item *yaml.Node) error {
		var tag string
		if err := setString(item, &tag); err != nil {
			return err
		}
		*tags = append(*tags, tag)
		return nil
	})
}

// eachField calls set for every field of a mapping and refuses a repeated one.
func eachField(v *yaml.Node, set func(name string, v *yaml.Node) error) error {
	if v.Kind != yaml.MappingNode {
		return fault(v, "a mapping of fields to values is expected here")
	}
	if v.Anchor != "" {
		return fault(v, "anchors and aliases are not allowed")
	}
	seen := make(map[string]bool, len(v.Content)/2)
	for i := 0; i < len(v.Content); i += 2 {
		var name string
		if err := setString(v.Content[i], &name); err != nil {
			return err
		}
		if v.Content[i].Tag == "!!merge" || name == "" || len(name) > MaxSegment {
			return fault(v.Content[i], "merge keys, empty and over-long field names are not allowed")
		}
		if seen[name] {
			return fault(v.Content[i], "the field %q stands here a second time", abridge(name, 60))
		}
		seen[name] = true
		if err := set(name, v.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func eachItem(v *yaml.Node, add func(*yaml.Node) error) error {
	if isNull(v) {
		return nil
	}
	if v.Kind != yaml.SequenceNode || v.Anchor != "" {
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

// setString takes any scalar as the text it was written as: somebody who types
// `tags: [2026]` means the tag "2026".
func setString[T ~string](v *yaml.Node, field *T) error {
	if err := checkScalar(v); err != nil {
		return err
	}
	if !isNull(v) {
		*field = T(v.Value)
	}
	return nil
}

func checkScalar(v *yaml.Node) error {
	if v.Kind == yaml.AliasNode || v.Anchor != "" {
		return fault(v, "anchors and aliases are not allowed")
	}
	if v.Kind != yaml.ScalarNode {
		return fault(v, "a single value is expected here, not a list or mapping")
	}
	switch v.ShortTag() {
	case "!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!merge":
		return nil
	}
	return fault(v, "the YAML tag %s is not allowed", abridge(v.ShortTag(), 40))
}

func setKey(v *yaml.Node, field *Key) error {
	var text string
	if err := setString(v, &text); err != nil || text == "" {
		return err
	}
	k, err := ParseKey(text)
	if err != nil {
		return fault(v, "%v", err)
	}
	*field = k
	return nil
}

func setNumber(v *yaml.Node, field **float64) error {
	var text string
	if err := setString(v, &text); err != nil || text == "" {
		return err
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return fault(v, "%q is not a number", abridge(text, 40))
	}
	*field = &n
	return nil
}

func setTime(v *yaml.Node, field *time.Time) error {
	var text string
	if err := setString(v, &text); err != nil || text == "" {
		return err
	}
	t, err := ParseTime(text)
	if err != nil {
		return fault(v, "%v", err)
	}
	*field = t
	return nil
}

// ParseTime reads a moment: RFC 3339, or a date, which means its first moment
// in UTC. The result is in UTC and whole milliseconds.
func ParseTime(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil && plausibleYear(t.UTC()) {
			return t.UTC().Truncate(timePrecision), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time such as 2026-04-30T12:00:00Z or 2026-04-30", abridge(s, 40))
}

// plausibleYear keeps to the years that RFC 3339 can write and in which
// somebody may have stated something.
func plausibleYear(t time.Time) bool { return t.Year() >= 1900 && t.Year() <= 9999 }

func addUnknown(unknown *[]Unknown, name string, v *yaml.Node) error {
	text, err := canonicalValue(v, 0)
	if err != nil {
		return err
	}
	*unknown = append(*unknown, Unknown{Name: name, YAML: text})
	return nil
}

func sortUnknown(unknown []Unknown) {
	slices.SortFunc(unknown, func(a, b Unknown) int { return strings.Compare(a.Name, b.Name) })
}
