package memory_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/bus/ledger"
	"engram/memory"
)

// TestTelemetry: what happened is counted, and no claim, path or text of a message
// gets into any file of the ledger.
func TestTelemetry(t *testing.T) {
	b := newBus(t, memory.BusOptions{})
	before, err := b.Telemetry(t.Context())
	if err != nil || before.ContradictionRate != nil || len(before.Events) != 0 || before.Revision != b.tip() {
		t.Errorf("%+v, %v", before, err)
	}
	g := b.grant(memory.GrantInput{Child: "coder", Pointer: "a/one.go:1-3"})
	b.pulled("coder", b.ref("repo:a/one.go#L1-L3"), g.BudgetToken)
	for range 3 {
		b.pulled("coder", b.ref("repo:a/two.go#L1"), "")
	}
	if _, err := b.deref("coder", b.ref("repo:b/four.go#L1"), "", 50); err == nil {
		t.Fatal("a fourth")
	}
	if _, err := b.deref("coder", b.ref("repo:no/such.go"), g.BudgetToken, 50); err == nil {
		t.Fatal("no such file")
	}
	got, err := b.Telemetry(t.Context())
	want := map[ledger.Name]int{ledger.DerefGrant: 1, ledger.DerefRequest: 4, ledger.BudgetReject: 2}
	if diff := cmp.Diff(want, got.Events); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if r := got.Roles[""]; r.Derefs != 4 || r.Turns != 1 || got.Codes["DEREF_DENIED"] != 2 {
		t.Errorf("%+v", got.Counters)
	}
	events, err := b.Events(t.Context(), 2)
	if err != nil || len(events.Events) != 2 || events.Events[0].Limit != "max_repo_spans" || events.Events[1].Limit != "budget_token" {
		t.Errorf("%+v, %v", events, err)
	}
	if _, err := b.Events(t.Context(), -1); err == nil {
		t.Error("-1 events")
	}
	for _, name := range []string{"events.jsonl", "counters.json", "turns.json"} {
		raw, err := os.ReadFile(filepath.Join(b.dir, ".git", "engram", "bus", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{".go", "a/", "b/", b.head, "eg1.", "func", "package"} {
			if strings.Contains(string(raw), text) {
				t.Errorf("%s holds %q:\n%s", name, text, raw)
			}
		}
	}
}

// TestMetricsAreOpenMetrics holds the text against the rules of the format: families
// in one piece, a type before each sample, counters that end in _total, units in
// names, escaped labels, and an end.
func TestMetricsAreOpenMetrics(t *testing.T) {
	half := 0.5
	r := memory.TelemetryResult{Counters: memory.Counters{
		Events: map[ledger.Name]int{ledger.EngramPut: 3, ledger.BudgetReject: 1}, Kinds: map[string]int{"risk": 2, "fact": 1},
		Contradictions: 1, Accepted: 2, Rejected: 1, Resent: 1, Codes: map[string]int{"BUDGET_EXCEEDED": 1},
		Roles: map[string]ledger.RoleSums{"": {Derefs: 1}, "a \"b\"\\\nc": {Messages: 2, InlineTokens: 700, Derefs: 5, DerefTokens: 900, Turns: 2}},
	}, ContradictionRate: &half, ResendRate: &half}
	text := r.MetricsText()
	if !strings.HasSuffix(text, "\n# EOF\n") || strings.Count(text, "# EOF") != 1 {
		t.Error("no end")
	}
	for _, want := range []string{
		`engram_bus_inline_tokens_sum{role="a \"b\"\\\nc"} 700`, `engram_bus_inline_tokens_count{role="a \"b\"\\\nc"} 2`,
		`engram_bus_events_total{event="less.engram.put"} 3`, "engram_bus_resend_ratio 0.5", "# UNIT engram_bus_deref_tokens tokens",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("it has no line %s", want)
		}
	}
	sample := regexp.MustCompile(`^([a-z_]+)(\{[a-z]+="(?:[^"\\\n]|\\[\\"n])*"\})? (-?[0-9.e+-]+)$`)
	suffixes := map[string][]string{"counter": {"_total"}, "gauge": {""}, "summary": {"_sum", "_count"}}
	family, kind := "", ""
	families, samples := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(strings.TrimSuffix(text, "# EOF\n")) {
		line = strings.TrimSuffix(line, "\n")
		words := strings.SplitN(line, " ", 4)
		if words[0] == "#" {
			switch words[1] {
			case "TYPE":
				if family, kind = words[2], words[3]; families[family] || suffixes[kind] == nil {
					t.Errorf("again, or of no type: %s", line)
				}
				families[family] = true
			case "UNIT":
				if words[2] != family || !strings.HasSuffix(family, "_"+words[3]) {
					t.Errorf("a unit that is not in the name: %s", line)
				}
			case "HELP":
				if words[2] != family {
					t.Errorf("out of its family: %s", line)
				}
			default:
				t.Errorf("not of the format: %s", line)
			}
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil || samples[m[1]+m[2]] {
			t.Fatalf("not of the format, or again: %s", line)
		}
		samples[m[1]+m[2]] = true
		ok := false
		for _, suffix := range suffixes[kind] {
			ok = ok || m[1] == family+suffix
		}
		if !ok {
			t.Errorf("no sample of %s %s: %s", kind, family, line)
		}
	}
	if len(families) != 11 {
		t.Errorf("%d families", len(families))
	}
}
