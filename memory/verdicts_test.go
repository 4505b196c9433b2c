package memory_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"engram/facts"
	"engram/memory"
)

// The pair that the rules have nothing for or against.
const (
	keyOne   = "domain/infra/one"
	keyTwo   = "domain/infra/two"
	claimOne = "The checkout service keeps sessions for returning customers."
	claimTwo = "The checkout service keeps sessions for returning customers in the session store."
)

// undecided is a memory with the pair in it, which the answer of the second commit offers.
func undecided(t testing.TB) bench {
	t.Helper()
	b := newMemory(t)
	b.state(keyOne, claimOne, "ann")
	if r := b.state(keyTwo, claimTwo, "ben"); len(r.Related) != 1 || r.Related[0].Key != keyOne || r.Related[0].Claim != claimOne || r.Related[0].Grade != "related" {
		t.Fatalf("the commit offers %+v", r.Related)
	}
	return b
}

// say is one verdict on the pair.
func say(agent, verdict, reason string) memory.JudgeInput {
	v := memory.PairVerdict{A: keyOne, B: keyTwo, Verdict: verdict, Reason: reason}
	if verdict == "evolves" {
		v.Newer = keyTwo
	}
	return memory.JudgeInput{Verdicts: []memory.PairVerdict{v}, Agent: agent}
}

