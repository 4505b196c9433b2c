package evidence

import (
	"fmt"
	"slices"
	"strings"

	"engram/facts"
)

// Section returns the section of a Markdown document with a name: from its heading to
// the next heading of the same or a higher level. The name matches a heading
//
//  1. exactly,
//  2. ignoring case,
//  3. as an anchor: budget-rules, usage-1,
//  4. ignoring all but letters and digits: BudgetRules.
//
// The first of these with a match decides. The error wraps ErrNoSuchPart, also if
// several headings match, and lists the headings.
func Section(content []byte, name string) (Span, error) {
	if !IsText(content) {
		return Span{}, ErrBinary
	}
	lines := linesOf(content)
	all := headings(lines)
	at, err := sectionNamed(all, strings.TrimSpace(name))
	if err != nil {
		return Span{}, err
	}
	end := len(lines)
	for _, h := range all[at+1:] {
		if h.level <= all[at].level {
			end = h.line
			break
		}
	}
	return between(content, lines, all[at].line, end), nil
}

// sectionNamed returns the index of the heading with a name.
func sectionNamed(all []heading, name string) (int, error) {
	plain, anchor, letters := plainText(name), strings.ToLower(strings.TrimPrefix(name, "#")), bare(name)
	for _, matches := range []func(heading) bool{
		func(h heading) bool { return h.text == name || h.text == plain },
		func(h heading) bool { return strings.EqualFold(h.text, plain) },
		func(h heading) bool { return h.anchor != "" && h.anchor == anchor },
		func(h heading) bool { return letters != "" && bare(h.text) == letters },
	} {
		var found []int
		for i, h := range all {
			if matches(h) {
				found = append(found, i)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			return 0, fmt.Errorf("%w: %d sections are called %q, on the lines %s", ErrNoSuchPart, len(found), name, headingLines(all, found))
		}
	}
	if len(all) == 0 {
		return 0, fmt.Errorf("%w: it has no headings, and so no section %q", ErrNoSuchPart, name)
	}
	texts := make([]string, len(all))
	for i, h := range all {
		texts[i] = h.text
	}
	return 0, fmt.Errorf("%w: it has no section %q; the nearest are %s", ErrNoSuchPart, name, nearest(name, texts))
}

const maxListed = 10

func headingLines(all []heading, found []int) string {
	var list []string
	for _, i := range found[:min(len(found), maxListed)] {
		list = append(list, fmt.Sprintf("%d (%s)", all[i].line+1, all[i].anchor))
	}
	return strings.Join(list, ", ")
}

// Bounds of what is looked through for a name that is near.
const (
	maxCompared     = 500
	maxComparedName = 100 // bytes
)

// nearest lists the three most similar names.
func nearest(name string, names []string) string {
	type near struct {
		name     string
		distance int
	}
	short := func(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxComparedName)], "") }
	wanted := bare(short(name))
	var list []near
	for _, n := range names[:min(len(names), maxCompared)] {
		if n = short(n); n == "" || slices.ContainsFunc(list, func(o near) bool { return o.name == n }) {
			continue
		}
		distance := facts.EditDistance(wanted, bare(n))
		if wanted != "" && strings.Contains(bare(n), wanted) {
			distance = 0
		}
		list = append(list, near{n, distance})
	}
	slices.SortStableFunc(list, func(a, b near) int { return a.distance - b.distance })
	var quoted []string
	for _, n := range list[:min(len(list), 3)] {
		quoted = append(quoted, fmt.Sprintf("%q", n.name))
	}
	return strings.Join(quoted, ", ")
}
