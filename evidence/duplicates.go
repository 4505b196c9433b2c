package evidence

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"unicode"
)

// stay takes from the places where an original of n lines stands in a state of its file
// those where the same text stood before: a duplicate is not where it moved to. aim is
// the line where the original would stand if nothing but its surroundings had changed;
// exact reports whether it does. also is one of the duplicates, 0 if there is none.
func (o Original) stay(c *Content, places []int, n int) (left []int, aim, also int, exact bool) {
	if o.before == nil || !o.known || len(places) == 0 {
		return places, o.first, 0, false
	}
	aim, _ = Mapped(o.before, c, o.first, o.first+n-1)
	var others []int
	for _, at := range placesOf(bareLines(o.text), o.before.lines) {
		if at != o.first {
			to, _ := Mapped(o.before, c, at, at+n-1)
			others = append(others, to)
		}
	}
	if slices.Contains(places, aim) && !slices.Contains(others, aim) {
		return places, aim, 0, true
	}
	left = slices.Clone(places)
	for _, to := range others {
		at := nearestTo(left, to)
		if at == 0 {
			break
		}
		also = at
		left = slices.DeleteFunc(left, func(p int) bool { return p == at })
	}
	return left, aim, also, false
}

// alsoAt says where the lines of what drifted stand as well.
func alsoAt(path string, first, last int) string {
	lines := fmt.Sprintf("L%d-L%d", first, last)
	if last == first {
		lines = fmt.Sprintf("L%d", first)
	}
	if first == 0 {
		return "the same file is also at " + path
	}
	return "the same lines are also at " + path + ":" + lines
}

// AlsoAt says of what drifted that a copy of it stands in another file.
func (s Standing) AlsoAt(path string) string { return alsoAt(path, s.First, s.Last) }

// Arrived is Elsewhere, for a file that had other content before; nil if it is new. What
// stood in it already has not moved there.
func (o Original) Arrived(c, old *Content) (Standing, bool) {
	s, found := o.Elsewhere(c)
	if !found || old == nil {
		return s, found
	}
	if _, there := o.Elsewhere(old); there {
		return Standing{}, false
	}
	return s, true
}

// Edited reports whether something like the original still stands in its place in a
// state of its file: it was changed there, and what is elsewhere is a copy. It goes by
// the words that both have.
func (o Original) Edited(c *Content) bool {
	switch {
	case !o.known || o.before == nil || !c.text:
		return true
	case o.whole():
		return alike(o.text, c.data)
	}
	if o.address.Name != "" {
		if _, err := Cut(o.address, c.data); err == nil {
			return true
		}
	}
	n := Count(o.text)
	from, to := Mapped(o.before, c, o.first, o.first+n-1)
	return alike(o.text, c.part(max(from, 1), min(to, len(c.lines))))
}

// alikeShare is how many of a part's words make what stands in its place an edited
// version of it, in hundredths.
const alikeShare = 40

func alike(before, now []byte) bool {
	if len(now) == 0 {
		return false
	}
	had, both := words(before), words(now)
	maps.DeleteFunc(both, func(word string, _ bool) bool { return !had[word] })
	return len(both)*100 >= alikeShare*len(had)
}

func words(text []byte) map[string]bool {
	has := make(map[string]bool)
	for word := range bytes.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		has[string(word)] = true
	}
	return has
}
