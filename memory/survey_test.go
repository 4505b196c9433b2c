package memory_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/memory"
)

func (b bench) survey(in memory.SurveyInput) memory.SurveyResult {
	b.t.Helper()
	r, err := b.Survey(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// TestSurveyIsList: whatever was written, a survey shows and counts what a plain reading of
// the branch does, also of the past.
func TestSurveyIsList(t *testing.T) {
	b := newMemory(t)
	b.agree("permissions:", "  - {agent: guest, scope: payments, read: false}", "  - {agent: guest, scope: payments/open, read: true}")
	g := surveyGen{bench: b, written: make(map[string]bool), began: b.clock.Now()}
	if r := b.survey(memory.SurveyInput{Offset: 1}); r.Total != 0 || !r.First.IsZero() || !r.Last.IsZero() || len(r.Facts) != 0 {
		t.Errorf("an empty memory: %+v", r)
	}
	rapid.Check(t, func(rt *rapid.T) {
		for range rapid.IntRange(0, 3).Draw(rt, "writes") {
			g.write(rt)
		}
		if rapid.IntRange(0, 9).Draw(rt, "audit") == 0 {
			if _, err := b.Audit(t.Context(), memory.AuditInput{}); err != nil {
				rt.Fatal(err)
			}
		}
		in := memory.SurveyInput{
			Scope: sometimes(rt, "scope", "payments", "payments/open", "docs"), Kind: sometimes(rt, "kind", "fact", "risk"),
			Type: sometimes(rt, "type", "observation", "decision"), Agent: sometimes(rt, "agent", "claude", "codex"),
			State:   sometimes(rt, "state", "current", "scheduled", "retired", "expired", "superseded", memory.AnyState),
			AskedBy: sometimes(rt, "asked by", "guest"), Offset: rapid.IntRange(0, 12).Draw(rt, "offset"), Limit: rapid.IntRange(1, 8).Draw(rt, "limit"),
		}
		if in.Conflict = sometimes(rt, "conflict", "open", "none"); in.Conflict == "" && rapid.IntRange(0, 2).Draw(rt, "past") == 0 {
			in.AsOf = g.began.Add(time.Duration(rapid.Int64Range(0, int64(g.clock.Now().Sub(g.began))).Draw(rt, "as of")))
		}
		// The clock moves with each reading, so a fact may end between the two: that happens once.
		diff := g.differs(in)
		if diff != "" {
			diff = g.differs(in)
		}
		if diff != "" {
			rt.Fatalf("%+v: the plain reading (-) and the survey (+) differ:\n%s", in, diff)
		}
	})
}

// differs is the difference between a survey and a plain reading.
func (g *surveyGen) differs(in memory.SurveyInput) string {
	g.t.Helper()
	got := g.survey(in)
	want := g.plain(in)
	type seen struct {
		Keys            []string
		Total, Withheld int
		Facets          []memory.Facet
	}
	shown := seen{Total: got.Total, Withheld: got.Withheld, Facets: got.Facets}
	for _, f := range got.Facts {
		shown.Keys = append(shown.Keys, fmt.Sprint(f.Key, " ", f.FactID, " ", f.State))
	}
	page := want.keys[min(in.Offset, len(want.keys)):]
	page = page[:min(in.Limit, len(page))]
	return cmp.Diff(seen{page, len(want.keys), want.withheld, want.facets(in)}, shown, cmp.Transformer("nil", func(s []string) string { return strings.Join(s, "\n") }))
}

// TestSurveyFreshness: what Verify found stands until a fact changes, and only if it checked
// everything.
func TestSurveyFreshness(t *testing.T) {
	c := newCode(t)
	c.file("a.go", "package a\n\nvar Timeout = 30\n")
	c.save("a file")
	key := c.rest("repo:a.go")
	c.commit(memory.CommitInput{Claim: "It rests on nothing.", Key: "domain/no/evidence"})
	freshness := func(in memory.SurveyInput) (counts string, r memory.SurveyResult) {
		r = c.survey(in)
		for _, f := range r.Facets {
			if f.Name == "freshness" {
				counts = fmt.Sprint(f.Values)
			}
		}
		return counts, r
	}
	if counts, r := freshness(memory.SurveyInput{}); counts != "" || !r.Checked.IsZero() {
		t.Errorf("before the first check: %s, %v", counts, r.Checked)
	}
	verify := func(in memory.VerifyInput) {
		t.Helper()
		if _, err := c.Verify(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	verify(memory.VerifyInput{Keys: []string{key}})
	if counts, _ := freshness(memory.SurveyInput{}); counts != "" {
		t.Errorf("after a check of one fact: %s", counts)
	}
	verify(memory.VerifyInput{})
	if counts, r := freshness(memory.SurveyInput{}); counts != "[{fresh 1} {unchecked 1}]" || r.Checked.IsZero() {
		t.Errorf("after a check: %s, %v", counts, r.Checked)
	}
	if _, r := freshness(memory.SurveyInput{Freshness: "fresh"}); len(r.Facts) != 1 || r.Facts[0].Key.String() != key {
		t.Errorf("fresh: %v", r.Facts)
	}
	c.file("a.go", "package a\n\nvar Limit = 10\n")
	verify(memory.VerifyInput{})
	if counts, _ := freshness(memory.SurveyInput{}); counts != "[{drifted 1} {unchecked 1}]" {
		t.Errorf("after the code has changed: %s", counts)
	}
	c.commit(memory.CommitInput{Claim: "It says something else now.", Key: key})
	if counts, _ := freshness(memory.SurveyInput{}); counts != "[{unchecked 2}]" {
		t.Errorf("after the fact has changed: %s", counts)
	}
	if _, err := c.Survey(t.Context(), memory.SurveyInput{Freshness: "fresh", AsOf: c.clock.Now()}); !errors.Is(err, memory.ErrUsage) {
		t.Errorf("freshness of the past: %v", err)
	}
}

// sometimes draws one of some values, more often "".
func sometimes(t *rapid.T, label string, values ...string) string {
	if rapid.IntRange(0, 2).Draw(t, label) > 0 {
		return ""
	}
	return rapid.SampledFrom(values).Draw(t, label)
}

// surveyGen writes to a memory and reads it the plain way.
type surveyGen struct {
	bench
	written map[string]bool // keys
	began   time.Time
}

func (g surveyGen) write(t *rapid.T) {
	key := fmt.Sprintf("domain/c%d/k%d", rapid.IntRange(0, 2).Draw(t, "category"), rapid.IntRange(0, 9).Draw(t, "key"))
	if g.written[key] && rapid.IntRange(0, 4).Draw(t, "retire") == 0 {
		if _, err := g.Retire(g.t.Context(), key, "gone", ""); err != nil && !errors.Is(err, memory.ErrNotFound) {
			t.Fatal(err)
		}
		return
	}
	in := memory.CommitInput{
		Key: key, Claim: fmt.Sprintf("The gateway times out after %d s.", rapid.IntRange(1, 1000).Draw(t, "value")),
		Scope: rapid.SampledFrom([]string{"", "payments", "payments/open", "payments/closed/deep", "docs"}).Draw(t, "scope"),
		Kind:  sometimes(t, "kind", "risk", "todo"), Type: sometimes(t, "type", "inference", "decision"),
		Agent: sometimes(t, "agent", "claude", "codex"), TTL: sometimes(t, "ttl", "PT1H", "P1D"), Durability: sometimes(t, "durability", "ephemeral"),
	}
	if rapid.IntRange(0, 4).Draw(t, "planned") == 0 {
		in.ValidFrom = g.clock.Now().Add(time.Hour)
	}
	_, err := g.Commit(g.t.Context(), in)
	if err != nil {
		t.Logf("%s: %v", key, err) // such as one that begins before the one that it ends
		return
	}
	g.written[key] = true
	g.clock.add(time.Duration(rapid.IntRange(0, 90).Draw(t, "minutes")) * time.Minute)
}

// plainSurvey is a survey by reading every fact.
type plainSurvey struct {
	keys     []string
	withheld int
	counts   map[string]map[string]int
}

func (g surveyGen) plain(in memory.SurveyInput) plainSurvey {
	g.t.Helper()
	r := plainSurvey{counts: make(map[string]map[string]int)}
	for _, f := range g.all(in.AsOf) {
		state := string(f.State)
		if !in.AsOf.IsZero() {
			state = "current"
		}
		values := map[string]string{"scope": f.Scope, "kind": f.Kind, "fact_type": f.FactType, "agent_id": f.AgentID, "state": state, "conflict": "none"}
		if f.HasConflict != nil && *f.HasConflict {
			values["conflict"] = "open"
		}
		var missed []string
		for name, missing := range map[string]bool{
			"scope": in.Scope != "" && f.Scope != in.Scope && !strings.HasPrefix(f.Scope, in.Scope+"/"), "kind": in.Kind != "" && f.Kind != in.Kind,
			"fact_type": in.Type != "" && f.FactType != in.Type, "agent_id": in.Agent != "" && f.AgentID != in.Agent,
			"conflict": in.Conflict != "" && values["conflict"] != in.Conflict,
			"state":    in.State != memory.AnyState && state != in.State && (in.State != "" || state != "current" && state != "scheduled"),
		} {
			if missing {
				missed = append(missed, name)
			}
		}
		hidden := in.AskedBy == "guest" && strings.HasPrefix(f.Scope, "payments") && f.Scope != "payments/open"
		switch {
		case len(missed) == 0 && hidden:
			r.withheld++
			continue
		case len(missed) > 1 || hidden:
			continue
		case len(missed) == 1:
			r.count(missed[0], values)
		default:
			r.keys = append(r.keys, fmt.Sprint(f.Key, " ", f.FactID, " ", state))
			for name := range values {
				r.count(name, values)
			}
		}
	}
	return r
}

// all are the facts on the branch, or those that held at a moment, by key.
func (g surveyGen) all(asOf time.Time) (all []memory.Fact) {
	g.t.Helper()
	if asOf.IsZero() {
		r, err := g.List(g.t.Context(), memory.ListInput{All: true})
		if err != nil {
			g.t.Fatal(err)
		}
		return r.Facts
	}
	for key := range g.written {
		r, err := g.Get(g.t.Context(), memory.GetInput{Key: key, AsOf: asOf})
		if errors.Is(err, memory.ErrNotFound) {
			continue
		}
		if err != nil {
			g.t.Fatal(err)
		}
		all = append(all, r.Fact)
	}
	slices.SortFunc(all, func(a, b memory.Fact) int { return strings.Compare(a.Key.String(), b.Key.String()) })
	return all
}

func (r plainSurvey) count(name string, values map[string]string) {
	if r.counts[name] == nil {
		r.counts[name] = make(map[string]int)
	}
	value := values[name]
	r.counts[name][value]++
	for name == "scope" && strings.Contains(value, "/") {
		value = value[:strings.LastIndexByte(value, '/')]
		r.counts[name][value]++
	}
}

func (r plainSurvey) facets(in memory.SurveyInput) (list []memory.Facet) {
	for _, name := range []string{"scope", "kind", "fact_type", "agent_id", "state", "conflict"} {
		if name == "conflict" && !in.AsOf.IsZero() {
			continue
		}
		f := memory.Facet{Name: name, Values: []memory.FacetValue{}}
		for value, n := range r.counts[name] {
			f.Values = append(f.Values, memory.FacetValue{Value: value, Count: n})
		}
		slices.SortFunc(f.Values, func(a, b memory.FacetValue) int { return strings.Compare(a.Value, b.Value) })
		list = append(list, f)
	}
	return list
}
