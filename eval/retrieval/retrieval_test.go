package retrieval_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"engram/eval/corpus"
	"engram/eval/retrieval"
	"engram/memory"
)

var update = flag.Bool("update", false, "write the golden files")

// TestMain shuts out the configuration of whoever runs the tests.
func TestMain(m *testing.M) {
	flag.Parse()
	home, err := os.MkdirTemp("", "engram-home")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOME", home)
	os.Setenv("XDG_CONFIG_HOME", home)
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// TestBuiltinSuite makes a change of the ranking a diff of
// testdata/golden/builtin.golden. Write it anew with -update, and look at it.
func TestBuiltinSuite(t *testing.T) {
	report, err := retrieval.Run(context.Background(), "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Suites) != 1 || report.SchemaVersion != memory.SchemaVersion {
		t.Fatalf("report of %d suites, version %d", len(report.Suites), report.SchemaVersion)
	}
	s := report.Suites[0]
	if s.Facts < 60 || s.Questions < 80 || len(s.Notes) > 0 {
		t.Errorf("%d facts, %d questions, notes %v", s.Facts, s.Questions, s.Notes)
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
		t.Errorf("the ranking changed; if for the better, go test ./eval/retrieval -update:\n%s", diff)
	}
}

// secretWarehouse takes every text on the warehouse for a secret.
type secretWarehouse struct{}

func (secretWarehouse) Redact(text string) (string, []string) { return text, nil }

func (secretWarehouse) Scan(text string) (string, bool) {
	return "warehouse", strings.Contains(text, "warehouse")
}

func TestSecretsAreLeftOut(t *testing.T) {
	report, err := retrieval.Run(context.Background(), "", []string{"builtin"}, &corpus.Options{Scanner: secretWarehouse{}})
	if err != nil {
		t.Fatal(err)
	}
	s := report.Suites[0]
	if s.Facts != 63 || s.Questions != 85 || len(s.Notes) != 1 {
		t.Errorf("%d facts, %d questions, notes %v", s.Facts, s.Questions, s.Notes)
	}
}

func TestRetrievalRefuses(t *testing.T) {
	if _, err := retrieval.Run(context.Background(), "", []string{"bultin"}, nil); !errors.Is(err, corpus.ErrUnknownSuite) {
		t.Errorf("an unknown suite: %v", err)
	}
	if _, err := retrieval.Run(context.Background(), "", []string{"questions"}, nil); !errors.Is(err, corpus.ErrNoData) {
		t.Errorf("a suite without its data: %v", err)
	}
}

func TestDiffGolden(t *testing.T) {
	s := retrieval.SuiteReport{
		Name: "s", Systems: []string{"grep", "engram"}, Rows: []retrieval.Row{{Subset: "all", System: "grep", Hit: make([]float64, 10)}},
		Queries: []retrieval.Query{{"q1", []int{1, 0}}, {"q2", []int{2, 3}}, {"q2", []int{4, 4}}},
	}
	r, dir := retrieval.Report{Suites: []retrieval.SuiteReport{s}}, t.TempDir()
	if diff, err := r.DiffGolden(dir); err != nil || !strings.Contains(diff, "is missing") {
		t.Errorf("without a file: %q, %v", diff, err)
	}
	if err := r.WriteGolden(dir); err != nil {
		t.Fatal(err)
	}
	if diff, err := r.DiffGolden(dir); err != nil || diff != "" {
		t.Errorf("against itself: %q, %v", diff, err)
	}
	s.Queries = []retrieval.Query{{"q1", []int{1, 7}}, {"q2", []int{2, 3}}, {"q3", []int{1, 1}}}
	diff, err := retrieval.Report{Suites: []retrieval.SuiteReport{s}}.DiffGolden(dir)
	if err != nil {
		t.Fatal(err)
	}
	var changed []string
	for line := range strings.Lines(diff) {
		if words := strings.Fields(line); words[0] != "---" && words[0] != "+++" {
			changed = append(changed, strings.Join(words, " "))
		}
	}
	if got, want := strings.Join(changed, "\n"), "-q1 1 -\n+q1 1 7\n+q3 1 1\n-q2 4 4"; got != want {
		t.Errorf("the diff is\n%s\nwant\n%s", got, want)
	}
}

// TestSharedData runs the suites over the shared data, where that is.
func TestSharedData(t *testing.T) {
	data := os.Getenv("ENGRAM_DATA")
	if data == "" {
		t.Skip("ENGRAM_DATA names no folder of shared data")
	}
	report, err := retrieval.Run(context.Background(), data, []string{"commit-session", "devmembench", "questions"}, &corpus.Options{LimitFacts: 600})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Suites) != 4 {
		t.Fatalf("%d suites ran", len(report.Suites))
	}
	for _, s := range report.Suites {
		if s.Questions < 50 {
			t.Errorf("%s: %d questions", s.Name, s.Questions)
		}
		for _, r := range s.Rows {
			if r.Subset == "all" && r.Hit[9] < 0.3 {
				t.Errorf("%s: %s finds next to nothing: hit@10 %.3f", s.Name, r.System, r.Hit[9])
			}
		}
	}
}
