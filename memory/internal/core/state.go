package core

import (
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"path/filepath"

	"engram/internal/filelock"
)

// AuditPath is the path of a file of the audit state; file begins with its suffix.
func (m *Memory) AuditPath(file string) string {
	return filepath.Join(m.Store.StateDir(), "audit", url.PathEscape(m.Store.Branch())+file)
}

// ReadyFolder is where briefs are kept ready. They quote facts.
func (m *Memory) ReadyFolder() string { return filepath.Join(m.Store.StateDir(), "ready") }

// ReadJSON reads a file of local state; ok is false if the file is absent or unusable.
func ReadJSON(path string, into any) (ok bool) {
	raw, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(raw, into) == nil
}

// WriteJSON replaces a file of local state.
func WriteJSON(path string, state any) error {
	raw, err := json.Marshal(state)
	if err == nil {
		err = filelock.MakeFolder(filepath.Dir(path))
	}
	if err == nil {
		err = ReplaceFile(path, raw)
	}
	return err
}

// ReplaceFile replaces a file atomically, also if several processes do so at once.
func ReplaceFile(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
