package model

import (
	"strings"
)

// Entry is a model that engram can download.
type Entry struct {
	Name       string
	Kind       Kind
	Task       string // what it is for, in a few words
	Licence    string // SPDX
	Dimensions int    // of its vectors; 0 if it gives none
	Note       string // a sentence about its speed and use
	Repository string // owner/name on Hugging Face
	Revision   string // a commit of it
	Files      []File
}

// File is one file of a model, by its content.
type File struct {
	Path   string // in the repository and in the model's folder, with slashes
	Size   int64  // bytes
	SHA256 string // hexadecimal
}

// Size returns the size of all files, in bytes.
func (e Entry) Size() int64 {
	var sum int64
	for _, f := range e.Files {
		sum += f.Size
	}
	return sum
}

// DefaultBase is the server of models.
const DefaultBase = "https://huggingface.co"

// address returns the URL of a file at base, which is DefaultBase or a mirror of it.
func (e Entry) address(base string, f File) string {
	return strings.TrimRight(base, "/") + "/" + e.Repository + "/resolve/" + e.Revision + "/" + f.Path
}

// DefaultName is the default model.
const DefaultName = "potion-base-8m"

// Catalogue lists the models that engram knows, the default first.
//
// The models could not be downloaded when this was written. The sizes and digests are those
// of several public lock files, except for the size of the last model's graph, which only
// one of them has. The digest of the first tokenizer was checked against a copy, and that
// of the last config.json by writing the file again. Downloads are compared with these
// values, so a wrong value would reject a good file, never accept a bad one.
func Catalogue() []Entry {
	return []Entry{
		{
			Name: DefaultName, Kind: KindStatic, Task: "semantic search", Licence: "MIT", Dimensions: 256,
			Note:       "some 20 microseconds a fact: the one to begin with",
			Repository: "minishlab/potion-base-8M", Revision: "bf8b056651a2c21b8d2565580b8569da283cab23",
			Files: []File{
				{"config.json", 202, "2a6ac0e9aaa356a68a5688070db78fc3a464fefe85d2f06a1905ce3718687553"},
				{"tokenizer.json", 683666, "e67e803f624fb4d67dea1c730d06e1067e1b14d830e2c2202569e3ef0f70bb50"},
				{"model.safetensors", 30236760, "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2"},
			},
		},
		{
			Name: "all-minilm-l6-v2", Kind: KindEmbedder, Task: "semantic search", Licence: "Apache-2.0", Dimensions: 384,
			Note:       "0.2 to 0.4 seconds a fact, in the background: for some thousand facts",
			Repository: "sentence-transformers/all-MiniLM-L6-v2", Revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
			Files: []File{
				{"config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"},
				{"tokenizer.json", 466247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"},
				{"onnx/model.onnx", 90405214, "6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452"},
			},
		},
		{
			Name: "nli-minilm2-l6-h768", Kind: KindNLI, Task: "contradictions", Licence: "Apache-2.0",
			Note:       "a second or two a pair of claims, and 1 GB of memory",
			Repository: "cross-encoder/nli-MiniLM2-L6-H768", Revision: "b95119ce93d3e065de6214e38cd4a97b0f2f2c6d",
			Files: []File{
				{"config.json", 875, "8b0e41caff7567c0f53e6983f35591c3dec59507c9173ab125c5823394fb57f3"},
				{"tokenizer.json", 1356048, "82139106e603ee4e1d5bc99d056ccbed5a92bc24848b1b5a7137c26e00d0dbf6"},
				{"onnx/model.onnx", 328649957, "807d33fffefd95ad60e2a91f54eed50a92aa53c077945a6842bb587a49a3fdf3"},
			},
		},
	}
}
