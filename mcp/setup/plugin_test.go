package setup_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/mcp/setup"
)

var update = flag.Bool("update", false, "write the plugin folder and the expected files anew")

// TestPluginFolder keeps the plugins that people install equal to what setup
// writes.
func TestPluginFolder(t *testing.T) {
	root := filepath.Join("..", "..", "plugin")
	want := setup.Plugin()
	if *update {
		for name, text := range want {
			path := filepath.Join(root, filepath.FromSlash(name))
			must(t, os.MkdirAll(filepath.Dir(path), 0o755))
			must(t, os.WriteFile(path, []byte(text), 0o644))
		}
	}
	got := map[string]string{}
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(root, path)
		got[filepath.ToSlash(name)] = read(t, path)
		return nil
	}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("plugin/ is not what setup writes; `go test ./mcp/setup -run PluginFolder -update` makes it so:\n%s", diff)
	}
}
