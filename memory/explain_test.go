package memory_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/memory"
)

func TestExplain(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "AUTH_RATE_LIMIT is 500 per minute.", Key: "domain/auth/limit", Type: "decision", Evidence: "config.go", Scope: "auth"})
	m.commit(memory.CommitInput{Claim: "The rate of refunds is low.", Key: "domain/pay/refunds"})
	r := m.query(memory.QueryInput{Question: "what is AUTH_RATE_LIMIT", Explain: true})
	h := r.Results[0]
	if h.Key.String() != "domain/auth/limit" || h.Explanation == nil {
		t.Fatalf("%+v", h)
	}
	sum := 0.0
	names := []string{}
	for _, p := range h.Explanation.Parts {
		sum += p.Points
		names = append(names, p.Name)
		if math.Abs(p.Points-p.Value*p.Weight) > 1e-9 {
			t.Errorf("%+v", p)
		}
	}
	if math.Abs(sum*h.Explanation.Factor-h.Score) > 1e-4 {
		t.Errorf("the parts make %v, the score is %v", sum, h.Score)
	}
	want := []string{"relevance", "recency", "agent_trust", "fact_type", "provenance", "corroboration", "entity_density"}
	if !slices.Equal(names, want) {
		t.Errorf("parts %v", names)
	}
	shared := map[string][]string{}
	for _, s := range h.Explanation.Signals {
		shared[s.Signal] = s.Shared
	}
	if !slices.Contains(shared["words"], "auth_rate_limit") || !slices.Contains(shared["entities"], "config:auth_rate_limit") ||
		!slices.Contains(shared["keys"], "auth limit rate") {
		t.Errorf("shared: %v", shared)
	}
	if r := m.query(memory.QueryInput{Question: "AUTH_RATE_LIMIT"}); r.Results[0].Explanation != nil {
		t.Error("explained without being asked")
	}
}

func TestWhyNot(t *testing.T) {
	m := newMemory(t)
	commit := func(key string, in memory.CommitInput) {
		in.Key = key
		m.commit(in)
	}
	commit("domain/a/best", memory.CommitInput{Claim: "The ledger closes at midnight.", Type: "decision"})
	for i := range 3 {
		commit(fmt.Sprintf("domain/a/more%d", i), memory.CommitInput{Claim: fmt.Sprintf("The ledger has a part of number %d.", i)})
	}
	commit("domain/a/scoped", memory.CommitInput{Claim: "A ledger elsewhere.", Scope: "billing"})
	commit("domain/a/fleeting", memory.CommitInput{Claim: "A ledger for today.", Durability: "ephemeral"})
	commit("domain/a/retired", memory.CommitInput{Claim: "A ledger of old."})
	commit("domain/a/retired", memory.CommitInput{Operation: "delete"})
	commit("domain/a/silent", memory.CommitInput{Claim: "Nothing of the kind."})
	third := hitKeys(m.query(memory.QueryInput{Question: "ledger midnight"}))[2]
	r := m.query(memory.QueryInput{Question: "ledger midnight", Limit: 2, WhyNot: []string{
		"domain/a/best", third, "domain/a/fleeting", "domain/a/retired", "domain/a/silent", "domain/a/nowhere", "no key"}})
	wants := []string{"it is result 1", "it scores", "ephemeral", "it is retired", "shares no word", "no fact has this key", "key"}
	for i, want := range wants {
		if got := r.WhyNot[i]; !strings.Contains(got.Reason, want) {
			t.Errorf("%s: %q, want %q", got.Key, got.Reason, want)
		}
	}
	if e := r.WhyNot[1].Explanation; e == nil || len(e.Signals) == 0 || r.WhyNot[1].Score >= r.Results[1].Score {
		t.Errorf("outranked: %+v", r.WhyNot[1])
	}
	r = m.query(memory.QueryInput{Question: "ledger", Scope: "auth", WhyNot: []string{"domain/a/scoped"}})
	if got := r.WhyNot[0].Reason; !strings.Contains(got, `its scope is "billing"`) {
		t.Errorf("filtered: %q", got)
	}
	all := hitKeys(m.query(memory.QueryInput{Question: "ledger"}))
	r = m.query(memory.QueryInput{Question: "ledger", Budget: 200, WhyNot: all[len(all)-1:]})
	if got := r.WhyNot[0].Reason; r.Omitted == 0 || !strings.Contains(got, "budget") {
		t.Errorf("over the budget: %q, %d left out", got, r.Omitted)
	}
}

// The reason is the one that holds for the moment and the filters asked about.
func TestWhyNotTellsTheReason(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "The widget is crimson.", Key: "domain/w/c", Scope: "old"})
	first := m.clock.Now()
	m.commit(memory.CommitInput{Claim: "The widget is scarlet.", Key: "domain/w/c", Scope: "new"})
	m.commit(memory.CommitInput{Claim: "A widget was here.", Key: "domain/w/gone", ValidUntil: m.clock.Now().Add(time.Hour)})
	m.commit(memory.CommitInput{Claim: "Widgets are round.", Key: "tool/w/other"})
	m.clock.add(2 * time.Hour)
	for _, c := range []struct {
		in   memory.QueryInput
		key  string
		want string
	}{
		{memory.QueryInput{KeyPrefix: "tool"}, "domain/w/c", "its key does not begin with tool"},
		{memory.QueryInput{KeyPrefix: "paper"}, "domain/w/c", "its key does not begin with paper"},
		{memory.QueryInput{AsOf: first, Scope: "new"}, "domain/w/c", `its scope is "old"`},
		{memory.QueryInput{AsOf: first.AddDate(-1, 0, 0)}, "domain/w/c", "no version of it held at"},
		{memory.QueryInput{}, "domain/w/gone", "it held until"},
		{memory.QueryInput{Limit: 1, Scope: ""}, "domain/w/c", ""},
	} {
		c.in.Question, c.in.WhyNot = "widget", []string{c.key}
		r := m.query(c.in)
		if got := r.WhyNot[0].Reason; !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.in, got, c.want)
		}
	}
}
