package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// keeper keeps what files were before engram wrote into them: one folder a file,
// so that two processes never write the same one.
type keeper struct{ dir string }

// before is what a file was.
type before struct {
	Path    string `json:"path"`
	Existed bool   `json:"existed"`
	// MadeFolders were made for it, the innermost first.
	MadeFolders []string `json:"made_folders,omitempty"`

	text string
}

const beforeFile = "before.json"

func (k keeper) folder(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(k.dir, hex.EncodeToString(sum[:8]))
}

// backup is where the former bytes of a file are; "" for none.
func (k keeper) backup(path string) string {
	if file := filepath.Join(k.folder(path), filepath.Base(path)); exists(file) {
		return file
	}
	return ""
}

func (k keeper) get(path string) (b before, ok bool) {
	raw, err := os.ReadFile(filepath.Join(k.folder(path), beforeFile))
	if err != nil || json.Unmarshal(raw, &b) != nil || b.Path != path {
		return before{}, false
	}
	if !b.Existed {
		return b, true
	}
	text, err := os.ReadFile(filepath.Join(k.folder(path), filepath.Base(path)))
	b.text = string(text)
	return b, err == nil
}

// put keeps what a file is, in the place of what was kept before.
func (k keeper) put(b before) error {
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return fmt.Errorf("keep a copy: %w", err)
	}
	temp, err := os.MkdirTemp(k.dir, ".new-*")
	if err != nil {
		return fmt.Errorf("keep a copy: %w", err)
	}
	raw, err := json.Marshal(b)
	if err == nil {
		err = os.WriteFile(filepath.Join(temp, beforeFile), raw, 0o600)
	}
	if err == nil && b.Existed {
		err = os.WriteFile(filepath.Join(temp, filepath.Base(b.Path)), []byte(b.text), 0o600)
	}
	if err == nil {
		err = os.RemoveAll(k.folder(b.Path))
	}
	if err == nil {
		err = os.Rename(temp, k.folder(b.Path))
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		_ = os.RemoveAll(temp)
		return fmt.Errorf("keep a copy: %w", err)
	}
	return nil
}

// drop forgets a file, and with the last one the folder of copies and the one
// around it, as far as they are empty.
func (k keeper) drop(path string) {
	_ = os.RemoveAll(k.folder(path))
	if os.Remove(k.dir) == nil {
		_ = os.Remove(filepath.Dir(k.dir))
	}
}
