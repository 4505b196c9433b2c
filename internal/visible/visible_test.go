package visible_test

import (
	"encoding/json"
	"testing"
	"unicode"

	"engram/internal/visible"

	"pgregory.net/rapid"
)

func TestFind(t *testing.T) {
	for text, want := range map[string]struct {
		r      rune
		before int
	}{
		"a\u200bb":                       {0x200b, 1},
		"ü\u00adb":                       {0xad, 1},
		"ab\u202ec":                      {0x202e, 2},
		"x\u0007":                        {7, 1},
		"\ufeffx":                        {0xfeff, 0},
		"x\U000e0041":                    {0xe0041, 1},
		"x\ufe0f":                        {0xfe0f, 1},
		"\u26a0\ufe0f\ufe0f":             {0xfe0f, 2},
		"a\u200db":                       {0x200d, 1},
		"x\u2028y":                       {0x2028, 1},
		"x\ue000y":                       {0xe000, 1},
		"\u26a0\ufe0f 1\ufe0f\u20e3":     {},
		"\U0001f469\u200d\U0001f4bb":     {},
		"\u2764\ufe0f\u200d\U0001f525":   {},
		"\u0645\u06cc\u200c\u062e\u0648": {},
		"\u0915\u094d\u200d\u0937":       {},
		"plain, ünïcode, 日本語\nand\ttabs.": {},
		"\u00a0\u2003": {},
	} {
		r, before, found := visible.Find(text)
		if r != want.r || before != want.before || found != (want.r != 0) {
			t.Errorf("Find(%+q) = %U, %d, %v; want %U, %d", text, r, before, found, want.r, want.before)
		}
	}
}

func TestShow(t *testing.T) {
	for text, want := range map[string]string{
		"a\u200bb\u202e": "a<U+200B>b<U+202E>", "plain": "plain", "\xffx\u00ad": "\xffx<U+00AD>", "\U000e0041": "<U+E0041>", "\u26a0\ufe0f": "\u26a0\ufe0f",
	} {
		if got := visible.Show(text); got != want {
			t.Errorf("Show(%+q) = %+q, want %+q", text, got, want)
		}
	}
	text := "a\u200b\x01\u2028\"\\u0041"
	encoded, err := json.Marshal([]string{text})
	if err != nil {
		t.Fatal(err)
	}
	var back []string
	if err := json.Unmarshal(visible.ShowJSON(encoded), &back); err != nil || back[0] != "a<U+200B>\x01\u2028\"\\u0041" {
		t.Errorf("%q, %v", back, err)
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"ｇｈｐ＿ａ": "ghp_a", "gh\u0301p": "ghp", "é": "e", "𝐠𝚑p": "ghp", "a\u00a0b": "a b", "a\r\nb\rc": "a\r\nbc", "日本": "日本", "a\ue000b": "ab", "½": "1",
	} {
		if got, _ := visible.Fold(text); got != want {
			t.Errorf("Fold(%+q) = %+q, want %+q", text, got, want)
		}
	}
}

// TestLineHasNothingHidden asks of every character whether it stays hidden.
func TestLineHasNothingHidden(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		text := "a" + string(r) + "b"
		line, folded := visible.Line(text), first(visible.Fold(text))
		if line == "ab" && folded != "ab" {
			t.Errorf("%U is lost in a line alone", r)
		}
		if again := first(visible.Fold(folded)); again != folded {
			t.Errorf("%U folds to %+q and then to %+q", r, folded, again)
		}
		if r != 0x200c && r != 0x200d && visible.Show(line) != line {
			t.Errorf("%U is left in a line", r)
		}
	}
}

func first(text string, _ []int) string { return text }

func TestShowLeavesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shown := visible.Show(rapid.String().Draw(t, "text"))
		if r, _, found := visible.Find(shown); found {
			t.Fatalf("%U is left in %+q", r, shown)
		}
	})
}
