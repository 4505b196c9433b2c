package evidence

import (
	"bytes"
	"slices"
)

// Standing is the verdict on an original in one state of a file.
type Standing struct {
	Freshness   Freshness
	First, Last int    // where the same lines stand; 0 of a whole file, and where they do not
	Reason      string // of what is unchecked
}

// In holds an original against a state of the file that it was in:
//
//  1. Nothing is known of it: unchecked.
//  2. The same bytes at the same lines: fresh.
//  3. The same bytes at other lines, the nearest to the old ones: moved. What is
//     hardly more than punctuation is not looked for.
//  4. Neither: drifted.
//
// How lines end makes no difference.
func (o Original) In(c *Content) Standing {
	// 1.
	if o.Unknown() {
		return Standing{Freshness: Unchecked, Reason: "it names neither a commit that is here nor a digest"}
	}
	// 2.
	if o.First == 0 {
		if o.is(c.data) {
			return Standing{Freshness: Fresh}
		}
		return Standing{Freshness: Drifted}
	}
	if !c.text {
		return Standing{Freshness: Drifted}
	}
	if part := c.part(o.First, o.Last); part != nil && o.is(part) {
		return Standing{Freshness: Fresh, First: o.First, Last: o.Last}
	}
	// 3.
	places, all := o.places(c)
	if at := o.nearest(places); at > 0 && telling(c.part(at, at+o.Last-o.First)) >= tellingHere {
		return Standing{Freshness: Moved, First: at, Last: at + o.Last - o.First}
	}
	if !all {
		return Standing{Freshness: Unchecked, Reason: "the file is too long to look for it by its digest alone"}
	}
	// 4.
	return Standing{Freshness: Drifted}
}

// Elsewhere looks for an original in another file: where its lines stand, or all of
// it. It takes more text than In to be sure.
func (o Original) Elsewhere(c *Content) (Standing, bool) {
	if o.Unknown() {
		return Standing{}, false
	}
	if o.First == 0 {
		return Standing{Freshness: Moved}, telling(c.data) >= tellingElsewhere && o.is(c.data)
	}
	if !c.text {
		return Standing{}, false
	}
	places, _ := o.places(c)
	at := o.nearest(places)
	if at == 0 || telling(c.part(at, at+o.Last-o.First)) < tellingElsewhere {
		return Standing{}, false
	}
	return Standing{Freshness: Moved, First: at, Last: at + o.Last - o.First}, true
}

// Key is a line by which it can be found among many files: the one with the most in
// it; nil where it is not to be looked for elsewhere, or its bytes are not known.
func (o Original) Key() []byte {
	if !o.known || telling(o.text) < tellingElsewhere {
		return nil
	}
	return slices.MaxFunc(linesOf(o.text), func(a, b []byte) int { return len(a) - len(b) })
}

// Lines are the lines of the content, without their ends; nil where it is no text.
func (c *Content) Lines() [][]byte { return c.lines }

func (o Original) nearest(places []int) (nearest int) {
	for _, at := range places {
		if nearest == 0 || distance(at, o.First) < distance(nearest, o.First) {
			nearest = at
		}
	}
	return nearest
}

func distance(a, b int) int { return max(a-b, b-a) }

// maxHashed is how many bytes are hashed to find a part by its digest alone: some
// tenths of a second.
const maxHashed = 32 << 20

// places are the lines at which the original begins in a content. all is false where
// there was too much to look through.
func (o Original) places(c *Content) (places []int, all bool) {
	if o.known {
		return placesOf(linesOf(o.text), c.lines), true
	}
	n, hashed := o.Last-o.First+1, 0
	for at := 1; at+n-1 <= len(c.lines); at++ {
		part := c.part(at, at+n-1)
		if hashed += len(part); hashed > maxHashed {
			return places, false
		}
		if Matches(o.digest, part) {
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
