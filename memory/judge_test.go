package memory_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/memory"
)

// scripted is an NLI that says of each pair what a test wants, whatever the
// order of the two. The real one is tested with its model, from the command.
type scripted struct {
	contradiction, entailment float64
	asked                     atomic.Int32
	slow                      time.Duration
}

func (s *scripted) Entail(ctx context.Context, _, _ string) (c, e, n float64, err error) {
	s.asked.Add(1)
	select {
	case <-ctx.Done():
		return 0, 0, 0, ctx.Err()
	case <-time.After(s.slow):
	}
	return s.contradiction, s.entailment, 1 - s.contradiction - s.entailment, nil
}

// answering is a language model that gives one answer to everything.
type answering struct {
	answer string
	err    error
	asked  atomic.Int32
	last   string
}

func (a *answering) Complete(_ context.Context, system, user string) (string, error) {
	a.asked.Add(1)
	a.last = system + user
	return a.answer, a.err
}

const (
	yes = `{"verdict":{"contradicts":true,"explanation":"one caches, the other does not","severity":"high"}}`
	no  = `{"verdict":{"contradicts":false,"explanation":"both can hold","severity":"low"}}`
)

// vague is a memory with two facts that share words and that the rules have
// nothing against.
func vague(t *testing.T, models memory.Models) bench {
	t.Helper()
	dir := newRepo(t)
	c := newClock()
	m, err := memory.Open(t.Context(), dir, markerScanner{}, &memory.Options{Now: c.Now, NewID: numbered, Models: models})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	b := bench{m, t, dir, c}
	if _, err := b.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.state("domain/infra/one", claimOne, "ann")
	b.state("domain/infra/two", claimTwo, "ben")
	return b
}

func TestNLI(t *testing.T) {
	for _, c := range []struct {
		name              string
		says              *scripted
		severity, verdict string // "" for none
		corroborated      int
	}{
		{"flags", &scripted{contradiction: 0.9}, "high", "contradiction", 0},
		{"doubts", &scripted{contradiction: 0.7}, "low", "ambiguous", 0},
		{"sees none", &scripted{contradiction: 0.2}, "", "", 0},
		{"corroborates", &scripted{entailment: 0.9}, "", "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := vague(t, memory.Models{NLI: c.says, NLIID: "scripted"})
			// One engineer commits both facts here; two agents do.
			if c.severity == "high" {
				c.severity = "medium"
			}
			// Of what shares words but is about something else, the model is not asked.
			b.state("domain/infra/three", "The building has a bicycle cellar.", "ann")
			r := b.audit(memory.AuditInput{})
			if r.Judged != 1 || c.says.asked.Load() != 2 {
				t.Errorf("judged %d pairs with %d questions", r.Judged, c.says.asked.Load())
			}
			if len(r.Corroborated) != c.corroborated {
				t.Errorf("corroborated %v", r.Corroborated)
			}
			if n := b.corroborations("returning customers"); n != 2*c.corroborated {
				t.Errorf("%d facts are corroborated", n)
			}
			if c.severity == "" {
				if len(r.Opened) != 0 {
					t.Errorf("opened %+v", r.Opened)
				}
				return
			}
			if got := b.only("open"); got.Severity != c.severity || got.Verdict != c.verdict || got.Tier != "tier1_nli" || !strings.Contains(got.Basis, "scripted") {
				t.Errorf("%+v, basis %q", got.Clash, got.Basis)
			}
		})
	}
}

// TestNoModelIsSaid: the tier is absent, and the result says so.
func TestNoModelIsSaid(t *testing.T) {
	b := vague(t, memory.Models{})
	for _, tier := range b.audit(memory.AuditInput{}).Tiers {
		if tier == "tier1_nli" || tier == "tier3_llm" {
			t.Errorf("%s took part", tier)
		}
	}
}

// naming is a tagger that takes the first word of a text for a product.
type naming struct{ asked int }

func (n *naming) Tag(_ context.Context, text string) ([]detect.Tag, error) {
	n.asked++
	return []detect.Tag{{Label: "PRODUCT", Start: 0, End: strings.IndexByte(text, ' ')}}, nil
}

// TestTagger is asked about each claim once, across audits.
func TestTagger(t *testing.T) {
	tagger := &naming{}
	b := vague(t, memory.Models{Tagger: tagger})
	b.audit(memory.AuditInput{})
	b.audit(memory.AuditInput{All: true})
	if tagger.asked != 2 {
		t.Errorf("asked %d times about two claims", tagger.asked)
	}
}

