package facts

import (
	"fmt"
	"slices"
	"strings"

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
	err = eachField(root, &f.Unknown, f.setField)
	if err != nil {
		return Fact{}, err
	}
	return f, nil
}

// eachField calls set for every field of a mapping and keeps those that set
// does not know, in the order of their names.
func eachField(v *yaml.Node, unknown *[]Unknown, set func(name string, v *yaml.Node) (known bool, err error)) error {
	if v.Kind != yaml.MappingNode {
		return fault(v, "a mapping of fields to values is expected here")
	}
	for i := 0; i < len(v.Content); i += 2 {
		name, value := v.Content[i].Value, v.Content[i+1]
		known, err := set(name, value)
		if err != nil {
			return err
		}
		if !known {
			*unknown = append(*unknown, Unknown{Name: name, YAML: canonicalValue(value)})
		}
	}
	slices.SortFunc(*unknown, func(a, b Unknown) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

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
	case "branch":
		return true, setString(v, &f.Branch)
	case "for":
		return true, setKey(v, &f.For)
	case "confidence":
		return true, setNumber(v, &f.Confidence)
	case "tags":
		return true, setTexts(v, &f.Tags)
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
		if isNull(v) {
			return true, nil
		}
		return true, eachField(v, &f.Provenance.Unknown, f.Provenance.setField)
	}
	return false, nil
}

func (p *Provenance) setField(name string, v *yaml.Node) (known bool, err error) {
	switch name {
	case "agent":
		return true, setString(v, &p.Agent)
	case "engineer":
		return true, setString(v, &p.Engineer)
	case "source":
		return true, setString(v, &p.Source)
	case "evidence":
		return true, setString(v, &p.Evidence)
	case "created_at":
		return true, setTime(v, &p.CreatedAt)
	}
	return false, nil
}

func (p *Pointer) setField(name string, v *yaml.Node) (known bool, err error) {
	switch name {
	case "ref":
		return true, setString(v, &p.Ref)
	case "digest":
		return true, setString(v, &p.Digest)
	}
	return false, nil
}

func setPointers(v *yaml.Node, pointers *[]Pointer) error {
	return eachItem(v, func(item *yaml.Node) error {
		var p Pointer
		var err error
		if item.Kind == yaml.ScalarNode { // a person may write just the reference
			err = setString(item, &p.Ref)
		} else {
			err = eachField(item, &p.Unknown, p.setField)
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
