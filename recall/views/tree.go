package views

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"engram/internal/terms"
)

// Topic is a node of the tree of topics: an index over episodes (RAPTOR, §8.2). Leaves name
// episodes, the others have children.
type Topic struct {
	Topics   []string `json:"topics"`             // what distinguishes it from its siblings
	Episodes []int    `json:"episodes,omitempty"` // of a leaf: places in the list that the tree was made of
	Size     int      `json:"size"`               // episodes below
	Children []*Topic `json:"children,omitempty"`
}

const (
	// branching is how many children a node has at most, and leaf how many episodes a leaf has.
	branching = 6
	leafSize  = 6
	// rounds of moving episodes between clusters; more change little.
	rounds = 8
	// maxDepth ends the tree where episodes cannot be told apart.
	maxDepth = 12
)

// Tree clusters episodes by their words, top down. Equal episodes give equal trees.
func Tree(episodes []Episode) *Topic {
	t := tree{episodes: episodes, bags: make([]counts, len(episodes)), having: make(map[string]int)}
	var analyzer terms.Analyzer
	for i := range episodes {
		t.bags[i] = t.read(&analyzer, &episodes[i])
	}
	for i := range t.bags {
		t.bags[i].weigh(func(term string) float64 { return math.Log(1 + float64(len(episodes))/float64(t.having[term])) })
	}
	all := make([]int, len(episodes))
	for i := range all {
		all[i] = i
	}
	root := t.node(all, 0)
	root.Topics = nil
	return root
}

type tree struct {
	episodes []Episode
	bags     []counts
	having   map[string]int
}

func (t *tree) read(a *terms.Analyzer, e *Episode) counts {
	text := strings.Join(append(append([]string{e.Asked, e.Outcome}, e.Topics...), e.Files...), "\n")
	c := make(counts)
	for _, term := range a.Terms(terms.Truncate(text)) {
		if c[term] == 0 {
			term = strings.Clone(term)
			t.having[term]++
		}
		c[term]++
	}
	return c
}

// node makes the node of some episodes.
func (t *tree) node(list []int, depth int) *Topic {
	n := &Topic{Size: len(list)}
	var clusters [][]int
	if len(list) > leafSize && depth < maxDepth {
		clusters = t.split(list)
	}
	if len(clusters) < 2 {
		n.Episodes = list
		return n
	}
	for _, cluster := range clusters {
		n.Children = append(n.Children, t.node(cluster, depth+1))
	}
	for i, child := range n.Children {
		child.Topics = t.distinguish(clusters, i)
	}
	return n
}

// split clusters episodes around seeds that are far from each other: k-means over cosines.
func (t *tree) split(list []int) [][]int {
	k := min(branching, 1+len(list)/leafSize)
	seeds := []int{list[0]}
	for len(seeds) < k {
		farthest, least := -1, math.Inf(1)
		for _, i := range list {
			nearest := 0.0
			for _, s := range seeds {
				nearest = max(nearest, cosine(t.bags[i], t.bags[s]))
			}
			if nearest < least-1e-12 {
				farthest, least = i, nearest
			}
		}
		if slices.Contains(seeds, farthest) {
			break
		}
		seeds = append(seeds, farthest)
	}
	centres := make([]counts, len(seeds))
	for c, s := range seeds {
		centres[c] = t.bags[s]
	}
	var clusters [][]int
	for range rounds {
		next := make([][]int, len(centres))
		for _, i := range list {
			best, highest := 0, -1.0
			for c := range centres {
				if similar := cosine(t.bags[i], centres[c]); similar > highest+1e-12 {
					best, highest = c, similar
				}
			}
			next[best] = append(next[best], i)
		}
		if slices.EqualFunc(next, clusters, slices.Equal) {
			break
		}
		clusters = next
		for c := range centres {
			centres[c] = t.centre(clusters[c])
		}
	}
	return slices.DeleteFunc(clusters, func(c []int) bool { return len(c) == 0 })
}

// maxCentre is how many terms a centre keeps.
const maxCentre = 200

func (t *tree) centre(list []int) counts {
	sum := make(counts)
	for _, i := range list {
		for term, weight := range t.bags[i] {
			sum[term] += weight
		}
	}
	if len(sum) > maxCentre {
		least := slices.Sorted(sum.values())[len(sum)-maxCentre]
		for term, weight := range sum {
			if weight < least {
				delete(sum, term)
			}
		}
	}
	sum.normalize()
	return sum
}

const maxTopics = 6

// distinguish names the topics of a cluster that the others have less.
func (t *tree) distinguish(clusters [][]int, own int) (list []string) {
	type topic struct {
		text   string
		weight float64
	}
	inside, outside := make(map[string]int), make(map[string]int)
	for c, cluster := range clusters {
		for _, i := range cluster {
			for _, text := range t.episodes[i].Topics {
				if c == own {
					inside[text]++
				} else {
					outside[text]++
				}
			}
		}
	}
	var found []topic
	for text, n := range inside {
		found = append(found, topic{text, float64(n) / float64(1+outside[text])})
	}
	slices.SortFunc(found, func(a, b topic) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.text, b.text))
	})
	for _, f := range found[:min(len(found), maxTopics)] {
		list = append(list, f.text)
	}
	return list
}
