package lsa

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write puts the table into dir in the layout of Model2Vec: model.safetensors
// with the tensor "embeddings", config.json, and the tokenizer as it was read.
func (t Table) Write(dir string, tokenizer []byte) error {
	config, err := json.MarshalIndent(map[string]any{
		"model_type": "model2vec", "architectures": []string{"StaticModel"}, "hidden_dim": t.Dimensions, "normalize": true,
	}, "", "  ")
	if err != nil {
		return fmt.Errorf("write a table: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write a table: %w", err)
	}
	for name, data := range map[string][]byte{"config.json": append(config, '\n'), "tokenizer.json": tokenizer} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return fmt.Errorf("write a table: %w", err)
		}
	}
	file, err := os.Create(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		return fmt.Errorf("write a table: %w", err)
	}
	err = t.writeTensor(file)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("write a table: %w", err)
	}
	return nil
}

// writeTensor writes the safetensors format: the length of a header in eight
// bytes, the header as JSON, the numbers by rows; all little-endian.
func (t Table) writeTensor(w io.Writer) error {
	const float = 4 // bytes
	header, err := json.Marshal(map[string]any{"embeddings": map[string]any{
		"dtype": "F32", "shape": []int{len(t.Vectors), t.Dimensions}, "data_offsets": []int{0, float * len(t.Vectors) * t.Dimensions},
	}})
	if err != nil {
		return err
	}
	for len(header)%8 != 0 { // readers map the numbers, which then are aligned
		header = append(header, ' ')
	}
	out := bufio.NewWriterSize(w, 64<<10)
	if err := binary.Write(out, binary.LittleEndian, uint64(len(header))); err != nil {
		return err
	}
	if _, err := out.Write(header); err != nil {
		return err
	}
	for _, v := range t.Vectors {
		if err := binary.Write(out, binary.LittleEndian, v); err != nil {
			return err
		}
	}
	return out.Flush()
}
