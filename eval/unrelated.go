package eval

import (
	"fmt"
	"path/filepath"

	"engram/facts"
)

// drawnPairs is how many pairs the suite unrelated draws of each kind.
const drawnPairs = 20_000

// loadUnrelated draws facts at random that share a document, and facts that
// share a chapter of one. Next to none contradict each other: what is flagged
// is what a memory's audit would bother people with.
func loadUnrelated(dir string) (pairSuite, error) {
	s := pairSuite{
		name:  "unrelated",
		about: "Technical facts drawn at random from one document, and from one subject in a document; a fact is as likely as any other.",
	}
	var list []shared
	if err := readJSONLines(filepath.Join(dir, "facts", "facts_share.jsonl"), &list); err != nil {
		return s, err
	}
	s.pairs = append(drawPairs(list, "one document", shared.document), drawPairs(list, "one subject", shared.chapter)...)
	return s, nil
}

// document tells documents apart: many projects have a go.mod.
func (f shared) document() string { return f.Source + "/" + f.Path }

// chapter is "" where a fact has no subject.
func (f shared) chapter() string {
	if f.Subject == "" {
		return ""
	}
	return f.document() + "/" + f.Subject
}

// drawPairs draws pairs of facts that are in one place, no pair twice and none
// of two equal texts. It gives up where there are too few.
func drawPairs(list []shared, kind string, place func(shared) string) []labelledPair {
	var placed []shared
	members := make(map[string][]int) // indexes of placed
	for _, f := range list {
		if at := place(f); at != "" {
			members[at] = append(members[at], len(placed))
			placed = append(placed, f)
		}
	}
	if len(placed) == 0 {
		return nil
	}
	var pairs []labelledPair
	d, drawn := newDice("unrelated", kind), make(map[[2]int]bool)
	for tries := 0; len(pairs) < drawnPairs && tries < 10*drawnPairs; tries++ {
		i := d.below(len(placed))
		others := members[place(placed[i])]
		j := others[d.below(len(others))]
		a, b := placed[min(i, j)], placed[max(i, j)]
		if drawn[[2]int{min(i, j), max(i, j)}] || sameText(a) == sameText(b) {
			continue
		}
		drawn[[2]int{min(i, j), max(i, j)}] = true
		p := newPair(fmt.Sprintf("%s %s", a.ID, b.ID), labelUnrelated, a.Text, b.Text, facts.Slug(place(a)))
		p.subsets = []string{kind}
		pairs = append(pairs, p)
	}
	return pairs
}
