package mcp

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"engram/facts"
)

// inputSchema describes In, the input of a tool: a field without omitempty is
// required, and none beside those there are is taken.
func inputSchema[In any](t tool) *jsonschema.Schema {
	schema := schemaFor[In]()
	for field, bounds := range t.ranges {
		schema.Properties[field].Minimum, schema.Properties[field].Maximum = jsonschema.Ptr(float64(bounds[0])), jsonschema.Ptr(float64(bounds[1]))
	}
	for field, values := range t.enums {
		list := make([]any, len(values))
		for i, v := range values {
			list[i] = v
		}
		if items := schema.Properties[field].Items; items != nil {
			items.Enum = list
		} else {
			schema.Properties[field].Enum = list
		}
	}
	for _, property := range schema.Properties {
		notNull(property) // a model that is offered null sends it
	}
	return schema
}

// outputSchema describes Out. Later versions may add fields.
func outputSchema[Out any]() *jsonschema.Schema {
	schema := schemaFor[Out]()
	open(schema)
	return schema
}

func schemaFor[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[facts.Key](): {Type: "string"},
	}})
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

// open lets every object have more fields.
func open(schema *jsonschema.Schema) {
	if schema == nil {
		return
	}
	if len(schema.Properties) > 0 {
		schema.AdditionalProperties = nil
	}
	for _, property := range schema.Properties {
		open(property)
	}
	open(schema.Items)
	open(schema.AdditionalProperties)
}
