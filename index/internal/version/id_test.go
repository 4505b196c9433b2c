package version_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
	"engram/index/internal/version"
)

func day(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }

// summaryAgrees reports whether the summary of a name says what the whole does.
func summaryAgrees(d version.ID) bool {
	s, err := version.Summarize([]byte(d.Encode()))
	if err != nil || s.Text != d.Text || !s.Window.From.Equal(d.Window.From) || !s.Window.Until.Equal(d.Window.Until) {
		return false
	}
	for _, moment := range []time.Time{d.Window.From.Add(-time.Hour), d.Window.From, d.Window.Until} {
		if s.Holds(moment, true) != d.Holds(moment, true) {
			return false
		}
	}
	return true
}

func FuzzID(f *testing.F) {
	for _, id := range []version.ID{
		{Key: "domain/c/k", Blob: strings.Repeat("0f", 20), Tip: true, Window: facts.Window{From: day(1)}},
		{Key: "paper/c/K/s", Blob: strings.Repeat("a0", 32), Window: facts.Window{From: day(1), Until: day(2)}},
		{Key: "domain/c/k", Blob: "no hex"}, {},
	} {
		f.Add(id.Encode())
	}
	f.Add("")
	f.Add("key\x00")
	f.Add("key\x00\x07\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
	f.Fuzz(func(t *testing.T, name string) {
		id, err := version.DecodeID(name)
		if err != nil {
			return
		}
		again, err := version.DecodeID(id.Encode())
		if err != nil {
			t.Fatalf("%q reads as %v, which does not read: %v", name, id, err)
		}
		if !summaryAgrees(id) {
			t.Errorf("%q: the summary differs", name)
		}
		if diff := cmp.Diff(id, again, cmp.AllowUnexported(id)); diff != "" {
			t.Errorf("%q: %s", name, diff)
		}
	})
}

func TestIDRoundTrip(t *testing.T) {
	traits := version.Traits{Text: 1 << 63, Committed: day(3), Agent: "claude", Type: facts.Decision, Verified: true, Entities: 3, Confidence: 80, Depth: 2, Numbers: 9}
	for _, want := range []version.ID{
		{Key: "domain/c/k", Blob: strings.Repeat("0f", 20), Tip: true, Window: facts.Window{From: day(1)}},
		{Key: "domain/c/k", Blob: strings.Repeat("0F", 20), Window: facts.Window{From: day(1), Until: day(2)}},
		{Key: "domain/c/k", Blob: "a\x00b"},
	} {
		want.Traits = traits
		got, err := version.DecodeID(want.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(got)); diff != "" {
			t.Error(diff)
		}
	}
}
