package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"engram/facts"
	"engram/memory"
)

// servicePort is the nth claim about a port, and the same with another number.
func servicePort(n, port int) string {
	return fmt.Sprintf("The %s listens on port %d.", services[n], port)
}

var services = strings.Fields(`gateway ledger mailer indexer biller finder painter proxy keycloak journal reporter vault relay limiter
	scheduler catalog cart broker renderer geocoder printer quotas chat encoder ticker taxes coupons router`)

// clash states two ports of a service, and returns the answer of the second commit.
func (b bench) clash(n int) memory.CommitResult {
	b.t.Helper()
	b.state(fmt.Sprintf("domain/infra/%s-a", services[n]), servicePort(n, 8443), "ann")
	return b.state(fmt.Sprintf("domain/infra/%s-b", services[n]), servicePort(n, 9443), "ben")
}

// decide settles the conflict that a commit opened.
func (b bench) decide(r memory.CommitResult, how, agent string) {
	b.t.Helper()
	if len(r.Contradicts) != 1 {
		b.t.Fatalf("it contradicts %+v, likely %+v", r.Contradicts, r.Likely)
	}
	in := memory.ResolveInput{ConflictID: r.Contradicts[0].ConflictID, How: how, Reason: "looked", Agent: agent}
	if how == "winner" {
		in.Winner = "a"
	}
	b.resolve(in)
	b.clock.add(1)
}

