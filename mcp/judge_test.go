package mcp_test

import (
	"strings"
	"testing"
)

// waiting are pairs of claims about the same matter that the rules have nothing against.
var waiting = [][2]string{
	{"The checkout service keeps sessions for returning customers.", "Returning customers of the checkout service begin afresh."},
	{"The nightly export writes invoices for archived tenants.", "Archived tenants find no invoices in the nightly export."},
	{"The search page shows suggestions while visitors type.", "Visitors type a whole word before the search page shows suggestions."},
}

// commitPairs commits the claims as two agents, and returns what the answers offer to judge.
func commitPairs(t *testing.T, c client) (offered []object, hint string) {
	t.Helper()
	for _, pair := range waiting {
		c.call("engram_commit", object{"content": pair[0], "scope": "shop", "agent_id": "ann"})
		answer := c.call("engram_commit", object{"content": pair[1], "scope": "shop", "agent_id": "ben"})
		related := append(list(answer, "likely"), list(answer, "related")...)
		if len(related) != 1 || related[0]["claim"] != pair[0] {
			t.Fatalf("%s: %v", pair[1], answer)
		}
		hint, _ = answer["hint"].(string)
		offered = append(offered, object{"a": answer["key"], "b": related[0]["key"]})
	}
	return offered, hint
}

// TestJudge: an agent reads three pairs in the answers of its commits, and judges them in one
// call.
func TestJudge(t *testing.T) {
	c := overPipes(t, newServer(t, newMemory(t), false))
	offered, hint := commitPairs(t, c)
	if !strings.Contains(hint, "engram_judge") {
		t.Errorf("the hint is %q", hint)
	}
	if pairs := list(c.call("engram_status", nil), "undecided"); len(pairs) != 3 {
		t.Errorf("the status offers %v", pairs)
	}
	for i, verdict := range []string{"contradicts", "compatible", "evolves"} {
		offered[i]["verdict"], offered[i]["reason"] = verdict, "Read in the code."
	}
	offered[2]["newer"] = offered[2]["a"]
	judged := list(c.call("engram_judge", object{"verdicts": offered, "agent_id": "cleo"}), "judged")
	if len(judged) != 3 || judged[0]["status"] != "open" || judged[1]["status"] != "dismissed" || judged[2]["status"] != "open" {
		t.Fatalf("%v", judged)
	}
	status := c.call("engram_status", nil)
	if status["undecided"] != nil || status["open_conflicts"] != 1.0 || status["open_updates"] != 1.0 {
		t.Errorf("%v", status)
	}
	for _, conflict := range list(c.call("engram_conflicts", nil), "conflicts") {
		if conflict["tier"] != "judged" || conflict["explanation"] != "Read in the code." {
			t.Errorf("%v", conflict)
		}
	}
	again := list(c.call("engram_judge", object{"verdicts": offered[:1], "agent_id": "dan"}), "judged")
	if again[0]["note"] != "cleo gave the same verdict before" {
		t.Errorf("%v", again)
	}
}

// TestJudgeRejects what an agent got wrong, in the words of the tool.
func TestJudgeRejects(t *testing.T) {
	c := overPipes(t, newServer(t, newMemory(t), false))
	offered, _ := commitPairs(t, c)
	with := func(field, value string) object {
		v := object{"a": offered[0]["a"], "b": offered[0]["b"], "verdict": "same", "reason": "Read."}
		if v[field] = value; value == "" {
			delete(v, field)
		}
		return object{"verdicts": []object{v}}
	}
	many := with("reason", "Read.")
	for range 20 {
		many["verdicts"] = append(many["verdicts"].([]object), many["verdicts"].([]object)[0])
	}
	for name, tt := range map[string]struct {
		in   object
		want string
	}{
		"nothing":          {object{"verdicts": []object{}}, "hint: engram_judge takes a verdict on two facts; engram_status shows"},
		"21":               {many, "21 verdicts"},
		"a misspelled one": {with("verdict", "compatibel"), "did you mean compatible?"},
		"no reason":        {with("reason", ""), "verdicts lacks reason"},
		"an unknown field": {with("why", "Read."), "verdicts has no field"},
		"an unknown key":   {with("a", "domain/no/such"), "domain/no/such is not a durable current fact"},
	} {
		if said := c.refused("engram_judge", tt.in); !strings.Contains(said, tt.want) {
			t.Errorf("%s: %s", name, said)
		}
	}
}
