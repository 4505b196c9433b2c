package model

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"

	_ "github.com/knights-analytics/hugot" // its Go backend registers itself
	"github.com/knights-analytics/hugot/backends"
	"github.com/knights-analytics/hugot/options"
)

// transformer runs an ONNX graph on hugot's Go backend. It tokenizes by itself:
// hugot's Go tokenizer ends the process (log.Fatal in backends/tokenizer_go.go)
// where it cannot encode a text, and knows no pairs of texts.
//
// The backend fills inputs up with the token 0, whatever the model's padding is,
// and hides that by the attention mask.
//
// The graph is loaded by the first use, which takes a second or two. One text
// runs at a time: the backend uses all cores for it anyway.
type transformer struct {
	dir    string
	config config
	encoding
	most int // tokens of an input, with the special ones

	mu     sync.Mutex
	closed bool
	model  *backends.Model // nil: not loaded yet
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
	if t.encoding, err = readEncoding(fsys); err != nil {
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
	if t.model == nil {
		return nil
	}
	t.model.GoMLXModel.Destroy()
	t.model = nil
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
	if t.model == nil {
		if t.model, err = t.load(); err != nil {
			return nil, fmt.Errorf("%s: load the graph: %w", t.dir, err)
		}
	}
	batch := backends.NewBatch(1)
	batch.Input = []backends.TokenizedInput{t.layout.input(a, b, t.config.PadToken)}
	batch.MaxSequenceLength = min((len(batch.Input[0].TokenIDs)+step-1)/step*step, t.most)
	if err := backends.CreateInputTensors(batch, t.model, backend); err != nil {
		return nil, fmt.Errorf("%s: %w", t.dir, err)
	}
	err = backends.RunSessionOnBatch(batch, &backends.BasePipeline{Model: t.model, Runtime: backend})
	if destroyErr := batch.Destroy(); err == nil {
		err = destroyErr
	}
	if err != nil {
		return nil, fmt.Errorf("%s: run the graph: %w", t.dir, err)
	}
	return batch.OutputValues, nil
}

// backend is the one in Go alone.
const backend = "GO"

func (t *transformer) load() (*backends.Model, error) {
	fsys := os.DirFS(t.dir)
	name, err := onnxFile(fsys)
	if err != nil {
		return nil, err
	}
	graph, err := readBounded(fsys, name, maxGraph)
	if err != nil {
		return nil, err
	}
	m := &backends.Model{ID: t.dir, Path: t.dir, OnnxBytes: graph, PadToken: int64(t.config.PadToken), MaxPositionEmbeddings: t.most}
	o := options.Defaults()
	o.Backend = backend
	if err := backends.CreateModelBackend(m, o); err != nil {
		return nil, err
	}
	return m, nil
}

// first cuts a text's tokens to those that fit.
func (t *transformer) first(tokens []token) []token { return t.layout.one(tokens, t.most) }

// pair cuts two texts until they fit together, the longer one first.
func (t *transformer) pair(a, b []token) ([]token, []token) { return t.layout.two(a, b, t.most) }

// label is the name of a class by config.json.
func (c config) label(class int) string { return c.Labels[strconv.Itoa(class)] }
