package passage_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/quick"

	"engram/facts"
	"engram/recall/passage"
)

func TestExact(t *testing.T) {
	tests := []struct {
		query string
		want  []string
	}{
		{"which hash had the image, a7f3b2c9e1d8?", []string{"a7f3b2c9e1d8"}},
		{"What stands at /var/log/nginx/error.log:2847.", []string{"/var/log/nginx/error.log:2847"}},
		{"why ECONNREFUSED 10.0.3.7:5432", []string{"ECONNREFUSED", "10.0.3.7:5432"}},
		{"the flags --max-retries=7 and -v, please", []string{"--max-retries=7"}},
		{`who printed "no such table: users" first?`, []string{"no such table: users"}},
		{"AUTH_RATE_LIMIT or refreshToken", []string{"AUTH_RATE_LIMIT", "refreshToken"}},
		{"why did we choose PostgreSQL over MySQL, e.g. for JSONB and/or writes", []string{"PostgreSQL", "MySQL"}},
		{"a real-time view in 2026 with 12 rows", []string{"2026"}},
		{"what did we decide about the cache?", nil},
	}
	for _, tt := range tests {
		if got := passage.Exact(tt.query); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("Exact(%q) = %q, want %q", tt.query, got, tt.want)
		}
	}
}

func log(needle string) string {
	var b strings.Builder
	for i := range 2000 {
		if i == 777 {
			b.WriteString(needle + "\n")
		}
		fmt.Fprintf(&b, "2026-01-07 10:%02d:%02d INFO worker %d finished job %d\n", i/60%60, i%60, i%7, i*31)
	}
	return b.String()
}

func TestBestFindsTheLine(t *testing.T) {
	needle := "2026-01-07 10:12:57 ERROR pool exhausted: dial tcp 10.0.3.7:5432 refused"
	for _, query := range []string{"when was the pool exhausted?", "10.0.3.7:5432", "which address refused the connection of the pool"} {
		f := passage.NewQuery(query).Best(log(needle), 120)
		if !strings.Contains(f.Text, needle) {
			t.Errorf("Best(%q) lacks the line:\n%s", query, f.Text)
		}
		if f.Whole || len(f.Lines) == 0 || f.Lines[0][0] > 778 || f.Lines[len(f.Lines)-1][1] < 778 {
			t.Errorf("Best(%q) = lines %v, whole %v; the line is 778", query, f.Lines, f.Whole)
		}
	}
}

func TestBestInOneLongLine(t *testing.T) {
	text := `{"items":[` + strings.Repeat(`{"name":"alpha","state":"ready"},`, 3000) + `{"name":"omega","token_budget":8191},` +
		strings.Repeat(`{"name":"beta","state":"ready"},`, 3000) + `]}`
	if f := passage.NewQuery("token budget of omega").Best(text, 200); !strings.Contains(f.Text, `"token_budget":8191`) {
		t.Errorf("Best lacks the item:\n%s", f.Text)
	}
}

// Whatever the text, a passage keeps to its budget, and its parts are parts of the text.
func TestBestKeepsToItsBudget(t *testing.T) {
	check := func(text, query string, size uint8) bool {
		text = strings.Repeat(text+"\n", int(size))
		budget := 20 + int(size)
		f := passage.NewQuery(query).Best(text, budget)
		if facts.Tokens(f.Text) > budget {
			t.Logf("%d tokens of %d", facts.Tokens(f.Text), budget)
			return false
		}
		for part := range strings.SplitSeq(f.Text, "\n…\n") {
			if !strings.Contains(text, part) {
				t.Logf("%q is no part of the text", part)
				return false
			}
		}
		return true
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 300}); err != nil {
		t.Error(err)
	}
}

func BenchmarkBest(b *testing.B) {
	text := log("ERROR pool exhausted")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		passage.NewQuery("when was the pool exhausted?").Best(text, 200)
	}
}

// A line that is longer than the passage may be is cut until its best part fits.
func TestBestOfOneLongLine(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "row %d is fine, ", i)
	}
	for _, budget := range []int{20, 60, 200} {
		f := passage.NewQuery(`which row has "row 777"`).Best(b.String(), budget)
		if n := facts.Tokens(f.Text); !strings.Contains(f.Text, "row 777") || n > budget || f.Exact != 1 {
			t.Errorf("budget %d: %d tokens: %q", budget, n, f.Text)
		}
	}
}

// TestBestAnswers: next to a line with every word of the query, lines that lack one are about
// something else.
func TestBestAnswers(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		about, value := "bundle", fmt.Sprintf("%012x", i*7919)
		if i == 100 {
			about, value = "image", "ac170df1ed69"
		}
		fmt.Fprintf(&b, "The %s of the exporter worker has the SHA-256 fragment %s.\n", about, value)
	}
	f := passage.NewQuery("Which SHA-256 fragment has the image of the exporter worker?").Best(b.String(), 400)
	if !strings.Contains(f.Text, "ac170df1ed69") || strings.Count(f.Text, "bundle") != 2 {
		t.Errorf("got %q", f.Text)
	}
}
