package tool

import (
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"engram/facts"
	"engram/internal/fields"
	"engram/memory"
)

// arguments are the arguments of a tool: fields of its input, and their schema.
type arguments struct {
	tool   string
	fields []fields.Field
	schema *jsonschema.Schema
}

// MaxBudget bounds what a call may ask for, in tokens: more than any client takes. It is
// also the greatest number for an argument with a least one and no bound of its own.
const MaxBudget = 1 << 20

// argumentsOf describes the arguments of a tool whose input is In.
func argumentsOf[In any](spec Spec) arguments {
	a := arguments{tool: spec.Name, fields: fields.Of(reflect.TypeFor[In](), strings.Fields(spec.Takes)...)}
	a.schema = &jsonschema.Schema{
		Type: "object", Properties: make(map[string]*jsonschema.Schema), AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, f := range a.fields {
		property := schemaOf(f.Type, reflect.TypeFor[memory.Pointer]()) // which reads itself from a text
		describe(property, f)
		notNull(property) // a model that is offered null sends it
		a.schema.Properties[f.Tool], a.schema.PropertyOrder = property, append(a.schema.PropertyOrder, f.Tool)
		if f.Required {
			a.schema.Required = append(a.schema.Required, f.Tool)
		}
	}
	return a
}

// describe adds to the schema of a type what is known of a field, and of the fields of
// objects in it.
func describe(schema *jsonschema.Schema, f fields.Field) {
	schema.Description = f.Help
	if f.Type == fields.Time {
		schema.Description += " (ISO 8601)"
	}
	if f.Default != "" {
		schema.Description += "; default " + f.Default
	}
	if f.Min != nil {
		schema.Minimum, schema.Maximum = f.Min, jsonschema.Ptr(float64(MaxBudget))
	}
	if f.Max != nil {
		schema.Maximum = f.Max
	}
	if schema.Items != nil {
		describeObject(schema.Items, f.Type.Elem())
		schema = schema.Items
	} else {
		describeObject(schema, f.Type)
	}
	for _, value := range f.Enum {
		schema.Enum = append(schema.Enum, value)
	}
}

func describeObject(schema *jsonschema.Schema, t reflect.Type) {
	if len(schema.Properties) == 0 {
		return
	}
	for _, f := range fields.Of(t) {
		describe(schema.Properties[f.Name], f)
	}
}

// Omit is the type of a field that an answer leaves out: it hides the field of the same
// name in an embedded struct. Its tag says omitzero.
type Omit struct{}

// outputSchema describes Out. Later versions may add fields.
func outputSchema[Out any]() *jsonschema.Schema {
	schema := schemaOf(reflect.TypeFor[Out]())
	open(schema)
	return schema
}

const omitted = "omitted"

// schemaOf describes a type; values of the types in texts are texts.
func schemaOf(t reflect.Type, texts ...reflect.Type) *jsonschema.Schema {
	types := map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[Omit](): {Type: "object", Comment: omitted}}
	for _, text := range append(texts, reflect.TypeFor[facts.Key]()) {
		types[text] = &jsonschema.Schema{Type: "string"}
	}
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		panic(err) // a type of ours that JSON cannot show
	}
	return schema
}

func notNull(schema *jsonschema.Schema) {
	if len(schema.Types) == 2 && schema.Types[0] == "null" {
		schema.Type, schema.Types = schema.Types[1], nil
	}
}

// open lets every object have more fields, and drops those of type Omit.
func open(schema *jsonschema.Schema) {
	if schema == nil {
		return
	}
	if len(schema.Properties) > 0 {
		schema.AdditionalProperties = nil
	}
	for name, property := range schema.Properties {
		if property.Comment == omitted {
			delete(schema.Properties, name)
			continue
		}
		open(property)
	}
	open(schema.Items)
	open(schema.AdditionalProperties)
}
