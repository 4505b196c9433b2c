package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"engram/memory"
)

// quarrel is a memory with an open conflict, and its id.
func quarrel(t *testing.T) (*desk, string) {
	t.Helper()
	d := sit(t)
	d.state("The gateway listens on port 8443.", "domain/infra/gateway")
	d.state("The gateway listens on port 9443.", "domain/infra/port")
	if _, err := d.Audit(t.Context(), memory.AuditInput{}); err != nil {
		t.Fatal(err)
	}
	got, err := d.Conflicts(t.Context(), memory.ConflictsInput{})
	if err != nil || len(got.Conflicts) != 1 {
		t.Fatalf("%d conflicts, %v", len(got.Conflicts), err)
	}
	return d, got.Conflicts[0].ConflictID
}

// TestSettleInTwoWindows: the queue shows both sides; one window settles the conflict with a
// reason, and the other is told so and changes nothing.
func TestSettleInTwoWindows(t *testing.T) {
	d, id := quarrel(t)
	if _, page := d.get("/conflicts"); !strings.Contains(page, "<mark>8443</mark>") || !strings.Contains(page, "<mark>9443</mark>") {
		t.Errorf("the queue does not mark what clashes:\n%s", page)
	}
	_, page := d.get("/conflicts/" + id)
	form := url.Values{"csrf": {csrfRE.FindStringSubmatch(page)[1]}, "how": {"b"}, "reason": {"moved in March"}}
	for _, name := range []string{"seen_a", "seen_b"} {
		_, rest, _ := strings.Cut(page, `name="`+name+`" value="`)
		value, _, _ := strings.Cut(rest, `"`)
		form.Set(name, value)
	}
	if form.Get("seen_a") == "" {
		t.Fatal("the form does not say which versions it shows")
	}
	if status, page := d.post("/conflicts/"+id, form); status != http.StatusOK || !strings.Contains(page, "The conflict is settled") || !strings.Contains(page, "moved in March") {
		t.Errorf("settled: %d\n%s", status, page)
	}
	form.Set("how", "a")
	if status, page := d.post("/conflicts/"+id, form); status != http.StatusOK || !strings.Contains(page, "Somebody changed this") || !strings.Contains(page, "moved in March") {
		t.Errorf("settled again from an old window: %d\n%s", status, page)
	}
	for key, want := range map[string]string{"domain/infra/port": "current", "domain/infra/gateway": "retired"} {
		f, err := d.Get(t.Context(), memory.GetInput{Key: key})
		if err != nil || string(f.Fact.State) == "current" != (want == "current") {
			t.Errorf("%s is %s, %v", key, f.Fact.State, err)
		}
	}
	if _, page := d.get("/conflicts"); !strings.Contains(page, "No open conflicts") {
		t.Error("the queue still lists it")
	}
	if _, page := d.get("/conflicts?status=resolved"); !strings.Contains(page, id) {
		t.Error("the resolved one is not listed")
	}
	_, page = d.get("/conflicts/" + id)
	back := url.Values{"csrf": form["csrf"], "revision": {field(t, page, "revision")}, "reason": {"it was the other one"}}
	if status, page := d.post("/undo", back); status != http.StatusOK || !strings.Contains(page, "Taken back") || !strings.Contains(page, "Settle it") {
		t.Errorf("taken back: %d\n%s", status, page)
	}
	if status, _ := d.get("/conflicts/0123456789abcdef"); status != http.StatusNotFound {
		t.Errorf("a conflict that is not there: %d", status)
	}
}

// TestThirdClaim: a conflict is settled by a third claim, which needs one.
func TestThirdClaim(t *testing.T) {
	d, id := quarrel(t)
	_, page := d.get("/conflicts/" + id)
	form := url.Values{"csrf": {csrfRE.FindStringSubmatch(page)[1]}, "how": {"merge"}, "reason": {"one a region"}}
	if status, _ := d.post("/conflicts/"+id, form); status == http.StatusOK {
		t.Error("it is settled by no claim")
	}
	form.Set("claim", "The gateway listens on 8443 in Europe and on 9443 elsewhere.")
	if status, _ := d.post("/conflicts/"+id, form); status != http.StatusOK {
		t.Errorf("settled by a third claim: %d", status)
	}
	if _, page := d.get("/facts?q=gateway+Europe"); !strings.Contains(page, "in Europe and on 9443 elsewhere") {
		t.Error("the third claim is no fact")
	}
}

