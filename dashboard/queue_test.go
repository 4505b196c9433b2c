package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"engram/memory"
)

// disagree states two facts that contradict each other, and returns the conflict.
func (d *desk) disagree() memory.Conflict {
	d.t.Helper()
	d.state("The gateway listens on port 8443.", "domain/infra/gateway")
	d.state("The gateway listens on port 9443.", "domain/infra/port")
	if _, err := d.Audit(d.t.Context(), memory.AuditInput{}); err != nil {
		d.t.Fatal(err)
	}
	found, err := d.Conflicts(d.t.Context(), memory.ConflictsInput{})
	if err != nil || len(found.Conflicts) != 1 {
		d.t.Fatalf("conflicts %v, error %v", found.Conflicts, err)
	}
	return found.Conflicts[0]
}

// TestAConflictIsSettledInTwoWindows: the first decision holds; the second window is told, and
// changes nothing.
func TestAConflictIsSettledInTwoWindows(t *testing.T) {
	d := sit(t)
	c := d.disagree()
	if _, page := d.get("/conflicts"); !strings.Contains(page, "port 8443") || !strings.Contains(page, c.ConflictID) {
		t.Errorf("the queue: %s", page)
	}
	at := "/conflicts/" + c.ConflictID
	_, page := d.get(at)
	if !strings.Contains(page, "<mark>8443") || !strings.Contains(page, "<mark>9443") {
		t.Errorf("what differs is not marked: %s", page)
	}
	form := func(choice, reason string) url.Values {
		return url.Values{
			"csrf": {csrfRE.FindStringSubmatch(page)[1]}, "choice": {choice}, "reason": {reason},
			"seen_a": {c.A.FactID}, "seen_b": {c.B.FactID},
		}
	}
	if status, _ := d.post(at, form("", "no choice")); status != http.StatusConflict {
		t.Errorf("without a choice: %d", status)
	}
	if status, page := d.post(at, form("a", "the load balancer says so")); status != http.StatusOK || !strings.Contains(page, "The conflict is settled") || !strings.Contains(page, "the load balancer says so") {
		t.Errorf("settled: %d %s", status, page)
	}
	if status, page := d.post(at, form("b", "I think otherwise")); status != http.StatusOK || !strings.Contains(page, "Somebody changed this") || strings.Contains(page, "I think otherwise") {
		t.Errorf("settled twice: %d %s", status, page)
	}
	if _, page := d.get("/conflicts"); !strings.Contains(page, "Nothing contradicts") {
		t.Errorf("the queue afterwards: %s", page)
	}
	if status, _ := d.get("/conflicts/0000"); status != http.StatusNotFound {
		t.Errorf("a conflict that is not there: %d", status)
	}
}

// TestAThirdClaimOrNoContradiction: the other ways to settle a conflict.
func TestAThirdClaimOrNoContradiction(t *testing.T) {
	for choice, want := range map[string]string{"merge": "a third claim holds", "dismissed": "both stand"} {
		d := sit(t)
		c := d.disagree()
		_, page := d.get("/conflicts/" + c.ConflictID)
		status, page := d.post("/conflicts/"+c.ConflictID, url.Values{
			"csrf": {csrfRE.FindStringSubmatch(page)[1]}, "choice": {choice}, "claim": {"The gateway listens on port 8443, its probe on 9443."}, "reason": {"two ports"},
		})
		if status != http.StatusOK || !strings.Contains(page, want) {
			t.Errorf("%s: %d %s", choice, status, page)
		}
	}
}

// TestProposalsAreDecided: one is accepted, one rejected with a reason, and one that has changed
// since is left alone.
func TestProposalsAreDecided(t *testing.T) {
	d := sit(t)
	if _, page := d.get("/review"); !strings.Contains(page, "Nothing waits for a review") {
		t.Errorf("an empty queue: %s", page)
	}
	policy, err := d.Policy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.SetPolicy(t.Context(), memory.SetPolicyInput{Text: policy.Text + "review:\n  namespaces: [domain]\n"}); err != nil {
		t.Fatal(err)
	}
	for key, claim := range map[string]string{"domain/auth/one": "Sessions live 30 minutes.", "domain/auth/two": "Tokens are rotated weekly."} {
		if r, err := d.Commit(t.Context(), memory.CommitInput{Claim: claim, Key: key, Scope: "auth", Agent: "claude"}); err != nil || !r.Proposed {
			t.Fatalf("proposed %v, error %v", r.Proposed, err)
		}
	}
	found, err := d.Proposals(t.Context(), memory.ProposalsInput{})
	if err != nil || len(found.Proposals) != 2 {
		t.Fatalf("%d proposals, error %v", len(found.Proposals), err)
	}
	_, page := d.get("/review")
	csrf := csrfRE.FindStringSubmatch(page)[1]
	decide := func(i int, version, decision, reason, want string) {
		t.Helper()
		status, page := d.post("/review", url.Values{"csrf": {csrf}, "key": {found.Proposals[i].Key.String()}, "version": {version}, "decision": {decision}, "reason": {reason}})
		if status != http.StatusOK || !strings.Contains(page, want) {
			t.Errorf("%s: %d %s", decision, status, page)
		}
	}
	decide(0, "another version", "accept", "", "Somebody changed this")
	decide(0, found.Proposals[0].Version, "accept", "", "Accepted: the fact holds.")
	decide(0, found.Proposals[0].Version, "accept", "", "Somebody changed this")
	decide(1, found.Proposals[1].Version, "reject", "they are rotated daily", "Rejected.")
}
