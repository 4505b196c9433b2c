package less_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"engram/bus"
	"engram/skills/less"
)

// resolved is a schema as an implementation that is not ours reads it.
func resolved(t *testing.T, name string) *jsonschema.Resolved {
	t.Helper()
	r, err := schema(t, name).Resolve(&jsonschema.ResolveOptions{Loader: func(uri *url.URL) (*jsonschema.Schema, error) {
		parts := strings.Split(uri.Opaque, ":") // engram:less:NAME:v0.1
		if len(parts) != 4 {
			return nil, fmt.Errorf("no schema %s", uri)
		}
		return schema(t, parts[2]), nil
	}})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

func schema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	b, found := less.Schema(name)
	if !found {
		t.Fatalf("no schema %s", name)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(b, &s); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return &s
}

// TestSchemasResolve: each is one of draft 2020-12, by the name that its file has.
func TestSchemasResolve(t *testing.T) {
	if len(less.Schemas()) < 7 {
		t.Errorf("%v", less.Schemas())
	}
	for _, name := range less.Schemas() {
		short, version, _ := strings.Cut(name, ".")
		s := schema(t, name)
		if s.ID != "urn:engram:less:"+short+":"+version || s.Schema != "https://json-schema.org/draft/2020-12/schema" {
			t.Errorf("%s: $id %s, $schema %s", name, s.ID, s.Schema)
		}
		resolved(t, name)
	}
	if _, found := less.Schema("../less"); found {
		t.Error("a name that is none was found")
	}
}

const message = `{"ROLE":"programmer","TASK_STATUS":"done","ENGRAMS":[{"kind":"risk","claim":"It leaks.","confidence":0.7,"ttl":"P7D","scope":"project",
	"pointers":[{"type":"repo","ref":"repo:a.go#L1-L2@0123abc"}]}],"OUTPUT":{"summary":"One risk."}}`

const brief = `{"ROLE":"director","SHARED_BRIEF_MICRO":["Goal: ship."],"BUDGETS":{"max_engrams":10},
	"GRANTS":[{"budget_token":"t","pointer":{"type":"repo","ref":"repo:a.go#L1-L2@0123abc"},"cap_tokens":500}],
	"TARGET_POINTER_PACK":[{"type":"url","ref":"url:https://example.com"}],"INSTRUCTIONS":["Confirm it."]}`

// TestSchemasAgreeWithBus changes a message in every way that a schema can see, and
// wants the same answer from the schema and from bus.Check.
func TestSchemasAgreeWithBus(t *testing.T) {
	for _, c := range []struct {
		name, text string
		values     []string
	}{
		{"child-message", message, nil},
		{"parent-message", brief, nil},
	} {
		s := resolved(t, c.name)
		agree(t, s, c.name, c.text, true)
		n := 0
		for _, change := range changes(t, c.text) {
			agree(t, s, change.what, change.text, false)
			n++
		}
		if n < 100 {
			t.Errorf("%s: only %d changes were tried", c.name, n)
		}
	}
}

func agree(t *testing.T, s *jsonschema.Resolved, what, text string, mustPass bool) {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	err := s.Validate(value)
	wide := bus.Limits{Inline: bus.Inline{Tokens: 1 << 20, Engrams: 1 << 20, CodeChars: 1 << 20}}
	v := bus.Check([]byte(text), wide, bus.Allowance{})
	if v.OK != (err == nil) || mustPass && err != nil {
		t.Errorf("%s: the schema says %v, bus says %+v\n%s", what, err, v.Refusals, text)
	}
}

type change struct{ what, text string }

// changes takes each value of a message away, and puts others in its place, which are
// wrong in ways that a schema can say.
func changes(t *testing.T, text string) []change {
	t.Helper()
	long := strings.Repeat("x", 5000)
	many := make([]any, 40)
	var all []change
	add := func(what string, root any) {
		b, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, change{what, string(b)})
	}
	var root any
	if err := json.Unmarshal([]byte(text), &root); err != nil {
		t.Fatal(err)
	}
	var visit func(path string, v any, set func(any))
	visit = func(path string, v any, set func(any)) {
		if path != "" {
			for _, other := range []any{3.0, true, "", " ", long, []any{}, map[string]any{}, -1.0, 1.5, []any{1.0}, []any{map[string]any{}}} {
				if expected(path, v, other) {
					set(other)
					add(fmt.Sprintf("%s is %.40v", path, other), root)
				}
			}
			set(v)
		}
		switch v := v.(type) {
		case map[string]any:
			for name, value := range v {
				delete(v, name)
				add(path+"."+name+" is missing", root)
				v[name] = value
				visit(path+"."+name, value, func(other any) { v[name] = other })
			}
			v["more"] = "x"
			add(path+".more", root)
			delete(v, "more")
		case []any:
			for i := range many {
				many[i] = v[0]
			}
			set(append([]any{}, many...))
			add(path+" many times", root)
			set(v)
			visit(path+"[0]", v[0], func(other any) { v[0] = other })
		}
	}
	visit("", root, func(any) {})
	return all
}

// expected leaves out what schemas cannot say: the form of a reference and a ttl, and
// that a type is the reference's.
func expected(path string, before, other any) bool {
	_, wasText := before.(string)
	text, isText := other.(string)
	opaque := strings.HasSuffix(path, ".ref") || strings.HasSuffix(path, ".ttl") || strings.HasSuffix(path, ".budget_token")
	return !(wasText && isText && opaque && text != "")
}
