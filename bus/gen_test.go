package bus_test

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"engram/bus"
	"engram/facts"
)

// sentence is prose of about n words.
func sentence(t *rapid.T, n int) string {
	words := []string{"the", "gateway", "reserves", "a", "budget", "before", "it", "asks", "vendors", "and", "releases", "that", "after", "failures", "söme", "時間", "30", "minutes", "`Reserve`", "e.g.", "cost: 3", "#4", "\"quoted\"", "it's", "a\nb"}
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, n).Draw(t, "words"), " ") + rapid.SampledFrom([]string{"", ".", " ", ":"}).Draw(t, "end")
}

func anyPointer(t *rapid.T) bus.Pointer {
	p := rapid.SampledFrom([]bus.Pointer{
		{Type: "repo", Ref: "repo:services/gateway/client.py#L280-L360@0123abc"},
		{Type: "repo", Ref: "repo:services/gateway/client.py#L280-L360@0123abc", Span: "L280-L360"},
		{Type: "artifact", Ref: "artifact:docs/SPEC.md#sec=Budget rules@0123456789abcdef0123456789abcdef01234567", Span: "sec=Budget rules"},
		{Type: "sam", Ref: "sam:domain/auth/session@01JZ0000000000000000000000"},
		{Type: "diff", Ref: "diff:0123abc..4567def#a.go#L1-L3"},
		{Type: "test", Ref: "test:a_test.go#TestX@0123abc"},
		{Type: "url", Ref: "url:https://example.com/a?b=c"},
	}).Draw(t, "pointer")
	if rapid.Bool().Draw(t, "digested") {
		p.Digest = "sha256:" + strings.Repeat("0a", 32)
	}
	return p
}

func anyPointers(t *rapid.T, least, most int) []bus.Pointer {
	return rapid.SliceOfN(rapid.Custom(anyPointer), least, most).Draw(t, "pointers")
}

func anyEngram(t *rapid.T) bus.Engram {
	confidence := float64(rapid.IntRange(0, 100).Draw(t, "confidence")) / 100
	e := bus.Engram{
		Kind: string(rapid.SampledFrom(facts.Kinds()).Draw(t, "kind")), Claim: sentence(t, 30), Pointers: anyPointers(t, 1, 3),
		Confidence: &confidence, TTL: rapid.SampledFrom([]string{"P7D", "PT6H", "7"}).Draw(t, "ttl"),
		Scope: string(rapid.SampledFrom(facts.Reaches()).Draw(t, "scope")),
	}
	if rapid.Bool().Draw(t, "more") {
		e.ID, e.Tags, e.HashKeys, e.EmbeddingRef = "01JZ0000000000000000000000", []string{"budget", "2026", "a, b"}, []string{"service:gateway"}, "vec:1"
		e.Provenance = &bus.Provenance{CreatedAt: time.Date(2026, 1, 19, 12, 0, 0, 5e6, time.UTC), CreatedBy: "coder-1", Source: "agent"}
	}
	return e
}

func anyChild(t *rapid.T) bus.ChildMessage {
	m := bus.ChildMessage{Role: "programmer", TaskStatus: sentence(t, 3), Engrams: rapid.SliceOfN(rapid.Custom(anyEngram), 0, 5).Draw(t, "engrams"),
		Output: bus.Output{Summary: sentence(t, 20), Next: rapid.SampledFrom([]string{"", "no", "Await a grant."}).Draw(t, "next")}}
	if rapid.Bool().Draw(t, "pack") {
		m.PointerPack = anyPointers(t, 1, 4)
		m.DerefRequests = []bus.DerefRequest{{Pointer: anyPointer(t), Reason: sentence(t, 8)}}
	}
	return m
}

func anyParent(t *rapid.T) bus.ParentMessage {
	m := bus.ParentMessage{Role: "director", SharedBriefMicro: []string{}, Budgets: bus.Budgets{MaxEngrams: 10, MaxInlineTokens: rapid.IntRange(0, 800).Draw(t, "tokens")}}
	for range rapid.IntRange(0, 8).Draw(t, "lines") {
		m.SharedBriefMicro = append(m.SharedBriefMicro, sentence(t, 12))
	}
	if rapid.Bool().Draw(t, "pack") {
		m.TargetPointerPack = anyPointers(t, 1, 4)
		m.Grants = []bus.MessageGrant{{BudgetToken: "eg1.abc_DEF-123", Pointer: anyPointer(t), CapTokens: 500}}
		m.Instructions = []string{sentence(t, 10)}
	}
	return m
}

// spoil does one to a few things to a child's message that take it beyond the budgets.
func spoil(t *rapid.T, m *bus.ChildMessage) {
	for range rapid.IntRange(1, 4).Draw(t, "spoils") {
		switch rapid.IntRange(0, 5).Draw(t, "spoil") {
		case 0:
			m.Output.Summary += strings.Repeat(" and so on, until nobody reads any further.", 40)
		case 1:
			e := anyEngram(t)
			e.Claim = strings.Repeat("A claim that goes on. ", rapid.IntRange(20, 60).Draw(t, "length"))
			m.Engrams = append(m.Engrams, e)
		case 2:
			for i := range 14 {
				e := anyEngram(t)
				e.Claim = fmt.Sprintf("Claim %d.", i)
				m.Engrams = append(m.Engrams, e)
			}
		case 3:
			e := anyEngram(t)
			e.Claim = "It says:\n" + code
			m.Engrams = append(m.Engrams, e)
		case 4:
			m.Output.Summary += "\n```go\n" + code + "\n```"
		case 5:
			m.PointerPack = append(m.PointerPack, anyPointers(t, 25, 30)...)
		}
	}
}

const code = "func reserve(n int) error {\n\tif n < 0 {\n\t\treturn errNegative\n\t}\n\treturn nil\n}"
