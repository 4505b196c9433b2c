package dashboard_test

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"engram/memory"
)

// TestFactsThatNeedALook: evidence that drifted is listed once it was compared, and a person
// confirms it, but only in the version that the page showed.
func TestFactsThatNeedALook(t *testing.T) {
	d := sit(t)
	code := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(d.WorkTree(), "session.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"add", "session.go"}, {"commit", "-qm", "change"}} {
			cmd := exec.Command("git", args...)
			cmd.Dir = d.WorkTree()
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s", out)
			}
		}
	}
	code("package auth\n\nconst life = 30\n")
	was, err := d.Commit(t.Context(), memory.CommitInput{
		Claim: "Sessions live 30 minutes.", Key: "domain/auth/session", Scope: "auth", Pointers: []memory.Pointer{{Ref: "repo:session.go#L3"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Commit(t.Context(), memory.CommitInput{Claim: "The beta of the shop is open.", Key: "domain/shop/beta", Scope: "shop", TTL: "P7D"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Commit(t.Context(), memory.CommitInput{Claim: "The licence of the shop ends.", Key: "domain/shop/licence", Scope: "shop", TTL: "P90D"}); err != nil {
		t.Fatal(err)
	}
	code("package auth\n\nconst life = 45\n")

	_, page := d.get("/expiring")
	if !strings.Contains(page, "has not been compared") || !strings.Contains(page, "The beta of the shop is open.") || strings.Contains(page, "The licence") {
		t.Errorf("before a comparison: %s", page)
	}
	csrf := csrfRE.FindStringSubmatch(page)[1]
	if _, page = d.post("/verify", url.Values{"csrf": {csrf}}); !strings.Contains(page, "Evidence has drifted") || !strings.Contains(page, "Still holds") {
		t.Errorf("after a comparison: %s", page)
	}
	if _, page := d.get("/facts?q=sessions+shop&freshness=drifted"); !strings.Contains(page, "Sessions live 30 minutes.") || strings.Contains(page, "The beta of the shop") || !strings.Contains(page, "among the best") {
		t.Errorf("a question among what drifted: %s", page)
	}
	if _, page := d.get("/facts?q=sessions&state=expired"); !strings.Contains(page, "the filter by state was left out") {
		t.Errorf("a question with a state: %s", page)
	}
	confirm := func(seen string) int {
		status, _ := d.post("/reverify", url.Values{"csrf": {csrf}, "key": {"domain/auth/session"}, "seen": {seen}})
		return status
	}
	if status := confirm("another version"); status != http.StatusConflict {
		t.Errorf("another version is confirmed with %d", status)
	}
	if status := confirm(was.FactID); status != http.StatusOK {
		t.Errorf("the version of the page is confirmed with %d", status)
	}
	if _, page = d.get("/expiring"); strings.Contains(page, "Still holds") {
		t.Errorf("after it was confirmed: %s", page)
	}
}

// TestHealthIsExaminedOnRequest: the page says how the memory is, and examines it if asked.
func TestHealthIsExaminedOnRequest(t *testing.T) {
	d := sit(t)
	d.state("Sessions live 30 minutes.", "domain/auth/session")
	if _, page := d.get("/health"); !strings.Contains(page, "Examine now") || !strings.Contains(page, "no remote has this memory") || !strings.Contains(page, "engram source add") {
		t.Errorf("%s", page)
	}
	if _, page := d.get("/health?examine=yes"); !strings.Contains(page, "Examine again") || !strings.Contains(page, "writable") || !strings.Contains(page, "post-merge") || !strings.Contains(page, "engram hooks install") {
		t.Errorf("%s", page)
	}
}
