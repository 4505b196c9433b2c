package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"engram/dashboard"
	"engram/memory"
)

// TestAnAgentsTokenSeesWhatTheAgentMayRead: a fact that the agent may not read carries a canary, which
// no page shows to who logs in with the agent's token; a person sees it everywhere.
func TestAnAgentsTokenSeesWhatTheAgentMayRead(t *testing.T) {
	m, address := server(t, func(o *dashboard.Options) {
		o.Link = ""
		o.TokenOf = func(secret string) (string, bool, bool) {
			agent, found := map[string]string{"a-token-of-guest": "guest", "a-token-of-a-person": ""}[secret]
			return agent, true, found
		}
	})
	login := func(token string) *desk {
		d := &desk{Memory: m, t: t, http: browser(t), url: address}
		if status, _ := d.post("/login", url.Values{"token": {token}, "csrf": {"none"}}); status != http.StatusOK {
			t.Fatalf("logged in with %d", status)
		}
		return d
	}
	const canary = "canary7411"
	state := func(claim, key, scope string) memory.CommitResult {
		t.Helper()
		r, err := m.Commit(t.Context(), memory.CommitInput{Claim: claim, Key: key, Scope: scope, TTL: "P7D", Agent: "claude"})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	state("The site is static.", "domain/site/static", "site")
	hidden := state("The vault "+canary+" listens on port 8443.", "domain/vault/canary7411", "vault")
	state("The vault "+canary+" listens on port 9443.", "domain/vault/port-canary7411", "vault")
	if _, err := m.Audit(t.Context(), memory.AuditInput{}); err != nil {
		t.Fatal(err)
	}
	conflict := conflictOf(t, m)
	policy := "format: 1\npermissions:\n  - {agent: guest, scope: vault, read: false}\nreview:\n  namespaces: [domain]\n  authors: [ada@example.com]\n"
	if _, err := m.SetPolicy(t.Context(), memory.SetPolicyInput{Text: policy}); err != nil {
		t.Fatal(err)
	}
	state("The vault "+canary+" has two doors.", "domain/vault/doors", "vault") // proposed
	if _, err := m.IssueGrant(t.Context(), memory.GrantInput{Pointer: "sam:" + hidden.Key + "@" + hidden.FactID, Child: "coder"}); err != nil {
		t.Fatal(err)
	}
	pages := []string{
		"/facts", "/facts?q=vault", "/facts?scope=vault", "/facts?state=any", "/facts/" + hidden.Key, "/facts/domain/site/static", "/timeline", "/agents", "/map", "/map?scope=vault",
		"/conflicts", "/conflicts?status=all", "/conflicts/" + conflict, "/review", "/sessions", "/bus",
		"/bus/excerpt?ref=" + url.QueryEscape("sam:"+hidden.Key+"@"+hidden.FactID), "/expiring", "/health", "/health?examine=yes",
	}
	guest, person := login("a-token-of-guest"), login("a-token-of-a-person")
	seen := 0
	for _, path := range pages {
		// The address of a page repeats what was asked for.
		clean := strings.NewReplacer(url.QueryEscape(hidden.Key), "", hidden.Key, "")
		if _, page := guest.get(path); strings.Contains(clean.Replace(page), canary) {
			t.Errorf("%s shows the guest what it may not read:\n%s", path, page)
		}
		if _, page := person.get(path); strings.Contains(page, canary) {
			seen++
		}
	}
	if seen < 8 {
		t.Errorf("a person sees the canary on %d pages alone", seen)
	}

	// Reviews are for people: an agent's token decides none, even if it may write.
	_, page := person.get("/review")
	_, rest, _ := strings.Cut(page, `name="version" value="`)
	version, _, _ := strings.Cut(rest, `"`)
	_, own := guest.get("/facts/domain/site/static")
	form := url.Values{"csrf": {csrfRE.FindStringSubmatch(own)[1]}, "key": {"domain/vault/doors"}, "version": {version}, "how": {"accept"}}
	if status, _ := guest.post("/review", form); status != http.StatusForbidden || version == "" {
		t.Errorf("an agent's token accepts a proposal: %d", status)
	}
}
