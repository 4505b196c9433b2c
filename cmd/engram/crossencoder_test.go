//go:build transformers

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAuditWithCrossEncoder judges by a model in a folder, which the configuration
// names from the top of the work tree and the conflict without the path.
func TestAuditWithCrossEncoder(t *testing.T) {
	repo := doubtfulRepo(t)
	err := os.CopyFS(filepath.Join(repo, "models", "our-nli"), os.DirFS(filepath.Join("testdata", "crossencoder")))
	if err == nil {
		err = os.WriteFile(filepath.Join(repo, ".engram.yml"), []byte("detect:\n  nli: ./models/our-nli\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	got, _ := audit(t, repo, nil)
	if len(got.Opened) != 1 || got.Opened[0].Tier != "tier1_nli" || !strings.HasPrefix(got.Opened[0].Basis, "nli our-nli, ") {
		t.Errorf("opened %+v", got.Opened)
	}
}
