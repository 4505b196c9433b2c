package web_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"engram/skills/less"
)

// document is openapi.json, as far as it is tested.
type document struct {
	Paths      map[string]map[string]operation
	Components struct {
		Schemas   map[string]json.RawMessage
		Responses map[string]response
	}
}

type operation struct {
	OperationID string
	RequestBody struct{ Content map[string]media }
	Responses   map[string]response
}

type response struct {
	Ref     string `json:"$ref"`
	Content map[string]media
}

type media struct {
	Schema  json.RawMessage
	Example json.RawMessage
}

func readDocument(t *testing.T) document {
	t.Helper()
	b, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(b, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// resolve makes a schema of the document ready: references into the document are its
// components, and those of the skill its files. closed refuses fields that the document
// does not name.
func (d document) resolve(t *testing.T, raw json.RawMessage, closed bool) *jsonschema.Resolved {
	t.Helper()
	defs := maps.Clone(d.Components.Schemas)
	whole, err := json.Marshal(object{"$defs": defs, "allOf": []any{raw}})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(whole), "#/components/schemas/", "#/$defs/")
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		t.Fatal(err)
	}
	if closed {
		for _, def := range schema.Defs {
			closeSchema(def)
		}
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{BaseURI: "https://engram.test/openapi.json", Loader: loadSchema})
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	return resolved
}

// loadSchema finds the skill's schemas, under their address here and under their own.
func loadSchema(uri *url.URL) (*jsonschema.Schema, error) {
	name := uri.Path[strings.LastIndex(uri.Path, "/")+1:]
	if uri.Scheme == "urn" { // urn:engram:less:pointer:v0.1
		name = strings.ReplaceAll(strings.TrimPrefix(uri.Opaque, "engram:less:"), ":", ".") + ".json"
	}
	b, err := fs.ReadFile(less.SchemaFiles(), name)
	if err != nil {
		return nil, err
	}
	var schema jsonschema.Schema
	return &schema, json.Unmarshal(b, &schema)
}

func closeSchema(schema *jsonschema.Schema) {
	if schema == nil {
		return
	}
	if len(schema.Properties) > 0 {
		schema.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
	}
	for _, property := range schema.Properties {
		closeSchema(property)
	}
	closeSchema(schema.Items)
}

// TestOpenAPIHasEveryRoute, and no other.
func TestOpenAPIHasEveryRoute(t *testing.T) {
	var documented, served []string
	for path, operations := range readDocument(t).Paths {
		for method := range operations {
			documented = append(documented, strings.ToUpper(method)+" "+path)
		}
	}
	for _, route := range methodsOf() {
		served = append(served, route[0]+" "+route[1])
	}
	served = append(served, "GET /healthz", "GET /readyz")
	slices.Sort(documented)
	slices.Sort(served)
	if diff := cmp.Diff(served, documented); diff != "" {
		t.Errorf("-served +documented:\n%s", diff)
	}
}

// TestOpenAPIExamples: every example is as its schema says.
func TestOpenAPIExamples(t *testing.T) {
	d := readDocument(t)
	check := func(name string, m media) {
		t.Helper()
		if len(m.Example) == 0 {
			t.Errorf("%s has no example", name)
			return
		}
		var example any
		if err := json.Unmarshal(m.Example, &example); err != nil {
			t.Fatal(err)
		}
		if err := d.resolve(t, m.Schema, true).Validate(example); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for path, operations := range d.Paths {
		for method, o := range operations {
			if o.OperationID == "" {
				t.Errorf("%s %s has no operationId", method, path)
			}
			for kind, m := range o.RequestBody.Content {
				check(method+" "+path+" request "+kind, m)
			}
			for status, r := range o.Responses {
				name, found := strings.CutPrefix(r.Ref, "#/components/responses/")
				if found {
					r = d.Components.Responses[name]
				}
				if len(r.Content) == 0 {
					t.Errorf("%s %s %s has no content", method, path, status)
				}
				for kind, m := range r.Content {
					check(method+" "+path+" "+status+" "+kind, m)
				}
			}
		}
	}
}
