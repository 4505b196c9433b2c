package window_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"engram/facts"
	"engram/recall/window"
	"engram/session"
)

func all(string) bool { return true }

// grow adds turns to a window as an agent at work does.
func grow(r *rand.Rand, items []window.Item, from, turns int) []window.Item {
	subjects := []string{"Docker build", "nginx config", "SSL renewal", "login form", "billing export"}
	add := func(turn int, class window.Class, text string) {
		id := fmt.Sprintf("%s-%d-%d", class, turn, len(items))
		items = append(items, window.Item{ID: id, Turn: turn, Class: class, Text: text})
	}
	for turn := from; turn < from+turns; turn++ {
		subject := subjects[turn/7%len(subjects)]
		add(turn, window.Dialogue, fmt.Sprintf("Please look at the %s failure of step %d.", subject, turn))
		for call := range 1 + r.IntN(3) {
			add(turn, window.ToolCall, fmt.Sprintf("cat deploy/%s_%d.yml", strings.ReplaceAll(strings.ToLower(subject), " ", "_"), call))
			add(turn, window.ToolResult, strings.Repeat(fmt.Sprintf("%s: line of output %d\n", subject, r.IntN(1000)), 5+r.IntN(120)))
		}
		add(turn, window.Dialogue, fmt.Sprintf("The %s fails because of step %d.", subject, turn))
		if r.IntN(4) == 0 {
			add(turn, window.Decision, fmt.Sprintf("We keep %s as it is.", subject))
		}
		if r.IntN(9) == 0 {
			add(turn, window.Constraint, fmt.Sprintf("Never restart %s on Fridays.", subject))
		}
	}
	return items
}

// However long a session is: what must stay stays, nothing is lost, and markers cost a bounded
// number of tokens.
func TestCompactKeepsItsPromises(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 18))
		items := []window.Item{{Class: window.System, Text: "You are careful."}, {Class: window.TaskState, Text: "goal: ship"}}
		o := window.Options{Window: 13000, Headroom: 1000, Stored: func(id string) bool { return !strings.HasPrefix(id, "tool_call-3-") }}
		gone := make(map[string]bool)
		ids := make(map[string]bool)
		for cycle := range 30 {
			items = grow(r, items, cycle*5, 5)
			for _, item := range items {
				ids[item.ID] = true
			}
			result, err := window.Compact(items, o)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range result.Evicted {
				if id == "" || !o.Stored(id) || gone[id] {
					t.Fatalf("seed %d: %q was evicted", seed, id)
				}
				if class, _, _ := strings.Cut(id, "-"); class == "constraint" {
					t.Fatalf("seed %d: a constraint was evicted", seed)
				}
				gone[id] = true
			}
			here := make(map[string]bool)
			for _, item := range result.Items {
				here[item.ID] = true
			}
			for _, item := range items {
				if item.ID != "" && here[item.ID] == gone[item.ID] {
					t.Fatalf("seed %d: %s is neither here nor evicted, or both", seed, item.ID)
				}
				if item.Turn > cycle*5+2 && gone[item.ID] {
					t.Fatalf("seed %d: turn %d is of the last ones and was evicted", seed, item.Turn)
				}
			}
			tokens := 0
			for _, m := range result.Markers {
				n := facts.Tokens(m.String())
				if n > session.MaxMarker || m.First > m.Last {
					t.Fatalf("seed %d: marker of %d tokens: %s", seed, n, m)
				}
				tokens += n
			}
			if len(result.Markers) > window.DefaultMaxMarkers || tokens > 1200 {
				t.Fatalf("seed %d: %d markers of %d tokens", seed, len(result.Markers), tokens)
			}
			if !result.Fits || result.After > 12000 {
				t.Fatalf("seed %d, cycle %d: %d tokens are left, held %v", seed, cycle, result.After, result.Held)
			}
			again, err := window.Compact(result.Items, o)
			if err != nil || len(again.Evicted) > 0 || again.After != result.After {
				t.Fatalf("seed %d: compacting again evicts %v, %v", seed, again.Evicted, err)
			}
			items = result.Items
		}
		for id := range gone {
			if !ids[id] {
				t.Fatalf("seed %d: %q was never there", seed, id)
			}
		}
	}
}

func TestMarkersNameWhatDistinguishesTheirSpan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	items := grow(r, nil, 0, 7)
	nginx := len(items)
	items = grow(r, items, 7, 7)
	end := len(items)
	items = grow(r, items, 14, 21)
	topics := strings.Join(window.NewTopics(items).Of(nginx, end), ", ")
	if !strings.Contains(topics, "deploy/nginx_config_0.yml") || !strings.Contains(topics, "nginx") || strings.Contains(topics, "Docker") {
		t.Errorf("topics: %s", topics)
	}
}

