package entity_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"engram/detect/entity"
)

// hostile are texts that rules tend to choke on.
func hostile() []string {
	return []string{
		"", " ", "`", "``", "```", "- `a", "1", "v", "v1", "1.", ".5", "1,", "1,000,", "::", ":8080", "://", "http://", "--", "--a",
		"a/b/c/", "(", ")", "((((", "))))", "from to", "from 1 to", "between 1 and", "1-", "-1", "1h", "1h30", "1h30m15s", "2024-13-45",
		"Q5 2025", "June", "1 June", "is", "is not", "not", "no longer uses", "without", "set to", "since", "since 1.28", "port", "port 99999999",
		"\xff\xfe", "é’s", "’", "’s", "$", "$5", "v1..", "v1.x", "the service", "service", "a a a a", "one hundred hundred thousand million dozen",
		"1.2.3.4:80", "0x", "0x1f", "007", "½ cup", "５ 分", "レート制限は 1000 です", strings.Repeat("9", 400), strings.Repeat("9", 400) + "Gi",
	}
}

func FuzzEntities(f *testing.F) {
	for _, s := range hostile() {
		f.Add(s)
	}
	for _, c := range claims() {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		check(t, text)
	})
}

// check verifies what holds for every text.
func check(t *testing.T, text string) {
	t.Helper()
	got := entity.Entities(text)
	if again := entity.Entities(text); !reflect.DeepEqual(got, again) {
		t.Fatalf("%q gives one thing, then another", text)
	}
	last := 0
	for _, e := range got {
		if e.Start < last || e.End <= e.Start || e.End > len(text) {
			t.Fatalf("%q: span %d to %d after %d", text, e.Start, e.End, last)
		}
		last = e.Start
		key := e.Key()
		if key == "" || len(key) > 80 || len(e.Slot()) > 80 {
			t.Fatalf("%q: key %q", text, key)
		}
		if utf8.ValidString(text) && !utf8.ValidString(key) {
			t.Fatalf("%q: key %q is not valid UTF-8", text, key)
		}
		if entity.Incompatible(e, e) {
			t.Fatalf("%q: %+v is incompatible with itself", text, e)
		}
	}
}

func TestHostileTexts(t *testing.T) {
	for _, s := range hostile() {
		check(t, s)
	}
}

// TestLongTexts has texts that repeat what rules look around for; BenchmarkHostile
// shows that the time they take grows with their length only.
func TestLongTexts(t *testing.T) {
	for _, piece := range pieces() {
		const n = 1000
		long := strings.Repeat(piece, n)
		check(t, long)
		if got := len(entity.Entities(long)); got > 2*n {
			t.Errorf("%q repeated gives %d entities", piece, got)
		}
	}
}

func pieces() []string {
	return []string{"1 ", "1h", "`", "( ", "a is 1 ", "v1 ", "from 1 to ", "not ", "a-", "/a", "one hundred ", ":8080 ", "is enabled ", "when a ", ", 1"}
}

func BenchmarkEntities(b *testing.B) {
	for _, text := range []string{
		"The auth service limits AUTH_RATE_LIMIT to about a thousand requests per second per IP in staging; the gateway timeout was bumped from 30 to 60 seconds.",
		"To allow mutating admission plugins to observe changes made by other plugins, regardless of order, admission will run the plugins a single time more.",
	} {
		b.Run(text[:8], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				entity.Entities(text)
			}
		})
	}
}

func BenchmarkHostile(b *testing.B) {
	for _, piece := range pieces() {
		for _, n := range []int{1000, 8000} {
			text := strings.Repeat(piece, n)
			b.Run(fmt.Sprintf("%s/%d", piece, n), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					entity.Entities(text)
				}
			})
		}
	}
}
