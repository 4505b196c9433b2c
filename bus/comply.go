package bus

import (
	"slices"
	"strings"

	"engram/facts"
)

// comply reduces a message until it is within the budgets:
//
//  1. commits that are known are added;
//  2. lists are cut to their limits, engrams to those of the highest confidence;
//  3. code is replaced by a note that says to point at it; an engram that had nothing
//     else is removed;
//  4. texts are cut at the end of a sentence or word;
//  5. if that is not enough, items are removed step by step (lesser) until it fits.
//
// It returns "" if the result does not comply, such as for a claim without pointers.
func comply(m Message, limits Limits, allow Allowance) string {
	m, _ = read([]byte(m.YAML())) // a copy, without comments
	if m.Form == "" {
		return ""
	}
	for _, p := range m.pointers() {
		if ref := allow.Commits[p.Ref]; ref != "" {
			p.Ref = ref
		}
	}
	m.cutLists(limits)
	m.leaveCodeOut(limits.Inline.CodeChars + allow.CodeChars)
	for _, t := range m.texts() {
		most := t.most
		if strings.HasSuffix(t.path, "].claim") {
			most = limits.Inline.ClaimChars
		}
		*t.value = shortened(*t.value, most)
	}
	for _, step := range m.lesser() {
		for !m.fits(limits) && step() {
		}
	}
	text := m.YAML()
	back, problems := read([]byte(text))
	if len(problems) > 0 || len(judge(back, limits, allow).Refusals) > 0 {
		return ""
	}
	return text
}

func (m Message) fits(limits Limits) bool {
	yaml := m.YAML()
	return facts.Tokens(yaml) <= limits.Inline.Tokens && (m.Form == FromChild || strings.Count(yaml, "\n") <= MaxBriefLines)
}

func (m Message) cutLists(limits Limits) {
	if m.Form == FromChild {
		m.Child.keep(surest(m.Child.Engrams, limits.Inline.Engrams))
	}
	m.walk(func(_ string, v value, _ bool) {
		if l, ok := v.(list); ok && l.most > 0 && l.length() > l.most {
			l.resize(l.most)
		}
	})
}

// keep keeps only the engrams at the indexes, which are sorted.
func (m *ChildMessage) keep(at []int) {
	kept := make([]Engram, 0, len(at))
	for _, i := range at {
		kept = append(kept, m.Engrams[i])
	}
	m.Engrams = kept
}

// leaveCodeOut removes code from the end of the message until most characters of code are
// left.
func (m Message) leaveCodeOut(most int) {
	texts := m.texts()
	total := 0
	for _, t := range texts {
		_, n := Code(*t.value)
		total += n
	}
	for _, t := range slices.Backward(texts) {
		if _, n := Code(*t.value); total > most && n > 0 {
			*t.value = withoutCode(*t.value)
			total -= n
		}
	}
	if m.Form == FromChild {
		m.Child.Engrams = slices.DeleteFunc(m.Child.Engrams, func(e Engram) bool { return e.Claim == codeNote })
	}
}

// codeNote replaces code that was removed.
const codeNote = "[code omitted: point at it as repo:PATH#LFIRST-LLAST@COMMIT]"

// withoutCode replaces the code in a text by notes, adjacent pieces of code by one note.
func withoutCode(text string) string {
	spans, _ := Code(text)
	var b strings.Builder
	at := 0
	for i, s := range spans {
		between := strings.TrimSpace(text[at:s.Start])
		if i == 0 || between != "" {
			b.WriteString(text[at:s.Start])
			b.WriteString(codeNote)
		}
		at = s.End
	}
	b.WriteString(text[at:])
	return strings.TrimSpace(b.String())
}

// shortened cuts a text to most characters: at the end of a sentence, or else of a word, in
// its second half. A cut text ends with "…".
func shortened(text string, most int) string {
	r := []rune(text)
	if len(r) <= most {
		return text
	}
	const room = 2 // for " …"
	if most <= room {
		return string(r[:max(most, 0)])
	}
	r = r[:most-room]
	for _, ends := range []func(i int) bool{
		func(i int) bool { return strings.ContainsRune(".!?", r[i-1]) && (r[i] == ' ' || r[i] == '\n') },
		func(i int) bool { return r[i] == ' ' || r[i] == '\n' },
	} {
		for i := len(r) - 1; i > len(r)/2; i-- {
			if ends(i) {
				return string(r[:i]) + " …"
			}
		}
	}
	return string(r) + "…"
}

// lesser lists what can be omitted from a message, the least important first. Each step
// omits one item and reports whether it can be taken again.
func (m Message) lesser() []func() bool {
	if m.Form == FromChild {
		return m.Child.lesser()
	}
	return m.Parent.lesser()
}

// lesser lists what can be omitted from a child's message: what engram can compute, then
// words, then the engrams of the lowest confidence, then requests, and pointers last.
func (m *ChildMessage) lesser() []func() bool {
	once := func(f func()) func() bool { return func() bool { f(); return false } }
	return []func() bool{
		once(func() { m.each(func(e *Engram) { e.HashKeys, e.EmbeddingRef = nil, "" }) }),
		once(func() { m.Output.Summary = shortened(m.Output.Summary, 400) }),
		once(func() { m.Output.Next = shortened(m.Output.Next, 200) }),
		once(func() { m.Output.Summary = shortened(m.Output.Summary, 200) }),
		once(func() { m.each(func(e *Engram) { e.Provenance = nil }) }),
		once(func() {
			for i := range m.DerefRequests {
				m.DerefRequests[i].Reason = shortened(m.DerefRequests[i].Reason, 120)
			}
		}),
		once(func() { m.each(func(e *Engram) { e.Tags = nil }) }),
		func() bool {
			n := len(m.Engrams)
			m.keep(surest(m.Engrams, max(n-1, 1)))
			return len(m.Engrams) < n
		},
		once(func() { m.each(func(e *Engram) { e.Claim = shortened(e.Claim, 200) }) }),
		func() bool { return dropLast(&m.DerefRequests, 0) },
		once(func() { m.Output.Summary = shortened(m.Output.Summary, 100) }),
		func() bool { return dropLast(&m.PointerPack, 0) },
	}
}

func (m *ChildMessage) each(f func(e *Engram)) {
	for i := range m.Engrams {
		f(&m.Engrams[i])
	}
}

// lesser lists what can be omitted from a brief: its last lines, pointers, and the last
// instructions. Grants stay.
func (m *ParentMessage) lesser() []func() bool {
	const few = 5
	return []func() bool{
		func() bool { return dropLast(&m.SharedBriefMicro, few) },
		func() bool { return dropLast(&m.TargetPointerPack, few) },
		func() bool { return dropLast(&m.Instructions, few) },
		func() bool { return dropLast(&m.SharedBriefMicro, 1) },
		func() bool { return dropLast(&m.TargetPointerPack, 0) },
		func() bool { return dropLast(&m.Instructions, 0) },
	}
}

func dropLast[T any](items *[]T, least int) bool {
	if len(*items) <= least {
		return false
	}
	*items = (*items)[:len(*items)-1]
	return true
}
