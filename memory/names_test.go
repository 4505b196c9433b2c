package memory_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/fixtures"
	"engram/memory"
)

func (b bench) names(in memory.NamesInput) []string {
	b.t.Helper()
	r, err := b.Names(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	if r.Total < len(r.Names) || r.Revision != b.tip() {
		b.t.Errorf("%+v at %s", r, b.tip())
	}
	return r.Names
}

func TestNames(t *testing.T) {
	b := newMemory(t)
	for key, scope := range map[string]string{
		"domain/auth/session": "auth", "domain/auth/token": "auth/jwt", "paper/abc/EXPLORE": "Research",
		"tool/ci/auth": "ci", "domain/old/one": "old", "domain/old/brief": "old",
	} {
		b.commit(memory.CommitInput{Claim: "It is so at " + key + ".", Key: key, Scope: scope})
	}
	check := func(in memory.NamesInput, want ...string) {
		t.Helper()
		if diff := cmp.Diff(append([]string{}, want...), b.names(in)); diff != "" {
			t.Errorf("%+v: %s", in, diff)
		}
	}
	check(memory.NamesInput{Contains: "domain/auth"}, "domain/auth/session", "domain/auth/token")
	check(memory.NamesInput{Contains: "AUTH"}, "domain/auth/session", "domain/auth/token", "tool/ci/auth")
	check(memory.NamesInput{Contains: "explore"}, "paper/abc/EXPLORE")
	check(memory.NamesInput{Contains: "tool", Limit: 1}, "tool/ci/auth")
	check(memory.NamesInput{Contains: "nothing"})
	check(memory.NamesInput{Scopes: true}, "Research", "auth", "auth/jwt", "ci", "old")
	check(memory.NamesInput{Scopes: true, Contains: "JWT"}, "auth/jwt")
	check(memory.NamesInput{Scopes: true, Contains: "r"}, "Research")

	// What is retired, or ends, is gone, and what is new is there.
	b.commit(memory.CommitInput{Key: "domain/old/one", Operation: "delete", Reason: "gone"})
	b.commit(memory.CommitInput{Claim: "It ends soon.", Key: "domain/old/brief", TTL: "P1D"})
	b.commit(memory.CommitInput{Claim: "It is new.", Key: "domain/new/one", Scope: "new"})
	check(memory.NamesInput{Contains: "domain/old"}, "domain/old/brief")
	check(memory.NamesInput{Contains: "new", Scopes: true}, "new")
	b.clock.now = b.clock.now.Add(48 * time.Hour)
	check(memory.NamesInput{Contains: "domain/old"})
	check(memory.NamesInput{Contains: "old", Scopes: true})
	if r, err := b.Names(t.Context(), memory.NamesInput{Contains: "domain", Limit: 1}); err != nil || r.Total < 3 || len(r.Names) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := b.Names(t.Context(), memory.NamesInput{Limit: -1}); err == nil {
		t.Error("a limit below 0 is taken")
	}
}

// TestNamesWithheld: who may not read a scope is told neither it nor its keys.
func TestNamesWithheld(t *testing.T) {
	b := newMemory(t)
	b.commit(memory.CommitInput{Claim: "Salaries are secret.", Key: "domain/hr/pay", Scope: "hr"})
	b.commit(memory.CommitInput{Claim: "The door is blue.", Key: "domain/house/door", Scope: "house"})
	b.agree("permissions:", "  - {agent: bot, scope: hr, read: false, write: false}")
	for agent, n := range map[string]int{"bot": 1, "ada": 2} {
		for _, scopes := range []bool{false, true} {
			if got := b.names(memory.NamesInput{AskedBy: agent, Scopes: scopes}); len(got) != n {
				t.Errorf("%s is told %v", agent, got)
			}
		}
	}
}

// BenchmarkNames: a keystroke, warm; cold is the first one of a process.
func BenchmarkNames(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("facts=%d", n), func(b *testing.B) {
			m := filled(b, n)
			start := time.Now()
			m.names(memory.NamesInput{})
			cold := time.Since(start)
			questions := fixtures.Questions(200, 7)
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				m.names(memory.NamesInput{Contains: questions[i%len(questions)][:3], Scopes: i%2 == 1})
				took = append(took, time.Since(start))
			}
			reportPercentiles(b, took)
			b.ReportMetric(float64(cold.Milliseconds()), "cold-ms")
		})
	}
}

// TestSegments: a shell is offered how a key goes on, from the names of files, and of facts
// that hold the claims; who may read nothing of a folder is not offered it.
func TestSegments(t *testing.T) {
	b := newMemory(t)
	for key, scope := range map[string]string{"domain/auth/session": "auth", "domain/auth/token": "auth", "domain/hr/pay": "hr", "tool/ci/runner": "ci"} {
		b.commit(memory.CommitInput{Claim: "It is so at " + key + ".", Key: key, Scope: scope})
	}
	b.commit(memory.CommitInput{Key: "domain/auth/token", Operation: "delete", Reason: "gone"})
	b.agree("permissions:", "  - {agent: bot, scope: hr, read: false, write: false}")
	check := func(agent, prefix string, want ...string) {
		t.Helper()
		r, err := b.Segments(t.Context(), memory.SegmentsInput{Prefix: prefix, AskedBy: agent})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, s := range r.Segments {
			got = append(got, s.Name+s.Claim)
		}
		if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
			t.Errorf("%s %q: %s", agent, prefix, diff)
		}
	}
	check("ada", "", "domain/", "tool/")
	check("ada", "do", "domain/")
	check("ada", "domain/", "domain/auth/", "domain/hr/")
	check("bot", "domain/", "domain/auth/")
	check("ada", "domain/auth/", "domain/auth/sessionIt is so at domain/auth/session.")
	check("ada", "nothing")
}
