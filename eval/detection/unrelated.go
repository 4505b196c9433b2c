package detection

import (
	"fmt"
	"path/filepath"

	"engram/eval/corpus"
	"engram/eval/paraphrase"
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
	var list []corpus.Sentence
	if err := corpus.ReadJSONLines(filepath.Join(dir, "facts", "facts_share.jsonl"), &list); err != nil {
		return s, err
	}
	s.pairs = append(drawPairs(list, "one document", document), drawPairs(list, "one subject", chapter)...)
	return s, nil
}

// document tells documents apart: many projects have a go.mod.
func document(f corpus.Sentence) string { return f.Source + "/" + f.Path }

// chapter is "" if a fact has no subject.
func chapter(f corpus.Sentence) string {
	if f.Subject == "" {
		return ""
	}
	return document(f) + "/" + f.Subject
}

// drawPairs draws pairs of facts that are in one place, no pair twice and none
// of two equal texts. It gives up where there are too few.
func drawPairs(list []corpus.Sentence, kind string, place func(corpus.Sentence) string) []labelledPair {
	var placed []corpus.Sentence
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
	d, drawn := paraphrase.NewDice("unrelated", kind), make(map[[2]int]bool)
	for tries := 0; len(pairs) < drawnPairs && tries < 10*drawnPairs; tries++ {
		i := d.Below(len(placed))
		others := members[place(placed[i])]
		j := others[d.Below(len(others))]
		a, b := placed[min(i, j)], placed[max(i, j)]
		if drawn[[2]int{min(i, j), max(i, j)}] || corpus.SameText(a) == corpus.SameText(b) {
			continue
		}
		drawn[[2]int{min(i, j), max(i, j)}] = true
		p := newPair(fmt.Sprintf("%s %s", a.ID, b.ID), labelUnrelated, a.Text, b.Text, facts.Slug(place(a)))
		p.subsets = []string{kind}
		pairs = append(pairs, p)
	}
	return pairs
}
