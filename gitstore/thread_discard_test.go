package gitstore_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"engram/gitstore"
	"engram/internal/gittest"
)

// everything is each object of a repository, in any way it is stored.
func everything(t testing.TB, dir string) []string {
	t.Helper()
	return strings.Fields(gitIn(t, dir, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))
}

// TestDiscard: what a replaced session had is gone from the object store, loose or
// packed, and nothing else: not what the user's references, logs, index or stashes lead
// to, nor what nothing leads to.
func TestDiscard(t *testing.T) {
	for _, way := range []string{"loose", "one pack", "kept pack", "several packs", "stays unreachable in a pack"} {
		t.Run(way, func(t *testing.T) {
			dir := newRepo(t)
			store := open(t, dir)
			shared := strings.Repeat("shared ", 1000)
			extend(t, store, session, map[string]string{"0000/00-a/events.jsonl": shared + "secret", "0000/01-b/events.jsonl": shared})
			extend(t, store, session, map[string]string{"0000/02-c/events.jsonl": "indexed", "0000/03-d/events.jsonl": "stashed"})
			lost := gittest.Blob(t, dir, "nothing leads here")
			mustDo(t, os.WriteFile(filepath.Join(dir, "indexed"), []byte("indexed"), 0o644))
			gitIn(t, dir, "add", "indexed")
			mustDo(t, os.WriteFile(filepath.Join(dir, "stashed"), []byte("stashed"), 0o644))
			gitIn(t, dir, "stash", "push", "-q", "-u", "--", "stashed")
			switch way {
			case "one pack":
				gitIn(t, dir, "repack", "-q", "-a", "-d", "-k")
				gitIn(t, dir, "commit-graph", "write", "--reachable")
			case "kept pack":
				gitIn(t, dir, "repack", "-q", "-a", "-d", "-k")
				packs, _ := filepath.Glob(filepath.Join(dir, ".git/objects/pack/*.pack"))
				mustDo(t, os.WriteFile(strings.TrimSuffix(packs[0], "pack")+"keep", nil, 0o644))
			case "several packs":
				gitIn(t, dir, "repack", "-q", "-d")
				extend(t, store, gitstore.ThreadPrefix+"cd/two", map[string]string{"x": shared + "secret, too"})
				gitIn(t, dir, "repack", "-q", "-d")
				gitIn(t, dir, "multi-pack-index", "write")
				gitIn(t, dir, "commit-graph", "write", "--reachable", "--split")
			case "stays unreachable in a pack":
				gitIn(t, dir, "repack", "-q", "-a", "-d", "-k")
				gitIn(t, dir, "prune-packed")
			}
			old := gitIn(t, dir, "rev-parse", session)
			candidates := strings.Fields(gitIn(t, dir, "rev-list", "--objects", "--no-object-names", session))
			before := everything(t, dir)
			entries := put(t, store, map[string]string{"0000/00-a/events.jsonl": "[redacted]", "0000/01-b/events.jsonl": shared})
			commit, err := store.ReplaceThread(t.Context(), session, old, entries, gitstore.Meta{Message: "redact\n"})
			mustDo(t, err)
			gone, kept, err := store.Discard(t.Context(), append(candidates, commit))
			mustDo(t, err)
			secret := store.BlobName([]byte(shared + "secret"))
			if way == "kept pack" {
				if !slices.Contains(kept, secret) || len(gone) > 0 {
					t.Errorf("gone %d, kept %d", len(gone), len(kept))
				}
				return
			}
			if !slices.Contains(gone, secret) || !slices.Contains(gone, old) {
				t.Errorf("the secret or the commit is still there: %v", kept)
			}
			for _, text := range []string{shared, "indexed", "stashed"} {
				if name := store.BlobName([]byte(text)); !slices.Contains(kept, name) {
					t.Errorf("%.20q is gone", text)
				}
			}
			after := everything(t, dir)
			for _, name := range gone {
				if slices.Contains(after, name) {
					t.Errorf("%s is not gone", name)
				}
			}
			for _, name := range before {
				if !slices.Contains(after, name) && !slices.Contains(gone, name) {
					t.Errorf("%s is gone, which was no candidate", name)
				}
			}
			if !slices.Contains(after, lost) || !slices.Contains(kept, commit) {
				t.Error("what was no candidate, or is referred to, is gone")
			}
			fsck(t, dir)
			gitIn(t, dir, "gc", "-q")
			fsck(t, dir)
		})
	}
}
