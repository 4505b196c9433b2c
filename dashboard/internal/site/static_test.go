package site

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// TestVendoredFiles: each file of others is named with its licence, and is what was published.
func TestVendoredFiles(t *testing.T) {
	text, err := os.ReadFile("static/VENDORED.md")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := static.ReadDir("static")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".min.js") {
			continue
		}
		found++
		data, err := static.ReadFile("static/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		if !strings.Contains(string(text), e.Name()) || !strings.Contains(string(text), hex.EncodeToString(sum[:])) {
			t.Errorf("VENDORED.md does not name %s with its digest %x", e.Name(), sum)
		}
	}
	if found == 0 {
		t.Error("no files of others were found")
	}
}

// TestDiff: what two texts share stays, and the rest is told apart.
func TestDiff(t *testing.T) {
	show := func(list []Word) string {
		var b strings.Builder
		for _, w := range list {
			switch {
			case w.Gone:
				b.WriteString("[-" + w.Text + "-]")
			case w.Added:
				b.WriteString("{+" + w.Text + "+}")
			default:
				b.WriteString(w.Text)
			}
		}
		return b.String()
	}
	for _, tt := range [][3]string{
		{"Sessions live 30 minutes.", "Sessions live 45 minutes.", "Sessions live [-30 -]{+45 +}minutes."},
		{"", "a b", "{+a b+}"},
		{"a b", "", "[-a b-]"},
		{"same", "same", "same"},
		{"  a", "  a b", "  [-a-]{+a b+}"},
	} {
		if got := show(Diff(tt[0], tt[1])); got != tt[2] {
			t.Errorf("from %q to %q: %s, want %s", tt[0], tt[1], got, tt[2])
		}
	}
	long := strings.Repeat("word ", 1000)
	if got := show(Diff(long, long+"more")); !strings.HasPrefix(got, "[-") {
		t.Error("long texts are compared word by word")
	}
}
