package secret_test

import (
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect"

	"engram/secret"
)

// long makes a text of n bytes out of a piece.
func long(piece string, n int) string {
	return strings.Repeat(piece, n/len(piece)+1)[:n]
}

// hostile are pieces whose repetition costs the most: keywords of many rules,
// identifiers that are found and then let pass, encodings, half a key.
func hostile() map[string]string {
	return map[string]string{
		"prose":       "The index keeps one entry for each key, and reads it back before a write. ",
		"keywords":    "api key token secret password auth access credential ",
		"identifiers": "key: " + hexes[:40] + "\n",
		"base64":      "VGhlIGluZGV4IGtlZXBzIG9uZSBlbnRyeSBmb3IgZWFjaCBrZXk= ",
		"half keys":   "-----BEGIN " + "RSA PRIVATE\n",
		"schemes":     "x://a:",
		"no space":    "key",
		"passwords":   "server=password=${p",
		"drivers":     "a@tcp(",
	}
}

// TestScanFindsAcrossWindows plants a secret at every offset that matters in a
// text longer than a window.
func TestScanFindsAcrossWindows(t *testing.T) {
	s := secret.New()
	pad := long("The index keeps one entry a line.\n", 200<<10)
	for _, at := range []int{0, 47 << 10, 48<<10 - 20, 48 << 10, 64<<10 - 20, 64 << 10, 96<<10 - 20, 112<<10 - 20, 200 << 10} {
		text := pad[:at] + "\nghp" + "_" + alnum[:36] + "\n" + pad[at:]
		if rule, found := s.Scan(text); rule != "github-pat" || !found {
			t.Errorf("at %d: Scan = %q, %v; want github-pat, true", at, rule, found)
		}
	}
}

// TestScanBounded has no clock: a cost that grew with the square of the input
// would run into the timeout of the whole test. Under the race detector the
// expressions of gitleaks are slow, so what exercises them is shorter.
func TestScanBounded(t *testing.T) {
	s := secret.New()
	for name, piece := range hostile() {
		n := 16 << 10
		switch name {
		case "prose":
			n = 1 << 20
		case "schemes", "drivers", "passwords":
			n = 256 << 10
		}
		if rule, found := s.Scan(long(piece, n)); found {
			t.Errorf("%s: flagged by %s", name, rule)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, c := range planted() {
		f.Add(c[2], c[3])
	}
	for _, id := range identifiers() {
		f.Add("api commit key: "+id, id)
	}
	for _, piece := range hostile() {
		f.Add(long(piece, 300), piece)
	}
	f.Add("postgres://a:%zz@h \xff\x00 jdbc:oracle:@tcp( password=\"", "password=")
	s := secret.New()
	f.Fuzz(func(t *testing.T, text, part string) {
		rule, found := s.Scan(text)
		if found != (rule != "") {
			t.Fatalf("Scan = %q, %v", rule, found)
		}
		if again, _ := s.Scan(text); again != rule {
			t.Fatalf("Scan named %q, then %q", rule, again)
		}
		if strings.Trim(rule, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Fatalf("rule %q is no rule's name", rule)
		}
		// A part as long as a secret must not come back; rule names themselves may.
		if len(part) > 40 && strings.Contains(text, part) && strings.Contains(rule, part) {
			t.Fatalf("rule %q contains part of the text", rule)
		}
	})
}

// BenchmarkNew is what a process that writes one fact pays, beside what it
// would pay for gitleaks's own detector.
func BenchmarkNew(b *testing.B) {
	for name, claim := range map[string]string{
		"first claim":             "The index holds one entry a line, and reads it back before a write.",
		"first claim with 'key='": "The index is sorted by key = " + hexes[:40] + " before a write.",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				secret.New().Scan(claim)
			}
		})
	}
	b.Run("gitleaks default detector", func(b *testing.B) {
		for b.Loop() {
			if _, err := detect.NewDetectorDefaultConfig(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkScan(b *testing.B) {
	s := secret.New()
	for name, n := range map[string]int{"claim of 300": 300, "detail of 8 KiB": 8 << 10, "1 MiB": 1 << 20} {
		text := long(hostile()["prose"], n)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				s.Scan(text)
			}
		})
	}
	for name, piece := range hostile() {
		text := long(piece, 8<<10)
		b.Run("8 KiB of "+name, func(b *testing.B) {
			for b.Loop() {
				s.Scan(text)
			}
		})
	}
}
