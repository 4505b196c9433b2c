package secret

import (
	"cmp"
	"slices"
	"strings"

	"engram/internal/lazyregexp"
)

// maxPasses bounds how often a text is redacted before whole lines go.
const maxPasses = 4

// Redact replaces every secret that Scan would report by [redacted: RULE], and
// returns the rules of the replaced, in the order of the text. Where the secret
// shows only once a segment of the text is decoded, the whole segment goes. All else
// is kept byte for byte. Scan finds nothing in the clean text: where something is
// left after several passes, whole lines go, and then the whole text.
func (s *Scanner) Redact(text string) (clean string, rules []string) {
	for pass := 0; ; pass++ {
		var found []span
		s.each(text, func(sp span) bool {
			found = append(found, sp)
			return true
		})
		switch {
		case len(found) == 0:
			return text, rules
		case pass >= 2*maxPasses, found[0].rule == RuleUnavailable:
			return mark(found[0].rule), append(rules, found[0].rule)
		case pass >= maxPasses:
			for i, sp := range found {
				found[i].start = strings.LastIndexByte(text[:sp.start], '\n') + 1
				found[i].end = sp.end + indexAnyOrEnd(text[sp.end:], "\n")
			}
		}
		found = joined(found)
		var b strings.Builder
		done := 0
		for _, sp := range found {
			b.WriteString(text[done:sp.start])
			b.WriteString(mark(sp.rule))
			rules, done = append(rules, sp.rule), sp.end
		}
		b.WriteString(text[done:])
		text = b.String()
	}
}

// joined sorts spans and makes one of those that overlap. The rule is that of the
// one found first.
func joined(found []span) []span {
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(found[a].start, found[b].start) })
	var all []span
	first := 0 // the number of the finding that named the last of all
	for _, i := range order {
		sp := found[i]
		if n := len(all) - 1; n >= 0 && sp.start < all[n].end {
			if i < first {
				all[n].rule, first = sp.rule, i
			}
			all[n].end = max(all[n].end, sp.end)
			continue
		}
		all, first = append(all, sp), i
	}
	return all
}

func mark(rule string) string { return "[redacted: " + rule + "]" }

var redactedForm = lazyregexp.New(`^ *["']?\[redacted: [a-z0-9-]+\]`)

// isRedacted reports whether a value begins with what Redact puts there.
func isRedacted(value string) bool {
	return strings.Contains(value, "[redacted: ") && redactedForm.MatchString(value)
}
