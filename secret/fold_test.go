package secret

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"engram/internal/visible"

	"pgregory.net/rapid"
)

// invisible are characters that texts made of a text lose.
func invisible() []rune {
	all := []rune{0x00, 0x01, 0x08, 0x0b, 0x0c, '\r', 0x1b, 0x7f, 0x80, 0x85, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x180f,
		0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060, 0x2061, 0x2064, 0x2065, 0x206a, 0x206f, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff0, 0xfff9,
		0x110bd, 0x1d173, 0xe0000, 0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xe01ef, 0xe0fff,
		0x301, 0x20dd, 0xe000, 0xf8ff, 0xf0000, 0x378, 0x2028, 0x2029}
	for r := rune(0x202a); r <= 0x202e; r++ {
		all = append(all, r)
	}
	for r := rune(0x2066); r <= 0x2069; r++ {
		all = append(all, r)
	}
	return all
}

func TestScanFindsSplitTokens(t *testing.T) {
	s := New()
	token := "ghp" + "_" + "q7Zr2LwK9xTb4VmN8cYd3HsG6pJf5RtX1aQe"
	for _, r := range invisible() {
		for at := range len(token) - 1 {
			text := "CI pushes with " + token[:at+1] + string(r) + token[at+1:] + " since May."
			if rule, found := s.Scan(text); !found || rule != "github-pat" {
				t.Errorf("split by %U after %d: Scan = %q, %v", r, at+1, rule, found)
			}
			clean, _ := s.Redact(text)
			if want := "CI pushes with [redacted: github-pat] since May."; clean != want {
				t.Errorf("split by %U: Redact = %q, want %q", r, clean, want)
			}
		}
	}
}

func TestFoldMapsBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := drawText(rt)
		folded, at := visible.Fold(text)
		for i, from := range at {
			if text[from] != folded[i] && text[from] < utf8.RuneSelf {
				t.Fatalf("byte %d of %q is not byte %d of %q", from, text, i, folded)
			}
		}
	})
}

// TestRedactKeepsTheRest wants secrets replaced, and nothing else.
func TestRedactKeepsTheRest(t *testing.T) {
	s := New()
	token := "ghp" + "_" + "q7Zr2LwK9xTb4VmN8cYd3HsG6pJf5RtX1aQe"
	teams := "https://acme.webhook.office.com/webhookb2/" + uuid + "@" + uuid + "/IncomingWebhook/" + strings.Repeat("a1b2", 8) + "/" + uuid
	for name, c := range map[string][2]string{
		"none":         {"The index keeps one entry.\n", "The index keeps one entry.\n"},
		"vendor":       {"a " + token + " b " + token + "\n", "a [redacted: github-pat] b [redacted: github-pat]\n"},
		"group":        {`  api_key = "q7Zr2LwK9xTb4VmN8cYd3HsG", next`, `  api_key = "[redacted: generic-api-key]", next`},
		"url":          {"postgres://app:hunter22@db/x?y", "postgres://app:[redacted: connection-string-password]@db/x?y"},
		"driver":       {"app:hunter22@tcp(db)/x", "app:[redacted: connection-string-password]@tcp(db)/x"},
		"oracle":       {"jdbc:oracle:thin:app/hunter22@h", "jdbc:oracle:thin:app/[redacted: connection-string-password]@h"},
		"keyed":        {"\nServer=db; Password = hunter22; x\n", "\nServer=db; Password = [redacted: connection-string-password]; x\n"},
		"percent":      {"x %67%68%70%5F" + token[4:] + "%20 y\n", "x [redacted: github-pat] y\n"},
		"invalid":      {"\xff" + token + "\xfe\x00", "\xff[redacted: github-pat]\xfe\x00"},
		"piece":        {teams, "[redacted: microsoft-teams-webhook]"},
		"line breaks":  {"\r\n" + token + "\r\n\t", "\r\n[redacted: github-pat]\r\n\t"},
		"commit stays": {"token commit: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "token commit: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"},
	} {
		if clean, _ := s.Redact(c[0]); clean != c[1] {
			t.Errorf("%s: Redact(%q) = %q, want %q", name, c[0], clean, c[1])
		}
	}
}

const uuid = "3f9c1ad2-7b1e-4c55-9a70-1f2e3d4c5b6a"

func TestRedactLeavesNothing(t *testing.T) {
	s := New()
	rapid.Check(t, func(rt *rapid.T) { redacts(rt, s, drawText(rt)) })
}

type fataler interface{ Fatalf(string, ...any) }

func redacts(t fataler, s *Scanner, text string) {
	clean, rules := s.Redact(text)
	if rule, found := s.Scan(clean); found {
		t.Fatalf("Scan finds %s in %q, redacted from %q", rule, clean, text)
	}
	if again, more := s.Redact(clean); again != clean || len(more) > 0 {
		t.Fatalf("Redact of %q is %q, %v", clean, again, more)
	}
	if _, found := s.Scan(text); found != (len(rules) > 0) || found == (clean == text) {
		t.Fatalf("Scan found: %v, Redact of %q replaced %v", found, text, rules)
	}
}

func FuzzRedact(f *testing.F) {
	for _, p := range pieces() {
		f.Add("key = " + p + "\n" + p)
	}
	s := New()
	f.Fuzz(func(t *testing.T, text string) { redacts(t, s, text) })
}

// TestRedactByRule redacts texts that match each rule: nothing of the secret stays.
func TestRedactByRule(t *testing.T) {
	s, r := New(), newReference(t)
	for _, lazy := range r.rules.rules {
		own, err := lazy.compile()
		if err != nil {
			t.Fatal(err)
		}
		if _, found := s.Scan(mark(lazy.id)); found {
			t.Errorf("the mark of %s is taken for a secret", lazy.id)
		}
		for _, format := range []string{"api_key: \"%s\"", "password=%s", "postgres://u:%s@h/x", "Server=x;Pwd=%s;"} {
			if rule, found := s.Scan(fmt.Sprintf(format, mark(lazy.id))); found {
				t.Errorf("the mark of %s in %s is found by %s", lazy.id, format, rule)
			}
		}
		matching := rapid.StringMatching(own.form.String())
		for seed := range 6 {
			text := "before\n" + matching.Example(seed) + "\nafter"
			redacts(t, s, text)
			for _, f := range own.find(text, 0, len(text)) {
				if clean, rules := s.Redact(text); len(rules) > 0 && !isIdentifier(own.id, f.match, f.secret) && strings.Contains(clean, f.secret) && len(f.secret) >= minSecret {
					t.Errorf("%s: %q stays in %q", own.id, f.secret, clean)
				}
			}
		}
	}
}
