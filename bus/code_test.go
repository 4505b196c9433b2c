package bus_test

import (
	"strings"
	"testing"

	"engram/bus"
)

// TestCodeIsFound without fences, in several languages, also where YAML folded its lines
// into one.
func TestCodeIsFound(t *testing.T) {
	for name, text := range map[string]string{
		"go":                      code,
		"python":                  "def reserve(n):\n    if n < 0:\n        raise ValueError(\"negative\")\n    return n",
		"typescript":              "export const reserve = async (n: number): Promise<void> => {\n  if (n < 0) throw new Error('negative');\n};",
		"java":                    "public int reserve(int n) {\n    return n < 0 ? -1 : n;\n}",
		"rust":                    "pub fn reserve(n: i32) -> Result<(), Error> {\n    if n < 0 { return Err(Error::Negative); }\n    Ok(())\n}",
		"sql":                     "SELECT id, amount\nFROM reservations\nWHERE state = 'open' AND amount > 0;",
		"json":                    "{\n  \"engram\": \"x\",\n  \"limit\": 3\n}",
		"html":                    "<div class=\"a\">\n  <span>text</span>\n</div>",
		"diff":                    "@@ -1,3 +1,3 @@\n-return nil\n+return err",
		"a diff without its head": "-	if n < 0 {\n-		return nil\n+	if n <= 0 {\n+		return errNegative",
		"one line":                "func reserve(n int) error { if n < 0 { return errNegative }; return nil }",
		"in a sentence":           "The fix is for (int i = 0; i < n; i++) { sum += a[i]; } and nothing else.",
		"in a long span":          "It does `for i := 0; i < len(items); i++ { total += items[i].amount; items[i].done = true }` at the end.",
		"a fence":                 "Look:\n```\nanything at all\n```\nThat is it.",
		"a fence without end":     "Look:\n~~~\nanything at all",
		"a fence on one line":     "```go x := 1```",
		"folded":                  strings.Join(strings.Fields(code), " "),
	} {
		spans, chars := bus.Code(text)
		if len(spans) == 0 || chars == 0 {
			t.Errorf("%s is not found:\n%s", name, text)
		}
	}
}

// TestProseIsNoCode, whatever it mentions.
func TestProseIsNoCode(t *testing.T) {
	for _, text := range []string{
		"",
		"Call `m.Complete(ctx, ref)` before Submit(); it returns ErrNotFound (see memory/deref.go:34-60).",
		"Run `go test ./bus -run TestMatrix` or git push --force-with-lease origin main, then engram sync.",
		"The pointer repo:services/gateway/client.py#L280-L360@0123abc says so; artifact:SPEC.md#sec=Rules@0123abc does not.",
		"- first, the ledger\n- second, the gateway (about 3 ms)\n- third: nothing\n",
		"    An indented sentence is still a sentence, and not code at all.",
		"Limits: max_inline_tokens=800, max_engrams=12; the rest is as it was.",
		"If n is negative, return an error; for all others, import the row and continue.",
		"| name | value |\n|---|---|\n| a | 1 |\n| b | 2 |",
		"The map[string]int is shared -> a race; p95 < 20 ms, a >= b, x != y.",
		"Type the URL https://example.com/a?b=c&d=e#f, then press Ctrl-C.",
		"時間がかかる。コードはありません（本当に）。",
		"Keys look like {namespace}/{category}/{identifier}, such as domain/auth/session.",
		"A class of errors, from the import of old data with a default case: do this.",
		"~~~ WARNING ~~~ this is not to be exposed",
	} {
		if spans, chars := bus.Code(text); len(spans) > 0 {
			t.Errorf("%d characters of %q are taken for code: %q", chars, text, text[spans[0].Start:spans[0].End])
		}
	}
}

// TestCodeCountsWhatCounts: characters, without indentation and the fence's own lines.
func TestCodeCountsWhatCounts(t *testing.T) {
	for text, want := range map[string]int{
		"```go\nx := 1\n\ty\n```":     7,
		"a\n```\n時間\n```\nb":          2,
		"```\n```":                    0,
		"p\n\n```\na\n```\n\n~~~\nbc": 3,
	} {
		if _, chars := bus.Code(text); chars != want {
			t.Errorf("%q: %d, want %d", text, chars, want)
		}
	}
}
