//go:build !transformers

package model_test

import (
	"errors"
	"testing"

	"engram/model"
)

// TestTransformersAreAbsent: a build without the tag says so, with a hint, and
// before anything is loaded.
func TestTransformersAreAbsent(t *testing.T) {
	dir := t.TempDir()
	if err := (tinyTransformers{Rows: map[string][]float32{"dog": {1, 0}}}).Write(dir); err != nil {
		t.Fatal(err)
	}
	m, err := model.OpenEmbedderFor(dir)
	var absent *model.TransformersError
	if m != nil || !errors.As(err, &absent) || absent.Dir != dir || absent.Hint() == "" {
		t.Errorf("OpenEmbedderFor = %v, %v; want a TransformersError with a hint", m, err)
	}
}
