package events_test

import (
	"testing"

	"engram/index/events"
)

// TestHas: the index tells which events it has; not those of a session that is gone.
func TestHas(t *testing.T) {
	m := newMemory()
	var ids []string
	for n := range 50 {
		d := event(n, "some text", func(d *events.Doc) {
			if d.Session = "run-7"; n%2 == 0 {
				d.Session = "0badc0de-0000-4000-8000-000000000070"
			}
		})
		ids = append(ids, d.Event)
		if n%5 != 0 {
			m.add(d.Session, d)
		}
	}
	x := events.New(t.TempDir(), m, nil)
	check := func(gone string) {
		t.Helper()
		for which, session := range []string{"0badc0de-0000-4000-8000-000000000070", "run-7"} {
			found, err := x.Has(ctx, session, append([]string{"no id", ids[0]}, ids...))
			must(t, err)
			for n, id := range ids {
				if want := n%5 != 0 && n%2 == which && session != gone; found[id] != want {
					t.Errorf("event %d: %t, want %t", n, found[id], want)
				}
			}
		}
	}
	check("")
	m.remove("run-7")
	check("run-7")
}
