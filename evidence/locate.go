package evidence

import (
	"bytes"
	"slices"
)

// Standing is the verdict on an original in one version of a file.
type Standing struct {
	Freshness   Freshness
	First, Last int    // where the same lines are; 0 for a whole file, and if they are nowhere
	Name        string // of the section or test that they are now, if that has another name
	Reason      string // why it is unchecked or drifted, if there is something to say
	Several     bool   // it could as well stand at another place
}

// In looks for an original in another version of its file:
//
//  1. Nothing is known of it: unchecked.
//  2. The same bytes at the same lines, or as the section or test of that name: fresh.
//  3. The same section or test under another name, but for the line that names it:
//     moved.
//  4. The same bytes at other lines, the nearest to the old ones: moved. Text that is
//     hardly more than punctuation is not searched for, and places that already had
//     the same bytes do not count.
//  5. None of these: drifted.
//
// Line ends make no difference.
func (o Original) In(c *Content) Standing {
	// 1.
	if o.Unknown() {
		return Standing{Freshness: Unchecked, Reason: "it names neither a commit that is here nor a digest"}
	}
	// 2.
	here, err := o.here(c)
	if here.Freshness == Fresh {
		return here
	}
	if o.whole() || !c.text {
		return Standing{Freshness: Drifted}
	}
	// 3.
	if s, found := o.renamed(c); found {
		return s
	}
	// 4.
	s, found, all := o.inLines(c, tellingHere)
	if found {
		return s
	}
	if !all {
		return Standing{Freshness: Unchecked, Reason: "the file is too long to look for it by its digest alone"}
	}
	// 5.
	drifted := Standing{Freshness: Drifted}
	if s.First > 0 {
		drifted.Reason = alsoAt(o.address.Path, s.First, s.Last)
	} else if o.address.Name != "" && err != nil {
		drifted.Reason = err.Error()
	}
	return drifted
}

// Here is like In but checks the original's place only: fresh or unchecked.
func (o Original) Here(c *Content) Standing {
	s, _ := o.here(c)
	return s
}

// here compares an original with its place. The error says that there is no such place.
func (o Original) here(c *Content) (Standing, error) {
	if o.Unknown() {
		return Standing{Freshness: Unchecked}, nil
	}
	if o.address.FirstLine > 0 { // sooner than by Cut
		if part := c.part(o.address.FirstLine, o.address.LastLine); part == nil || !o.is(part) {
			return Standing{Freshness: Unchecked}, nil
		}
		return Standing{Freshness: Fresh, First: o.address.FirstLine, Last: o.address.LastLine}, nil
	}
	part, err := Cut(o.address, c.data)
	switch {
	case err != nil || !o.is(part.Text):
		return Standing{Freshness: Unchecked}, err
	case o.whole():
		return Standing{Freshness: Fresh}, nil
	}
	return Standing{Freshness: Fresh, First: part.First, Last: part.Last}, nil
}

// Elsewhere looks for an original in another file. It requires more text than In.
func (o Original) Elsewhere(c *Content) (Standing, bool) {
	if o.Unknown() {
		return Standing{}, false
	}
	if o.whole() {
		return Standing{Freshness: Moved}, telling(c.data) >= tellingElsewhere && o.is(c.data)
	}
	if !c.text {
		return Standing{}, false
	}
	o.before = nil // of another file
	s, found, _ := o.inLines(c, tellingElsewhere)
	return s, found
}

// inLines looks for the lines of an original, of which at least so much is text. all
// is false where there was too much to look through. Where all that is found stood there
// before, found is false, and s says where.
func (o Original) inLines(c *Content, least int) (s Standing, found, all bool) {
	if o.address.Name != "" && !o.known {
		return Standing{}, false, true // of how many lines it was, nobody knows
	}
	n := o.address.LastLine - o.address.FirstLine + 1
	if o.known {
		n = Count(o.text)
	}
	places, all := o.places(c, n)
	left, aim, also, exact := o.stay(c, places, n)
	if at := nearestTo(left, aim); at > 0 {
		also = at
	}
	if also == 0 || telling(c.part(also, also+n-1)) < least {
		return Standing{}, false, all
	}
	s = Standing{Freshness: Moved, First: also, Last: also + n - 1, Name: o.nameAt(c, also), Several: len(left) > 1 && !exact}
	return s, len(left) > 0, all
}

// Key returns the line by which to find the original among many files, the one with
// the most text; nil if it is too short to search for or its bytes are unknown.
func (o Original) Key() []byte {
	if !o.known || telling(o.text) < tellingElsewhere {
		return nil
	}
	return slices.MaxFunc(bareLines(o.text), func(a, b []byte) int { return len(a) - len(b) })
}

// Lines returns the lines of the content without line ends; nil if it is not text.
func (c *Content) Lines() [][]byte { return c.lines }

// nearestTo returns the place that is nearest to a line; 0 if there are none.
func nearestTo(places []int, line int) (nearest int) {
	for _, at := range places {
		if nearest == 0 || distance(at, line) < distance(nearest, line) {
			nearest = at
		}
	}
	return nearest
}

func distance(a, b int) int { return max(a-b, b-a) }

// maxHashed limits the bytes that are hashed to find a part by its digest alone; they
// take some tenths of a second.
const maxHashed = 32 << 20

// places are the lines at which the original, of n lines, begins in a content. all is
// false where there was too much to look through.
func (o Original) places(c *Content, n int) (places []int, all bool) {
	if o.known {
		return placesOf(bareLines(o.text), c.lines), true
	}
	hashed := 0
	for at := 1; at+n-1 <= len(c.lines); at++ {
		part := c.part(at, at+n-1)
		if hashed += len(part); hashed > maxHashed {
			return places, false
		}
		if matchesPlain(o.digest, part) {
			places = append(places, at)
		}
	}
	return places, true
}

// placesOf are the lines of a text, counted from 1, at which some lines stand.
func placesOf(part, text [][]byte) (places []int) {
	for at := 0; len(part) > 0 && at+len(part) <= len(text); at++ {
		if bytes.Equal(text[at], part[0]) && slices.EqualFunc(text[at:at+len(part)], part, bytes.Equal) {
			places = append(places, at+1)
		}
	}
	return places
}
