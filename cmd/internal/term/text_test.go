package term

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"Grüße, 世界 🎉":           "Grüße, 世界 🎉",
		`a\b`:                   `a\b`,
		"a\tb\nc\rd":            `a\tb\nc\x0dd`,
		"\x1b[31mred\x07":       `\x1b[31mred\x07`,
		"left\u202eright\u2069": `left<U+202E>right<U+2069>`,
		"\u009b31m":             `<U+009B>31m`,
	} {
		if got := Plain(text); got != want {
			t.Errorf("plain(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	text := "Sessions live thirty minutes and https://example.com/a/very/long/address stays whole."
	lines := Wrap(text, 20)
	if got := strings.Join(lines, " "); got != text {
		t.Errorf("words were lost: %q", got)
	}
	for _, line := range lines {
		if len(line) > 20 && strings.Contains(line, " ") {
			t.Errorf("line %q is too long", line)
		}
	}
	if got := Wrap("  ", 20); got != nil {
		t.Errorf("wrap of blanks = %q", got)
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for distance, want := range map[time.Duration]string{
		0: "just now", 9 * time.Second: "just now", 50 * time.Second: "50s ago", 3 * time.Minute: "3m ago", 5 * time.Hour: "5h ago",
		49 * time.Hour: "2d ago", 15 * 24 * time.Hour: "2w ago", 100 * 24 * time.Hour: "3 months ago", 800 * 24 * time.Hour: "2 years ago",
		-2 * time.Hour: "in 2h",
	} {
		if got := Ago(now, now.Add(-distance)); got != want {
			t.Errorf("%v: %q, want %q", distance, got, want)
		}
	}
}

func TestDiffLines(t *testing.T) {
	before, after := DiffLines("a\nb\nc", "a\nB\nc\nd")
	if !slices.Equal(before, []string{"b"}) || !slices.Equal(after, []string{"B", "d"}) {
		t.Errorf("diffLines = %q, %q", before, after)
	}
	before, after = DiffLines("", "new")
	if before != nil || !slices.Equal(after, []string{"new"}) {
		t.Errorf("diffLines of nothing = %q, %q", before, after)
	}
}

func TestEmphasize(t *testing.T) {
	marked := func(list []Part) string {
		var b strings.Builder
		for _, p := range list {
			if p.Changed {
				b.WriteString("[" + p.Text + "]")
			} else {
				b.WriteString(p.Text)
			}
		}
		return b.String()
	}
	for _, c := range []struct{ from, to, before, after string }{
		{"Sessions live 30 minutes.", "Sessions live 15 minutes.", "Sessions live [30] minutes.", "Sessions live [15] minutes."},
		{"Live 30 minutes.", "Live 30 minutes, sliding.", "Live 30 minutes.", "Live 30 minutes[, sliding]."},
		{"one two three", "vier fünf sechs", "one two three", "vier fünf sechs"}, // nothing in common
		{"Grüße an alle hier", "Grüsse an alle hier", "[Grüße] an alle hier", "[Grüsse] an alle hier"},
	} {
		before, after := Emphasize(true, c.from, c.to)
		if marked(before) != c.before || marked(after) != c.after {
			t.Errorf("%q to %q: %q, %q", c.from, c.to, marked(before), marked(after))
		}
		if b, _ := Emphasize(false, c.from, c.to); len(b) != 1 || b[0].Text != c.from {
			t.Errorf("without colour: %v", b)
		}
	}
	long := strings.Repeat("x y ", 2000)
	if before, _ := Emphasize(true, long, long+"z"); len(before) != 1 {
		t.Error("a long text is compared word by word")
	}
}

// TestWrapPainted keeps every character and colours no blank between lines.
func TestWrapPainted(t *testing.T) {
	list := []Part{{"Sessions live ", false}, {"30 minutes", true}, {" and more.", false}}
	got := WrapPainted(list, 20, "  ", true, "31")
	want := "\x1b[0;31mSessions live \x1b[0;31;1;4m30\x1b[0;31m\n  \x1b[0;31;1;4mminutes\x1b[0;31m and more.\x1b[0m"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestQuoted(t *testing.T) {
	for arg, want := range map[string]string{
		"engram": "engram", "a b": `"a b"`, "": `""`, "it's": `"it's"`, `say "x"`: `'say "x"'`, "$HOME": `'$HOME'`,
		"repo:a.go#L1-L2": "repo:a.go#L1-L2", "#x": `"#x"`, "a;b": `"a;b"`, "don't $x": `'don'\''t $x'`,
	} {
		if got := Quoted(arg); got != want {
			t.Errorf("quoted(%q) = %s, want %s", arg, got, want)
		}
	}
}

// TestProgress shows long work only, seldom, and leaves nothing behind.
func TestProgress(t *testing.T) {
	var b strings.Builder
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	p := NewProgress(&b, true, func() time.Time { return now })
	p.Update("indexing", 1, 100)
	if b.Len() > 0 {
		t.Fatalf("work of no length shows %q", b.String())
	}
	now = now.Add(patience)
	p.Update("indexing", 50, 100)
	p.Update("indexing", 51, 100)
	p.Clear()
	p.Clear()
	want := "\rindexing 50 of 100 (50 %)"
	if got := b.String(); got != want+"\r"+strings.Repeat(" ", len(want)-1)+"\r" {
		t.Errorf("got %q", got)
	}
}

// TestProgressWithoutTerminal writes a whole line every ten seconds of work that goes on.
func TestProgressWithoutTerminal(t *testing.T) {
	var b strings.Builder
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	p := NewProgress(&b, false, func() time.Time { return now })
	for range 100 { // 25 seconds
		p.Update("importing", 0, 4)
		now = now.Add(250 * time.Millisecond)
	}
	now = now.Add(time.Hour)
	p.Update("importing", 1, 4) // other work of that name
	p.Clear()
	if got, want := b.String(), "importing 0 of 4 (0 %)\nimporting 0 of 4 (0 %)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Silence()
	for range 100 {
		p.Update("importing", 2, 4)
		now = now.Add(time.Second)
	}
	if strings.Contains(b.String(), "2 of 4") {
		t.Errorf("a silent one shows %q", b.String())
	}
}
