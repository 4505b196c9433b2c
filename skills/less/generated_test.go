package less_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSchemasAgreeOnGeneratedMessages composes messages of values that are fine and of
// such that are not, any number of them at once.
func TestSchemasAgreeOnGeneratedMessages(t *testing.T) {
	s := resolved(t, "child-message")
	fine, wrong := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		b, err := json.Marshal(anyMessage(r))
		if err != nil {
			r.Fatal(err)
		}
		var value any
		if err := json.Unmarshal(b, &value); err != nil {
			r.Fatal(err)
		}
		if s.Validate(value) == nil {
			fine++
		} else {
			wrong++
		}
		agree(t, s, "generated", string(b), false)
		if t.Failed() {
			r.FailNow()
		}
	})
	if fine == 0 || wrong == 0 {
		t.Errorf("%d fine, %d wrong: one of the two was never tried", fine, wrong)
	}
}

// oneOf draws mostly from the fine values, which stand first.
func oneOf(r *rapid.T, name string, fine int, values ...any) any {
	if rapid.IntRange(0, 60).Draw(r, name+" is wrong") > 0 {
		values = values[:fine]
	}
	return rapid.SampledFrom(values).Draw(r, name)
}

// put sets a field, unless it is left away, which some fields may be.
func put(r *rapid.T, m map[string]any, name string, required bool, value any) {
	away := 200
	if !required {
		away = 1
	}
	if rapid.IntRange(0, away).Draw(r, name+" is there") > 0 || away == 1 && rapid.Bool().Draw(r, name+" is left away") {
		m[name] = value
	}
}

func anyMessage(r *rapid.T) map[string]any {
	m := map[string]any{}
	put(r, m, "ROLE", true, oneOf(r, "ROLE", 2, "programmer", "a b", "", "\t", 3, strings.Repeat("r", 201)))
	put(r, m, "TASK_STATUS", true, oneOf(r, "TASK_STATUS", 1, "done", true, []any{}))
	put(r, m, "ENGRAMS", true, rapid.SliceOfN(rapid.Custom(anyEngram), 0, 3).Draw(r, "ENGRAMS"))
	put(r, m, "POINTER_PACK", false, rapid.SliceOfN(rapid.Custom(anyPointer), 0, 3).Draw(r, "POINTER_PACK"))
	put(r, m, "OUTPUT", true, oneOf(r, "OUTPUT", 2, map[string]any{"summary": "s"}, map[string]any{"summary": "s", "next": ""}, "s", map[string]any{"next": "n"}))
	return m
}

func anyEngram(r *rapid.T) map[string]any {
	m := map[string]any{}
	put(r, m, "kind", true, oneOf(r, "kind", 2, "risk", "policy", "guess", "", 1))
	put(r, m, "claim", true, oneOf(r, "claim", 2, "It leaks.", strings.Repeat("時", 500), strings.Repeat("a", 501), "", "\n"))
	put(r, m, "confidence", true, oneOf(r, "confidence", 3, 0, 1, 0.5, -0.1, 1.01, "0.5"))
	put(r, m, "ttl", true, oneOf(r, "ttl", 2, "P7D", "PT6H", "", 7))
	put(r, m, "scope", true, oneOf(r, "scope", 2, "run", "global", "team"))
	put(r, m, "pointers", true, rapid.SliceOfN(rapid.Custom(anyPointer), rapid.SampledFrom([]int{0, 1, 1, 1, 1, 1, 1, 1}).Draw(r, "least"), 2).Draw(r, "pointers"))
	put(r, m, "tags", false, oneOf(r, "tags", 2, []any{}, []any{"a", "b c"}, []any{""}, []any{strings.Repeat("t", 41)}, make([]any, 13)))
	put(r, m, "provenance", false, oneOf(r, "provenance", 1, map[string]any{"created_at": "2026-01-19T12:00:00Z", "created_by": "a", "source": "tool"}, map[string]any{}, "a"))
	return m
}

func anyPointer(r *rapid.T) map[string]any {
	m := map[string]any{}
	put(r, m, "type", true, oneOf(r, "type", 1, "repo", "file", ""))
	put(r, m, "ref", true, oneOf(r, "ref", 1, "repo:a.go#L1-L2@0123abc", "", 4))
	put(r, m, "digest", false, oneOf(r, "digest", 2, "sha256:0123456789abcdef", "", "sha256", "SHA:00000000"))
	put(r, m, "span", false, oneOf(r, "span", 1, "L1-L2", strings.Repeat("s", 81), 1))
	return m
}
