package facts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
)

const policy = `format: 1
anonymous_mode: true
anon_agents: true
rate_limit: 0
signed_commits: true
permissions:
  - {scope: payments, write: false}
  - {agent: ci, scope: payments, write: true, valid_from: 2026-01-01T00:00:00Z, valid_until: 2026-02-01T00:00:00Z}
  - {agent: guest, read: false}
  - {agent: guest, scope: docs, read: true}
review:
  namespaces: [architecture]
  unknown_authors: true
  authors: [Ada@example.com]
gates: [lint, conflicts]
`

func TestParsePolicy(t *testing.T) {
	m, err := facts.ParseManifest([]byte(policy))
	if err != nil {
		t.Fatal(err)
	}
	if !m.AnonymousMode || !m.AnonAgents || m.RateLimit != 0 || !m.SignedCommits || len(m.Permissions) != 4 {
		t.Errorf("read as %+v", m)
	}
	if diff := cmp.Diff([]facts.Gate{facts.GateLint, facts.GateConflicts}, m.Gates); diff != "" {
		t.Error(diff)
	}
	key := func(s string) facts.Key { return facts.Key{Namespace: s} }
	for _, c := range []struct {
		key, email string
		want       bool
	}{
		{"architecture", "ada@example.com", true},
		{"domain", "ada@example.com", false},
		{"domain", "ADA@example.com", false},
		{"domain", "eve@example.com", true},
	} {
		if got := m.Review.Needed(key(c.key), c.email); got != c.want {
			t.Errorf("review of %s by %s: %v", c.key, c.email, got)
		}
	}
	if (facts.Review{}).Needed(key("architecture"), "eve@example.com") {
		t.Error("a review that nobody asked for")
	}
}

func TestAllow(t *testing.T) {
	m, err := facts.ParseManifest([]byte(policy))
	if err != nil {
		t.Fatal(err)
	}
	sprint, later := time.Date(2026, 1, 15, 0, 0, 0, 0, time.UTC), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		agent, scope string
		access       facts.Access
		at           time.Time
		want         bool
	}{
		{"claude", "", facts.Write, sprint, true},
		{"claude", "payments", facts.Write, sprint, false},
		{"claude", "payments/webhooks", facts.Write, sprint, false},
		{"claude", "paymentsx", facts.Write, sprint, true},
		{"claude", "payments/webhooks", facts.Read, sprint, true},
		{"", "payments", facts.Write, sprint, false},
		{"ci", "payments/webhooks", facts.Write, sprint, true},
		{"ci", "payments/webhooks", facts.Write, later, false},
		{"guest", "payments", facts.Read, sprint, false}, // the longer scope says nothing about it
		{"guest", "auth", facts.Read, sprint, false},
		{"guest", "docs/api", facts.Read, sprint, true},
		{"guest", "", facts.Read, sprint, false},
	} {
		if got := m.Permissions.Allow(c.agent, c.scope, c.access, c.at); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	yes, no := true, false
	both := facts.Permissions{{Agent: "a", Write: &yes}, {Agent: "a", Write: &no}}
	if both.Allow("a", "x", facts.Write, sprint) {
		t.Error("of two that say otherwise, the one that forbids decides")
	}
}

func TestParsePolicyRefuses(t *testing.T) {
	for text, fail := range map[string]string{
		"permissions: [{agent: a, scoop: b}]":         "not scoop",
		"permissions: [{agent: ''}]":                  "needs an agent",
		"permissions: [{agent: a, scope: a b}]":       "not a topic path",
		"permissions: [{agent: a, write: perhaps}]":   "not true or false",
		"permissions: [{agent: a, valid_from: soon}]": "soon",
		"permissions: all":                            "a list is expected",
		"gates: [all]":                                "not one of the gates",
		"rate_limit: -1":                              "whole number",
		"rate_limit: many":                            "whole number",
		"review: [architecture]":                      "mapping",
		"anonymous_mode: 'yes'":                       "not true or false",
		"review: {namespaces: architecture}":          "a list is expected",
		"permissions: [{agent: a, scope: " + strings.Repeat("a", 3) + ", read: [true]}]": "single value",
	} {
		_, err := facts.ParseManifest([]byte("format: 1\n" + text + "\n"))
		if err == nil || !strings.Contains(err.Error(), fail) {
			t.Errorf("%s: %v, want %q", text, err, fail)
		}
	}
}
