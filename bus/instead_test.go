package bus_test

import (
	"strings"
	"testing"

	"engram/bus"
)

// TestInsteadComplies: what is offered in the place of one text would pass there.
func TestInsteadComplies(t *testing.T) {
	code := "```go\nfunc f() { return g(1, 2); }\nfunc h() { return g(3, 4); }\n```\n"
	for name, claim := range map[string]string{
		"long":          strings.Repeat("There is more to say. ", 60),
		"code":          "This fails:\n" + code,
		"code and long": strings.Repeat("There is more to say. ", 60) + "\n" + code,
	} {
		confidence := 0.8
		with := func(claim string) bus.Verdict {
			m := bus.ChildMessage{Role: "x", TaskStatus: "done", Output: bus.Output{Summary: "x"}, Engrams: []bus.Engram{{
				Kind: "risk", Claim: claim, Confidence: &confidence, TTL: "P7D", Scope: "project", Pointers: []bus.Pointer{{Type: "repo", Ref: "repo:a.go@" + strings.Repeat("a", 40)}}}}}
			return bus.Check([]byte(m.YAML()), bus.Limits{}, bus.Allowance{})
		}
		v := with(claim)
		if v.OK {
			t.Fatalf("%s: %+v", name, v)
		}
		for _, r := range v.Refusals {
			if again := with(r.Resend); r.Resend == "" || !again.OK {
				t.Errorf("%s: %q instead: %+v", name, r.Resend, again)
			}
		}
	}
}