// TestNLIOutOfTime leaves pairs for the next audit, and says so.
func TestNLIOutOfTime(t *testing.T) {
	nli := &scripted{contradiction: 0.9, slow: time.Minute}
	b := vague(t, memory.Models{NLI: nli, NLIID: "scripted"})
	r := b.audit(memory.AuditInput{Budget: time.Millisecond})
	if r.Undecided != 1 || r.Unreached != 1 || len(r.Opened) != 0 || len(r.Notes) == 0 {
		t.Fatalf("%+v", r)
	}
	nli.slow = 0
	if r := b.audit(memory.AuditInput{}); r.Facts != 0 || len(r.Opened) != 1 || r.Undecided != 0 {
		t.Errorf("the next audit: %+v", r)
	}
}

func TestLLM(t *testing.T) {
	for _, c := range []struct {
		name      string
		llm       *answering
		severity  string // "" for none
		tier      string
		undecided int
	}{
		{"confirms", &answering{answer: yes}, "medium", "tier3_llm", 0},
		{"denies", &answering{answer: no}, "", "", 0},
		{"bad JSON", &answering{answer: "I think so."}, "low", "tier1_nli", 1},
		{"unreachable", &answering{err: errors.New("connection refused")}, "low", "tier1_nli", 1},
		{"tells a secret", &answering{answer: strings.Replace(yes, "one caches", marker, 1)}, "low", "tier1_nli", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := vague(t, memory.Models{NLI: &scripted{contradiction: 0.7}, NLIID: "scripted", LLM: c.llm, LLMID: "script"})
			r := b.audit(memory.AuditInput{})
			if r.Asked != 1 || r.Undecided != c.undecided {
				t.Errorf("asked %d, undecided %d", r.Asked, r.Undecided)
			}
			if strings.Contains(c.llm.last, "domain/infra") || !strings.Contains(c.llm.last, "in the session store") {
				t.Error("the model sees more or less than the claims")
			}
			if c.severity == "" {
				if len(r.Opened) != 0 {
					t.Errorf("opened %+v", r.Opened)
				}
				return
			}
			if got := b.only("open"); got.Severity != c.severity || got.Tier != c.tier {
				t.Errorf("%+v", got.Clash)
			}
			if c.undecided == 0 {
				return
			}
			// What was left undecided is asked again, and then judged.
			c.llm.answer, c.llm.err = yes, nil
			if r := b.audit(memory.AuditInput{}); len(r.Opened) != 1 || r.Undecided != 0 {
				t.Errorf("asked again: %+v", r)
			}
			if got := b.only("open"); got.Severity != "medium" || got.Tier != "tier3_llm" {
				t.Errorf("asked again: %+v", got.Clash)
			}
		})
	}
}

