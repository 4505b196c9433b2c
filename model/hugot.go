//go:build transformers

package model

import (
	_ "github.com/knights-analytics/hugot" // its Go backend registers itself
	"github.com/knights-analytics/hugot/backends"
	"github.com/knights-analytics/hugot/options"
)

const hasTransformers = true

// hugotGraph runs on hugot's Go backend, but with tokens of this package: hugot's Go
// tokenizer ends the process (log.Fatal in backends/tokenizer_go.go) if it cannot encode a
// text, and cannot encode pairs of texts.
//
// The backend pads inputs with the token 0, whatever the model's padding is, and hides the
// padding with the attention mask.
type hugotGraph struct{ model *backends.Model }

// backend is the backend that is written in Go.
const backend = "GO"

func loadGraph(dir string, onnx []byte, pad, most int) (graph, error) {
	m := &backends.Model{ID: dir, Path: dir, OnnxBytes: onnx, PadToken: int64(pad), MaxPositionEmbeddings: most}
	o := options.Defaults()
	o.Backend = backend
	if err := backends.CreateModelBackend(m, o); err != nil {
		return nil, err
	}
	return hugotGraph{m}, nil
}

func (g hugotGraph) run(in input, length int) (outputs []any, err error) {
	batch := backends.NewBatch(1)
	mask := make([]uint32, len(in.ids))
	for i := range mask {
		mask[i] = 1
	}
	batch.Input = []backends.TokenizedInput{{TokenIDs: in.ids, TypeIDs: in.types, AttentionMask: mask, MaxAttentionIndex: len(mask) - 1}}
	batch.MaxSequenceLength = length
	if err := backends.CreateInputTensors(batch, g.model, backend); err != nil {
		return nil, err
	}
	err = backends.RunSessionOnBatch(batch, &backends.BasePipeline{Model: g.model, Runtime: backend})
	if destroyErr := batch.Destroy(); err == nil {
		err = destroyErr
	}
	return batch.OutputValues, err
}

func (g hugotGraph) close() { g.model.GoMLXModel.Destroy() }
