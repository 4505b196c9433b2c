package web_test

import (
	"strings"
	"testing"
)

// TestGuardsOfTheAPI: what the door refuses, it refuses at every path of the API.
func TestGuardsOfTheAPI(t *testing.T) {
	g := newGateway(t, true)
	for _, route := range methodsOf() {
		method, path := route[0], strings.NewReplacer("{id}", "x", "{name}", "x").Replace(route[1])
		name := method + " " + path
		isError(t, name+" without a token", do(t, method, g.url(path), ""), 401, "refused")
		isError(t, name+" with a wrong token", do(t, method, g.url(path), "", "Authorization", "Bearer "+strings.Repeat("x", 20)), 401, "refused")
		isError(t, name+" from elsewhere", g.as(t, "child", method, path, nil, "Origin", "https://evil.example"), 403, "refused")
		isError(t, name+" under another name", g.raw(t, method+" "+path+" HTTP/1.1", "Host: evil.example", "Authorization: Bearer "+tokensOf["child"], "Content-Length: 0", "Connection: close"), 403, "refused")
		isError(t, name+" by another method", g.as(t, "child", "PATCH", path, nil), 405, "usage")
		for _, query := range []string{"keys=src&kind=%zz", "kind=risk;x", "child=nobody;", "%"} {
			isError(t, name+" with the query "+query, g.raw(t, method+" "+path+"?"+query+" HTTP/1.1", "Host: localhost", "Authorization: Bearer "+tokensOf["child"], "Content-Length: 0", "Connection: close"), 400, "usage")
		}
		if method != "POST" {
			continue
		}
		json := []string{"Content-Type", "application/json"}
		isError(t, name+" with too much", g.as(t, "child", method, path, strings.Repeat("x", 5<<20), json...), 413, "usage")
		isError(t, name+" of another type", g.as(t, "child", method, path, "a=b", "Content-Type", "application/x-www-form-urlencoded"), 415, "usage")
		isError(t, name+" that is no JSON", g.as(t, "child", method, path, "{", json...), 400, "usage")
		isError(t, name+" with an unknown parameter", g.as(t, "child", method, path+"?nonsense=1", "{}", json...), 400, "usage")
		if strings.HasPrefix(path, "/message/") || path == "/hooks/on_rag_result" {
			continue // a message has a form of its own; LightRAG may add fields
		}
		a := g.as(t, "child", method, path, `{"nonsense":1}`, json...)
		isError(t, name+" with an unknown field", a, 400, "usage")
		if !strings.Contains(a.body, "nonsense") {
			t.Errorf("%s does not name the field: %s", name, a.body)
		}
		for _, text := range []string{`{}]`, `{}}`, `{} 1`, `{"a":1,"a":2}`, `{"pointer":{"ref":"x","ref":"y"}}`, `{"KEY":"x"}`, `{"Child":"x"}`, `{"RESPONSE":"x"}`, `{"Question":"x"}`, `{"pointer":{"Ref":"x"}}`} {
			isError(t, name+" of "+text, g.as(t, "child", method, path, text, json...), 400, "usage")
		}
		isError(t, name+" twice", g.as(t, "child", method, path, `{} {}`, json...), 400, "usage")
		isError(t, name+" of null", g.as(t, "child", method, path, `null`, json...), 400, "usage")
	}
}

