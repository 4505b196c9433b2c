package memory_test

import (
	"slices"
	"testing"
	"time"

	"engram/memory"
)

// What the branch knew and what held are two different times.
func TestBitemporal(t *testing.T) {
	m := newMemory(t)
	const key = "domain/auth/limit"
	may := func(day int) time.Time { return time.Date(2026, 5, day, 0, 0, 0, 0, time.UTC) }
	m.clock.now = may(2)
	m.commit(memory.CommitInput{Claim: "The limit is 100.", Key: key, ValidFrom: may(1)})
	first := m.tip()
	// On the 20th somebody learns that it has been 200 since the 5th.
	m.clock.now = may(20)
	m.commit(memory.CommitInput{Claim: "The limit is 200.", Key: key, ValidFrom: may(5)})
	second := m.tip()
	m.commit(memory.CommitInput{Claim: "The window of the limit is a minute.", Key: "domain/auth/window"})
	m.commit(memory.CommitInput{Operation: "delete", Key: key})
	for _, c := range []struct {
		name, knownAt string
		asOf          time.Time
		want          []string
	}{
		{"now", "", time.Time{}, []string{"The window of the limit is a minute."}},
		{"now, of the 3rd", "", may(3), []string{"The limit is 100."}},
		{"now, of the 7th", "", may(7), []string{"The limit is 200."}},
		{"first", first, time.Time{}, []string{"The limit is 100."}},
		{"first, of the 7th", first, may(7), []string{"The limit is 100."}},
		{"first, abbreviated", first[:12], may(7), []string{"The limit is 100."}},
		{"second", second, time.Time{}, []string{"The limit is 200."}},
		{"second, of the 3rd", second, may(3), []string{"The limit is 100."}},
		{"second, of the 7th", second, may(7), []string{"The limit is 200."}},
		{"second, before all", second, may(1).AddDate(-1, 0, 0), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := m.query(memory.QueryInput{Question: "limit", KnownAtRevision: c.knownAt, AsOf: c.asOf})
			var claims []string
			for _, h := range r.Results {
				claims = append(claims, h.Claim)
			}
			if !slices.Equal(claims, c.want) {
				t.Errorf("found %q, want %q", claims, c.want)
			}
			if (r.KnownAt != "") != (c.knownAt != "") {
				t.Errorf("known at %q", r.KnownAt)
			}
			f, err := m.Get(t.Context(), memory.GetInput{Key: key, KnownAtRevision: c.knownAt, AsOf: c.asOf})
			if c.knownAt == "" && c.asOf.IsZero() { // get shows what stands, retired or not
				return
			}
			if (err == nil) != (len(c.want) == 1) || err == nil && f.Fact.Claim != c.want[0] {
				t.Errorf("get: %q, %v, want %q", f.Fact.Claim, err, c.want)
			}
		})
	}
}

// By date, what counts is when the branch came to have it.
func TestKnownAtADate(t *testing.T) {
	m := newMemory(t)
	m.commit(memory.CommitInput{Claim: "The limit is 100.", Key: "domain/auth/limit"})
	m.clock.add(48 * time.Hour)
	between := m.clock.Now()
	m.clock.add(48 * time.Hour)
	m.commit(memory.CommitInput{Claim: "The limit is 200.", Key: "domain/auth/limit"})
	r := m.query(memory.QueryInput{Question: "limit", KnownAt: between})
	if len(r.Results) != 1 || r.Results[0].Claim != "The limit is 100." {
		t.Errorf("%+v", r.Results)
	}
	for name, in := range map[string]memory.QueryInput{
		"before the branch": {KnownAt: between.AddDate(-1, 0, 0)},
		"no commit":         {KnownAtRevision: "nonsense"},
		"an option":         {KnownAtRevision: "--all"},
		"another branch":    {KnownAtRevision: "main"},
		"both":              {KnownAtRevision: "engram", KnownAt: between},
	} {
		in.Question = "limit"
		_, err := m.Query(t.Context(), in)
		if code, _ := memory.Classify(err); code != memory.CodeUsage {
			t.Errorf("%s: code %q, error %v", name, code, err)
		}
	}
}
