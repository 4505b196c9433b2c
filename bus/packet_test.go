package bus_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/bus"
)

// line draws one line of a packet, among them lines that look like its form.
func line(t *rapid.T, name string) string {
	marks := rapid.SampledFrom([]string{"", "- ", "Plan: ", "Constraints:", "Findings:", "  @ ", "@ ", "…"}).Draw(t, name+" mark")
	return marks + rapid.StringMatching(`[a-zA-Z0-9é@:#./ -]{0,12}[a-z0-9]`).Draw(t, name)
}

func lines(t *rapid.T, name string, least int) (list []string) {
	for range rapid.IntRange(least, least+3).Draw(t, name+" count") {
		list = append(list, line(t, name))
	}
	return list
}

func TestPacketRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := bus.Packet{Text: strings.Join(lines(t, "text", 0), rapid.SampledFrom([]string{"\n", "\n\n"}).Draw(t, "between"))}
		if rapid.Bool().Draw(t, "planned") {
			p.Plan = line(t, "plan")
		}
		p.Constraints, p.Acceptance = lines(t, "constraint", 0), lines(t, "criterion", 0)
		read := bus.ParsePacket(p.String())
		if read.String() != p.String() {
			t.Fatalf("%q became %q", p.String(), read.String())
		}
		if p.Plan == "" && p.Constraints == nil && p.Acceptance == nil {
			return // a text that happens to have the form is a packet
		}
		if diff := cmp.Diff(p, read); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", p.String(), diff)
		}
	})
}

func TestFindingsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(lines(t, "text", 0), "\n\n")
		var list []bus.Finding
		for range rapid.IntRange(1, 3).Draw(t, "findings") {
			list = append(list, bus.Finding{Text: line(t, "finding"), Pointers: lines(t, "pointer", 1)})
		}
		detail := bus.WithFindings(text, list)
		again, read := bus.ParseFindings(detail)
		if diff := cmp.Diff(list, read); diff != "" || again != text {
			t.Fatalf("%q (-want +got):\n%s", detail, diff)
		}
		ref := list[0].Pointers[0]
		_, read = bus.ParseFindings(bus.RepointFindings(detail, map[string]string{ref: "repo:new.go"}))
		if read[0].Pointers[0] != "repo:new.go" || len(read) != len(list) {
			t.Fatalf("%q: %q", detail, read)
		}
	})
}

// TestTextStaysText: what people write is taken as it is.
func TestTextStaysText(t *testing.T) {
	for _, text := range []string{
		"", "Look at every path.", "Plan: ", "Constraints:", "Constraints:\n- one\nand more", "Acceptance criteria:\n- a\nConstraints:\n- b",
		"Constraints:\n- \n", "- a\n- b", "Plan: x\n\nand more", "Findings:\n- no pointer", "Findings:\n  @ repo:a", "Constraints:\n- a\n", "\n\nPlan: x",
	} {
		if p := bus.ParsePacket(text); p.Text != text {
			t.Errorf("%q is %+v", text, p)
		}
		if rest, list := bus.ParseFindings(text); rest != text || list != nil {
			t.Errorf("%q has the findings %q", text, list)
		}
		if again := bus.RepointFindings(text, map[string]string{"repo:a": "repo:b"}); again != text {
			t.Errorf("%q became %q", text, again)
		}
	}
}