// TestNobodySpeaksForAnother: with a token of an agent, no field and no header names
// another.
func TestNobodySpeaksForAnother(t *testing.T) {
	g := newGateway(t, true)
	with := func(o object, more object) object {
		for k, v := range more {
			o[k] = v
		}
		return o
	}
	for name, c := range map[string]struct {
		path string
		body object
	}{
		"provenance": {"/engram", with(g.engram("Sessions live thirty minutes."), object{"provenance": object{"created_by": "other"}})},
		"deref":      {"/pointer/deref", object{"pointer": g.ref("internal/auth.go#L1"), "agent_id": "other"}},
		"grant":      {"/grant", object{"parent": "planner", "child": "child", "pointer": g.ref("internal/auth.go#L1")}},
		"response":   {"/hooks/on_child_response", object{"response": "ROLE: x", "agent_id": "other"}},
		"broadcast":  {"/hooks/on_parent_broadcast", object{"parent": "planner", "child": "other"}},
		"sam":        {"/hooks/on_sam_read", object{"question": "x", "agent_id": "other"}},
	} {
		a := g.as(t, "child", "POST", c.path, c.body)
		isError(t, name, a, 403, "refused")
		if strings.Contains(a.body, "child") {
			t.Errorf("%s: the answer says whose token it is: %s", name, a.body)
		}
	}
	isError(t, "header", g.as(t, "child", "GET", "/engram/query?keys=x", nil, "Engram-Agent", "other"), 403, "refused")
	isError(t, "grants", g.as(t, "child", "GET", "/grants?child=other", nil), 403, "refused")
	isError(t, "turn", g.as(t, "child", "GET", "/turn?child=other", nil), 403, "refused")
	g.got(t, 200, "child", "GET", "/engram/query?keys=x", nil, "Engram-Agent", "child")
	// A token of no agent is the orchestrator's, who speaks for any.
	if o := g.got(t, 201, "", "POST", "/engram", g.engram("Sessions live thirty minutes."), "Engram-Agent", "other"); at(t, o, "engram.provenance.created_by") != "other" {
		t.Errorf("%v", o)
	}
}

// TestParentHandsIn: with a parent's token, and no other, what a child answered is
// handed in for it, at that one path.
func TestParentHandsIn(t *testing.T) {
	g := newGateway(t, true)
	body := func(claim string) object {
		return object{"agent_id": "child", "response": (&shapes{gateway: g}).message(claim, "One risk.")}
	}
	g.got(t, 200, "child", "POST", "/pointer/deref", object{"pointer": g.ref("internal/auth.go#L1")})
	o := g.got(t, 200, "planner", "POST", "/hooks/on_child_response", body("Refresh does nothing."))
	if by := at(t, o, "engrams.0.provenance.created_by"); by != "child" {
		t.Errorf("it is attributed to %v", by)
	}
	if o := g.got(t, 200, "planner", "GET", "/turn?child=child", nil); at(t, o, "used.repo_spans") != 0.0 || at(t, o, "ends") != nil {
		t.Errorf("the child's turn goes on: %v", o)
	}
	if o := g.got(t, 200, "planner", "POST", "/hooks/on_child_response", object{"response": body("Refresh returns nothing.")["response"]}); at(t, o, "engrams.0.provenance.created_by") != "planner" {
		t.Errorf("its own: %v", o)
	}
	isError(t, "by another child", g.as(t, "other", "POST", "/hooks/on_child_response", body("x")), 403, "refused")
	isError(t, "two children", g.as(t, "planner", "POST", "/hooks/on_child_response", body("x"), "Engram-Agent", "other"), 403, "refused")
	isError(t, "who only says it is a parent", g.as(t, "", "POST", "/hooks/on_child_response", body("x"), "Engram-Agent", "planner"), 403, "refused")
	isError(t, "an excerpt", g.as(t, "planner", "POST", "/pointer/deref", object{"pointer": g.ref("internal/auth.go#L1"), "agent_id": "child"}), 403, "refused")
}

// TestWithoutTokens: an agent says by a header who it is, and nobody is a person.
func TestWithoutTokens(t *testing.T) {
	g := newGateway(t, false)
	o := g.got(t, 201, "", "POST", "/engram", g.engram("Sessions live thirty minutes."), "Engram-Agent", "child")
	if at(t, o, "engram.provenance.created_by") != "child" {
		t.Errorf("%v", o)
	}
	isError(t, "a child", g.as(t, "", "POST", "/grant", object{"child": "child", "pointer": g.ref("internal/auth.go#L1")}, "Engram-Agent", "child"), 403, "refused")
	g.got(t, 201, "", "POST", "/grant", object{"child": "child", "pointer": g.ref("internal/auth.go#L1")})
	isError(t, "two at once", g.as(t, "", "POST", "/pointer/deref", object{"pointer": g.ref("internal/auth.go#L1"), "agent_id": "other"}, "Engram-Agent", "child"), 403, "refused")
}
