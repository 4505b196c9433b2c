package tool

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"engram/facts"
	"engram/internal/fields"
	"engram/internal/strictjson"
)

// ArgumentError is a fault of the arguments themselves.
type ArgumentError struct{ message, Hint string }

func (e *ArgumentError) Error() string { return e.message }

// Reject says what is wrong with the arguments, and what to do about it.
func Reject(message, hint string) error { return &ArgumentError{message, hint} }

// maxArguments bounds the arguments of a call, in bytes: the largest honest ones
// are of a fact with a detail of 8 KiB in an alphabet that JSON may escape.
const maxArguments = 128 << 10

// decode reads arguments into an input, strictly, also inside of objects.
func (a arguments) decode(raw json.RawMessage, input any) error {
	if len(raw) > maxArguments {
		return Reject(fmt.Sprintf("%s: the arguments have %d bytes, at most %d are read", a.tool, len(raw), maxArguments), "a claim has at most 500 characters, its detail 8 KiB, a question a sentence or two, the state of a task 64 KiB")
	}
	given := make(map[string]json.RawMessage)
	if len(raw) > 0 && json.Unmarshal(raw, &given) != nil {
		return Reject(a.tool+": the arguments are not a JSON object", a.takes())
	}
	for name := range given {
		if a.schema.Properties[name] == nil {
			return a.unknown(name)
		}
	}
	if err := a.strictly(raw, nil); err != nil {
		return err
	}
	for _, f := range a.fields {
		value := given[f.Tool]
		if len(value) == 0 || string(value) == "null" { // clients send null for what a model omitted
			if f.Required {
				return Reject(a.tool+": "+f.Tool+" is missing", a.takes())
			}
			continue
		}
		if err := a.set(f, value, f.In(reflect.ValueOf(input))); err != nil {
			return err
		}
	}
	return nil
}

// strictly rejects a field that is given twice, or in other letters than it has.
func (a arguments) strictly(raw json.RawMessage, into reflect.Type) error {
	var fault *strictjson.Fault
	if errors.As(strictjson.Check(raw, into), &fault) {
		return Reject(a.tool+": "+fault.Message, fault.Hint)
	}
	return nil
}

// set reads one argument into its field of the input.
func (a arguments) set(f fields.Field, raw json.RawMessage, field reflect.Value) error {
	if err := a.strictly(raw, f.Type); err != nil {
		return err
	}
	if f.Type == fields.Time {
		return setTime(f.Tool, raw, field)
	}
	schema := a.schema.Properties[f.Tool]
	err := json.Unmarshal(raw, field.Addr().Interface())
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		name := strings.TrimSuffix(f.Tool+"."+kind.Field, ".")
		if name != f.Tool {
			schema = nil
		}
		return Reject(fmt.Sprintf("%s: %s cannot be a %s", a.tool, name, kind.Value), "write "+name+" as "+kindOf(schema))
	}
	if err != nil {
		return Reject(fmt.Sprintf("%s: %.200s", a.tool, err), a.takes())
	}
	return a.check(f, raw)
}

// setTime reads a moment; "" is none.
func setTime(name string, raw json.RawMessage, field reflect.Value) error {
	const hint = "write it as 2026-04-30 or 2026-04-30T12:00:00Z"
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return Reject(name+" is not a string", hint)
	}
	if text == "" {
		return nil
	}
	t, err := facts.ParseTime(text)
	if err != nil {
		return Reject(fmt.Sprintf("%s: %s", name, err), hint)
	}
	field.Set(reflect.ValueOf(t))
	return nil
}

// check compares an argument with what its field says beyond its type.
func (a arguments) check(f fields.Field, raw json.RawMessage) error {
	schema := a.schema.Properties[f.Tool]
	if err := a.checkObjects(f.Tool, schema, raw); err != nil {
		return err
	}
	var text string
	if len(f.Enum) > 0 && json.Unmarshal(raw, &text) == nil && text != "" && !slices.Contains(f.Enum, text) {
		return Reject(fmt.Sprintf("%s: %s cannot be %.40q", a.tool, f.Tool, text), meant(text, f.Enum, "? ")+"it is one of "+strings.Join(f.Enum, ", "))
	}
	var number float64
	if schema.Minimum != nil && json.Unmarshal(raw, &number) == nil && (number < *schema.Minimum || number > *schema.Maximum) {
		return Reject(fmt.Sprintf("%s: %s cannot be %g", a.tool, f.Tool, number), fmt.Sprintf("it is %g to %g; omit it to use the default", *schema.Minimum, *schema.Maximum))
	}
	return nil
}

// checkObjects rejects objects inside an argument with an unknown field, or without a
// required one.
func (a arguments) checkObjects(name string, schema *jsonschema.Schema, raw json.RawMessage) error {
	objects := []json.RawMessage{raw}
	if schema.Items != nil {
		if schema = schema.Items; json.Unmarshal(raw, &objects) != nil {
			return nil // its type was checked before
		}
	}
	if len(schema.Properties) == 0 {
		return nil
	}
	has := "it has " + strings.Join(schema.PropertyOrder, ", ")
	for _, object := range objects {
		var given map[string]json.RawMessage
		if json.Unmarshal(object, &given) != nil || given == nil {
			return Reject(fmt.Sprintf("%s: %s is not an object", a.tool, name), has)
		}
		for inner := range given {
			if schema.Properties[inner] == nil {
				return Reject(fmt.Sprintf("%s: %s has no field %.40q", a.tool, name, inner), has)
			}
		}
		for _, inner := range schema.Required {
			if given[inner] == nil {
				return Reject(fmt.Sprintf("%s: %s lacks %s", a.tool, name, inner), has)
			}
		}
	}
	return nil
}

// meant asks whether one of the known words was meant; "" if none is near.
func meant(given string, known []string, end string) string {
	for _, word := range known {
		if len(given) <= 40 && facts.EditDistance(given, word) <= 2 {
			return "did you mean " + word + end
		}
	}
	return ""
}

// unknown names the nearest argument that there is.
func (a arguments) unknown(name string) error {
	return Reject(fmt.Sprintf("%s takes no argument %.40q", a.tool, name), cmp.Or(meant(name, a.schema.PropertyOrder, "?"), a.takes()))
}

func (a arguments) takes() string {
	if len(a.fields) == 0 {
		return a.tool + " takes no arguments"
	}
	return a.tool + " takes " + strings.Join(a.schema.PropertyOrder, ", ")
}

// kindOf names a JSON type as the schema does: string, array or boolean.
func kindOf(schema *jsonschema.Schema) string {
	if schema == nil {
		return "its schema says"
	}
	kinds := slices.DeleteFunc(append([]string{schema.Type}, schema.Types...), func(s string) bool { return s == "" || s == "null" })
	return "JSON " + strings.Join(kinds, " or ")
}
