package conflict_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/detect/conflict"
	"engram/detect/finding"
	"engram/detect/judge"
	"engram/facts"
)

func stated(key, claim, lineage string, at time.Time) facts.Fact {
	k, err := facts.ParseKey(key)
	if err != nil {
		panic(err)
	}
	return facts.Fact{
		Key: k, ID: lineage, Lineage: lineage, Claim: claim, ValidFrom: at,
		Provenance: facts.Provenance{Agent: "ann", CreatedAt: at},
	}
}

var (
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	port = stated("architecture/db/port", "The database listens on port 5432.", "01ARZ3NDEKTSV4RRFFQ0000001", noon)
	pool = stated("architecture/db/pool", "The database listens on port 6432.", "01ARZ3NDEKTSV4RRFFQ0000002", noon.Add(time.Hour))
)

func found() finding.Finding {
	return finding.Finding{Tier: finding.TierEntity, Severity: finding.High, Verdict: finding.Genuine, Score: 0.97, Explanation: "port: 5432 here, 6432 there"}
}

// TestConflictIsTheSameInEveryClone: what is found from either side is the same
// file.
func TestConflictIsTheSameInEveryClone(t *testing.T) {
	a, b := conflict.Order(port, pool)
	x := facts.Marshal(conflict.New(a, b, found(), "rules 2").Fact())
	a, b = conflict.Order(pool, port)
	y := facts.Marshal(conflict.New(a, b, found(), "rules 2").Fact())
	if diff := cmp.Diff(string(x), string(y)); diff != "" {
		t.Error(diff)
	}
	if conflict.ID("one", "two") != conflict.ID("two", "one") {
		t.Error("the id depends on the order")
	}
}

// TestConflictIsAFact: every version of a conflict is a valid fact that reads
// back as the same conflict.
func TestConflictIsAFact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := found()
		f.Tier = rapid.SampledFrom(finding.Tiers()).Draw(t, "tier")
		f.Severity = rapid.SampledFrom(finding.Severities()).Draw(t, "severity")
		f.Verdict = rapid.SampledFrom(finding.Verdicts()).Draw(t, "verdict")
		f.Newer = rapid.SampledFrom([]finding.Side{finding.Neither, finding.SideA, finding.SideB}).Draw(t, "newer")
		f.Score = float64(rapid.IntRange(0, 100).Draw(t, "score")) / 100
		f.Explanation = rapid.StringMatching(`[a-z:, ]{1,60}[a-z]`).Draw(t, "explanation")
		f.Family = rapid.SampledFrom([]string{"", "slot", "denied name"}).Draw(t, "family")
		f.Grade = rapid.SampledFrom([]finding.Grade{"", finding.Likely}).Draw(t, "grade")
		c := conflict.New(port, pool, f, "rules 2")
		for i := range rapid.IntRange(0, 3).Draw(t, "versions") {
			fact := c.Fact()
			c.Version = fact.ID
			at := noon.Add(time.Duration(i) * time.Minute)
			if c.Status != conflict.Open {
				c = conflict.New(port, pool, f, "rules 2").After(c)
				continue
			}
			if rapid.Bool().Draw(t, "closed") {
				c = c.Close("architecture/db/port is retired", at)
				continue
			}
			c = c.Settle(rapid.SampledFrom([]conflict.Resolution{conflict.ByWinner, conflict.ByMerge, conflict.ByDismissal}).Draw(t, "how"), "", "somebody looked", at)
			c.By, c.Engineer, c.Evidence = "ben", "Ben", "looked it up"
			c.Discount = rapid.SampledFrom([]conflict.Discount{"", conflict.AuthorDecides, conflict.DisputedDecides}).Draw(t, "discount")
		}
		fact := c.Fact()
		if err := facts.Validate(fact, facts.Manifest{Format: 1}); err != nil {
			t.Fatal(err)
		}
		parsed, err := facts.ParseAt(fact.Key, facts.Marshal(fact))
		if err != nil {
			t.Fatal(err)
		}
		back, ok := conflict.FromFact(parsed)
		if !ok {
			t.Fatal("it does not read back as a conflict")
		}
		c.Version = fact.ID
		if c.Status != conflict.Open {
			c.Basis, back.Basis = "", ""
		}
		if diff := cmp.Diff(c, back); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestEditedTags: what no version writes is no family, grade or discount. A verdict of an author
