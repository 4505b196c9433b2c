package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"engram/internal/atomicfile"
)

// Options say what to install.
type Options struct {
	Binary string // absolute path of engram
	Branch string // the memory branch
	// WithFetch also installs reference-transaction, which sees a plain `git fetch`.
	WithFetch bool
}

// Report is the result of Install, Status and Uninstall.
type Report struct {
	SchemaVersion int    `json:"schema_version"`
	Folder        string `json:"folder"` // where git looks for hooks
	Hooks         []Hook `json:"hooks"`
	// Driver is the configured merge driver; "" for none.
	Driver string `json:"merge_driver"`
	// Complete reports whether everything is in place or, after Uninstall, whether
	// everything is gone.
	Complete bool     `json:"complete"`
	Notes    []string `json:"notes,omitempty"`
}

// Hook is one hook.
type Hook struct {
	Name  string `json:"name"`
	State string `json:"state"`
	With  string `json:"with,omitempty"` // the tool whose script runs as well
	Path  string `json:"path"`
	Note  string `json:"note,omitempty"`
}

// The states of a hook that Status finds, and what Install and Uninstall did.
const (
	Installed = "installed" // the file is engram's
	Chained   = "chained"   // the script of another tool runs as well
	Replaced  = "replaced"  // another tool has overwritten it
	Missing   = "missing"
	Off       = "off" // not requested
	Deleted   = "deleted"
	Restored  = "restored"
)

// Install adds engram's lines to the hooks of a repository, beside existing ones, and sets
// the merge driver. It is idempotent; lines of another version of engram are replaced. If
// one hook cannot be installed, nothing is changed. The error wraps ErrElsewhere,
// ErrVersioned, ErrBare or ErrForeign.
func Install(ctx context.Context, p Place, o Options) (Report, error) {
	if p.WorkTree == "" && !exists(filepath.Join(p.CommonDir, "worktrees")) {
		return Report{}, fmt.Errorf("%w: %s", ErrBare, p.GitDir)
	}
	dir, err := p.folder(ctx)
	if err != nil {
		return Report{}, err
	}
	plans, err := plan(ctx, p, dir, o)
	if err != nil {
		return Report{}, err
	}
	kept := load[record](p, recordFile)
	if !exists(dir) {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return Report{}, fmt.Errorf("create the hooks folder: %w", err)
		}
		kept.MadeFolder = dir
	}
	for _, w := range plans {
		if err := w.write(); err != nil {
			return Report{}, fmt.Errorf("install %s: %w", w.hook, err)
		}
		if !slices.Contains(kept.Files, w.file.path) {
			kept.Files = append(kept.Files, w.file.path)
		}
	}
	if err := save(p, recordFile, kept); err != nil {
		return Report{}, fmt.Errorf("record the installation: %w", err)
	}
	note, err := p.setDriver(ctx, o.Binary)
	if err != nil {
		return Report{}, err
	}
	report, err := Status(ctx, p, o)
	if note != "" {
		report.Notes = append(report.Notes, note)
	}
	return report, err
}

// Snippet returns the lines that a person may add to a hook that engram does not edit.
func Snippet(hook string, o Options) string {
	s := script{hook, slashed(o.Binary), o.Branch, guest}
	return string(insert(nil, s.lines()))
}

// planned is a hook to be written.
type planned struct {
	hook    string
	file    hookFile
	content []byte
	move    bool // the existing hook is moved away first
}

// plan decides for each hook, before anything is written.
//
//  1. Engram's lines exist: they are replaced in place.
//  2. There is no hook: a file of engram's is created.
//  3. The hook is a shell script: the lines are inserted.
//  4. Any other hook is renamed and run by a file of engram's. A
//     reference-transaction is not: the two would run each other for each
//     reference.
func plan(ctx context.Context, p Place, dir string, o Options) ([]planned, error) {
	tree, err := p.ours(dir)
	if err != nil {
		return nil, err
	}
	var plans []planned
	var paths []string
	for _, hook := range Names() {
		file, err := readHook(filepath.Join(dir, hook))
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", hook, err)
		}
		if hook == ReferenceTransaction && !o.WithFetch && lineAt(file.content, beginMark, 0) < 0 {
			continue
		}
		w, err := planOne(hook, file, o)
		if err != nil {
			return nil, err
		}
		plans = append(plans, w)
		paths = append(paths, file.path)
	}
	if tree != "" {
		err = versioned(ctx, tree, paths)
	}
	return plans, err
}

func planOne(hook string, file hookFile, o Options) (planned, error) {
	s := script{hook, slashed(o.Binary), o.Branch, own}
	w := planned{hook: hook, file: file}
	rest, block, isOwn, err := remove(file.content)
	if err != nil {
		return w, fmt.Errorf("%w: %s: %w", ErrForeign, file.path, err)
	}
	saved := exists(file.path + savedSuffix)
	switch {
	case block != nil && isOwn:
		if saved {
			s.role = before
		}
		w.content = insert(rest, s.lines())
	case block != nil, file.shell(hook):
		s.role = guest
		w.content = insert(rest, s.lines())
	case !file.there && saved: // our file is gone, the hook that it ran is not
		s.role = before
		w.content = s.file()
	case !file.there:
		w.content = s.file()
	case saved:
		return w, fmt.Errorf("%w: %s cannot be moved aside, because %s exists", ErrForeign, file.path, hook+savedSuffix)
	case hook == ReferenceTransaction:
		return w, fmt.Errorf("%w: %s is not a shell script", ErrForeign, file.path)
	default:
		s.role, w.move = before, true
		w.content = s.file()
	}
	return w, nil
}

func (w planned) write() error {
	switch {
	case w.move:
		if err := os.Rename(w.file.path, w.file.path+savedSuffix); err != nil {
			return err
		}
		err := newHook(w.file.path, w.content)
		if err != nil {
			return errors.Join(err, os.Rename(w.file.path+savedSuffix, w.file.path))
		}
		return nil
	case !w.file.there:
		return newHook(w.file.path, w.content)
	case bytes.Equal(w.content, w.file.content):
		return nil
	}
	return atomicfile.Write(w.file.path, w.content, w.file.mode, false)
}
