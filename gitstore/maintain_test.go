package gitstore_test

import (
	"crypto/sha1"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"engram/internal/gittest"
)

// TestMaintenance: where loose objects have piled up git is called to pack
// them, in nobody's way; and not where the user forbade it.
func TestMaintenance(t *testing.T) {
	for _, auto := range []string{"true", "false"} {
		t.Run(auto, func(t *testing.T) {
			dir := newRepo(t)
			gitIn(t, dir, "config", "maintenance.auto", auto)
			gitIn(t, dir, "config", "gc.auto", "1")
			gitIn(t, dir, "config", "gc.autoDetach", "false")
			for i, made := 0, 0; made < 30; i++ {
				text := fmt.Sprint(i)
				if sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text)); sum[0] == 0x17 {
					gittest.Blob(t, dir, text)
					made++
				}
			}
			store := open(t, dir)
			packs := func() int {
				found, _ := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.pack"))
				return len(found)
			}
			for i := 0; i < 250 && (auto == "false" || packs() == 0); i++ {
				write(t, store, map[string]string{"domain/x.yml": fmt.Sprint(i)})
			}
			mustDo(t, store.Close())                               // its own git processes end
			for i := 0; len(gitChildren(t)) > 0 && i < 3000; i++ { // git packs in the background, and in a folder that is removed later
				time.Sleep(10 * time.Millisecond)
			}
			if got := packs() > 0; got != (auto == "true") {
				t.Errorf("packed: %v", got)
			}
			fsck(t, dir)
		})
	}
}
