package conflicts

import (
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"engram/cmd/engram/internal/show"
	"engram/memory"
)

// TestReportsOfEverySeverity needs conflicts that no rule finds.
func TestReportsOfEverySeverity(t *testing.T) {
	r := memory.CheckResult{FailOn: show.SeverityMedium, Failing: 2}
	for i, severity := range memory.Severities() {
		c := openConflict(strings.Repeat(string(rune('1'+i)), 16), "domain/x/a", "domain/x/b")
		c.Severity, c.Tier, c.B = severity, "tier1_nli", nil
		r.Conflicts = append(r.Conflicts, memory.Checked{Conflict: c, Fails: severity != show.SeverityLow})
	}
	for i, want := range []string{"error", "warning", "note"} {
		if got := sarifOf(r).Runs[0].Results[i]; got.Level != want || !strings.HasSuffix(got.Message.Text, "B: domain/x/b is gone from the branch.") {
			t.Errorf("%s: %s, %s", want, got.Level, got.Message.Text)
		}
	}
	suite := junitOf(r).Suites[0]
	if suite.Tests != 3 || suite.Failures != 2 || suite.Cases[1].Failure == nil || suite.Cases[2].Failure != nil || suite.Cases[2].Output == "" {
		t.Errorf("suite %+v", suite)
	}
}

// TestTiersAreMemorys keeps the rules of SARIF complete.
func TestTiersAreMemorys(t *testing.T) {
	var names []string
	for _, tier := range tiers() {
		names = append(names, tier[0])
	}
	if !slices.Equal(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(memory.Tiers()))) {
		t.Errorf("described are %v, of %v", names, memory.Tiers())
	}
}

// TestViolationReports: what code scanning and CI servers are told.
func TestViolationReports(t *testing.T) {
	r := memory.CheckResult{Violations: []memory.Violation{
		{Kind: memory.ViolatesSignature, Revision: strings.Repeat("1", 40), Message: "commit 1111111 (x) has no signature"},
		{Kind: memory.ViolatesRate, Key: "domain/x/y", Agent: "claude", Message: "too fast"},
	}}
	run := sarifOf(r).Runs[0]
	if len(run.Results) != 2 || run.Results[0].Locations[0].Physical.Artifact.URI != "engram.yml" || run.Results[1].Locations[0].Physical.Artifact.URI != "domain/x/y.yml" {
		t.Errorf("results %+v", run.Results)
	}
	for _, result := range run.Results {
		if rule := run.Tool.Driver.Rules[result.RuleIndex]; rule.ID != result.RuleID || result.Level != "error" || rule.Short.Text == "" {
			t.Errorf("%+v by %+v", result, rule)
		}
	}
	if b, err := json.Marshal(run); err != nil || strings.Contains(string(b), "null") {
		t.Errorf("%s, %v", b, err)
	}
	suite := junitOf(r).Suites[0]
	if suite.Tests != 2 || suite.Failures != 2 || suite.Cases[0].Failure == nil || suite.Cases[0].Class != "engram.policy_signature" {
		t.Errorf("suite %+v", suite)
	}
	if _, err := xml.Marshal(junitOf(r)); err != nil {
		t.Error(err)
	}
}
