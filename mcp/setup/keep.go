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

// keeper keeps what a file was before engram wrote into it, in a folder of its own,
// so that two processes never write the same one.
type keeper struct {
	dir string
	// name is the file as its place calls it, so that a project can be moved.
	name string
}

// before is what a file was.
type before struct {
	Name    string `json:"name"`
	Existed bool   `json:"existed"`
	// MadeFolders is how many folders were made for it, the innermost first.
	MadeFolders int `json:"made_folders,omitempty"`

	text string
}

const beforeFile = "before.json"

func (t target) kept(p Place) keeper {
	if t.home {
		return keeper{p.HomeKept, t.path}
	}
	name, err := filepath.Rel(p.Project, t.path)
	if err != nil {
		name = t.path
	}
	return keeper{p.ProjectKept, filepath.ToSlash(name)}
}

func (k keeper) folder() string {
	sum := sha256.Sum256([]byte(k.name))
	return filepath.Join(k.dir, hex.EncodeToString(sum[:8]))
}

func (k keeper) copy() string { return filepath.Join(k.folder(), filepath.Base(k.name)) }

// backup is where the former bytes of a file are; "" for none.
func (k keeper) backup() string {
	if exists(k.copy()) {
		return k.copy()
	}
	return ""
}

func (k keeper) get() (b before, ok bool) {
	raw, err := os.ReadFile(filepath.Join(k.folder(), beforeFile))
	if err != nil || json.Unmarshal(raw, &b) != nil || b.Name != k.name {
		return before{}, false
	}
	if !b.Existed {
		return b, true
	}
	text, err := os.ReadFile(k.copy())
	b.text = string(text)
	return b, err == nil
}

// put keeps what a file is, in the place of what was kept before.
func (k keeper) put(b before) error {
	b.Name = k.name
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
		err = os.WriteFile(filepath.Join(temp, filepath.Base(k.name)), []byte(b.text), 0o600)
	}
	if err == nil {
		err = os.RemoveAll(k.folder())
	}
	if err == nil {
		err = os.Rename(temp, k.folder())
	}
	if err == nil {
		return nil
	}
	_ = os.RemoveAll(temp)
	if errors.Is(err, fs.ErrExist) { // another process was faster, with the same
		return nil
	}
	return fmt.Errorf("keep a copy: %w", err)
}

// drop forgets a file, and with the last one the folder of copies and the one
// around it, as far as they are empty.
func (k keeper) drop() {
	_ = os.RemoveAll(k.folder())
	if os.Remove(k.dir) == nil {
		_ = os.Remove(filepath.Dir(k.dir))
	}
}
