package show

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/cmd/internal/term"
	"engram/memory"
)

// TestSides keeps two columns apart, whatever stands in them, and gives them up
// where they are too narrow.
func TestSides(t *testing.T) {
	print := func(width int, a, b Side) string {
		var shown bytes.Buffer
		out := &term.Streams{Data: bufio.NewWriter(&shown), Terminal: true, Width: width, Now: time.Now}
		Sides(out, "  ", a, b)
		out.Data.Flush()
		return shown.String()
	}
	a := Side{Name: "A", Key: "domain/x/a-key-that-is-long-enough-to-break", Claim: "Größe 10.\x1b[31m", Span: &memory.Span{Start: 8, End: 10}, About: []string{"claude"}}
	b := Side{Name: "B", Key: "domain/x/b", Claim: "Size 20."}
	want := "  A domain/x/                             B domain/x/b\n" +
		"    a-key-that-is-long-enough-to-break    Size 20.\n" +
		"  Größe 10.\\x1b[31m\n" +
		"  claude\n"
	if diff := cmp.Diff(want, print(80, a, b)); diff != "" {
		t.Errorf("80 columns (-want +got):\n%s", diff)
	}
	stacked := "  A domain/x/\n    a-key-that-is-long-enough-to-break\n  Größe 10.\\x1b[31m\n  claude\n  B domain/x/b\n  Size 20.\n"
	if diff := cmp.Diff(stacked, print(40, a, b)); diff != "" {
		t.Errorf("40 columns (-want +got):\n%s", diff)
	}
	b.Claim = "See " + strings.Repeat("x", 60)
	if got := print(80, a, b); !strings.HasSuffix(got, "  claude\n  B domain/x/b\n  See "+strings.Repeat("x", 60)+"\n") {
		t.Errorf("a long word:\n%s", got)
	}
	for _, span := range []*memory.Span{nil, {Start: 3, End: 3}, {Start: -1, End: 2}, {Start: 0, End: 99}} {
		if got := spanParts("short", span); len(got) != 1 || got[0].Changed {
			t.Errorf("%+v: %v", span, got)
		}
	}
	if got := spanParts("ab cd", &memory.Span{Start: 3, End: 5}); !got[1].Changed || got[1].Text != "cd" {
		t.Errorf("got %v", got)
	}
}
