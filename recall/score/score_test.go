package score_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"engram/recall/score"
)

func candidate(id string, kind score.Type, strength float64, text string) score.Candidate {
	return score.Candidate{ID: id, Type: kind, Strength: map[score.List]float64{score.Words: strength}, Text: text, Tokens: 10}
}

func TestFactors(t *testing.T) {
	task := score.Task{ID: "checkout", Phase: score.Debugging, Premises: []string{"v2"}, SelfAssessment: true}
	result := candidate("a", score.ToolResult, 1, "x")
	other := result
	other.Task = "billing"
	old := result
	old.Superseded = true
	stale := result
	stale.Premise = "v1"
	lesson := candidate("b", score.Lesson, 1, "x")
	tests := []struct {
		name string
		c    score.Candidate
		task score.Task
		omit score.Omit
		want float64 // modifier
	}{
		{"phase", result, task, score.Omit{}, 1.6},
		{"no task is known", result, score.Task{}, score.Omit{}, 1},
		{"another task", other, task, score.Omit{}, 1.6 * 0.5},
		{"one task only", other, score.Task{ID: "checkout", OneTask: true}, score.Omit{}, 0},
		{"superseded", old, task, score.Omit{}, 1.6 * 0.1},
		{"superseded is wanted", old, score.Task{Historical: true}, score.Omit{}, 1},
		{"other premises", stale, task, score.Omit{}, 1.6 * 0.3},
		{"lessons are needed", lesson, task, score.Omit{}, 3},
		{"a constraint", candidate("c", score.Constraint, 1, "x"), task, score.Omit{}, 3},
		{"without the phase", result, task, score.Omit{Phase: true}, 1},
		{"without all", func() score.Candidate { c := old; c.Task, c.Premise = "billing", "v1"; return c }(), task, score.Omit{Premise: true, Phase: true, Supersession: true, Task: true}, 1},
	}
	for _, tt := range tests {
		f := score.Of(tt.c, tt.task, tt.omit)
		if math.Abs(f.Modifier-tt.want) > 1e-9 {
			t.Errorf("%s: modifier %v, want %v: %+v", tt.name, f.Modifier, tt.want, f)
		}
		if want := f.Base * f.Modifier; math.Abs(f.Score-want) > 1e-9 {
			t.Errorf("%s: score %v is not base × modifier, %v", tt.name, f.Score, want)
		}
	}
}

// What has the exact strings stands before all else, however bad its modifier is.
func TestExactIsFirst(t *testing.T) {
	task := score.Task{ID: "a", Phase: score.Planning, Premises: []string{"v2"}}
	exact := candidate("exact", score.ToolCall, 0.05, "grep a7f3b2c9e1d8")
	exact.Task, exact.Premise, exact.Superseded = "b", "v1", true
	exact.Strength[score.Exact] = 1
	list := []score.Candidate{exact}
	for i := range 40 {
		list = append(list, candidate(fmt.Sprint(i), score.Constraint, 1, fmt.Sprint("constraint ", i)))
	}
	if first := score.Rank(list, task, score.Omit{}, 10)[0]; first.ID != "exact" {
		t.Errorf("%s is first, want the exact match", first.ID)
	}
}

func TestRepetitionGoesBack(t *testing.T) {
	list := []score.Candidate{
		candidate("first", score.Dialogue, 1, "the pool of the database is exhausted since the deploy"),
		candidate("again", score.Dialogue, 0.98, "the pool of the database is exhausted since the deploy"),
		candidate("other", score.Dialogue, 0.8, "retries were raised to seven in gateway.yml"),
	}
	var ids []string
	for _, s := range score.Rank(list, score.Task{}, score.Omit{}, 3) {
		ids = append(ids, s.ID)
	}
	if got := strings.Join(ids, " "); got != "first other again" {
		t.Errorf("order %s", got)
	}
}

// Whatever the candidates: the budget holds, the order is that of Rank, nothing that fits is
// left out, and a constraint is never displaced by something else.
func TestPackKeepsItsPromises(t *testing.T) {
	kinds := []score.Type{score.ToolResult, score.ToolCall, score.Dialogue, score.Fact, score.View, score.Constraint}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var list []score.Candidate
		for i := range r.IntN(60) {
			c := candidate(fmt.Sprint(i), kinds[r.IntN(len(kinds))], r.Float64(), fmt.Sprint("text ", r.IntN(9)))
			c.Tokens = 1 + r.IntN(200)
			list = append(list, c)
		}
		ranked := score.Rank(list, score.Task{}, score.Omit{}, 50)
		budget := r.IntN(2000)
		packed := score.Pack(ranked, budget, score.QuotasOf(false))
		used, at := 0, -1
		for _, p := range packed {
			used += p.Tokens
			place := slices.IndexFunc(ranked, func(s score.Scored) bool { return s.ID == p.ID })
			if place <= at {
				t.Fatalf("seed %d: %s is out of order", seed, p.ID)
			}
			at = place
		}
		if used > budget {
			t.Fatalf("seed %d: %d tokens of %d", seed, used, budget)
		}
		for _, s := range ranked {
			if s.Tokens <= budget-used && !slices.ContainsFunc(packed, func(p score.Scored) bool { return p.ID == s.ID }) {
				t.Fatalf("seed %d: %s fits and was left out", seed, s.ID)
			}
		}
	}
}

func TestQuotasLeaveRoom(t *testing.T) {
	var list []score.Candidate
	for i := range 30 {
		list = append(list, candidate(fmt.Sprint("r", i), score.ToolResult, 1, fmt.Sprint("result ", i)))
	}
	list = append(list, candidate("said", score.Dialogue, 0.3, "we chose PostgreSQL"))
	packed := score.Pack(score.Rank(list, score.Task{}, score.Omit{}, 50), 100, score.QuotasOf(false))
	if !slices.ContainsFunc(packed, func(p score.Scored) bool { return p.ID == "said" }) {
		t.Error("results took the room of what was said")
	}
	if len(packed) != 10 {
		t.Errorf("%d of 10 places are used", len(packed))
	}
}

func BenchmarkRank(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var list []score.Candidate
	for i := range 150 {
		var words []string
		for range 120 {
			words = append(words, fmt.Sprintf("word%d", r.IntN(3000)))
		}
		list = append(list, candidate(fmt.Sprint(i), score.Dialogue, r.Float64(), strings.Join(words, " ")))
	}
	for b.Loop() {
		score.Rank(list, score.Task{}, score.Omit{}, 30)
	}
}
