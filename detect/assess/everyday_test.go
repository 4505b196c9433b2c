package assess_test

import (
	"testing"

	"engram/detect/assess"
	"engram/detect/claim"
	"engram/detect/finding"
	"engram/facts"
	"engram/fixtures"
)

func read(id, scope, text string) *claim.Claim {
	return claim.Read(facts.Fact{ID: id, Lineage: id, Claim: text, Scope: scope, Provenance: facts.Provenance{Agent: id}})
}

// TestEverydayPairs are pairs that people and agents write every day: each has a mark.
func TestEverydayPairs(t *testing.T) {
	for _, tt := range fixtures.EverydayPairs() {
		f, found := assess.Assess(read("a", "team/app", tt.A), read("b", "team/app", tt.B))
		if !found || f.Grade == finding.Related {
			t.Errorf("%s: %v %q (%.2f, %s)", tt.About, f.Grade, f.Explanation, f.Score, f.Family)
		}
	}
}

// TestLookAlikes are pairs that both hold: none opens a conflict.
func TestLookAlikes(t *testing.T) {
	for _, tt := range []struct{ about, a, b string }{
		{"other environment", "Staging allows 50 requests per second.", "Production allows 800 requests per second."},
		{"per user and per IP", "Login is limited to 10 tries per minute and IP.", "Login is limited to 5 tries per minute and user."},
		{"default and maximum", "The batch endpoint processes 20 items by default.", "The batch endpoint takes 500 items at most."},
		{"other hosts", "The TTL of shop.example.com is 60 seconds.", "The TTL of status.example.com is 300 seconds."},
		{"one value in two units", "Invitation links stop working after 48 hours.", "An invitation link is good for two days."},
		{"the same in words", "The orders database has three replicas.", "There are 3 replicas of the orders database."},
		{"an open list", "Alerts go to Slack, for example.", "Alerts also go to PagerDuty."},
		{"thresholds of different actions", "Disk usage above 80% raises a warning.", "Disk usage above 95% pages the on-call."},
		{"other functions", "foo() returns nil on error.", "bar() returns an error on failure."},
		{"other migrations", "Migration 0012 adds the users table.", "Migration 0013 adds the orders table."},
		{"other rules", "Rule 7 holds for no team.", "Rule 12 holds for every team."},
		{"other releases", "Release 1.2 shipped in March.", "Release 1.3 shipped in June."},
		{"other flags", "checkout_v1 is on.", "checkout_v2 is off."},
		{"several versions", "Python 3.9 is supported.", "Python 3.10 is supported."},
		{"other jobs", "The nightly job runs at 3:00.", "The backup job runs at 4:00."},
		{"other lifetimes", "DNS records have a TTL of 30 s.", "Tokens have a TTL of 60 s."},
		{"other commits", "Commit abc1234 fixed the login bug.", "Commit def5678 fixed the logout bug."},
		{"several runtimes", "We test on Node 18.", "We test on Node 20."},
		{"two deployments", "The service was deployed on 2026-01-03.", "The service was deployed on 2026-02-04."},
		{"other services", "auth allows 10 requests per second.", "billing allows 20 requests per second."},
		{"agreement with more", "Cats live forever and never die.", "Cats never die."},
		{"another language", "Die Sitzung läuft nach 30 Minuten ab.", "Eine Sitzung gilt eine Stunde lang."},
	} {
		if f, found := assess.Compare(read("a", "team/app", tt.a), read("b", "team/app", tt.b)); found {
			t.Errorf("%s: %q (%.2f, %s)", tt.about, f.Explanation, f.Score, f.Family)
		}
	}
}
