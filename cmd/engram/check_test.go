package main

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"slices"
	"strings"
	"testing"

	"engram/memory"
)

// disputedRepo is a memory of one contradiction.
func disputedRepo(t *testing.T) string {
	t.Helper()
	repo := testRepo(t)
	for _, args := range [][]string{
		{"init"},
		{"commit", "The gateway listens on port 8443.", "--key", "domain/infra/a", "--scope", "infra", "--agent", "claude"},
		{"commit", `The gateway listens on port 9443 <"&'>.`, "--key", "domain/infra/b", "--scope", "infra", "--agent", "codex"},
	} {
		if r := runHere("", append([]string{"--repo", repo}, args...)...); r.status != 0 {
			t.Fatalf("%v: %s", args, r.stderr)
		}
	}
	return repo
}

func conflictsOf(t *testing.T, repo string) []memory.Conflict {
	t.Helper()
	var answer memory.ConflictsResult
	r := runHere("", "--repo", repo, "--json", "conflicts")
	if err := json.Unmarshal([]byte(r.stdout), &answer); err != nil {
		t.Fatalf("%v: %s", err, r.stderr)
	}
	return answer.Conflicts
}

// TestSARIF checks what code scanning reads of it (SARIF 2.1.0, section 3).
func TestSARIF(t *testing.T) {
	repo := disputedRepo(t)
	conflict := conflictsOf(t, repo)[0]
	r := runHere("", "--repo", repo, "check", "--format", "sarif")
	if r.status != 1 {
		t.Fatalf("exit status %d: %s", r.status, r.stderr)
	}
	type location struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           struct{ StartLine int }
		}
	}
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, Version string
					Rules         []struct {
						ID                     string
						ShortDescription, Help struct{ Text string }
					}
				}
			}
			Results []struct {
				RuleID, Level       string
				RuleIndex           int
				Message             struct{ Text string }
				Locations           []location
				RelatedLocations    []location
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal([]byte(r.stdout), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || !strings.Contains(log.Schema, "sarif-2.1.0") || len(log.Runs) != 1 || len(log.Runs[0].Results) != 1 {
		t.Fatalf("got %+v", log)
	}
	driver, result := log.Runs[0].Tool.Driver, log.Runs[0].Results[0]
	if driver.Name != "engram" || driver.Version == "" || len(driver.Rules) != len(memory.Tiers()) {
		t.Errorf("driver %+v", driver)
	}
	for _, rule := range driver.Rules {
		if rule.ShortDescription.Text == "" || rule.Help.Text == "" {
			t.Errorf("rule %+v says too little", rule)
		}
	}
	if result.Level != "error" || result.RuleID != conflict.Tier || driver.Rules[result.RuleIndex].ID != result.RuleID {
		t.Errorf("result %+v", result)
	}
	if !slices.Contains(slices.Collect(maps.Values(result.PartialFingerprints)), conflict.ConflictID) {
		t.Errorf("fingerprints %v", result.PartialFingerprints)
	}
	for _, part := range []string{conflict.Explanation, "domain/infra/a", "domain/infra/b", "port 8443", `port 9443 <"&'>.`} {
		if !strings.Contains(result.Message.Text, part) {
			t.Errorf("the message lacks %q: %s", part, result.Message.Text)
		}
	}
	for path, list := range map[string][]location{"domain/infra/a.yml": result.Locations, "domain/infra/b.yml": result.RelatedLocations} {
		if len(list) != 1 || list[0].PhysicalLocation.ArtifactLocation.URI != path || list[0].PhysicalLocation.Region.StartLine != 1 {
			t.Errorf("locations %+v, want %s", list, path)
		}
	}
}

// junitReport is one suite as a CI server reads it.
type junitReport struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Cases    []struct {
		Class   string `xml:"classname,attr"`
		Name    string `xml:"name,attr"`
		Failure *struct {
			Type string `xml:"type,attr"`
			Text string `xml:",chardata"`
		} `xml:"failure"`
		Output string `xml:"system-out"`
	} `xml:"testcase"`
}

// TestJUnit reads the report as CI servers do.
func TestJUnit(t *testing.T) {
	repo := disputedRepo(t)
	read := func(status int, args ...string) junitReport {
		t.Helper()
		r := runHere("", append([]string{"--repo", repo, "check", "--format", "junit"}, args...)...)
		var suites struct {
			Suites []junitReport `xml:"testsuite"`
		}
		if err := xml.Unmarshal([]byte(r.stdout), &suites); err != nil || r.status != status || len(suites.Suites) != 1 {
			t.Fatalf("exit status %d, %v: %s%s", r.status, err, r.stdout, r.stderr)
		}
		s := suites.Suites[0]
		failures := 0
		for _, c := range s.Cases {
			if c.Failure != nil {
				failures++
			}
			if c.Name == "" || c.Class == "" || (c.Failure == nil) == (c.Output == "") {
				t.Errorf("case %+v", c)
			}
		}
		if s.Tests != len(s.Cases) || s.Failures != failures {
			t.Errorf("%d tests, %d failures of %d and %d", s.Tests, s.Failures, len(s.Cases), failures)
		}
		return s
	}
	failing := read(1)
	if f := failing.Cases[0].Failure; f == nil || !strings.Contains(f.Text, `port 9443 <"&'>.`) || f.Type != "high" {
		t.Errorf("failure %+v", f)
	}
	if clean := read(0, "--scope", "payments"); clean.Tests != 1 || clean.Failures != 0 {
		t.Errorf("clean: %+v", clean)
	}
}
