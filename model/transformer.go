package model

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"
)

// transformer makes the tokens of texts and runs an ONNX graph on them; see
// [loadGraph].
//
// The graph is loaded by the first use, which takes a second or two. One text
// runs at a time: the graph uses all cores for it anyway.
type transformer struct {
	dir    string
	config config
	encoding
	most int // tokens of an input, with the special ones

	mu     sync.Mutex
	closed bool
	graph  graph // nil: not loaded yet
}

// graph is an ONNX graph that is ready to run.
type graph interface {
	// run returns the outputs for one input, which is padded to a length:
	// [][]float32 or [][][]float32, without the padding. It panics if an operator
	// of the graph gets what it cannot take.
	run(in input, length int) ([]any, error)
	close()
}

// TransformersError reports that this build cannot run transformers, because it
// was made without the tag "transformers".
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
	maxGraph    = 2 << 30 // bytes, which is what protobuf can hold
	// step is what lengths are rounded up to: the backend compiles the graph
	// once for each length, and keeps every one.
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

// longestInput is how many tokens the model takes.
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

// close frees the graph. It waits for a text that is being worked on.
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

// encode gives a text's tokens; an unknown word is one that transformers have a
// vector for.
func (t *transformer) encode(text string) []token {
	return t.cut(firstCharacters(text, t.most*maxCharacters))
}

// maxCharacters bounds, with the number of tokens, how much of a text is looked
// at: words are hardly ever longer, and a text of megabytes costs nothing.
const maxCharacters = 32

// run puts special tokens around one text or two and returns the graph's
// outputs for them: [][]float32 or [][][]float32, without padding. a and b
// together must fit; see pair.
func (t *transformer) run(ctx context.Context, a, b []token) (outputs []any, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	defer func() { // the backend panics where an operator is given what it cannot take
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

// label is the name of a class by config.json.
func (c config) label(class int) string { return c.Labels[strconv.Itoa(class)] }
