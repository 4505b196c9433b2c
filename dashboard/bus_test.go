package dashboard_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"engram/memory"
)

// TestBus: the brief as it is sent, the newest facts, and an excerpt that a pointer leads to.
func TestBus(t *testing.T) {
	d := sit(t)
	if err := os.WriteFile(filepath.Join(d.WorkTree(), "limit.go"), []byte("package limit\n\nconst PerMinute = 100\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	commit(t, d.WorkTree())
	if _, err := d.Commit(t.Context(), memory.CommitInput{Claim: "Refunds are never retried.", Key: "architecture/refunds/retries", Kind: "constraint"}); err != nil {
		t.Fatal(err)
	}
	grant, err := d.IssueGrant(t.Context(), memory.GrantInput{Pointer: "limit.go:3", Child: "coder"})
	if err != nil {
		t.Fatal(err)
	}
	if status, page := d.get("/bus"); status != http.StatusOK || strings.Count(page, "Refunds are never retried.") != 2 || !strings.Contains(page, "coder") || !strings.Contains(page, "engram bus --help") {
		t.Errorf("bus: %d, after the grant %s\n%s", status, grant.Grant.ID, page)
	}
	if status, page := d.get("/bus/excerpt?ref=limit.go:3"); status != http.StatusOK || !strings.Contains(page, "PerMinute") {
		t.Errorf("an excerpt: %d", status)
	}
	if status, _ := d.get("/bus/excerpt?ref=no/such.go:3"); status == http.StatusOK {
		t.Error("an excerpt of a file that is not there")
	}
}

// TestHiddenCharactersAreShown: marks that turn the direction of writing cannot make a text read as
// another one.
func TestHiddenCharactersAreShown(t *testing.T) {
	d := sit(t)
	d.state("Access is <rlo>deined<pdf> to nobody.", "domain/auth/access")
	byHand(t, d.Memory, "domain/auth/access", strings.NewReplacer("<rlo>", "\u202e", "<pdf>", "\u202c"))
	for _, path := range []string{"/facts", "/facts/domain/auth/access", "/facts?q=access"} {
		if _, page := d.get(path); strings.Contains(page, "\u202e") || !strings.Contains(page, `Access is \u202edeined`) {
			t.Errorf("%s shows the mark as it is", path)
		}
	}
}
