package hooks

import (
	"fmt"
	"unicode/utf8"

	"engram/internal/lazyregexp"
	"engram/memory"
)

// minClaim is the number of characters of a claim that are always shown.
const minClaim = 20

// fullCommit matches a full commit id in a reference.
var fullCommit = lazyregexp.New(`@[0-9a-f]{40}(?:[0-9a-f]{24})?\b`)

// touched lists the facts whose evidence changes, and what to do about them.
func touched(r memory.EvidenceResult) []string {
	all := make([]string, 0, len(r.Touched))
	var changed, gone []memory.Evidence
	for _, e := range r.Touched {
		all = append(all, evidenceLine(e))
		if e.Freshness == memory.Missing {
			gone = append(gone, e)
		} else {
			changed = append(changed, e)
		}
	}
	head := "this commit changes the evidence of a fact; is the fact still true?"
	if n := len(all) + r.Omitted; n > 1 {
		head = fmt.Sprintf("this commit changes the evidence of %d facts; are they still true?", n)
	}
	lines := append([]string{head}, listed(all, maxListed)...)
	if len(changed) > 0 {
		key := keyOf(changed, r.Omitted)
		lines = append(lines, "  if so, after this commit: engram verify "+key+" --commit",
			"  if not: engram commit CLAIM --key "+key+" --operation update")
	}
	if len(gone) > 0 { // "engram verify" needs something to point at
		key := keyOf(gone, r.Omitted)
		lines = append(lines, "  if the evidence has moved: engram commit CLAIM --key "+key+" --operation update --pointer NEW",
			"  if the fact no longer holds: engram retire "+key)
	}
	return lines
}

// keyOf returns the key of the fact that the advice is for, or KEY if there are several.
func keyOf(list []memory.Evidence, omitted int) string {
	if len(list)+omitted > 1 {
		return "KEY"
	}
	return list[0].Key.String()
}

// evidenceLine names a fact and why it is listed. If the line is too long, the claim is
// cut: the key is enough to look the fact up.
func evidenceLine(e memory.Evidence) string {
	gone := ""
	if e.Freshness == memory.Missing {
		gone = ", which is deleted"
	}
	ref := fullCommit.ReplaceAllStringFunc(e.Ref, func(at string) string { return at[:1+7] })
	key, why := e.Key.String()+": ", fmt.Sprintf(" (%s%s)", ref, gone)
	room := maxLine - len("  ") - utf8.RuneCountInString(key+why)
	return key + cut(e.Claim, min(max(room, minClaim), 90)) + why
}
