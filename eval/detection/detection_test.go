package detection_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"engram/eval/corpus"
	"engram/eval/detection"
	"engram/facts"
	"engram/memory"
)

var update = flag.Bool("update", false, "rewrite the golden files in eval/testdata")

// TestOpenPairs makes a change of the rules a diff of
// testdata/golden/detection-pairs.golden. Write it anew with -update, and look
// at it.
func TestOpenPairs(t *testing.T) {
	report, err := detection.Run(context.Background(), "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Suites) != 1 || report.Suites[0].Name != "pairs" || report.SchemaVersion != memory.SchemaVersion {
		t.Fatalf("%d suites ran, version %d; want pairs alone", len(report.Suites), report.SchemaVersion)
	}
	if s := report.Suites[0]; s.Pairs < 200 || s.Positives < 100 || s.P50 <= 0 {
		t.Errorf("%d pairs, %d positives, %f µs a pair", s.Pairs, s.Positives, s.P50)
	}
	dir := filepath.Join("..", "testdata", "golden")
	if *update {
		if err := report.WriteGolden(dir); err != nil {
			t.Fatal(err)
		}
	}
	diff, err := report.DiffGolden(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff != "" {
		t.Errorf("detection changed; if for the better, go test ./eval -run TestOpenPairs -update:\n%s", diff)
	}
}

func TestDetectionRefuses(t *testing.T) {
	tests := []struct {
		name  string
		suite string
		opts  detection.Options
		want  error
	}{
		{"an unknown suite", "par", detection.Options{}, corpus.ErrUnknownSuite},
		{"a suite without its data", "edits", detection.Options{}, corpus.ErrNoData},
		{"to show what is held", detection.SuiteHeld, detection.Options{Show: true}, detection.ErrHeld},
	}
	for _, tt := range tests {
		if _, err := detection.Run(context.Background(), "", []string{tt.suite}, &tt.opts); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := detection.Run(ctx, "", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that was cancelled: %v", err)
	}
}

// finds is a stand-in for the rules: a text that names a verdict is found with
// it.
func finds(a, b facts.Fact) (memory.Clash, bool) {
	for _, verdict := range []string{"contradiction", "evolution", "ambiguous"} {
		if strings.Contains(b.Claim, verdict) {
			return memory.Clash{Tier: "tier-" + verdict, Verdict: verdict, Explanation: "it says so"}, true
		}
	}
	return memory.Clash{}, false
}

// writeData writes a folder of data with one of its files.
func writeData(t *testing.T, path string, lines ...string) string {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func measure(t *testing.T, data, suite string, opts detection.Options) detection.Suite {
	t.Helper()
	report, err := detection.Run(context.Background(), data, []string{suite}, &opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Suites) != 1 {
		t.Fatalf("%d suites ran", len(report.Suites))
	}
	return report.Suites[0]
}

// TestDetectionCounts is checked by hand: of 4 positive pairs 3 are flagged, of
// 4 negative ones 1, and the baseline flags a1 and b1.
func TestDetectionCounts(t *testing.T) {
	data := writeData(t, "nli/structured_fact_pairs.jsonl",
		`{"id":"a1","label":"contradiction","kind":"k1","text_a":"the pool is 5 contradiction","text_b":"the pool is 6 contradiction"}`,
		`{"id":"a2","label":"contradiction","kind":"k1","text_a":"x","text_b":"evolution"}`,
		`{"id":"a3","label":"contradiction","kind":"k2","text_a":"x","text_b":"missed"}`,
		`{"id":"a4","label":"evolution","kind":"k2","text_a":"x","text_b":"ambiguous"}`,
		`{"id":"b1","label":"compatible","kind":"k3","text_a":"the pool is big","text_b":"the pool is not big"}`,
		`{"id":"b2","label":"compatible","kind":"k3","text_a":"x","text_b":"contradiction"}`,
		`{"id":"b3","label":"equivalent","text_a":"x","text_b":"y"}`,
		`{"id":"b4","label":"equivalent","text_a":"x","text_b":"y"}`,
		`{"id":"c1","label":"shrug","text_a":"x","text_b":"contradiction"}`,
	)
	got := measure(t, data, "structured", detection.Options{Compare: finds})
	want := detection.Suite{
		Name: "structured", Notes: []string{`pairs left out because their label is "shrug": 1`}, Pairs: 8, Positives: 4,
		Rows: []detection.Row{
			{"all", "engram", 8, 4, 4, 3, 0.75, 0.75, 0.75, 250},
			{"all", "naive", 8, 4, 2, 1, 0.5, 0.25, 1. / 3, 250},
			{"k1", "engram", 2, 2, 2, 2, 1, 1, 1, 0},
			{"k1", "naive", 2, 2, 1, 1, 1, 0.5, 2. / 3, 0},
			{"k2", "engram", 2, 2, 1, 1, 1, 0.5, 2. / 3, 0},
			{"k2", "naive", 2, 2, 0, 0, 0, 0, 0, 0},
			{"k3", "engram", 2, 0, 1, 0, 0, 0, 0, 500},
			{"k3", "naive", 2, 0, 1, 0, 0, 0, 0, 500},
		},
		Labels: []detection.LabelRow{
			{"contradiction", true, 3, 1, 1, 0, 2. / 3, 1. / 3, 0.5},
			{"evolution", true, 1, 0, 0, 1, 1, 0, 0},
			{"compatible", false, 2, 1, 0, 0, 0.5, 0.5, 0},
			{"paraphrase", false, 2, 0, 0, 0, 0, 0, 0},
		},
		Tiers: []detection.TierRow{{"tier-ambiguous", 1, 1, 1}, {"tier-contradiction", 2, 1, 0.5}, {"tier-evolution", 1, 1, 1}},
		Wrong: []detection.WrongPair{{ID: "a3", Label: "contradiction"}, {ID: "b2", Label: "compatible", Verdict: "contradiction", Tier: "tier-contradiction"}},
	}
	ignored := cmpopts.IgnoreFields(detection.Suite{}, "About", "P50", "P95")
	if diff := cmp.Diff(want, got, ignored, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestShow: what a person sees of a wrong pair, and that nobody does unasked.
func TestShow(t *testing.T) {
	data := writeData(t, "nli/git_edit_contradictions.reviewed.jsonl",
		`{"id":"e1","label":"contradiction","change":"number","old":"one  thing","new":"another","date":"2026-03-02T10:00:00+02:00"}`)
	if err := os.WriteFile(filepath.Join(data, "nli", "git_edit_equivalent.auto.jsonl"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	shown, err := json.Marshal(measure(t, data, "edits", detection.Options{Compare: finds, Show: true}).Wrong)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"id":"e1","label":"contradiction","verdict":"","tier":"",` +
		`"a":{"claim":"one thing","scope":"measured","agent_id":"agent-a","valid_from":"2026-01-31T08:00:00Z"},` +
		`"b":{"claim":"another","scope":"measured","agent_id":"agent-b","valid_from":"2026-03-02T08:00:00Z"}}]`
	if diff := cmp.Diff(want, string(shown)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	hidden := measure(t, data, "edits", detection.Options{Compare: finds})
	if w := hidden.Wrong[0]; w.A != nil || w.B != nil || w.Explanation != "" {
		t.Errorf("unasked it shows %+v", w)
	}
	if strings.Contains(hidden.Golden(), "another") {
		t.Errorf("the golden file quotes a claim:\n%s", hidden.Golden())
	}
}

// TestProse measures by grade on the pairs of the project: these are what the weights
// were made from, so that the bounds only notice a change for the worse.
func TestProse(t *testing.T) {
	s := measure(t, "", "prose-train", detection.Options{})
	if len(s.Grades) < 2 || s.Pairs < 5000 {
		t.Fatalf("%d grades of %d pairs", len(s.Grades), s.Pairs)
	}
	sure, likely := s.Grades[0], s.Grades[1]
	if sure.Precision < 0.85 || likely.Precision < 0.72 || likely.Recall < 0.58 {
		t.Errorf("contradiction %.3f of %.3f, likely %.3f of %.3f", sure.Precision, sure.Recall, likely.Precision, likely.Recall)
	}
	if sure.PrecisionLow > sure.Precision || sure.PrecisionHigh < sure.Precision {
		t.Errorf("the interval %.3f-%.3f is not around %.3f", sure.PrecisionLow, sure.PrecisionHigh, sure.Precision)
	}
}
