package views_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"engram/recall/views"
	"engram/session"
)

func said(t *testing.T) (v views.Views, list []session.Event) {
	t.Helper()
	events := work()
	v, err := views.Of("s", each(events))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if views.Said(&e) && e.Turn <= v.Episodes[0].LastTurn {
			list = append(list, e)
		}
	}
	return v, list
}

// TestQuestion: the question has what was said, quoted, and nothing that tools printed; long texts
// are cut so that all fit.
func TestQuestion(t *testing.T) {
	_, list := said(t)
	_, user := views.Question(list)
	if !strings.HasPrefix(user, `{"n":1,"who":"user","text":"Customers lose half a cent.`) || strings.Contains(user, "FAIL") || strings.Contains(user, "go test") {
		t.Errorf("the question is\n%s", user)
	}
	list[0].Text, list[1].Text = strings.Repeat("é", 100_000), strings.Repeat("\n", 100_000)
	if _, user = views.Question(list); len(user) > 60_000 || !strings.Contains(user, "Never round before the sum of the invoice.") {
		t.Errorf("a question of %d bytes", len(user))
	}
}

// TestPick: what a model picks is kept only if somebody said it, and once.
func TestPick(t *testing.T) {
	v, list := said(t)
	rules := len(v.Records)
	dropped, err := v.Pick(list, "Here you are:\n```json\n"+`{"picked":[
		{"n":4,"kind":"lesson","quote":"The tax is rounded  on the sum now."},
		{"n":4,"kind":"lesson","quote":"The tax is rounded on the sum now."},
		{"n":2,"kind":"decision","quote":"We chose half up over half even because the invoices do."},
		{"n":1,"kind":"decision","quote":"Customers must never lose a whole cent."},
		{"n":9,"kind":"lesson","quote":"The tax is rounded on the sum now."},
		{"n":4,"kind":"constraint","quote":"The tax is rounded on the sum now."},
		{"n":4,"kind":"lesson","quote":"now."}]}`+"\n```", "big-one")
	if err != nil || dropped != 4 {
		t.Errorf("%d dropped, %v", dropped, err)
	}
	if len(v.Records) != rules+1 {
		t.Fatalf("records %+v", v.Records[rules:])
	}
	got := v.Records[rules]
	if got.Text != "The tax is rounded on the sum now." || got.Event != list[3].ID || got.Session != "s" || got.Model != "big-one" || got.Kind != views.Lesson {
		t.Errorf("picked %+v", got)
	}
	if v.Read != 1 || v.Model != "big-one" {
		t.Errorf("%d read by %q", v.Read, v.Model)
	}
	for _, answer := range []string{"", "I cannot help with that.", "}{", `{"picked":"none"}`} {
		if _, err := v.Pick(list, answer, "big-one"); !errors.Is(err, views.ErrNoPick) || v.Read != 1 {
			t.Errorf("%q is taken for an answer: %v", answer, err)
		}
	}
}

// TestKeepPicked: what was picked stays while a session goes on, as far as its episodes are the
// same; a rewritten session is read again.
func TestKeepPicked(t *testing.T) {
	before, list := said(t)
	if _, err := before.Pick(list, `{"picked":[{"n":4,"kind":"lesson","quote":"The tax is rounded on the sum now."}]}`, "big-one"); err != nil {
		t.Fatal(err)
	}
	again := func(events []session.Event) views.Views {
		v, err := views.Of("s", each(events))
		if err != nil {
			t.Fatal(err)
		}
		v.KeepPicked(before)
		return v
	}
	picked := func(v views.Views) (n int) {
		for _, r := range v.Records {
			if r.Model != "" {
				n++
			}
		}
		return n
	}
	events := work()
	last := events[len(events)-1]
	last.ID, last.Turn = "01KFA6D3VATDZ6K4RTZVB16H99", 4
	if v := again(append(events, last)); v.Read != 1 || picked(v) != 1 {
		t.Errorf("a session that goes on: %d read, %d picked", v.Read, picked(v))
	}
	for i := range events {
		events[i].ID = fmt.Sprintf("01KFA6D3VATDZ6K4RTZVB16J%02d", i)
	}
	if v := again(events); v.Read != 0 || picked(v) != 0 {
		t.Errorf("another session: %d read, %d picked", v.Read, picked(v))
	}
}
