package retrieval

import (
	"math"

	"engram/eval/paraphrase"
)

// The constants of Okapi BM25 in their customary values (Robertson and
// Zaragoza, The Probabilistic Relevance Framework, 2009, §3.4).
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// bm25 is the reference: Okapi BM25 over plain words in memory, without stems,
// stop words, fields or filters.
type bm25 struct {
	items    []string // by document
	lengths  []float64
	mean     float64
	postings map[string][]posting
}

type posting struct {
	document int
	count    float64
}

// newBM25 indexes texts; items names what each of them belongs to.
func newBM25(items, texts []string) *bm25 {
	b := &bm25{items: items, postings: make(map[string][]posting)}
	for document, text := range texts {
		words := paraphrase.PlainWords(text)
		b.lengths = append(b.lengths, float64(len(words)))
		b.mean += float64(len(words)) / float64(len(texts))
		for _, word := range words {
			list := b.postings[word]
			if n := len(list); n > 0 && list[n-1].document == document {
				list[n-1].count++
			} else {
				b.postings[word] = append(list, posting{document, 1})
			}
		}
	}
	return b
}

// search returns the best documents that share a word with the question, each
// by its item, best first. A word counts as often as it is asked for.
func (b *bm25) search(question string, limit int) []scored {
	scores := make(map[int]float64)
	for _, word := range paraphrase.PlainWords(question) {
		list := b.postings[word]
		n, found := float64(len(b.items)), float64(len(list))
		idf := math.Log(1 + (n-found+0.5)/(found+0.5))
		for _, p := range list {
			length := 1 - bm25B + bm25B*b.lengths[p.document]/b.mean
			scores[p.document] += idf * p.count * (bm25K1 + 1) / (p.count + bm25K1*length)
		}
	}
	hits := make([]scored, 0, len(scores))
	for document, score := range scores {
		hits = append(hits, scored{b.items[document], score})
	}
	sortScored(hits)
	return hits[:min(limit, len(hits))]
}