// judge records verdicts, and returns what became of the first.
func (b bench) judge(in memory.JudgeInput) memory.Judged {
	b.t.Helper()
	r, err := b.Judge(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	if r.Revision != b.tip() || len(r.Judged) != len(in.Verdicts) {
		b.t.Fatalf("%+v", r)
	}
	b.clock.add(1)
	return r.Judged[0]
}

// waiting lists the pairs that nobody has judged.
func (b bench) waiting(in memory.UndecidedInput) []memory.UndecidedPair {
	b.t.Helper()
	r, err := b.Undecided(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Pairs
}

// TestFullOffers: a clone that keeps as many pairs as it may makes room for new ones, and
// says how many it dropped.
func TestFullOffers(t *testing.T) {
	b := newMemory(t)
	b.state(keyOne, claimOne, "ann")
	type object = map[string]any
	var old []object
	for i := range memory.MaxUndecided {
		at := func(side string) string { return fmt.Sprintf("domain/%s/%d", side, i) }
		old = append(old, object{"key_a": at("a"), "key_b": at("b"), "fact_id_a": at("a"), "fact_id_b": at("b"), "grade": "likely", "signal": 0.5, "kinship": 1, "severity": "high"})
	}
	state, err := json.Marshal(object{"pairs": old, "dropped": 7})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(b.dir, ".git", "engram", "audit")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "engram.offers.json"), state, 0o600); err != nil {
		t.Fatal(err)
	}
	b.state(keyTwo, claimTwo, "ben")
	r, err := b.Undecided(t.Context(), memory.UndecidedInput{})
	if err != nil || len(r.Pairs) != 1 || r.Pairs[0].A.Key.String() != keyTwo || r.Dropped != 8 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestVerdictsOnPairs(t *testing.T) {
	for _, c := range []struct {
		verdict, status, conflict, severity, newer string
	}{
		{"contradicts", "open", "contradiction", "medium", ""},
		{"evolves", "open", "evolution", "low", "b"},
		{"compatible", "dismissed", "ambiguous", "low", ""},
		{"same", "dismissed", "ambiguous", "low", ""},
	} {
		t.Run(c.verdict, func(t *testing.T) {
			b := undecided(t)
			if pairs := b.waiting(memory.UndecidedInput{}); len(pairs) != 1 || pairs[0].A.Claim != claimTwo || pairs[0].B.Claim != claimOne || pairs[0].Grade != "related" {
				t.Fatalf("before: %+v", pairs)
			}
			judged := b.judge(say("cleo", c.verdict, " read the\ncode "))
			got := b.only(c.status)
			if judged.Status != c.status || judged.ConflictID != got.ConflictID || judged.A != got.KeyA || judged.B != got.KeyB {
				t.Errorf("judged %+v", judged)
			}
			if got.Tier != "judged" || got.Verdict != c.conflict || got.Severity != c.severity || got.Newer != c.newer {
				t.Errorf("%+v", got.Clash)
			}
			if c.status == "open" && (got.Explanation != "read the code" || got.Basis != "judged by cleo") {
				t.Errorf("%q, basis %q", got.Explanation, got.Basis)
			}
			if c.status == "dismissed" && (got.Reason != c.verdict+": read the code" || got.ResolvedBy != "cleo") {
				t.Errorf("%q by %q", got.Reason, got.ResolvedBy)
			}
			if pairs := b.waiting(memory.UndecidedInput{}); len(pairs) != 0 {
				t.Errorf("it still waits: %+v", pairs)
			}
			// An audit leaves it as it is, and both facts stand.
			tip := b.tip()
			if r := b.audit(memory.AuditInput{All: true}); len(r.Opened)+len(r.Closed) != 0 || b.tip() != tip {
				t.Errorf("an audit opened %d and closed %d", len(r.Opened), len(r.Closed))
			}
			for _, key := range []string{keyOne, keyTwo} {
				if f := b.get(key); f.State != facts.Current {
					t.Errorf("%s is %s", key, f.State)
				}
			}
		})
	}
}

// TestVerdictsMark: what is judged a contradiction is marked wherever a fact is shown.
func TestVerdictsMark(t *testing.T) {
	b := undecided(t)
	b.judge(say("cleo", "contradicts", "read"))
	r, err := b.Query(t.Context(), memory.QueryInput{Question: "checkout sessions"})
	if err != nil || len(r.Results) == 0 || r.Results[0].HasConflict == nil || !*r.Results[0].HasConflict {
		t.Errorf("%+v, %v", r.Results, err)
	}
}

// TestJudges: what becomes of a second verdict, and who may change the first.
func TestJudges(t *testing.T) {
	for name, c := range map[string]struct {
		says            []memory.JudgeInput
		status, verdict string
		note            string // of the last
		explains        string
		versions        int // of the conflict
	}{
		"the same judge twice":      {[]memory.JudgeInput{say("cleo", "compatible", "x"), say("cleo", "contradicts", "read on")}, "open", "contradiction", "replaces", "read on", 2},
		"two judges agree":          {[]memory.JudgeInput{say("cleo", "compatible", "x"), say("dan", "same", "y")}, "dismissed", "ambiguous", "cleo gave the same verdict before", "", 1},
		"two judges disagree":       {[]memory.JudgeInput{say("cleo", "compatible", "both run"), say("dan", "contradicts", "one is gone")}, "open", "ambiguous", "a person decides", "cleo: compatible: both run; dan says contradicts: one is gone", 2},
		"a third judge":             {[]memory.JudgeInput{say("cleo", "compatible", "x"), say("dan", "contradicts", "y"), say("eve", "compatible", "z")}, "open", "ambiguous", "a person decides", "dan says", 2},
		"the second gives way":      {[]memory.JudgeInput{say("cleo", "compatible", "x"), say("dan", "contradicts", "y"), say("dan", "same", "z")}, "dismissed", "ambiguous", "agree now", "", 3},
		"the first gives way":       {[]memory.JudgeInput{say("cleo", "compatible", "x"), say("dan", "contradicts", "y"), say("cleo", "contradicts", "z")}, "open", "contradiction", "agree now", "z", 3},
		"one of them insists":       {[]memory.JudgeInput{say("cleo", "contradicts", "x"), say("dan", "compatible", "y"), say("dan", "compatible", "z")}, "open", "ambiguous", "a person decides", "cleo: x; dan says compatible: y", 2},
		"a person settles it":       {[]memory.JudgeInput{say("cleo", "compatible", "x"), say("dan", "contradicts", "y"), say("", "compatible", "z")}, "dismissed", "ambiguous", "replaces", "", 3},
		"a person overrules":        {[]memory.JudgeInput{say("cleo", "compatible", "x"), say("", "contradicts", "seen")}, "open", "contradiction", "replaces", "seen", 2},
		"nobody overrules a person": {[]memory.JudgeInput{say("", "contradicts", "seen"), say("cleo", "compatible", "x")}, "open", "contradiction", "a person gave another verdict", "seen", 1},
		"the author's doubt":        {[]memory.JudgeInput{say("ann", "contradicts", "mine")}, "open", "ambiguous", "", "mine (says the author of one)", 1},
		"the author's is replaced":  {[]memory.JudgeInput{say("ann", "compatible", "mine"), say("cleo", "contradicts", "no")}, "open", "contradiction", "replaces", "no", 2},
		"an author does not object": {[]memory.JudgeInput{say("cleo", "contradicts", "no"), say("ann", "compatible", "mine")}, "open", "contradiction", "the author of a fact cannot change", "no", 1},
	} {
		t.Run(name, func(t *testing.T) {
			b := undecided(t)
			var last memory.Judged
			for _, in := range c.says {
				last = b.judge(in)
			}
			got := b.only(c.status)
			if got.Verdict != c.verdict || last.Status != c.status {
				t.Errorf("%s, %+v", got.Verdict, last)
			}
			if !strings.Contains(last.Note, c.note) || (c.note == "") != (last.Note == "") {
				t.Errorf("note %q, want %q", last.Note, c.note)
			}
			if c.explains != "" && !strings.Contains(got.Explanation, c.explains) {
				t.Errorf("explained %q, want %q", got.Explanation, c.explains)
			}
			if n := strings.Count(b.git("log", "--format=%h", "engram", "--", "risk/conflict"), "\n") + 1; n != c.versions {
				t.Errorf("%d versions, want %d", n, c.versions)
			}
		})
	}
}

// TestVerdictsSettleNothing: a conflict that the rules found stays open, and one that a
// person dismissed stays dismissed.
func TestVerdictsSettleNothing(t *testing.T) {
	b := clashing(t)
	in := memory.JudgeInput{Agent: "cleo", Verdicts: []memory.PairVerdict{
		{A: "architecture/infra/gateway-port", B: "domain/infra/gateway", Verdict: "compatible", Reason: "two of them"},
	}}
	if got := b.judge(in); got.Status != "open" || !strings.Contains(got.Note, "the rules found this conflict; settle it with `engram resolve ") {
		t.Errorf("%+v", got)
	}
	c := b.only("open")
	b.resolve(memory.ResolveInput{ConflictID: c.ConflictID, How: "dismissed", Reason: "two gateways"})
	in.Verdicts[0].Verdict = "contradicts"
	if got := b.judge(in); got.Status != "dismissed" || !strings.Contains(got.Note, "has settled") {
		t.Errorf("%+v", got)
	}

	// The same of a conflict that a judge opened and a person dismissed.
	b = undecided(t)
	b.judge(say("cleo", "contradicts", "x"))
	b.resolve(memory.ResolveInput{ConflictID: b.only("open").ConflictID, How: "dismissed", Reason: "no"})
	if got := b.judge(say("cleo", "contradicts", "x")); got.Status != "dismissed" || !strings.Contains(got.Note, "has settled") {
		t.Errorf("%+v", got)
	}
}

// TestVerdictsAreOfClaims: a verdict holds while both claims stay the same.
func TestVerdictsAreOfClaims(t *testing.T) {
	b := undecided(t)
	b.judge(say("cleo", "compatible", "x"))
	b.clock.add(1e9)
	if r := b.state(keyTwo, claimTwo, "ben"); !r.Duplicate || len(r.Related) != 0 {
		t.Errorf("said again: %+v", r)
	}
	r := b.state(keyTwo, "The checkout service keeps sessions for returning customers in the session store of the new shop.", "ben")
	if len(r.Related) != 1 || len(b.waiting(memory.UndecidedInput{})) != 1 {
		t.Fatalf("after a change: %+v", r)
	}
	b.clock.add(1e9)
	if got := b.judge(say("dan", "contradicts", "now they do")); got.Status != "open" || got.Note != "" {
		t.Errorf("%+v", got)
	}
}

// TestAgentsAreNoPersons: an agent cannot judge as a person by its name.
func TestAgentsAreNoPersons(t *testing.T) {
	b := undecided(t)
	for _, name := range []string{"a person", "a person, Ada"} {
		if _, err := b.Judge(t.Context(), say(name, "same", "x")); !errors.Is(err, memory.ErrUsage) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNobodyIsAskedTwice: what one clone judged is offered in no other.
func TestNobodyIsAskedTwice(t *testing.T) {
	team := newTeam(t, 2)
	ann, ben := team[0], team[1]
	ann.state(keyOne, claimOne, "ann")
	converge(t, team)
	ben.state(keyTwo, claimTwo, "ben")
	if len(ben.waiting(memory.UndecidedInput{})) != 1 {
		t.Fatal("ben's clone does not offer the pair")
	}
	converge(t, team)
	ann.judge(say("cleo", "compatible", "both hold"))
	converge(t, team)
	if pairs := ben.waiting(memory.UndecidedInput{}); len(pairs) != 0 {
		t.Errorf("ben is asked about %+v", pairs)
	}
	if c := ben.only("dismissed"); c.Reason != "compatible: both hold" || c.Tier != "judged" {
		t.Errorf("%+v", c)
	}
	if got := ben.judge(say("dan", "same", "y")); got.Note != "cleo gave the same verdict before" {
		t.Errorf("%+v", got)
	}
}

// TestJudgePermissions: a pair with a side that the reader may not read is neither shown nor
// judged, and a judge must be allowed to write in both scopes.
func TestJudgePermissions(t *testing.T) {
	b := newMemory(t)
	b.commit(memory.CommitInput{Key: keyOne, Claim: claimOne, Agent: "ann", Scope: "payments/hidden"})
	b.commit(memory.CommitInput{Key: keyTwo, Claim: claimTwo, Agent: "ben", Scope: "payments"})
	if len(b.waiting(memory.UndecidedInput{})) != 1 {
		t.Fatal("the pair is not offered")
	}
	b.agree("permissions:", "  - {agent: guest, scope: payments/hidden, read: false}", "  - {agent: scribe, scope: payments, write: false}")
	for reader, want := range map[string]int{"guest": 0, "scribe": 1, "": 1} {
		if pairs := b.waiting(memory.UndecidedInput{AskedBy: reader}); len(pairs) != want {
			t.Errorf("%q sees %d pairs", reader, len(pairs))
		}
	}
	r, err := b.Commit(t.Context(), memory.CommitInput{Key: "domain/infra/three", Claim: "Returning customers of the checkout service start with a coupon.", Agent: "guest", Scope: "payments"})
	if err != nil || len(r.Related) != 1 || r.Related[0].Key != keyTwo {
		t.Errorf("guest is offered %+v, %v", r.Related, err)
	}
	_, err = b.Judge(t.Context(), say("guest", "compatible", "x"))
	if code, _ := classified(err); code != memory.CodeNo || strings.Contains(fmt.Sprint(err), claimOne) {
		t.Errorf("guest: %v", err)
	}
	_, err = b.Judge(t.Context(), say("scribe", "compatible", "x"))
	refuses(t, err, "scribe", "payments/hidden", facts.Write)
	if list := b.conflicts(memory.ConflictsInput{Status: memory.AllStatuses}); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestWrongVerdicts(t *testing.T) {
	b := undecided(t)
	tip := b.tip()
	many := say("cleo", "compatible", "x")
	for len(many.Verdicts) < 21 {
		many.Verdicts = append(many.Verdicts, many.Verdicts[0])
	}
	twice := say("cleo", "compatible", "x")
	twice.Verdicts = append(twice.Verdicts, memory.PairVerdict{A: keyTwo, B: keyOne, Verdict: "contradicts", Reason: "y"})
	newer := say("cleo", "evolves", "x")
	newer.Verdicts[0].Newer = "domain/infra/three"
	needless := say("cleo", "same", "x")
	needless.Verdicts[0].Newer = keyOne
	unknown := say("cleo", "same", "x")
	unknown.Verdicts[0].B = "domain/infra/three"
	itself := say("cleo", "same", "x")
	itself.Verdicts[0].B = keyOne
	for name, c := range map[string]struct {
		in   memory.JudgeInput
		code memory.Code
		want string
	}{
		"none":              {memory.JudgeInput{}, memory.CodeUsage, "no verdict was given"},
		"too many":          {many, memory.CodeUsage, "21 verdicts in one call"},
		"a pair twice":      {twice, memory.CodeUsage, "two verdicts on"},
		"a misspelled one":  {say("cleo", "compatibel", "x"), memory.CodeUsage, "is not one of"},
		"no reason":         {say("cleo", "same", " \n"), memory.CodeUsage, "the reason is missing"},
		"a long reason":     {say("cleo", "same", strings.Repeat("x", 151)), memory.CodeUsage, "more than 150"},
		"another key":       {newer, memory.CodeUsage, "is neither "},
		"newer for same":    {needless, memory.CodeUsage, "the verdict same takes no newer fact"},
		"no such fact":      {unknown, memory.CodeNo, "domain/infra/three is not a durable current fact"},
		"a fact and itself": {itself, memory.CodeUsage, "are the same fact"},
	} {
		_, err := b.Judge(t.Context(), c.in)
		if code, _ := classified(err); err == nil || code != c.code || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var secret *memory.SecretError
	if _, err := b.Judge(t.Context(), say("cleo", "same", "it is "+marker)); !errors.As(err, &secret) || secret.Field != "reason" || strings.Contains(err.Error(), marker) {
		t.Errorf("a secret: %v", err)
	}
	if b.tip() != tip {
		t.Error("something was written")
	}
	if len(b.waiting(memory.UndecidedInput{Limit: 1})) != 1 {
		t.Error("the pair is not offered any more")
	}
}

// TestBriefOffersPairs: at most three, within the budget, and before facts of less weight.
func TestBriefOffersPairs(t *testing.T) {
	b := undecided(t)
	for i := range 4 {
		b.state(fmt.Sprintf("domain/infra/more%d", i), claimTwo+fmt.Sprintf(" They like shop %c.", 'p'+i), "ben")
	}
	r, err := b.Brief(t.Context(), memory.BriefInput{})
	if err != nil || len(r.Undecided) != 3 || !strings.Contains(r.Text(), "## Not judged yet") || r.Tokens > memory.DefaultBriefBudget {
		t.Fatalf("%+v, %v\n%s", r.Undecided, err, r.Text())
	}
	r, err = b.Brief(t.Context(), memory.BriefInput{Budget: 150})
	if err != nil || r.Tokens > 150 {
		t.Errorf("%d tokens, %v", r.Tokens, err)
	}
}
