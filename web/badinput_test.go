package web_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestBadInputIsNoFailure: whatever agents send, it is their request that is at fault
// (4xx), and never the gateway (5xx).
func TestBadInputIsNoFailure(t *testing.T) {
	g := newGateway(t, true)
	check := func(agent, method, path string, body any, headers ...string) {
		t.Helper()
		if a := g.as(t, agent, method, path, body, headers...); a.status < 400 || a.status >= 500 {
			t.Errorf("%s %s %.60q is %d: %.200s", method, path, body, a.status, a.body)
		}
	}
	for _, text := range []string{
		"", "\n", "I am done.", "{", "[]", "null", "ROLE: x", "ROLE: [a]\nENGRAMS: {}\n", "a: &b [*b]", "ROLE: x\nROLE: y\n", "\x00\x01", "\xff\xfe", strings.Repeat("[", 5000), strings.Repeat("x", 70<<10),
		"SHARED_BRIEF_MICRO: []\nROLE: x\nBUDGETS: {}\n", "ROLE: x\nTASK_STATUS: x\nENGRAMS: [{}]\nOUTPUT: {summary: x}\n",
	} {
		check("child", "POST", "/message/submit", text, "Content-Type", "application/yaml")
		check("child", "POST", "/message/submit", text, "Content-Type", "application/yaml", "Engram-Budget-Token", "eg1.x")
		check("child", "POST", "/hooks/on_child_response", object{"response": text})
	}
	pointer := func(ref string) object { return object{"type": "repo", "ref": ref} }
	bad := []string{"", "repo:", "x", "repo:a\x00b@0123abc", "repo:internal/auth.go@", "repo:../x@" + g.commit, "repo:internal/auth.go#L0@" + g.commit, "repo:internal/auth.go@" + strings.Repeat("0", 40), strings.Repeat("a", 9000), "url:https://example.com"}
	for _, ref := range bad {
		check("child", "POST", "/pointer/deref", object{"pointer": pointer(ref)})
		if a := g.as(t, "planner", "POST", "/grant", object{"child": "child", "pointer": pointer(ref)}); a.status >= 500 { // whether anything stands there is seen when it is read
			t.Errorf("a grant for %.60q is %d: %.200s", ref, a.status, a.body)
		}
		engram := g.engram("Sessions live thirty minutes.")
		engram["pointers"] = []any{pointer(ref)}
		check("child", "POST", "/engram", engram)
	}
	good := g.ref("internal/auth.go#L1")
	for name, more := range map[string]any{"cap_tokens": -1, "uses": 1 << 40, "lifetime": "P1Y", "purpose": "x", "child": "", "parent": "nobody", "from": "eg1.x"} {
		body := object{"child": "child", "pointer": good}
		body[name] = more
		check("planner", "POST", "/grant", body)
	}
	for _, lifetime := range []string{"90d", "P90D"} {
		if a := g.as(t, "planner", "POST", "/grant", object{"child": "child", "pointer": good, "lifetime": lifetime}); a.status != 400 || !strings.Contains(a.body, "30 days at most") {
			t.Errorf("%s: %d %s", lifetime, a.status, a.body)
		}
	}
	g.got(t, 201, "planner", "POST", "/grant", object{"child": "child", "pointer": good, "lifetime": "30m"})
	check("child", "POST", "/pointer/deref", object{"pointer": good, "max_tokens": -1})
	check("child", "POST", "/pointer/deref", object{"pointer": good, "budget_token": "x"})
	check("planner", "POST", "/hooks/on_parent_broadcast", object{"child": "child"})
	check("planner", "POST", "/hooks/on_parent_broadcast", object{"child": "child", "goal": strings.Repeat("x ", 5000)})
	check("planner", "POST", "/hooks/on_parent_broadcast", object{"child": "child", "goal": "x", "parent_role": strings.Repeat("r", 300)})
	check("planner", "DELETE", "/grant/x", nil)
	for _, path := range []string{"/engram/query", "/engram/query?k=0&q=x", "/engram/query_by_embedding?embedding_ref=x", "/engram/" + url.PathEscape("a\x00b"), "/engram/../x", "/turn?child=other", "/grants?child=other", "/facts/since?revision=--x"} {
		check("child", "GET", path, nil)
	}
}
