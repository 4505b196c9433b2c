package views_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"engram/recall/views"
	"engram/session"
)

func each(list []session.Event) iter.Seq2[session.Event, error] {
	return func(yield func(session.Event, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// work is a session in which tax is rounded, and after lunch a certificate is renewed.
func work() []session.Event {
	at := time.Date(2026, 1, 7, 10, 0, 0, 0, time.UTC)
	var list []session.Event
	add := func(turn int, kind session.Kind, text string, change func(*session.Event)) {
		e := session.Event{ID: fmt.Sprintf("01KFA6D3VATDZ6K4RTZVB16H%02d", len(list)), Turn: turn, Kind: kind, Text: text, Agent: "claude-code", At: at}
		at = at.Add(time.Minute)
		if change != nil {
			change(&e)
		}
		list = append(list, e)
	}
	add(1, session.UserMessage, "Customers lose half a cent. Please round the tax half up.", nil)
	add(1, session.ToolCall, `{"command":"go test ./tax"}`, func(e *session.Event) { e.Tool, e.Paths = "Bash", []string{"tax/round.go"} })
	call := list[len(list)-1].ID
	add(1, session.ToolResult, "=== RUN\n--- FAIL: TestHalfCent (0.00s)\nFAIL", func(e *session.Event) { e.Parent, e.Failed = call, true })
	failed := list[len(list)-1].ID
	add(1, session.AgentMessage, "The root cause is that round() goes to the even neighbour. We chose half up over half even because the invoices do.", nil)
	add(1, session.ToolCall, `{"command":"go test ./tax"}`, func(e *session.Event) { e.Tool, e.Paths = "Bash", []string{"tax/round.go"} })
	call = list[len(list)-1].ID
	add(1, session.ToolResult, "ok", func(e *session.Event) { e.Parent, e.Commits = call, []string{"abc1234"} })
	add(2, session.UserMessage, "Never round before the sum of the invoice.", nil)
	add(2, session.AgentMessage, "The tax is rounded on the sum now.", nil)
	at = at.Add(2 * time.Hour)
	add(3, session.UserMessage, "The certificate of the gateway expires on Friday, renew it.", nil)
	add(3, session.AgentMessage, "nginx serves the renewed certificate.", func(e *session.Event) { e.Paths = []string{"deploy/nginx.conf"} })
	_ = failed
	return list
}

func TestViews(t *testing.T) {
	events := work()
	v, err := views.Of("s", each(events))
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Episodes) != 2 {
		t.Fatalf("%d episodes: %+v", len(v.Episodes), v.Episodes)
	}
	tax, gateway := v.Episodes[0], v.Episodes[1]
	if tax.FirstTurn != 1 || tax.LastTurn != 2 || tax.First != events[0].ID || tax.Last != events[7].ID || tax.Failed != 1 || tax.Events != 8 ||
		!slices.Equal(tax.Commits, []string{"abc1234"}) || !slices.Equal(tax.Files, []string{"tax/round.go"}) ||
		!strings.HasPrefix(tax.Asked, "Customers lose") || !strings.HasPrefix(tax.Outcome, "The tax is rounded") {
		t.Errorf("episode of the tax: %+v", tax)
	}
	if gateway.FirstTurn != 3 || !strings.Contains(strings.Join(gateway.Topics, ","), "certificate") {
		t.Errorf("episode of the gateway: %+v", gateway)
	}
	var got []string
	for _, r := range v.Records {
		got = append(got, fmt.Sprintf("%s T%d %s", r.Kind, r.Turn, r.Text))
	}
	want := []string{
		"lesson T1 The root cause is that round() goes to the even neighbour.",
		"decision T1 We chose half up over half even because the invoices do.",
		"mistake T1 go test ./tax failed: --- FAIL: TestHalfCent (0.00s)",
		"success T1 go test ./tax works again after: --- FAIL: TestHalfCent (0.00s)",
		"decision T2 Never round before the sum of the invoice.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("records:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r := v.Records[2]; !slices.Equal(r.Because, []string{events[2].ID}) {
		t.Errorf("the mistake rests on %v", r.Because)
	}
}

// Whatever a session is: its episodes have each turn once and in order, and views of equal
// sessions are equal.
func TestViewsOfAnything(t *testing.T) {
	kinds := append(session.Kinds(), session.ToolCall, session.ToolResult)
	said := []string{"we decided to use Redis because it is there", `{"command":"make"}`, "error: no such file", "", "\x00\xff", "root cause: the cache.", strings.Repeat("long ", 2000)}
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		var list []session.Event
		turn := 0
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		for i := range r.IntN(200) {
			if r.IntN(5) == 0 {
				turn++
			}
			at = at.Add(time.Duration(r.IntN(2000)-100) * time.Second)
			list = append(list, session.Event{
				ID: fmt.Sprintf("%026d", i), Turn: turn, Kind: kinds[r.IntN(len(kinds))], At: at, Text: said[r.IntN(len(said))],
				Failed: r.IntN(4) == 0, Parent: fmt.Sprintf("%026d", r.IntN(i+1)), Paths: []string{fmt.Sprint(r.IntN(9), ".go")}[:r.IntN(2)],
			})
		}
		v, err := views.Of("s", each(list))
		if err != nil {
			t.Fatal(err)
		}
		events, last := 0, -1
		for _, e := range v.Episodes {
			if e.FirstTurn <= last || e.LastTurn < e.FirstTurn || e.First > e.Last {
				t.Fatalf("seed %d: %+v after turn %d", seed, e, last)
			}
			last = e.LastTurn
			events += e.Events
		}
		if events != len(list) {
			t.Fatalf("seed %d: episodes have %d of %d events", seed, events, len(list))
		}
		again, _ := views.Of("s", each(list))
		if !reflect.DeepEqual(v, again) {
			t.Fatalf("seed %d: views differ from run to run", seed)
		}
		if text, err := json.Marshal(v); err != nil || !json.Valid(text) {
			t.Fatal(err)
		}
	}
}

func TestTree(t *testing.T) {
	subjects := [][]string{{"nginx", "certificate", "gateway"}, {"tax", "invoice", "cent"}, {"login", "token", "session"}, {"kafka", "queue", "consumer"}}
	r := rand.New(rand.NewPCG(1, 2))
	var episodes []views.Episode
	for i := range 200 {
		words := subjects[i%len(subjects)]
		episodes = append(episodes, views.Episode{Asked: fmt.Sprintf("%s %s %d", words[r.IntN(3)], words[r.IntN(3)], r.IntN(50)), Topics: words[:1+r.IntN(3)]})
	}
	root := views.Tree(episodes)
	seen := make([]int, len(episodes))
	var walk func(n *views.Topic) int
	walk = func(n *views.Topic) int {
		size := len(n.Episodes)
		for _, i := range n.Episodes {
			seen[i]++
		}
		for _, child := range n.Children {
			size += walk(child)
		}
		if size != n.Size {
			t.Errorf("a node of %d episodes says %d", size, n.Size)
		}
		return size
	}
	walk(root)
	if slices.ContainsFunc(seen, func(n int) bool { return n != 1 }) {
		t.Errorf("episodes are in the tree %v times", seen)
	}
	for _, child := range root.Children {
		subject := make(map[int]int)
		var count func(n *views.Topic)
		count = func(n *views.Topic) {
			for _, i := range n.Episodes {
				subject[i%len(subjects)]++
			}
			for _, c := range n.Children {
				count(c)
			}
		}
		count(child)
		if len(subject) > 1 {
			t.Errorf("the topic %v mixes subjects: %v", child.Topics, subject)
		}
	}
	if !reflect.DeepEqual(root, views.Tree(episodes)) {
		t.Error("the tree differs from run to run")
	}
	if empty := views.Tree(nil); empty.Size != 0 {
		t.Errorf("the tree of nothing: %+v", empty)
	}
}
