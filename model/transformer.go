package model

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"
)

// transformer splits texts into tokens and runs an ONNX graph on them; see [loadGraph].
//
// The graph is loaded on first use, which takes a second or two. One text runs at a time:
// the graph uses all cores.
type transformer struct {
	dir    string
	config config
	encoding
	most int // tokens of an input, with the special ones

	mu     sync.Mutex
	closed bool
	graph  graph // nil: not loaded yet
}

// graph is a loaded ONNX graph.
type graph interface {
	// run returns the outputs for one input, which is padded to a length: [][]float32 or
	// [][][]float32, without the padding. It panics if an operator of the graph does not
	// support its operands.
	run(in input, length int) ([]any, error)
	close()
}

// TransformersError reports that this build, made without the tag "transformers", cannot
// run transformers.
type TransformersError struct{ Dir string }

func (e *TransformersError) Error() string {
	return e.Dir + ": this build of engram has no transformers, and the model is one"
}

// Hint says what to do next.
func (e *TransformersError) Hint() string {
	return "use a static model such as potion-base-8m, or a build with `-tags transformers` (docs/models.md)"
}

// Bounds of a transformer.
const (
	defaultMost = 512
	maxGraph    = 2 << 30 // bytes, the limit of protobuf
	// step is the unit to which lengths are rounded up: the backend compiles the graph once
	// for each length and keeps it.
	step = 8
)

func openTransformer(dir string, want Kind) (*transformer, error) {
	t, err := readTransformer(os.DirFS(dir), want)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if !hasTransformers {
		return nil, &TransformersError{dir}
	}
	t.dir = dir
	return t, nil
}

func readTransformer(fsys fs.FS, want Kind) (*transformer, error) {
	kind, err := kindOf(fsys)
	if err != nil {
		return nil, err
	}
	if kind != want {
		return nil, fmt.Errorf("%w: it holds a model of kind %s, not %s", ErrNoModel, kind, want)
	}
	t := &transformer{}
	if t.config, err = readConfig(fsys); err != nil {
		return nil, err
	}
	if t.config.PadToken < 0 {
		return nil, fmt.Errorf("%w: %s: pad_token_id %d", ErrDamaged, configFile, t.config.PadToken)
	}
	if t.encoding, err = readTokenizer(fsys, parseEncoding); err != nil {
		return nil, err
	}
	if t.most = t.longestInput(); t.most < 8 {
		return nil, fmt.Errorf("%w: inputs of at most %d tokens", ErrDamaged, t.most)
	}
	if n := t.config.Vocabulary; n > 0 && int(t.highest) >= n {
		return nil, fmt.Errorf("%w: the vocabulary goes up to %d, the graph knows %d tokens", ErrDamaged, t.highest, n)
	}
	return t, nil
}

// longestInput returns the number of tokens that the model accepts.
func (t *transformer) longestInput() int {
	most := defaultMost
	if n := t.config.MaxPositions; n > 0 {
		if t.layout.behindPadding {
			n -= t.config.PadToken + 1
		}
		most = min(most, n)
	}
	if t.maxItems > 0 {
		most = min(most, t.maxItems)
	}
	return most
}

// close frees the graph. It waits for the current text.
func (t *transformer) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	if t.graph != nil {
		t.graph.close()
		t.graph = nil
	}
	return nil
}

// encode returns a text's tokens; transformers have a vector for unknown words.
func (t *transformer) encode(text string) []token {
	return t.cut(firstCharacters(text, t.most*maxCharacters))
}

// maxCharacters bounds, times the number of tokens, the part of a text that is read: words
// are hardly ever longer, and long texts stay cheap.
const maxCharacters = 32

// run adds special tokens to one text or two and returns the graph's outputs: [][]float32
// or [][][]float32, without padding. a and b together must fit; see pair.
func (t *transformer) run(ctx context.Context, a, b []token) (outputs []any, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer func() { // the backend panics if an operator does not support its operands
		if p := recover(); p != nil {
			outputs, err = nil, fmt.Errorf("%s: %w: the graph cannot be run: %v", t.dir, ErrDamaged, p)
		}
	}()
	if t.graph == nil {
		if t.graph, err = t.load(); err != nil {
			return nil, fmt.Errorf("%s: load the graph: %w", t.dir, err)
		}
	}
	in := t.layout.input(a, b, t.config.PadToken)
	if outputs, err = t.graph.run(in, min((len(in.ids)+step-1)/step*step, t.most)); err != nil {
		return nil, fmt.Errorf("%s: run the graph: %w", t.dir, err)
	}
	return outputs, nil
}

func (t *transformer) load() (graph, error) {
	fsys := os.DirFS(t.dir)
	name, err := onnxFile(fsys)
	if err != nil {
		return nil, err
	}
	onnx, err := readBounded(fsys, name, maxGraph)
	if err != nil {
		return nil, err
	}
	return loadGraph(t.dir, onnx, t.config.PadToken, t.most)
}

// first cuts a text's tokens to those that fit.
func (t *transformer) first(tokens []token) []token { return t.layout.one(tokens, t.most) }

// pair cuts two texts until they fit together, the longer one first.
func (t *transformer) pair(a, b []token) ([]token, []token) { return t.layout.two(a, b, t.most) }

// label returns the name of a class in config.json.
func (c config) label(class int) string { return c.Labels[strconv.Itoa(class)] }
