package facts_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
)

func TestDiff(t *testing.T) {
	n := 0.5
	for field, change := range map[string]func(*facts.Fact){
		"lineage":     func(f *facts.Fact) { f.Lineage = f.Supersedes },
		"claim":       func(f *facts.Fact) { f.Claim = "x" },
		"detail":      func(f *facts.Fact) { f.Detail = "" },
		"kind":        func(f *facts.Fact) { f.Kind = facts.KindRisk },
		"type":        func(f *facts.Fact) { f.Type = facts.Decision },
		"scope":       func(f *facts.Fact) { f.Scope = "" },
		"reach":       func(f *facts.Fact) { f.Reach = facts.ReachOrg },
		"confidence":  func(f *facts.Fact) { f.Confidence = &n },
		"tags":        func(f *facts.Fact) { f.Tags = f.Tags[1:] },
		"pointers":    func(f *facts.Fact) { f.Pointers = f.Pointers[1:] },
		"valid_from":  func(f *facts.Fact) { f.ValidFrom = at(day1) },
		"valid_until": func(f *facts.Fact) { f.ValidUntil = time.Time{} },
		"ttl":         func(f *facts.Fact) { f.TTL = "P1D" },
		"durability":  func(f *facts.Fact) { f.Durability = facts.Ephemeral },
		"operation":   func(f *facts.Fact) { f.Operation = facts.OpDelete },
		"agent":       func(f *facts.Fact) { f.Provenance.Agent = "x" },
		"engineer":    func(f *facts.Fact) { f.Provenance.Engineer = "x" },
		"source":      func(f *facts.Fact) { f.Provenance.Source = facts.SourceRAG },
		"evidence":    func(f *facts.Fact) { f.Provenance.Evidence = "x" },
	} {
		a, b := full(), full()
		change(&b)
		b.ID, b.Supersedes, b.Provenance.CreatedAt = "x", "x", at(day1)
		changes := facts.Diff(a, b)
		if len(changes) != 1 || changes[0].Field != field || changes[0].From == changes[0].To {
			t.Errorf("changing %s gives %+v", field, changes)
		}
	}
	elsewhere := full()
	elsewhere.ValidFrom = elsewhere.ValidFrom.In(time.FixedZone("", 3600))
	if changes := facts.Diff(full(), elsewhere); len(changes) != 0 || changes == nil {
		t.Errorf("the same moment elsewhere gives %#v", changes)
	}
	n = 0.25
	want := []facts.Change{{Field: "confidence", To: "0.25"}, {Field: "valid_until", From: "2026-05-30T00:00:00Z"}}
	a, b := full(), full()
	a.Confidence, b.Confidence, b.ValidUntil = nil, &n, time.Time{}
	if diff := cmp.Diff(want, facts.Diff(a, b)); diff != "" {
		t.Error(diff)
	}
}
