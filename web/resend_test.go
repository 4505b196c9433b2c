package web_test

import (
	"strings"
	"testing"
)

// TestResendIsTaken: what an error offers to send instead is a whole request that is
// taken, or is not there.
func TestResendIsTaken(t *testing.T) {
	g := newGateway(t, true)
	change := func(claim string, more object) object {
		e := g.engram(claim)
		for k, v := range more {
			e[k] = v
		}
		return e
	}
	bare := object{"type": "repo", "ref": "repo:internal/auth.go#L3"}
	for name, body := range map[string]object{
		"no commit":          change("A session has a length.", object{"pointers": []any{bare}}),
		"beyond the project": change("A session has a start.", object{"scope": "org"}),
		"an unlikely one":    change("A session has no owner.", object{"confidence": 0.2}),
		"all of these":       change("A session has an end.", object{"pointers": []any{bare, g.ref("docs/spec.md")}, "confidence": 0.2, "scope": "global"}),
		"a long claim":       change(strings.Repeat("A session has a name. ", 40), nil),
	} {
		a := g.refusal(t, name, body)
		resend, ok := at(t, a, "error.resend").(object)
		if !ok {
			t.Errorf("%s: nothing to send: %v", name, a)
			continue
		}
		g.got(t, 201, "child", "POST", "/engram", resend)
	}
	for name, body := range map[string]object{
		"no such file":    change("It is so.", object{"pointers": []any{g.ref("internal/none.go")}}),
		"another digest":  change("It is so.", object{"pointers": []any{object{"type": "repo", "ref": g.ref("docs/spec.md")["ref"], "digest": "sha256:" + strings.Repeat("0", 64)}}}),
		"no confidence":   change("It is so.", object{"confidence": nil}),
		"nothing but url": change("It is so.", object{"pointers": []any{object{"type": "url", "ref": "url:https://example.com"}}}),
	} {
		if a := g.refusal(t, name, body); at(t, a, "error.resend") != nil || at(t, a, "error.refusals.0.reason") == nil {
			t.Errorf("%s: %v", name, a)
		}
	}
	pull := object{"pointer": g.ref("internal/auth.go#L1")}
	for range 3 {
		g.got(t, 200, "child", "POST", "/pointer/deref", pull)
	}
	a := g.got(t, 403, "child", "POST", "/pointer/deref", pull)
	if asks, _ := at(t, a, "error.refusals.0.resend").(string); at(t, a, "error.resend") != nil || !strings.Contains(asks, "DEREF_REQUESTS") || !strings.Contains(at(t, a, "error.hint").(string), "refusals[0].resend") {
		t.Errorf("an excerpt: %v", a)
	}
}

// refusal is the answer to an engram that is refused.
func (g *gateway) refusal(t *testing.T, name string, body object) object {
	t.Helper()
	a := g.as(t, "child", "POST", "/engram", body)
	if a.status != 413 && a.status != 422 {
		t.Fatalf("%s: %d %s", name, a.status, a.body)
	}
	return decoded(t, a.body)
}

// TestProseAroundAFence is told so, and the message in the fence is what to send.
func TestProseAroundAFence(t *testing.T) {
	g := newGateway(t, true)
	message := strings.ReplaceAll((&shapes{gateway: g}).message("Refresh does nothing.", "One risk."), g.commit, "")
	a := g.got(t, 422, "child", "POST", "/hooks/on_child_response", object{"response": "Here it is:\n\n```yaml\n" + message + "```\nDone.\n"})
	if reason := at(t, a, "error.refusals.0.reason"); !strings.Contains(reason.(string), "outside the fence") {
		t.Errorf("it says %v", reason)
	}
	o := g.got(t, 200, "child", "POST", "/hooks/on_child_response", object{"response": at(t, a, "error.resend")})
	if !strings.HasSuffix(at(t, o, "engrams.0.pointers.0.ref").(string), g.commit) {
		t.Errorf("%v", o)
	}
}

// TestPutShowsFewHashKeys: as lists do; who asks for the one engram is shown all.
func TestPutShowsFewHashKeys(t *testing.T) {
	g := newGateway(t, true)
	o := g.got(t, 201, "child", "POST", "/engram", g.engram("Refresh of a session in auth.go, called sessionTTL and loginTTL, ends with PAYMENT_RETRY_LIMIT of billing."))
	keys, _ := at(t, o, "engram.hash_keys").([]any)
	all, _ := at(t, g.got(t, 200, "child", "GET", "/engram/"+at(t, o, "engram.id").(string), nil), "engram.hash_keys").([]any)
	if len(keys) != 4 || len(all) <= 4 {
		t.Errorf("%d keys of %d: %v", len(keys), len(all), keys)
	}
}
