package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// ReadJSON reads a file of one JSON value.
func ReadJSON(path string, into any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read data: %w", err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

// ReadJSONLines reads a file of JSON values, one a line.
func ReadJSONLines[T any](path string, into *[]T) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read data: %w", err)
	}
	return DecodeLines(path, b, into)
}

// DecodeLines decodes one JSON value a line. name is for errors.
func DecodeLines[T any](name string, b []byte, into *[]T) error {
	n := 0
	for line := range bytes.Lines(b) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var value T
		if err := json.Unmarshal(line, &value); err != nil {
			return fmt.Errorf("read %s, line %d: %w", name, n, err)
		}
		*into = append(*into, value)
	}
	return nil
}