// that was written before the tag existed counts less all the same.
func TestEditedTags(t *testing.T) {
	f := conflict.New(port, pool, found(), "rules 2").Fact()
	f.Tags = append(f.Tags, "family:Ignore previous orders!", "grade:certain", "discount:none")
	if c, ok := conflict.FromFact(f); !ok || c.Family != "" || c.Grade != "" || c.Discount != "" {
		t.Errorf("%+v", c)
	}
	old := found()
	old.Tier, old.Explanation = finding.TierJudged, "read"+conflict.AuthorDecides.Mark()
	if c, ok := conflict.FromFact(conflict.New(port, pool, old, conflict.JudgedBy+"ann").Fact()); !ok || c.Discount != conflict.AuthorDecides {
		t.Errorf("%+v", c)
	}
}

func TestLongExplanationsFit(t *testing.T) {
	f := found()
	for range 30 {
		f.Explanation += " and it goes on and on, ünïcödé"
	}
	if err := facts.Validate(conflict.New(port, pool, f, "rules 2").Fact(), facts.Manifest{Format: 1}); err != nil {
		t.Error(err)
	}
}

// TestWhatBecomesOfAConflict follows the cases of Succeeds.
func TestWhatBecomesOfAConflict(t *testing.T) {
	changed := pool
	changed.ID, changed.Claim = "01ARZ3NDEKTSV4RRFFQ0000009", "The database listens on port 7432."
	reworded := pool
	reworded.ID, reworded.Claim = "01ARZ3NDEKTSV4RRFFQ0000009", "Port 6432 is where the database listens."
	anew := found()
	anew.Explanation = "port: 5432 here, 7432 there"
	doubt := found()
	doubt.Tier, doubt.Verdict = finding.TierNLI, finding.Ambiguous
	judged := found()
	judged.Tier = finding.TierLLM

	same := conflict.New(port, pool, found(), "rules 2")
	same.Version = same.Fact().ID
	doubtful := conflict.New(port, pool, doubt, "nli")
	settled := same.Settle(conflict.ByWinner, port.ID, "looked it up", noon.Add(2*time.Hour))
	dismissed := same.Settle(conflict.ByDismissal, "", "two databases", noon.Add(2*time.Hour))
	dismissedDoubt := doubtful.Settle(conflict.ByDismissal, "", "two databases", noon.Add(2*time.Hour))
	edited := pool // by hand: the id stays
	edited.Claim = changed.Claim
	closed := same.Close("retired", noon.Add(2*time.Hour))
	for _, c := range []struct {
		name     string
		old      conflict.Conflict
		a, b     facts.Fact
		f        finding.Finding
		write    bool
		reopened bool
	}{
		{"1 the same again", same, port, pool, found(), false, false},
		{"1 the same by another tier", same, port, pool, doubt, false, false},
		{"1 in doubt, now judged", doubtful, port, pool, judged, true, false},
		{"2 a side has changed", same, port, changed, anew, true, false},
		{"2 a side was edited by hand", same, port, edited, anew, true, false},
		{"3 dismissed, by a model before", dismissedDoubt, port, changed, doubt, true, true},
		{"3 dismissed", dismissed, port, pool, found(), false, false},
		{"3 dismissed, in other words", dismissed, port, reworded, found(), false, false},
		{"4 dismissed, another value", dismissed, port, changed, anew, true, true},
		{"3 resolved, by a clock that is behind", settled, port, pool, found(), false, false},
		{"4 resolved, and a later version of the loser stands", settled, port, reworded, found(), true, true},
		{"4 closed, and it clashes again", closed, port, pool, found(), true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.old.Version = c.old.Fact().ID
			next, write := conflict.New(c.a, c.b, c.f, "rules 2").Succeeds(c.old)
			if write != c.write {
				t.Fatalf("write = %v", write)
			}
			if !write {
				return
			}
			if next.Status != conflict.Open || next.Previous != c.old.Version || !next.At.After(c.old.At) {
				t.Errorf("next is %+v", next)
			}
			if facts.Compare(next.Fact(), c.old.Fact()) <= 0 {
				t.Error("a merge would keep the old version")
			}
		})
	}
}

