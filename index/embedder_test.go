package index_test

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"sync"

	"engram/index"
)

// wordModel is an embedder whose vectors are sums of a random vector for each
// term; words that are said to mean the same share theirs.
type wordModel struct {
	name  string
	size  int
	same  map[string]string // term to the term that it means
	slow  bool
	mu    sync.Mutex
	known map[string][]float32
	texts []string // all that was embedded
}

func newWordModel(name string, size int) *wordModel {
	return &wordModel{name: name, size: size, known: map[string][]float32{}}
}

func (m *wordModel) ID() string      { return m.name }
func (m *wordModel) Dimensions() int { return m.size }
func (m *wordModel) Instant() bool   { return !m.slow }

func (m *wordModel) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.texts = append(m.texts, text)
		vectors[i] = m.embed(text)
	}
	return vectors, nil
}

func (m *wordModel) embed(text string) []float32 {
	sum := make([]float32, m.size)
	for _, term := range index.Terms(text) {
		for i, x := range m.term(term) {
			sum[i] += x
		}
	}
	length := 0.0
	for _, x := range sum {
		length += float64(x) * float64(x)
	}
	if length == 0 {
		return sum
	}
	for i := range sum {
		sum[i] /= float32(math.Sqrt(length))
	}
	return sum
}

func (m *wordModel) term(term string) []float32 {
	if other, ok := m.same[term]; ok {
		term = other
	}
	v, ok := m.known[term]
	if !ok {
		h := fnv.New64a()
		h.Write([]byte(m.name + term))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		v = make([]float32, m.size)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		m.known[term] = v
	}
	return v
}
