package feedback_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"engram/detect/conflict"
	"engram/detect/feedback"
	"engram/detect/finding"
	"engram/facts"
)

// of is a family with decisions of a person: wrong ones, and right ones after them.
func of(wrong, right int) feedback.Family {
	var f feedback.Family
	for range right {
		f.Latest = append(f.Latest, feedback.Piece{Right: true})
	}
	for range wrong {
		f.Latest = append(f.Latest, feedback.Piece{})
	}
	return f
}

// TestRate compares with values of Wilson's interval that were computed by hand from the
// published formula.
func TestRate(t *testing.T) {
	for _, tt := range []struct {
		wrong, right int
		highest      float64
		doubted      bool
	}{
		{0, 0, 1, false},
		{1, 0, 0.793, false},
		{7, 0, 0.354, false}, // too few
		{8, 0, 0.324, true},
		{10, 0, 0.278, true},
		{4, 4, 0.785, false},
		{5, 3, 0.694, true},
		{5, 5, 0.763, false},
		{6, 4, 0.687, true},
		{10, 12, 0.731, true},
		{10, 14, 0.755, false}, // it has recovered
		{0, 10, 1, false},
		{19, 31, 0.741, true},
		{18, 32, 0.759, false},
	} {
		r := of(tt.wrong, tt.right).Rate(nil)
		if math.Abs(r.Highest-tt.highest) > 0.0006 || r.Doubted != tt.doubted {
			t.Errorf("%d wrong, %d right: at most %.4f, doubted %v; want %.3f, %v", tt.wrong, tt.right, r.Highest, r.Doubted, tt.highest, tt.doubted)
		}
		if r.Doubted && !of(tt.wrong, tt.right).MayBeDoubted() {
			t.Errorf("%d wrong, %d right: doubted, and may not be", tt.wrong, tt.right)
		}
	}
}

// TestWeights: agents count with their trust, and less about their own facts.
func TestWeights(t *testing.T) {
	f := of(0, 0)
	for range 10 {
		f.Latest = append(f.Latest, feedback.Piece{Agent: "ann"})
	}
	trust := func(w float64) func(string) float64 { return func(string) float64 { return w } }
	if r := f.Rate(trust(0.9)); !r.Doubted || math.Abs(r.Weight-9) > 1e-9 {
		t.Errorf("trusted: %+v", r)
	}
	if r := f.Rate(trust(0.5)); r.Doubted {
		t.Errorf("hardly trusted: %+v", r)
	}
	for i := range f.Latest {
		f.Latest[i].Author = true
	}
	if r := f.Rate(trust(1)); r.Doubted || r.Weight != 5 {
		t.Errorf("an author: %+v", r)
	}
}

var begin = time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)

// found is the nth conflict that the rules found.
func found(n int) conflict.Conflict {
	side := func(name string) facts.Fact {
		id := fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ%s%06d", name, n)
		return facts.Fact{Key: facts.Key{Namespace: "domain", Category: "x", Identifier: fmt.Sprint(name, n)}, ID: id, Lineage: id, ValidFrom: begin.Add(time.Duration(n) * time.Minute)}
	}
	f := finding.Finding{Tier: finding.TierEntity, Severity: finding.High, Verdict: finding.Genuine, Grade: finding.Contradiction, Family: "port", Score: 1, Explanation: "port"}
	return conflict.New(side("A"), side("B"), f, "rules 1")
}

// settled is the nth conflict, settled by an agent; "" is a person.
func settled(n int, agent string, how conflict.Resolution) conflict.Conflict {
	c := found(n)
	c = c.Settle(how, "", "looked", c.At.Add(time.Second))
	c.By = agent
	return c
}

func tally(list ...conflict.Conflict) []feedback.Family {
	byID := make(map[string]conflict.Conflict)
	for _, c := range list {
		byID[c.ID] = c
	}
	return feedback.Tally(byID)
}

func TestTally(t *testing.T) {
	judged := func(n int, verdict finding.Verdict, grade finding.Grade) conflict.Conflict {
		c := found(n)
		c.Tier, c.Verdict, c.Basis, c.Grade = finding.TierJudged, verdict, conflict.JudgedBy+"cleo", grade
		return c
	}
	compatible := judged(7, finding.Ambiguous, finding.Contradiction)
	compatible = compatible.Settle(conflict.ByDismissal, "", "compatible: read", begin)
	compatible.By, compatible.Evidence = "cleo", conflict.JudgedBy+"cleo"
	byModel := settled(8, conflict.Auditor, conflict.ByDismissal)
	old := settled(9, "", conflict.ByDismissal)
	old.Family = ""
	merged := settled(10, "", conflict.ByDismissal)
	merged.Tier = finding.TierMerge
	list := tally(
		found(0), found(1).Close(conflict.NoClash, begin), found(12).Close("domain/x/A12 is expired", begin), settled(2, "", conflict.ByWinner), settled(3, "ann", conflict.ByMerge), settled(4, "", conflict.ByDismissal),
		judged(5, finding.Genuine, finding.Contradiction), judged(6, finding.Evolution, finding.Likely), compatible, byModel, old, merged,
		judged(11, finding.Ambiguous, finding.Contradiction), // two judges disagree
	)
	if len(list) != 2 || list[0].Name != "" || list[0].Found != 2 || list[0].Dismissed != 2 || len(list[0].Latest) != 0 {
		t.Fatalf("%+v", list)
	}
	f := list[1]
	if f.Name != "port" || f.Found != 11 || f.Corrected != 1 || f.Open != 2 || f.Settled != 2 || f.Dismissed != 1 || fmt.Sprint(f.Judged) != "map[compatible:1 contradicts:1 evolves:1]" {
		t.Errorf("%+v", f)
	}
	if got := fmt.Sprint(f.Latest); got != "[{cleo false false false} {cleo false true false} { false false false} {ann false true false} { false true false} { false true true}]" {
		t.Errorf("pieces %s", got)
	}
	again := tally(merged, old, byModel, compatible)
	if fmt.Sprint(again) != fmt.Sprint(tally(compatible, byModel, old, merged)) {
		t.Error("the order of conflicts matters")
	}
}

// TestFloods: the latest decisions count, and a bounded number of one agent.
func TestFloods(t *testing.T) {
	var list []conflict.Conflict
	for n := range 200 {
		list = append(list, settled(n, "mallory", conflict.ByDismissal))
	}
	f := tally(list...)[0]
	if len(f.Latest) != 12 || !f.Rate(nil).Doubted {
		t.Errorf("%d pieces of one agent", len(f.Latest))
	}
	for n := range 18 {
		list = append(list, settled(200+n, "", conflict.ByWinner))
	}
	f = tally(list...)[0]
	if r := f.Rate(nil); r.Doubted || r.Weight != 30 {
		t.Errorf("a person does not outweigh the flood: %+v", r)
	}
	for n := range 30 {
		list = append(list, found(250+n).Close(conflict.NoClash, begin))
	}
	if r := tally(list...)[0].Rate(nil); r.Weight != 36 {
		t.Errorf("corrections have no bound: %+v", r)
	}
	for n := range 100 {
		list = append(list, settled(300+n, "", conflict.ByDismissal))
	}
	if f = tally(list...)[0]; len(f.Latest) != 50 || f.Latest[0].Right || f.Dismissed != 300 {
		t.Errorf("%d pieces", len(f.Latest))
	}
}
