package assess_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/detect/assess"
)

// FuzzAssess: it never panics, gives the same answer twice and for exchanged claims, and
// a claim never clashes with itself.
func FuzzAssess(f *testing.F) {
	long := ""
	for range 60 {
		long += "timeout 30 s and "
	}
	for _, seed := range [][2]string{
		{"The port is 5432.", "port: :6432"},
		{"a | b | c\n--- | --- | ---\n1 | 2 | 3", "```\nfunc main() { x := 1 }\n```"},
		{long, "The timeout is one hour."},
		{"Ρоrt 80 isn't open", "Port 80 is open"},
		{"每天备份一次", "Die Sicherung läuft jede Nacht um 2 Uhr."},
		{"", "1/2 of 3-4 %, v1.2.x >= 3 \xff '`\"("},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := read("a", "s", a), read("b", "s", b)
		first, found := assess.Assess(x, y)
		again, foundAgain := assess.Assess(x, y)
		if diff := cmp.Diff(first, again); diff != "" || found != foundAgain {
			t.Errorf("the second answer differs:\n%s", diff)
		}
		swapped, foundSwapped := assess.Assess(y, x)
		swapped = swapped.Swap()
		swapped.Explanation = first.Explanation // says here and there
		if diff := cmp.Diff(first, swapped); diff != "" || found != foundSwapped {
			t.Errorf("exchanged claims differ:\n%s", diff)
		}
		if self, clashes := assess.Assess(x, read("c", "s", a)); clashes {
			t.Errorf("%q clashes with itself: %q", a, self.Explanation)
		}
	})
}

// BenchmarkAssess measures a pair with both claims read.
func BenchmarkAssess(b *testing.B) {
	for b.Loop() {
		assess.Assess(
			read("a", "s", "Heads-up: we retry failed card captures five times with exponential backoff (base 2 s) before giving up and marking the order as unpaid."),
			read("b", "s", "Card capture gets at most 3 retries, then the payment is marked failed."))
	}
}
