package memory_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"engram/evidence"
	"engram/memory"
)

// TestOnlyTrackedFilesAreDigested: of what git does not track no digest is made.
func TestOnlyTrackedFilesAreDigested(t *testing.T) {
	b := newMemory(t)
	b.code(map[string]string{"a.go": "one\n", ".gitignore": ".env\n", "file": "x\n"})
	b.save(map[string]string{".env": "PASSWORD=x\n", "new.go": "new\n", "staged.go": "staged\n", "nested.git/config": "[core]\n", "a.go": "two\n", "folder/b": "b\n"})
	b.git("add", "staged.go", "folder/b")
	if err := errors.Join(os.RemoveAll(filepath.Join(b.dir, "folder")), os.WriteFile(filepath.Join(b.dir, "folder"), []byte("secret\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, agent := range []string{"", "child"} {
		for file, content := range map[string]string{"a.go": "two\n", "staged.go": "staged\n", ".env": "", "new.go": "", "nested.git/config": "", "folder": ""} {
			for _, ref := range []string{file + ":1", "repo:" + file + "#L1"} {
				in := memory.CommitInput{Claim: "It is so: " + agent + ref, Key: "domain/a/b", Agent: agent, Pointers: []memory.Pointer{{Ref: ref}}}
				r, err := b.Commit(t.Context(), in)
				var got memory.Pointer
				if err == nil {
					got = b.get("domain/a/b").Pointers[0]
				}
				switch said := strings.Join(r.Warnings, " "); {
				case content != "":
					if err != nil || got.Digest != evidence.Digest([]byte(content)) {
						t.Errorf("%s: %+v, %v", ref, got, err)
					}
				case !strings.HasPrefix(ref, "repo:"):
					if code, hint := classified(err); code != memory.CodeUsage || !strings.Contains(err.Error(), "git does not track "+file) || !strings.Contains(hint, "commit it first") {
						t.Errorf("%s: %v, hint %q", ref, err, hint)
					}
				case err != nil || got.Digest != "" || !strings.Contains(said, "git does not track"):
					t.Errorf("%s: %+v, %v, %q", ref, got, err, said)
				}
			}
		}
	}
	if got, err := b.Complete(t.Context(), ".env:1"); err == nil {
		t.Errorf("%+v", got)
	}
}