func TestEvictionOrder(t *testing.T) {
	text := strings.Repeat("one two three four ", 50)
	var items []window.Item
	for turn, class := range []window.Class{window.Decision, window.Dialogue, window.ToolCall, window.ToolResult, window.ToolResult} {
		items = append(items, window.Item{ID: fmt.Sprint(class, turn), Turn: turn + 1, Class: class, Text: text})
	}
	items = append(items, window.Item{ID: "last", Turn: 30, Class: window.Dialogue, Text: text})
	evicted := func(target int, task session.TaskState) []string {
		result, err := window.Compact(items, window.Options{Window: 1250, Headroom: 100, Target: target, Stored: all, Task: task})
		if err != nil {
			t.Fatal(err)
		}
		return result.Evicted
	}
	if got := evicted(1100, session.TaskState{}); !slices.Equal(got, []string{"tool_result3"}) {
		t.Errorf("first goes %v, want the oldest result", got)
	}
	if got := evicted(1100, session.TaskState{KeyEvents: []string{"tool_result3"}}); !slices.Equal(got, []string{"tool_result4"}) {
		t.Errorf("with a key event, first goes %v", got)
	}
	if got := evicted(300, session.TaskState{}); slices.Contains(got, "decision0") && len(got) < 5 {
		t.Errorf("a decision goes before others: %v", got)
	}
}

func TestCompactRefuses(t *testing.T) {
	for name, o := range map[string]window.Options{
		"no window":         {Stored: all},
		"a window full":     {Window: 100, Headroom: 100, Stored: all},
		"nothing is stored": {Window: 100},
	} {
		if _, err := window.Compact(nil, o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	items := []window.Item{{Class: window.System, Text: strings.Repeat("rule ", 500)}, {ID: "a", Turn: 9, Class: window.Dialogue, Text: strings.Repeat("word ", 500)}}
	result, err := window.Compact(items, window.Options{Window: 300, Stored: all})
	if err != nil || result.Fits || result.Held[window.Pinned] == 0 || result.Held[window.Recent] == 0 {
		t.Errorf("a window that cannot be emptied: %+v, %v", result, err)
	}
}

func TestPack(t *testing.T) {
	var markers []session.Marker
	for i := range 60 {
		markers = append(markers, session.Marker{First: i * 10, Last: i*10 + 9, Topics: []string{fmt.Sprintf("service%d.go", i), "pool of connections"}})
	}
	var tail []window.Item
	for i := range 40 {
		tail = append(tail, window.Item{Turn: 600 + i, Class: window.Dialogue, Text: fmt.Sprintf("turn %d: %s", i, strings.Repeat("words ", 120))})
	}
	parts := window.Parts{
		System: "You are careful.", Brief: strings.Repeat("- port 8443 is used by the gateway\n", 100), Task: strings.Repeat("- goal: ship it soon\n", 400),
		Markers: markers, Tail: tail, User: "go on",
	}
	p, err := window.Build(parts, window.Budgets{Window: 8000, Headroom: 2000})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	most := map[string]int{"brief": 400, "task_state": 800, "markers": 1200}
	stable := 0
	for _, b := range p.Blocks {
		names = append(names, b.Name)
		if limit := most[b.Name]; limit > 0 && b.Tokens > limit {
			t.Errorf("%s has %d tokens, at most %d are allowed", b.Name, b.Tokens, limit)
		}
		if b.Name != "tail" {
			stable += b.Tokens
		}
	}
	if want := "system brief recall task_state markers tail user"; strings.Join(names, " ") != want {
		t.Errorf("order %v, want %s", names, want)
	}
	if p.Tokens+2000 > 8000 || stable > 2500 {
		t.Errorf("%d tokens, %d without the tail", p.Tokens, stable)
	}
	if !slices.Equal(p.Cut, []string{"brief", "task_state", "tail"}) {
		t.Errorf("cut: %v", p.Cut)
	}
	if text := p.Text(); !strings.Contains(text, "turn 39:") || !strings.Contains(text, "[Events T0–") || !strings.Contains(text, "T599 evicted") {
		t.Errorf("the pack lacks the last turn or the ends of the markers:\n%s", text)
	}
	if _, err := window.Build(window.Parts{System: strings.Repeat("rule ", 9000)}, window.Budgets{}); err == nil {
		t.Error("a system block above its budget is accepted")
	}
	if _, err := window.Build(window.Parts{User: strings.Repeat("word ", 9000)}, window.Budgets{Window: 8000}); err == nil {
		t.Error("a message above the window is accepted")
	}
}

func BenchmarkCompact(b *testing.B) {
	items := grow(rand.New(rand.NewPCG(1, 1)), nil, 0, 270)
	tokens := 0
	for i := range items {
		items[i].Tokens = facts.Tokens(items[i].Text)
		tokens += items[i].Tokens
	}
	for b.Loop() {
		if _, err := window.Compact(items, window.Options{Window: 100_000, Headroom: 10_000, Stored: all}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(tokens), "tokens")
}
