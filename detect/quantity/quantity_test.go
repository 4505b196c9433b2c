package quantity_test

import (
	"testing"

	"engram/detect/quantity"
)

func first(t *testing.T, text string) *quantity.Quantity {
	t.Helper()
	list := quantity.Read(quantity.Split(text))
	if len(list) == 0 {
		t.Fatalf("%q: no quantity", text)
	}
	return &list[0]
}

// TestEqual: one quantity in several wordings.
func TestEqual(t *testing.T) {
	for _, tt := range [][2]string{
		{"every 90 minutes", "once per 1.5 h"},
		{"half of the users", "50% of users"},
		{"three out of four requests", "75 percent of requests"},
		{"one in a hundred", "1 %"},
		{"at midnight", "at 00:00"},
		{"at 4 in the morning", "at 04:00"},
		{"on 31 March 2026", "on 2026-03-31"},
		{"a dozen keys", "12 keys"},
		{"half an hour", "30 min"},
		{"every other week", "every fortnight"},
		{"2048 MB", "2 GiB"},
		{"listens on :9090", "port 9090"},
		{"Node 18", "Node 18.2"},
		{"1h30m", "90 minutes"},
		{"twenty-five jobs", "25 jobs"},
		{"60 requests per minute", "1 req/s"},
		{"a year and two months", "14 months"},
		{"two hours and ten minutes", "2h 10"},
		{"every quarter of an hour", "every 15 minutes"},
		{"3.2 million cells", "3.2M cells"},
		{"open udp/51820", "port 51820"},
		{"see cache.example:8980", "port 8980"},
		{"runtime/cuda:12.4-base", "CUDA 12.4"},
		{"OpenSSH 8.9p1", "OpenSSH 8.9"},
		{"TLS1.2", "TLS 1.2"},
		{"on the first of each month", "on the 1st of each month"},
	} {
		if q, r := first(t, tt[0]), first(t, tt[1]); !q.Comparable(r) || !q.Equal(r) {
			t.Errorf("%q and %q: %+v, %+v", tt[0], tt[1], *q, *r)
		}
	}
}

// TestDiffer: quantities of one dimension that differ.
func TestDiffer(t *testing.T) {
	for _, tt := range [][2]string{
		{"port 9090", "port 9102"}, {"30 minutes", "one hour"}, {"weekly", "every other week"},
		{"on Tuesdays", "on Thursday"}, {"Java 11", "JDK 21"}, {"1000 req/s", "2000 requests per second"},
	} {
		if q, r := first(t, tt[0]), first(t, tt[1]); !q.Comparable(r) || q.Equal(r) {
			t.Errorf("%q and %q: %+v, %+v", tt[0], tt[1], *q, *r)
		}
	}
}

// TestAlign: a bare number is what the other quantity is.
func TestAlign(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		ok   bool
	}{
		{"ldaps on 636", "port 389", true},
		{"is at 5.2", "Vite 4", true},
		{"opens at 8", "from 6:30 on", true},
		{"on the 15th of each month", "on Sundays", true},
		{"12 nodes", "port 8443", false},
		{"in 2031", "Vite 4", false},
		{"30 %", "30 minutes", false},
	} {
		q, r, ok := quantity.Align(*first(t, tt.a), *first(t, tt.b))
		if ok != tt.ok || ok && q.Equal(&r) {
			t.Errorf("%q and %q: %v, %+v, %+v", tt.a, tt.b, ok, q, r)
		}
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{"Роrt": "port", "Café": "café", "Redis": "redis", "привет": "привет", "ｐort": "port"} {
		if got := quantity.Fold(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
