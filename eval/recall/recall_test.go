package recall

import (
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestPlant: a seed makes the same trace again, a needle has the shape of its kind, is in the
// trace, and never in the question that asks for it.
func TestPlant(t *testing.T) {
	plant := func() ([]said, []needle, asked) {
		return maker{Rand: rand.New(rand.NewPCG(1, 2)), used: make(map[string]bool)}.plant(2)
	}
	events, needles, _ := plant()
	again, _, _ := plant()
	if !reflect.DeepEqual(events, again) {
		t.Error("the same seed made another trace")
	}
	var all strings.Builder
	for _, e := range events {
		all.WriteString(e.text + "\n")
	}
	for _, n := range needles {
		kind := n.kind
		if kind == Reworded {
			kind = Rationale
		}
		if !strings.Contains(all.String(), n.value) || strings.Contains(n.question, n.value) || !shape[kind].MatchString(n.value) {
			t.Errorf("%s: needle %q, question %q", n.kind, n.value, n.question)
		}
	}
}

// TestJudge: half of a needle is partial, another one of its shape that stands first is false.
func TestJudge(t *testing.T) {
	n := needle{kind: Failure, value: "ETIMEDOUT 10.1.2.3:4567"}
	for text, want := range map[string][3]bool{
		"stopped: ETIMEDOUT 10.1.2.3:4567": {true, false, false},
		"stopped: ETIMEDOUT 10.9.9.9:1111": {false, true, true},
		"nothing of the kind":              {false, false, false},
	} {
		if p := judge(n, []string{text}); [3]bool{p.Exact, p.Partial, p.False} != want {
			t.Errorf("%q: %+v", text, p)
		}
	}
}

// TestNeedles measures one trace and compares the shares with the golden file. `engram-eval needles
// --traces 1 --golden eval/testdata/golden --update` writes it anew.
func TestNeedles(t *testing.T) {
	report, err := Needles(t.Context(), NeedlesInput{Traces: 1, Seed: 1}, func(string, int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	diff, err := report.DiffGolden(filepath.Join("..", "testdata", "golden"))
	if err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// TestNear: a line near a needle has its subject or its attribute, and never its value.
func TestNear(t *testing.T) {
	m := maker{Rand: rand.New(rand.NewPCG(1, 2)), used: make(map[string]bool)}
	planted, needles, subjects := m.plant(0)
	flow := m.source(nil, 0, 1, planted) // before the subjects are known
	m.near = &subjects
	m.bury(planted)
	for i, n := range needles[:4] {
		if !strings.Contains(planted[4*i+1].text, n.value) || strings.Count(planted[4*i+1].text, "\n") < 50 {
			t.Errorf("the %s is not in the middle of other output", n.kind)
		}
	}
	flood := flow(11)[1].text
	for i, subject := range subjects {
		if !strings.Contains(flood, subject) {
			t.Errorf("nothing is near the %s", needles[i].kind)
		}
		if strings.Contains(flood, needles[i].value) {
			t.Errorf("the %s is in what distracts from it", needles[i].kind)
		}
	}
}

// TestAblate: with every factor the sentence that holds is first; without any it is not always.
func TestAblate(t *testing.T) {
	report, err := Needles(t.Context(), NeedlesInput{Traces: 1, Seed: 1, Ablate: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := make(map[string]float64)
	for _, row := range report.Rows {
		if row.Kind == "" && row.Window == budget {
			first[row.Condition] = row.First
		}
	}
	if len(first) != len(ablations) || first["every factor"] <= first["without any"] {
		t.Errorf("first: %v", first)
	}
}
