// Package model finds, downloads, verifies and loads models that run on this machine:
// tables of token vectors (Model2Vec) and small transformers (ONNX). Only [Cache.Pull]
// downloads anything. The package knows nothing of facts. Models behind a network API are
// not its concern.
package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Kind is the kind of model in a folder.
type Kind string

// The kinds of models.
const (
	KindStatic   Kind = "static"   // a table of token vectors: microseconds a text
	KindEmbedder Kind = "embedder" // a transformer that embeds: 0.2 s a text and more
	KindNLI      Kind = "nli"      // judges whether one text follows from another
	KindTagger   Kind = "tagger"   // finds names and other spans in a text
)

// Embedder is what both kinds of embedding models have in common. It is safe for concurrent
// use.
type Embedder interface {
	// ID names the model by its content.
	ID() string
	// Dimensions is the length of every vector.
	Dimensions() int
	// Embed returns one vector of length 1 for each text, in order, or of zeros for a text
	// without known words.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Instant reports whether a text costs microseconds.
	Instant() bool
	// Close frees the model. It waits for running calls of Embed; later calls fail.
	Close() error
}

var (
	// ErrClosed reports that the model was closed.
	ErrClosed = errors.New("the model is closed")
	// ErrNoModel reports a folder without a model that engram can read.
	ErrNoModel = errors.New("no model")
	// ErrDamaged reports that a file of the model has wrong content.
	ErrDamaged = errors.New("damaged model")
)

// Names of files in a model's folder.
const (
	configFile    = "config.json"
	tokenizerFile = "tokenizer.json"
	tableFile     = "model.safetensors"
)

// onnxFiles lists the possible paths of a transformer's graph.
func onnxFiles() []string { return []string{"model.onnx", "onnx/model.onnx"} }

// config has the fields of config.json that engram reads.
type config struct {
	ModelType     string            `json:"model_type"`
	Architectures []string          `json:"architectures"`
	HiddenSize    int               `json:"hidden_size"`
	Vocabulary    int               `json:"vocab_size"`
	MaxPositions  int               `json:"max_position_embeddings"`
	PadToken      int               `json:"pad_token_id"`
	Labels        map[string]string `json:"id2label"`
}

// Bounds of files that are read as a whole.
const (
	maxConfig    = 1 << 20
	maxTokenizer = 64 << 20
)

func readConfig(fsys fs.FS) (config, error) {
	var c config
	b, err := readBounded(fsys, configFile, maxConfig)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(b, &c); err != nil {
		return c, fmt.Errorf("%w: %s: %v", ErrDamaged, configFile, err)
	}
	return c, nil
}

// readBounded reads a file of at most most bytes.
func readBounded(fsys fs.FS, name string, most int64) ([]byte, error) {
	info, err := stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, fmt.Errorf("%w: %s is not a file of at most %d bytes", ErrDamaged, name, most)
	}
	b, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("read the model: %w", err)
	}
	return b, nil
}

func stat(fsys fs.FS, name string) (fs.FileInfo, error) {
	info, err := fs.Stat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s is missing", ErrNoModel, name)
	case err != nil:
		return nil, fmt.Errorf("read the model: %w", err)
	}
	return info, nil
}

// KindOf returns the kind of model in a folder, by its files and its config.json. It does
// not check that the model loads.
func KindOf(dir string) (Kind, error) {
	kind, err := kindOf(os.DirFS(dir))
	if err != nil {
		return "", fmt.Errorf("%s: %w", dir, err)
	}
	return kind, nil
}

func kindOf(fsys fs.FS) (Kind, error) {
	c, err := readConfig(fsys)
	if err != nil {
		return "", err
	}
	architecture := ""
	if len(c.Architectures) > 0 {
		architecture = c.Architectures[0]
	}
	if c.ModelType == "model2vec" || architecture == "StaticModel" {
		return KindStatic, nil
	}
	if _, err := onnxFile(fsys); err != nil {
		return "", err
	}
	switch {
	case strings.HasSuffix(architecture, "ForSequenceClassification"):
		return KindNLI, nil
	case strings.HasSuffix(architecture, "ForTokenClassification"):
		return KindTagger, nil
	}
	return KindEmbedder, nil
}

// onnxFile returns the path of the transformer's graph in a folder.
func onnxFile(fsys fs.FS) (string, error) {
	for _, name := range onnxFiles() {
		if info, err := fs.Stat(fsys, name); err == nil && info.Mode().IsRegular() {
			return name, nil
		}
	}
	return "", fmt.Errorf("%w: neither a table of token vectors (%s) nor an ONNX graph (%s)", ErrNoModel, tableFile, strings.Join(onnxFiles(), " or "))
}

// OpenEmbedderFor opens the embedding model in a folder, of either kind. The caller must
// close it.
func OpenEmbedderFor(dir string) (Embedder, error) {
	kind, err := KindOf(dir)
	if err != nil {
		return nil, err
	}
	var m Embedder
	switch kind {
	case KindStatic:
		m, err = OpenStaticDir(dir)
	case KindEmbedder:
		m, err = OpenEmbedder(dir)
	default:
		err = fmt.Errorf("%s: %w: a model of kind %s cannot embed text", dir, ErrNoModel, kind)
	}
	if err != nil {
		return nil, err // not an Embedder that holds a nil pointer
	}
	return m, nil
}

// Off is the setting for no model.
const Off = "off"

// Resolve returns the folder of the model that a setting names: "" for "" and [Off], the
// folder of a model of the catalogue, which must be in the cache (otherwise the error is a
// [NotInstalledError]), or any folder. ./NAME means a folder that has the name of a model.
func Resolve(cache *Cache, value string) (string, error) {
	if value == "" || value == Off {
		return "", nil
	}
	if _, known := cache.Lookup(value); known {
		if !cache.Installed(value) {
			return "", &NotInstalledError{Name: value}
		}
		return cache.Path(value)
	}
	info, err := os.Stat(value)
	if err != nil || !info.IsDir() {
		return "", &UnknownError{Value: value}
	}
	return filepath.Abs(value)
}

// NotInstalledError reports a model of the catalogue that is not in the cache.
type NotInstalledError struct{ Name string }

func (e *NotInstalledError) Error() string { return "the model " + e.Name + " is not installed" }

// Hint says what to do next.
func (e *NotInstalledError) Hint() string { return "`engram model pull " + e.Name + "` downloads it" }

// UnknownError reports a value that is neither a name of the catalogue nor a folder.
type UnknownError struct{ Value string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("%q is neither a known model nor a folder", e.Value)
}

// Hint says what to do next.
func (e *UnknownError) Hint() string { return "`engram model list` lists the known models" }
