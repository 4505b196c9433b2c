package index_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"engram/facts"
	"engram/fixtures"
	"engram/index"
)

// packed is a Source of one revision that keeps nothing in memory, like git,
// so that what a rebuild needs can be measured.
type packed struct {
	memory
	file string
	n    int
}

func newPacked(b *testing.B, n int) *packed {
	p := &packed{memory: *newMemory("main"), file: filepath.Join(b.TempDir(), "facts"), n: n}
	f, err := os.Create(p.file)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for fact := range fixtures.Facts(n, 1) {
		for _, part := range [][]byte{[]byte(fact.Key.String()), facts.Marshal(fact)} {
			_, _ = w.Write(binary.AppendUvarint(nil, uint64(len(part))))
			_, _ = w.Write(part)
		}
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		b.Fatal(err)
	}
	return p
}

func (p *packed) States(context.Context, string) (iter.Seq2[index.State, error], int, error) {
	f, err := os.Open(p.file)
	if err != nil {
		return nil, 0, err
	}
	r := bufio.NewReader(f)
	next := func() ([]byte, error) {
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return nil, err
		}
		part := make([]byte, n)
		_, err = io.ReadFull(r, part)
		return part, err
	}
	return func(yield func(index.State, error) bool) {
		defer func() { _ = f.Close() }()
		for {
			name, err := next()
			if errors.Is(err, io.EOF) {
				return
			}
			data, err := next()
			if err != nil {
				yield(index.State{}, err)
				return
			}
			key, err := facts.ParseKey(string(name))
			if !yield(index.State{Key: key, Blob: blobName(data), Tip: true, Data: data}, err) {
				return
			}
		}
	}, p.n, nil
}
