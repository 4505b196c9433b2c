package web_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"engram/skills/less"
)

// skillSchema is a schema that the skill hands out, as an implementation that is not
// ours reads it.
func skillSchema(t *testing.T, name string) *jsonschema.Resolved {
	t.Helper()
	b, found := less.Schema(name)
	var schema jsonschema.Schema
	if err := json.Unmarshal(b, &schema); !found || err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	resolved, err := schema.Resolve(&jsonschema.ResolveOptions{Loader: loadSchema})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return resolved
}

// TestSkillSchemasHoldAnswers: what a running server answers is as the schemas say, not
// only what their examples have.
func TestSkillSchemasHoldAnswers(t *testing.T) {
	g := newGateway(t, true)
	holds := func(name, what string, value any) {
		t.Helper()
		if err := skillSchema(t, name).Validate(value); err != nil {
			t.Errorf("%s is no %s: %v\n%v", what, name, err, value)
		}
	}
	claim := g.engram("Sessions outlive a password change.")
	put := g.got(t, 201, "child", "POST", "/engram", claim)
	holds("engram", "what was put", put["engram"])
	holds("engram", "what one gets", plainEngram(at(t, g.got(t, 200, "child", "GET", "/engram/"+at(t, put, "engram.id").(string), nil), "engram")))
	for _, e := range g.got(t, 200, "child", "GET", "/engram/query?q="+url.QueryEscape("what outlives a password?"), nil)["engrams"].([]any) {
		holds("engram", "what was found", plainEngram(e))
	}

	asked := object{"child": "child", "pointer": g.ref("internal/auth.go#L1-L5"), "uses": 2, "pass_on": true, "lifetime": "PT10M"}
	granted := g.got(t, 201, "planner", "POST", "/grant", asked)
	holds("grant", "a grant", granted["grant"])
	prefix := object{"child": "child", "pointer": object{"type": "repo", "ref": "repo:internal/"}, "prefix": true}
	holds("grant", "a grant of a folder", g.got(t, 201, "planner", "POST", "/grant", prefix)["grant"])

	read := func(body object) object { return g.got(t, 200, "child", "POST", "/pointer/deref", body) }
	for what, body := range map[string]object{
		"an excerpt":             {"pointer": g.ref("internal/auth.go#L3-L4")},
		"one that is cut":        {"pointer": g.ref("internal/auth.go"), "max_tokens": 5},
		"a section":              {"pointer": object{"type": "artifact", "ref": "artifact:docs/spec.md#sec=Rules@" + g.commit}},
		"what a grant pays for":  {"pointer": g.ref("internal/auth.go#L1-L5"), "budget_token": granted["budget_token"]},
		"an excerpt of an entry": {"pointer": object{"type": "sam", "ref": "sam:" + at(t, put, "commit.key").(string)}},
	} {
		holds("deref-request", "a request of "+what, body)
		holds("deref-response", what, read(body))
	}

	told := g.got(t, 200, "planner", "POST", "/hooks/on_parent_broadcast", object{
		"child": "child", "role": "programmer", "goal": "End sessions on a password change.", "files": []string{"internal/auth.go"},
		"instructions": []string{"Two risks."}, "grants": []any{object{"pointer": g.ref("docs/spec.md")}}})
	holds("parent-message", "a broadcast", told["message"])
	verdict := g.got(t, 200, "child", "POST", "/message/validate", told["text"], "Content-Type", "application/yaml")
	if at(t, verdict, "ok") != true {
		t.Errorf("the text of a broadcast: %v", verdict)
	}
}

// plainEngram is an engram without what answers say of it beside.
func plainEngram(e any) any {
	o := object{}
	for name, value := range e.(object) {
		switch name {
		case "key", "freshness", "has_open_conflict", "age":
		default:
			o[name] = value
		}
	}
	return o
}

// TestSkillSchemaOfDerefRequests: what the schema refuses, the server refuses.
func TestSkillSchemaOfDerefRequests(t *testing.T) {
	g := newGateway(t, true)
	schema := skillSchema(t, "deref-request")
	pointer := g.ref("internal/auth.go#L1")
	for what, body := range map[string]object{
		"no pointer":          {},
		"a text":              {"pointer": "repo:internal/auth.go"},
		"no ref":              {"pointer": object{"type": "repo"}},
		"no type":             {"pointer": object{"ref": pointer["ref"]}},
		"a type that is not":  {"pointer": object{"type": "file", "ref": pointer["ref"]}},
		"a long ref":          {"pointer": object{"type": "repo", "ref": "repo:" + strings.Repeat("a", 300)}},
		"another field":       {"pointer": pointer, "lines": 4},
		"one in the pointer":  {"pointer": object{"type": "repo", "ref": pointer["ref"], "line": 1}},
		"tokens as a text":    {"pointer": pointer, "max_tokens": "400"},
		"tokens below zero":   {"pointer": pointer, "max_tokens": -1},
		"half a token":        {"pointer": pointer, "max_tokens": 1.5},
		"a token of a number": {"pointer": pointer, "budget_token": 7},
	} {
		b, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(b, &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err == nil {
			t.Errorf("%s: the schema takes it", what)
		}
		if a := g.as(t, "child", "POST", "/pointer/deref", body); a.status != 400 {
			t.Errorf("%s: the server answers %d: %s", what, a.status, a.body)
		}
	}
}
