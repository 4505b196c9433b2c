package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"engram/memory"
)

// TestRecallOfTheTail: an event is found as soon as it is appended, before anything is sealed and
// after, and only once.
func TestRecallOfTheTail(t *testing.T) {
	m := newMemory(t).Memory
	appended := func(text string) {
		t.Helper()
		in := memory.AppendEventsInput{Session: "run-7", Events: []memory.AppendedEvent{{Kind: "user_message", Text: text}}}
		if _, err := m.AppendEvents(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	found := func(query string, want int) {
		t.Helper()
		r, err := m.Recall(t.Context(), memory.RecallInput{Queries: []string{query}})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, item := range r.Items {
			n += strings.Count(item.Text, query)
		}
		if n != want || r.Behind {
			t.Errorf("%s: %d times in %+v", query, n, r)
		}
	}
	appended("The image is a7f3b2c9e1d8.")
	found("a7f3b2c9e1d8", 1)
	for n := range 40 {
		appended(fmt.Sprintf("Look at service%d.go.", n))
	}
	found("a7f3b2c9e1d8", 1)
	if _, err := m.ReadySession(t.Context(), "run-7", 1<<30); err != nil {
		t.Fatal(err)
	}
	found("a7f3b2c9e1d8", 1)
	appended("The flag is --max-retries=7.")
	found("--max-retries=7", 1)
	found("a7f3b2c9e1d8", 1)
}

// BenchmarkRecallOfTheTail recalls after each append, from a journal that has more than is read of it.
func BenchmarkRecallOfTheTail(b *testing.B) {
	m := newMemory(b).Memory
	var events []memory.AppendedEvent
	for n := range 400 {
		events = append(events, memory.AppendedEvent{Kind: "user_message", Text: strings.Repeat(fmt.Sprintf("Look at service%d.go and step%d.\n", n, n*7), 30)})
	}
	if _, err := m.AppendEvents(b.Context(), memory.AppendEventsInput{Session: "run-8", Events: events}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.AppendEvents(b.Context(), memory.AppendEventsInput{Session: "run-8", Events: events[:1]}); err != nil {
			b.Fatal(err)
		}
		r, err := m.Recall(b.Context(), memory.RecallInput{Queries: []string{"service390.go"}})
		if err != nil || len(r.Items) == 0 || !r.Behind {
			b.Fatal(r, err)
		}
	}
}