// TestReview: an empty queue says how to fill it.
func TestReview(t *testing.T) {
	d := sit(t)
	if status, page := d.get("/review"); status != http.StatusOK || !strings.Contains(page, "Nothing is proposed") || !strings.Contains(page, "No session offers anything new") {
		t.Errorf("%d\n%s", status, page)
	}
}

// TestProposalsAreDecided: one is accepted, one rejected with a reason, and one that has changed
// since is left alone. What a proposal contradicts is shown.
func TestProposalsAreDecided(t *testing.T) {
	d := sit(t)
	d.state("The gateway listens on port 8443.", "domain/infra/gateway")
	policy, err := d.Policy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.SetPolicy(t.Context(), memory.SetPolicyInput{Text: policy.Text + "review:\n  namespaces: [domain]\n"}); err != nil {
		t.Fatal(err)
	}
	for key, claim := range map[string]string{"domain/auth/one": "Sessions live 30 minutes.", "domain/infra/port": "The gateway listens on port 9443."} {
		if r, err := d.Commit(t.Context(), memory.CommitInput{Claim: claim, Key: key, Scope: "auth", Agent: "claude"}); err != nil || !r.Proposed {
			t.Fatalf("proposed %v, error %v", r.Proposed, err)
		}
	}
	found, err := d.Proposals(t.Context(), memory.ProposalsInput{})
	if err != nil || len(found.Proposals) != 2 {
		t.Fatalf("%d proposals, error %v", len(found.Proposals), err)
	}
	_, page := d.get("/review")
	if !strings.Contains(page, "contradicts") || !strings.Contains(page, "The gateway listens on port 8443.") {
		t.Errorf("what a proposal contradicts is not shown: %s", page)
	}
	csrf := csrfRE.FindStringSubmatch(page)[1]
	decide := func(i int, version, how, reason, want string) {
		t.Helper()
		status, page := d.post("/review", url.Values{"csrf": {csrf}, "key": {found.Proposals[i].Key.String()}, "version": {version}, "how": {how}, "reason": {reason}})
		if status != http.StatusOK || !strings.Contains(page, want) {
			t.Errorf("%s: %d %s", how, status, page)
		}
	}
	decide(0, "another version", "accept", "", "Somebody changed this")
	decide(0, found.Proposals[0].Version, "accept", "", "Accepted: the fact holds.")
	decide(0, found.Proposals[0].Version, "accept", "", "Somebody changed this")
	decide(1, found.Proposals[1].Version, "reject", "the port did not change", "Rejected.")
}

// field is the value of a field of a form.
func field(t *testing.T, page, name string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, `name="`+name+`" value="`)
	if !found {
		t.Fatalf("no field %s in\n%s", name, page)
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// TestTakeBack: what was done here is offered to be taken back where one lands, and nothing else is.
func TestTakeBack(t *testing.T) {
	d := sit(t)
	d.state("Sessions live 30 minutes.", "domain/auth/session")
	_, page := d.get("/facts/domain/auth/session")
	form := url.Values{"csrf": {field(t, page, "csrf")}, "key": {"domain/auth/session"}, "reason": {"gone"}}
	_, page = d.post("/retire", form)
	if !strings.Contains(page, "The fact is retired") || !strings.Contains(page, "Take it back") {
		t.Fatalf("retired:\n%s", page)
	}
	status, page := d.post("/undo", url.Values{"csrf": {field(t, page, "csrf")}, "revision": {field(t, page, "revision")}})
	if status != http.StatusOK || !strings.Contains(page, "Taken back") || strings.Contains(page, ">retired<") {
		t.Errorf("taken back: %d\n%s", status, page)
	}
	if f, err := d.Get(t.Context(), memory.GetInput{Key: "domain/auth/session"}); err != nil || f.Fact.State != "current" {
		t.Errorf("%s, %v", f.Fact.State, err)
	}
	tip, err := d.Status(t.Context(), memory.StatusInput{})
	if err != nil {
		t.Fatal(err)
	}
	if _, page := d.get("/facts?done=retired&undo=" + tip.Revision[:39]); strings.Contains(page, "Take it back") {
		t.Error("a link from elsewhere offers to take back a commit")
	}
	if status, page := d.post("/undo", url.Values{"csrf": form["csrf"], "revision": {"0123456"}}); status != http.StatusConflict || !strings.Contains(page, "nothing was taken back") {
		t.Errorf("no commit: %d\n%s", status, page)
	}
}
