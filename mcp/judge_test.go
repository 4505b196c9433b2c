package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// waiting are pairs of claims about the same matter that the rules have nothing against.
var waiting = [][2]string{
	{"The checkout service keeps sessions for returning customers.", "The checkout service keeps sessions for returning customers in the session store."},
	{"The nightly export writes invoices for archived tenants.", "The nightly export writes invoices for archived tenants and their owners."},
	{"The search page shows suggestions while visitors type.", "The search page shows suggestions while visitors type, with pictures."},
}

// commitPairs commits the claims as two agents, and returns the call that the answers ask
// for, all pairs in one.
func commitPairs(t *testing.T, c client) (pairs []object) {
	t.Helper()
	for _, pair := range waiting {
		first := c.call("engram_commit", object{"content": pair[0], "scope": "shop", "agent_id": "ann"})
		answer := c.call("engram_commit", object{"content": pair[1], "scope": "shop", "agent_id": "ben"})
		asked := askedToJudge(t, answer["hint"])
		if len(asked) != 1 || asked[0]["a"] != answer["key"] || asked[0]["b"] != first["key"] {
			t.Fatalf("%s: %v", pair[1], answer)
		}
		pairs = append(pairs, asked...)
	}
	return pairs
}

// askedToJudge returns the verdicts that a hint asks for: all that an agent needs is in it.
func askedToJudge(t *testing.T, hint any) (verdicts []object) {
	t.Helper()
	text, _ := hint.(string)
	_, call, found := strings.Cut(text, "call engram_judge with ")
	var in struct{ Verdicts []object }
	if err := json.NewDecoder(strings.NewReader(call)).Decode(&in); err != nil || !found {
		t.Fatalf("no call can be made of %q: %v", text, err)
	}
	return in.Verdicts
}

// TestJudge: an agent that has been told nothing reads of three pairs in the answers of its
// commits, and judges them in one call, with the arguments that the answers name.
func TestJudge(t *testing.T) {
	c := overPipes(t, newServer(t, newMemory(t), false))
	offered := commitPairs(t, c)
	status := c.call("engram_status", nil)
	if pairs := list(status, "undecided"); len(pairs) != 3 || len(askedToJudge(t, status["hint"])) != 3 {
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
	status = c.call("engram_status", nil)
	if status["undecided"] != nil || status["hint"] != nil || status["open_conflicts"] != 1.0 || status["open_updates"] != 1.0 {
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

// TestJudgeFromOneAnswer: a claim that meets three others is judged against all of them from
// the answer alone.
func TestJudgeFromOneAnswer(t *testing.T) {
	c := overHTTP(t, newServer(t, newMemory(t), false))
	for _, where := range []string{"for the shop", "for the archive", "for the office"} {
		c.call("engram_commit", object{"content": "The nightly export writes invoices " + where + ".", "scope": "bills", "agent_id": "ann"})
	}
	answer := c.call("engram_commit", object{"content": "The nightly export writes invoices.", "scope": "bills", "agent_id": "ben"})
	verdicts := askedToJudge(t, answer["hint"])
	for i := range verdicts {
		verdicts[i]["verdict"], verdicts[i]["reason"] = "compatible", "It is one export."
	}
	if judged := list(c.call("engram_judge", object{"verdicts": verdicts}), "judged"); len(verdicts) != 3 || len(judged) != 3 {
		t.Errorf("%v: %v", answer, judged)
	}
}

// TestJudgeRejects what an agent got wrong, in the words of the tool.
func TestJudgeRejects(t *testing.T) {
	c := overPipes(t, newServer(t, newMemory(t), false))
	offered := commitPairs(t, c)
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
