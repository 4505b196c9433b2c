// Package strictjson refuses what encoding/json lets pass: a field given twice, of
// which the last wins; a field in other letters than it has, which is taken for it; and
// whatever follows the value. Unknown fields are not its business.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Fault is what is wrong with a JSON text.
type Fault struct{ Message, Hint string }

func (f *Fault) Error() string { return f.Message }

// Check holds a text against the type that it will be decoded into; nil checks for
// repeated fields alone. A type that decodes itself is looked no further into, but for
// those. The error is a *Fault, or encoding/json's of a text that is no JSON value, or
// nested too deeply, or followed by something.
func Check(text []byte, into reflect.Type) error {
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil { // nested at most as deeply as it lets
		return err
	}
	w := walker{json.NewDecoder(bytes.NewReader(text))}
	w.UseNumber()
	return w.value(into)
}

type walker struct{ *json.Decoder }

func (w walker) value(t reflect.Type) error {
	token, err := w.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		return w.object(plain(t))
	case json.Delim('['):
		var item reflect.Type
		if t = plain(t); t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
			item = t.Elem()
		}
		for w.More() {
			if err := w.value(item); err != nil {
				return err
			}
		}
		_, err = w.Token()
	}
	return err
}

func (w walker) object(t reflect.Type) error {
	fields, seen := fieldsOf(t), make(map[string]bool)
	for w.More() {
		token, err := w.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		if seen[name] {
			return &Fault{fmt.Sprintf("the field %.60q is given twice", name), "give it once"}
		}
		seen[name] = true
		value, known := fields[name]
		if !known {
			for other := range fields {
				if strings.EqualFold(name, other) {
					return &Fault{fmt.Sprintf("there is no field %.60q", name), "did you mean " + other + "?"}
				}
			}
		}
		if t != nil && t.Kind() == reflect.Map {
			value = t.Elem()
		}
		if err := w.value(value); err != nil {
			return err
		}
	}
	_, err := w.Token()
	return err
}

// plain is a type without pointers; nil where it decodes itself.
func plain(t reflect.Type) reflect.Type {
	for t != nil {
		if t.Implements(decodes) || reflect.PointerTo(t).Implements(decodes) {
			return nil
		}
		if t.Kind() != reflect.Pointer {
			break
		}
		t = t.Elem()
	}
	return t
}

var decodes = reflect.TypeFor[json.Unmarshaler]()

// fieldsOf are the fields of a struct as JSON has them, those of embedded structs with
// them.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	fields := make(map[string]reflect.Type)
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-" || !field.IsExported() && !field.Anonymous:
		case field.Anonymous && name == "":
			for inner, of := range fieldsOf(plain(field.Type)) {
				if _, nearer := fields[inner]; !nearer {
					fields[inner] = of
				}
			}
		case name == "":
			fields[field.Name] = field.Type
		default:
			fields[name] = field.Type
		}
	}
	return fields
}
