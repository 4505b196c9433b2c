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
	"strings"
	"time"
)

// keeper saves the content of a file before engram's first edit, in a folder of its own, so
// that two processes never write the same copy.
type keeper struct {
	dir string
	// name is the path of the file in its place, so that a project can be moved.
	name string
}

// before is the former state of a file.
type before struct {
	Name    string `json:"name"`
	Existed bool   `json:"existed"`
	// MadeFolders is the number of folders created for it, the innermost first.
	MadeFolders int `json:"made_folders,omitempty"`

	text string
}

const (
	beforeFile = "before.json"
	unfinished = ".new-"
	// abandoned is the age of an unfinished copy that no process will finish.
	abandoned = time.Hour
)

// sweep deletes unfinished copies of processes that were killed.
func (p Place) sweep() {
	for _, dir := range []string{p.ProjectKept, p.HomeKept} {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			info, err := e.Info()
			if err == nil && e.IsDir() && strings.HasPrefix(e.Name(), unfinished) && time.Since(info.ModTime()) > abandoned {
				_ = os.RemoveAll(filepath.Join(dir, e.Name()))
			}
		}
	}
}

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

// backup returns the path of the former content of a file; "" if there is none.
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

// put saves the state of a file in place of an earlier one. If several processes run at
// once, a process that found the folders which another one had just created knows less, and
// does not replace the other's copy.
func (k keeper) put(b before) error {
	b.Name = k.name
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return fmt.Errorf("save a copy: %w", err)
	}
	const attempts = 8 // each attempt is lost to another process
	var err error
	for range attempts {
		old, known := k.get()
		if known && old.Existed == b.Existed && old.text == b.text && old.MadeFolders >= b.MadeFolders {
			return nil
		}
		if err = k.replace(b, known); !errors.Is(err, fs.ErrExist) {
			break
		}
		if _, readable := k.get(); !readable {
			_ = os.RemoveAll(k.folder())
		}
	}
	if err != nil {
		return fmt.Errorf("save a copy: %w", err)
	}
	return nil
}

// replace writes a copy in one step. The error is fs.ErrExist if another process wrote one.
func (k keeper) replace(b before, known bool) error {
	temp, err := os.MkdirTemp(k.dir, unfinished+"*")
	if err != nil {
		return err
	}
	raw, err := json.Marshal(b)
	if err == nil {
		err = os.WriteFile(filepath.Join(temp, beforeFile), raw, 0o600)
	}
	if err == nil && b.Existed {
		err = os.WriteFile(filepath.Join(temp, filepath.Base(k.name)), []byte(b.text), 0o600)
	}
	if err == nil && known {
		err = os.RemoveAll(k.folder())
	}
	if err == nil {
		err = os.Rename(temp, k.folder())
	}
	if err != nil {
		_ = os.RemoveAll(temp)
	}
	return err
}

// drop removes the copy of a file, and with the last copy the folder of copies and its
// parent, if they are empty.
func (k keeper) drop() {
	_ = os.RemoveAll(k.folder())
	if os.Remove(k.dir) == nil {
		_ = os.Remove(filepath.Dir(k.dir))
	}
}
