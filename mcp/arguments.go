package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"engram/facts"
	"engram/internal/strictjson"
)

// argumentError is a fault of the arguments themselves.
type argumentError struct{ message, hint string }

func (e *argumentError) Error() string { return e.message }

// maxArguments bounds the arguments of a call, in bytes: the largest honest ones
// are of a fact with a detail of 8 KiB in an alphabet that JSON may escape.
const maxArguments = 128 << 10

// decode reads arguments as their schema says, strictly, those of objects in them too.
func decode(name string, schema *jsonschema.Schema, raw json.RawMessage, into any) error {
	if len(raw) > maxArguments {
		return &argumentError{fmt.Sprintf("%s: the arguments have %d bytes, at most %d are read", name, len(raw), maxArguments), "a claim has at most 500 characters, its detail 8 KiB, a question a sentence or two"}
	}
	given := make(map[string]json.RawMessage)
	if len(raw) > 0 && json.Unmarshal(raw, &given) != nil {
		return &argumentError{name + ": the arguments are no JSON object", takes(name, schema)}
	}
	for field := range given {
		if schema.Properties[field] == nil {
			return unknownArgument(name, field, schema)
		}
	}
	var fault *strictjson.Fault
	if errors.As(strictjson.Check(raw, reflect.TypeOf(into)), &fault) {
		return &argumentError{name + ": " + fault.Message, fault.Hint}
	}
	for _, field := range schema.Required {
		if given[field] == nil || string(given[field]) == "null" {
			return &argumentError{name + ": " + field + " is missing", takes(name, schema)}
		}
	}
	if len(raw) == 0 {
		return nil
	}
	err := json.Unmarshal(raw, into)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return &argumentError{fmt.Sprintf("%s: %s cannot be a %s", name, kind.Field, kind.Value), "write " + kind.Field + " as " + kindOf(schema.Properties[kind.Field])}
	}
	if err != nil {
		return &argumentError{fmt.Sprintf("%s: %.200s", name, err), takes(name, schema)}
	}
	for _, field := range schema.PropertyOrder {
		if err := checkValue(name, field, schema.Properties[field], given[field]); err != nil {
			return err
		}
	}
	return nil
}

// checkValue holds a value against what its schema says beyond its type.
func checkValue(name, field string, schema *jsonschema.Schema, raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" { // not given
		return nil
	}
	if err := checkNested(name, field, schema, raw); err != nil {
		return err
	}
	var text string
	if len(schema.Enum) > 0 && json.Unmarshal(raw, &text) == nil && text != "" && !slices.Contains(schema.Enum, any(text)) {
		return &argumentError{fmt.Sprintf("%s: %s cannot be %.40q", name, field, text), nearestOf(text, schema.Enum) + "it is one of " + enumText(schema.Enum)}
	}
	var number float64
	if schema.Minimum != nil && json.Unmarshal(raw, &number) == nil && (number < *schema.Minimum || number > *schema.Maximum) {
		return &argumentError{fmt.Sprintf("%s: %s cannot be %g", name, field, number), fmt.Sprintf("it is %g to %g; omit it to use the default", *schema.Minimum, *schema.Maximum)}
	}
	return nil
}

// checkNested refuses what objects inside an argument do not have, or lack.
func checkNested(name, field string, schema *jsonschema.Schema, raw json.RawMessage) error {
	objects := []json.RawMessage{raw}
	if schema.Items != nil {
		if schema = schema.Items; json.Unmarshal(raw, &objects) != nil {
			return nil // its type was checked before
		}
	}
	if len(schema.Properties) == 0 {
		return nil
	}
	for _, object := range objects {
		var given map[string]json.RawMessage
		if json.Unmarshal(object, &given) != nil || given == nil {
			return &argumentError{fmt.Sprintf("%s: %s is no object", name, field), "it has " + strings.Join(schema.PropertyOrder, ", ")}
		}
		for inner := range given {
			if schema.Properties[inner] == nil {
				return &argumentError{fmt.Sprintf("%s: %s has no field %.40q", name, field, inner), "it has " + strings.Join(schema.PropertyOrder, ", ")}
			}
		}
		for _, inner := range schema.Required {
			if given[inner] == nil {
				return &argumentError{fmt.Sprintf("%s: %s lacks %s", name, field, inner), "it has " + strings.Join(schema.PropertyOrder, ", ")}
			}
		}
	}
	return nil
}

// nearestOf asks whether one of the values was meant; "" where none is near.
func nearestOf(text string, values []any) string {
	for _, v := range values {
		if known := fmt.Sprint(v); len(text) <= 40 && facts.EditDistance(text, known) <= 2 {
			return "did you mean " + known + "? "
		}
	}
	return ""
}

func enumText(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, ", ")
}

// unknownArgument names the nearest argument that there is.
func unknownArgument(name, field string, schema *jsonschema.Schema) error {
	hint := takes(name, schema)
	for _, known := range schema.PropertyOrder {
		if len(field) <= 40 && facts.EditDistance(field, known) <= 2 {
			hint = "did you mean " + known + "?"
		}
	}
	return &argumentError{fmt.Sprintf("%s takes no argument %.40q", name, field), hint}
}

func takes(name string, schema *jsonschema.Schema) string {
	if len(schema.PropertyOrder) == 0 {
		return name + " takes no arguments"
	}
	return name + " takes " + strings.Join(schema.PropertyOrder, ", ")
}

// kindOf names a JSON type as the schema does: string, array or boolean.
func kindOf(schema *jsonschema.Schema) string {
	if schema == nil {
		return "its schema says"
	}
	kinds := slices.DeleteFunc(append([]string{schema.Type}, schema.Types...), func(s string) bool { return s == "" || s == "null" })
	return "JSON " + strings.Join(kinds, " or ")
}