// TestDoubtIsCleared: a pair that was in doubt and that the language model sees
// nothing in is closed.
func TestDoubtIsCleared(t *testing.T) {
	llm := &answering{answer: "no idea"}
	b := vague(t, memory.Models{NLI: &scripted{contradiction: 0.7}, NLIID: "scripted", LLM: llm, LLMID: "script"})
	b.audit(memory.AuditInput{})
	b.only("open")
	llm.answer = no
	if r := b.audit(memory.AuditInput{}); len(r.Closed) != 1 {
		t.Errorf("closed %d", len(r.Closed))
	}
	if c := b.only("dismissed"); c.ResolvedBy != detect.Auditor {
		t.Errorf("dismissed by %s", c.ResolvedBy)
	}
	asked := llm.asked.Load()
	if r := b.audit(memory.AuditInput{All: true}); len(r.Opened)+len(r.Closed) != 0 || llm.asked.Load() != asked {
		t.Errorf("asked again: %+v", r)
	}
	// A clone without the language model leaves it at that.
	other, err := memory.Open(t.Context(), b.dir, markerScanner{}, &memory.Options{Now: b.clock.Now, NewID: numbered, Models: memory.Models{NLI: &scripted{contradiction: 0.7}}})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if r, err := other.Audit(t.Context(), memory.AuditInput{All: true}); err != nil || len(r.Opened) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestUnansweredIsAskedAgain by the next audit, though nothing has changed.
func TestUnansweredIsAskedAgain(t *testing.T) {
	llm := &answering{err: errors.New("500")}
	b := vague(t, memory.Models{LLM: llm, LLMID: "script", HighStakes: []string{"infra"}})
	if r := b.audit(memory.AuditInput{}); r.Undecided != 1 {
		t.Fatalf("%+v", r)
	}
	llm.answer, llm.err = yes, nil
	if r := b.audit(memory.AuditInput{}); r.Facts != 0 || r.Asked != 1 || len(r.Opened) != 1 {
		t.Errorf("%+v", r)
	}
}

// TestBrokenModelIsNoFailure: the tier is absent, and the pairs are kept.
func TestBrokenModelIsNoFailure(t *testing.T) {
	b := vague(t, memory.Models{NLI: broken{}, NLIID: "broken"})
	if r := b.audit(memory.AuditInput{}); r.Undecided != 1 || !strings.Contains(strings.Join(r.Notes, " "), "was skipped") {
		t.Errorf("%+v", r)
	}
}

type broken struct{}

func (broken) Entail(context.Context, string, string) (c, e, n float64, err error) {
	return 0, 0, 0, errors.New("the graph is garbage")
}

// TestHighStakes: pairs of such scopes go to the language model, though nothing
// else finds anything.
func TestHighStakes(t *testing.T) {
	llm := &answering{answer: yes}
	b := vague(t, memory.Models{LLM: llm, LLMID: "script", HighStakes: []string{"infra"}})
	if r := b.audit(memory.AuditInput{}); len(r.Opened) != 1 || r.Asked != 1 {
		t.Errorf("%+v", r)
	}
	llm = &answering{answer: yes}
	b = vague(t, memory.Models{LLM: llm, LLMID: "script", HighStakes: []string{"billing"}})
	if r := b.audit(memory.AuditInput{}); len(r.Opened) != 0 || r.Asked != 0 {
		t.Errorf("%+v", r)
	}
}

// TestCalibrationIsRecorded: a hundred judged findings move the threshold, and
// the next audit keeps it on the branch.
func TestCalibrationIsRecorded(t *testing.T) {
	b := vague(t, memory.Models{NLI: &scripted{}, NLIID: "scripted"})
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var texts []string
	for i := range detect.FeedbackStep {
		texts = append(texts, judgedConflict(t, i, at.Add(time.Duration(i)*time.Hour)))
	}
	b.placeAll(texts)
	r, err := b.Thresholds(t.Context())
	if err != nil || r.Feedback != 100 || r.Dismissed != 50 || r.High != 0.87 || r.Default != 0.85 {
		t.Fatalf("%+v, %v", r, err)
	}
	b.audit(memory.AuditInput{})
	if f := b.get("calibration/detection/nli-threshold"); !strings.Contains(f.Claim, "0.870") {
		t.Errorf("recorded: %s", f.Claim)
	}
	tip := b.tip()
	b.audit(memory.AuditInput{All: true})
	if b.tip() != tip {
		t.Error("it was recorded twice")
	}
}

// judgedConflict is the text of a conflict of the NLI that somebody settled; of
// two, one was dismissed.
func judgedConflict(t *testing.T, i int, at time.Time) string {
	t.Helper()
	side := func(name string, n int) facts.Fact {
		return facts.Fact{
			Key: facts.Key{Namespace: "domain", Category: "gone", Identifier: fmt.Sprintf("%s%d", name, i)},
			ID:  fmt.Sprintf("01ARZ3NDEKTSV4RRFFR%07d", 2*i+n), Lineage: fmt.Sprintf("01ARZ3NDEKTSV4RRFFR%07d", 2*i+n),
			Claim: name, ValidFrom: at,
		}
	}
	f := detect.Finding{Tier: detect.TierNLI, Severity: detect.High, Verdict: detect.Genuine, Score: 0.9, Explanation: "they differ"}
	how := detect.ByWinner
	if i%2 == 0 {
		how = detect.ByDismissal
	}
	c := detect.NewConflict(side("a", 0), side("b", 1), f, "nli").Settle(how, "", "looked", at.Add(time.Minute))
	return string(facts.Marshal(c.Fact()))
}

// placeAll puts conflicts on the branch in one commit.
func (b bench) placeAll(texts []string) {
	b.t.Helper()
	tree := filepath.Join(b.t.TempDir(), "tree")
	b.git("worktree", "add", "-q", tree, "engram")
	defer b.git("worktree", "remove", "--force", tree)
	for _, text := range texts {
		f, err := facts.Parse([]byte(text))
		if err != nil {
			b.t.Fatal(err)
		}
		path := filepath.Join(tree, f.Key.Path())
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
	b.git("-C", tree, "add", "-A")
	b.git("-C", tree, "commit", "-q", "-m", "judged")
}

// corroborations counts the hits that other agents corroborate.
func (b bench) corroborations(question string) (n int) {
	b.t.Helper()
	r, err := b.Query(b.t.Context(), memory.QueryInput{Question: question})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, h := range r.Results {
		n += h.Corroborated
	}
	return n
}
