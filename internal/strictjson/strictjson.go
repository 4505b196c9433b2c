// Package strictjson rejects what encoding/json accepts: repeated fields, of which the last
// wins; fields in other letters, such as KEY for key; and text after the value. It does not
// reject unknown fields.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Fault says what is wrong with a JSON text.
type Fault struct{ Message, Hint string }

func (f *Fault) Error() string { return f.Message }

// Check compares a text with the type that it will be decoded into; nil checks for repeated
// fields alone, and so do types that decode themselves. The error is a *Fault, or
// encoding/json's for a text that is not one JSON value.
func Check(text []byte, into reflect.Type) error {
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil { // which also bounds the nesting
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

// plain returns a type without pointers; nil if it decodes itself.
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

// fieldsOf returns the fields of a struct by their JSON names, including those of embedded
// structs.
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