// family returns the statistics of the family "slot".
func (b bench) family() memory.FamilyStats {
	b.t.Helper()
	r, err := b.Families(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	for _, f := range r.Families {
		if f.Family == "slot" {
			return f
		}
	}
	return memory.FamilyStats{}
}

// TestFamilyIsDoubted: a family that people dismiss again and again opens no conflicts any
// more, in commits and audits, in every clone; verdicts bring it back.
func TestFamilyIsDoubted(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	var met []memory.CommitResult
	for n := range 10 {
		met = append(met, ann.clash(n))
	}
	for _, r := range met {
		ann.decide(r, "dismissed", "")
	}
	if f := ann.family(); f.Found != 10 || f.Dismissed != 10 || f.Precision == nil || *f.Precision != 0 || !f.Likely {
		t.Fatalf("%+v", f)
	}
	converge(t, team)
	if a, b := ann.family(), ben.family(); fmt.Sprintf("%+v", b.Highest) != fmt.Sprintf("%+v", a.Highest) || b.Feedback != a.Feedback || !b.Likely {
		t.Errorf("clones differ: %+v, %+v", a, b)
	}

	// A commit: likely, with the reason, and no conflict.
	r := ben.clash(10)
	if len(r.Contradicts) != 0 || len(r.Likely) != 1 || !strings.Contains(r.Likely[0].Explanation, "family slot are often wrong") {
		t.Fatalf("contradicts %+v, likely %+v", r.Contradicts, r.Likely)
	}
	// An audit of what plain git brought, and the list of conflicts.
	f := stated("domain/infra/other-gateway", "infra", "cleo", ben.clock.Now())
	f.Claim = servicePort(11, 8443)
	ben.bring(f)
	f = stated("domain/infra/third-gateway", "infra", "dan", ben.clock.Now())
	f.Claim = servicePort(11, 9443)
	ben.bring(f)
	audited := ben.audit(memory.AuditInput{})
	if len(audited.Opened) != 0 || !strings.Contains(strings.Join(audited.Notes, "; "), "family slot are only likely") {
		t.Errorf("opened %+v, notes %q", audited.Opened, audited.Notes)
	}
	if list, err := ben.Conflicts(t.Context(), memory.ConflictsInput{}); err != nil || len(list.Conflicts) != 0 || !strings.Contains(strings.Join(list.Notes, "; "), "slot") {
		t.Errorf("%+v, %q, %v", list.Conflicts, list.Notes, err)
	}
	if pairs := ben.waiting(memory.UndecidedInput{}); len(pairs) != 2 || pairs[0].Grade != "likely" {
		t.Errorf("%d pairs wait", len(pairs))
	}

	// Verdicts on such pairs count for the family, until it opens conflicts again.
	for n := 12; n < 26; n++ {
		r := ben.clash(n)
		if len(r.Likely) != 1 {
			t.Fatalf("pair %d: %+v", n, r)
		}
		verdict := memory.PairVerdict{A: r.Key, B: r.Likely[0].Key, Verdict: "contradicts", Reason: "one listener"}
		got, err := ben.Judge(t.Context(), memory.JudgeInput{Verdicts: []memory.PairVerdict{verdict}})
		if err != nil || got.Judged[0].Status != "open" {
			t.Fatalf("%+v, %v", got, err)
		}
		ben.clock.add(1)
	}
	if f := ben.family(); f.Likely || f.Judged.Contradicts != 14 || f.Found != 24 {
		t.Errorf("after verdicts: %+v", f)
	}
	if r := ben.clash(26); len(r.Contradicts) != 1 {
		t.Errorf("it does not recover: %+v", r)
	}
}

// TestFeedbackHasTrust: agents count with their trust, and clones agree about that too.
func TestFeedbackHasTrust(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	var met []memory.CommitResult
	for n := range 8 {
		met = append(met, ann.clash(n))
	}
	for n := range 6 { // of cleo's seven facts, one is disputed
		ann.state(fmt.Sprintf("domain/notes/n%d", n), fmt.Sprintf("The %s has a runbook of its own.", services[n+10]), "cleo")
	}
	ann.state("domain/infra/spare-a", servicePort(20, 8443), "ann")
	ann.state("domain/infra/spare-b", servicePort(20, 9443), "cleo")
	for i, r := range met {
		ann.decide(r, "dismissed", "cleo")
		if f := ann.family(); i == 0 && f.Feedback >= 1 {
			t.Errorf("one decision, which cannot make the family doubted, weighs %v", f.Feedback)
		}
	}
	converge(t, team)
	a, b := ann.family(), ben.family()
	if a.Feedback <= 7 || a.Feedback >= 8 || a.Likely || a.Dismissed != 8 {
		t.Errorf("%+v", a)
	}
	a.Precision, b.Precision = nil, nil
	if a != b {
		t.Errorf("clones differ: %+v, %+v", a, b)
	}
}

// TestFamilyIsStored: the family travels with the conflict, and conflicts of earlier versions,
// which have none, adjust nothing.
func TestFamilyIsStored(t *testing.T) {
	b := newMemory(t)
	b.decide(b.clash(0), "dismissed", "ann")
	b.decide(b.clash(1), "winner", "")
	c := b.only("dismissed")
	text := b.git("show", "engram:"+c.Key.Path())
	if !strings.Contains(text, "- family:slot\n") || !strings.Contains(text, "- discount:author\n") {
		t.Errorf("stored as\n%s", text)
	}
	f, err := facts.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	kept := f.Tags[:0]
	for _, tag := range f.Tags {
		if !strings.HasPrefix(tag, "family:") {
			kept = append(kept, tag)
		}
	}
	f.Tags = kept
	b.bring(f)
	r, err := b.Families(t.Context())
	if err != nil || r.Unnamed != 1 || len(r.Families) != 1 || r.Families[0].Settled != 1 || r.Families[0].Found != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestCorrectionsCount: a claim that is corrected to what the other says speaks for the family.
func TestCorrectionsCount(t *testing.T) {
	b := newMemory(t)
	r := b.clash(0)
	b.clock.add(1e9)
	b.state(r.Key, strings.TrimSuffix(servicePort(0, 8443), ".")+" again.", "ben")
	if f := b.family(); f.Corrected != 1 || f.Feedback != 0.5 || f.Open != 0 || *f.Precision != 1 {
		t.Errorf("%+v", f)
	}
}

// TestDisputedJudge: an agent most of whose facts are disputed counts less as a judge.
func TestDisputedJudge(t *testing.T) {
	b := undecided(t)
	for n := range 5 {
		b.state(fmt.Sprintf("domain/infra/own-%d", n), servicePort(n, 8443), "cleo")
		b.state(fmt.Sprintf("domain/infra/other-%d", n), servicePort(n, 9443), "dan")
	}
	b.judge(say("cleo", "contradicts", "read"))
	var got memory.Conflict
	list, err := b.Conflicts(t.Context(), memory.ConflictsInput{Key: keyOne})
	if err != nil || len(list.Conflicts) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	if got = list.Conflicts[0]; got.Verdict != "ambiguous" || !strings.Contains(got.Explanation, "mostly disputed") {
		t.Errorf("%+v", got.Clash)
	}
	if judged := b.judge(say("eve", "compatible", "both run")); judged.Status != "dismissed" || !strings.Contains(judged.Note, "replaces") {
		t.Errorf("%+v", judged)
	}
	if judged := b.judge(say("cleo", "contradicts", "no")); judged.Status != "dismissed" || !strings.Contains(judged.Note, "mostly disputed") {
		t.Errorf("%+v", judged)
	}
}