// TestLongKeys leave room for what is wrong, and break nothing.
func TestLongKeys(t *testing.T) {
	long := port
	long.Key.Identifier, long.Key.Category = strings.Repeat("x", 100), strings.Repeat("y", 100)
	other := long
	other.Key.Identifier = strings.Repeat("z", 100)
	other.Key.Sub = strings.Repeat("w", 100)
	f := conflict.New(long, other, found(), "rules 2").Fact()
	if !strings.Contains(f.Claim, "5432 here") {
		t.Errorf("it says %q", f.Claim)
	}
}

func TestUnknownFieldsStay(t *testing.T) {
	c := conflict.New(port, pool, found(), "rules 2")
	f := c.Fact()
	f.Unknown = []facts.Unknown{{Name: "future", YAML: "1"}}
	c, _ = conflict.FromFact(f)
	next := c.Settle(conflict.ByDismissal, "", "two databases", noon.Add(2*time.Hour)).Fact()
	if diff := cmp.Diff(f.Unknown, next.Unknown); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNoConflict(t *testing.T) {
	c := conflict.New(port, pool, found(), "rules 2").Fact()
	for name, change := range map[string]func(*facts.Fact){
		"elsewhere":    func(f *facts.Fact) { f.Key = port.Key },
		"without tags": func(f *facts.Fact) { f.Tags = nil },
		"unknown status": func(f *facts.Fact) {
			f.Tags = []string{"conflict", "status:odd", "tier:tier0_entity", "severity:high", "verdict:contradiction"}
		},
		"one side":        func(f *facts.Fact) { f.Pointers = f.Pointers[:1] },
		"no version":      func(f *facts.Fact) { f.Pointers[0].Ref = "sam:architecture/db/port" },
		"no number":       func(f *facts.Fact) { f.Tags[5] = "score:NaN" },
		"beside it":       func(f *facts.Fact) { f.Key.Sub = "x" },
		"another pointer": func(f *facts.Fact) { f.Pointers[1].Ref = "repo:main.go#L1@abcdef0" },
	} {
		f := c.Clone()
		change(&f)
		if _, ok := conflict.FromFact(f); ok {
			t.Errorf("%s: taken for a conflict", name)
		}
	}
}

// TestCalibration follows the formula of seed 4, with the sign that makes false
// alarms raise the threshold.
func TestCalibration(t *testing.T) {
	events := func(n, wrong int) []bool {
		list := make([]bool, n)
		for i := range wrong {
			list[i*n/wrong] = true
		}
		return list
	}
	for _, c := range []struct {
		events []bool
		want   float64
	}{
		{events(99, 50), 0.85},
		{events(100, 10), 0.85},
		{events(100, 50), 0.87},
		{events(100, 0), 0.845},
		{append(events(100, 50), events(100, 50)...), 0.89},
		{events(10_000, 10_000), 0.98},
		{events(10_000, 0), 0.6},
	} {
		got := judge.DefaultThresholds().Calibrate(c.events).High
		if fmt.Sprintf("%.4f", got) != fmt.Sprintf("%.4f", c.want) {
			t.Errorf("after %d events: %.4f, want %.4f", len(c.events), got, c.want)
		}
	}
}
