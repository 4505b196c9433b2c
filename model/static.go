package model

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"sync"

	"github.com/blevesearch/mmap-go"
)

// Static embeds texts by a table of token vectors in the Model2Vec format: the mean of the
// tokens' vectors, at length 1. It is safe for concurrent use.
type Static struct {
	tokenizer *tokenizer
	id        string

	mu    sync.RWMutex // Close waits for readers of the table
	table *table       // nil: closed
	free  func() error
}

// maxTokens is the number of known tokens of a text that count, as in the model2vec
// library.
const maxTokens = 512

// OpenStaticDir opens the table in a folder. The table's file must not be changed while it
// is open, but may be replaced.
func OpenStaticDir(dir string) (*Static, error) {
	record, err := identifyIn(dir, KindStatic)
	if err != nil {
		return nil, err
	}
	s, err := openStatic(os.DirFS(dir), record)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return s, nil
}

func openStatic(fsys fs.FS, record *Record) (*Static, error) {
	t, err := readTokenizer(fsys, parseTokenizer)
	if err != nil {
		return nil, err
	}
	b, free, err := openTable(fsys)
	if err != nil {
		return nil, err
	}
	table, err := parseTable(b, t)
	if err != nil {
		_ = free() // the other error says more
		return nil, fmt.Errorf("%s: %w", tableFile, err)
	}
	return &Static{tokenizer: t, table: table, free: free, id: "static:" + record.digest()}, nil
}

// parseTable parses the table's file and checks that it covers the vocabulary.
func parseTable(b []byte, t *tokenizer) (*table, error) {
	tensors, err := parseSafetensors(b)
	if err != nil {
		return nil, err
	}
	table, err := newTable(tensors)
	if err != nil {
		return nil, err
	}
	if n := table.tokens(); int(t.highest) >= n {
		return nil, fmt.Errorf("%w: the vocabulary goes up to %d, but %d tokens have a vector", ErrDamaged, t.highest, n)
	}
	return table, nil
}

// openTable maps the table's file into memory, so that several processes share one copy,
// or reads it. On Windows a mapped file could not be replaced, so it is read.
func openTable(fsys fs.FS) (b []byte, free func() error, err error) {
	f, err := fsys.Open(tableFile)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %s cannot be read: %v", ErrNoModel, tableFile, err)
	}
	defer f.Close()
	info, err := f.Stat()
	file, ok := f.(*os.File)
	if ok && err == nil && runtime.GOOS != "windows" && info.Mode().IsRegular() && info.Size() > 0 && info.Size() <= math.MaxInt32 {
		if mapping, err := mmap.MapRegion(file, int(info.Size()), mmap.RDONLY, 0, 0); err == nil {
			return mapping, mapping.Unmap, nil
		}
	}
	b, err = readBounded(fsys, tableFile, math.MaxInt32)
	return b, func() error { return nil }, err
}

// ID is "static:" and the beginning of a SHA-256 over the files that determine
// the vectors.
func (s *Static) ID() string { return s.id }

// Dimensions is the length of every vector.
func (s *Static) Dimensions() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.table == nil {
		return 0
	}
	return s.table.dims
}

// Instant is true: a text takes about 20 microseconds.
func (s *Static) Instant() bool { return true }

// Close frees the table.
func (s *Static) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.table == nil {
		return nil
	}
	s.table = nil
	return s.free()
}

// Embed returns a vector of length 1 for each text, or of zeros for a text without known
// words. It fails with [ErrDamaged] if a vector is not finite.
func (s *Static) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.table == nil {
		return nil, ErrClosed
	}
	const checked = 64 // texts: a millisecond
	var p pieces
	vectors, dims := make([][]float32, len(texts)), s.table.dims
	var all []float32
	for i, text := range texts {
		if i%checked == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			all = make([]float32, min(checked, len(texts)-i)*dims)
		}
		vectors[i], all = all[:dims:dims], all[dims:]
		if err := s.embed(&p, text, vectors[i]); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

func (s *Static) embed(p *pieces, text string, sum []float32) error {
	text = firstCharacters(text, maxTokens*s.tokenizer.median)
	known := 0
	for _, token := range s.tokenizer.encode(p, text) {
		if token.id == s.tokenizer.unknown {
			continue
		}
		s.table.add(sum, token.id)
		if known++; known == maxTokens {
			break
		}
	}
	if !normalise(sum) {
		return fmt.Errorf("%w: %s: a row has a value that is not a number", ErrDamaged, tableFile)
	}
	return nil
}

// firstCharacters cuts a text as the model2vec library does before tokenization.
func firstCharacters(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for at := range text {
		if n == 0 {
			return text[:at]
		}
		n--
	}
	return text
}

// normalise scales a vector to length 1; zeros stay. It reports whether all values are
// finite.
func normalise(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	if sum > 0 {
		scale := float32(1 / math.Sqrt(sum))
		for i := range v {
			v[i] *= scale
		}
	}
	return true
}
