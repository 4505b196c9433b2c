package session_test

import (
	"testing"

	"engram/session"
)

// FuzzParseLine: nothing panics; an event that is read has an id and a kind, and the
// quick readers of a line agree with it.
func FuzzParseLine(f *testing.F) {
	f.Add([]byte(`{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","turn":3,"kind":"say","text":"hello"}`))
	f.Add([]byte(`{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","kind":"call","source":{"client":"x"},"raw_text":"y"}`))
	f.Add([]byte(`{"id":1}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		session.LineID(line)
		session.LineTurn(line)
		if e, err := session.ParseLine(line); err == nil && (e.ID == "" || e.Kind == "") {
			t.Fatalf("%q is an event without id or kind", line)
		}
	})
}

// FuzzParseHeader: nothing panics, and a header that is read and written is read again.
func FuzzParseHeader(f *testing.F) {
	f.Add([]byte(`{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","client":"claude","began":"2026-04-30T12:00:00Z"}`))
	f.Add([]byte(`{"id":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := session.ParseHeader(text)
		if err != nil {
			return
		}
		written, err := session.AppendHeader(nil, h)
		if err != nil {
			return // a moment that JSON cannot write
		}
		if _, err := session.ParseHeader(written); err != nil {
			t.Fatalf("%q was written as %q: %v", text, written, err)
		}
	})
}

// FuzzParseTaskState: nothing panics.
func FuzzParseTaskState(f *testing.F) {
	f.Add([]byte(`{"goal":"pay refunds","key_events":["01ARZ3NDEKTSV4RRFFQ69G5FAV"]}`))
	f.Add([]byte(`{"extensions":{"phase":"x","plan":{}}}`))
	f.Add([]byte(`{"goal":1,"goal":2}`))
	f.Fuzz(func(_ *testing.T, text []byte) { _, _ = session.ParseTaskState(text) })
}
