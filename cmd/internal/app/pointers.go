package app

import (
	"os"
	"path/filepath"
	"strings"

	"engram/facts"
	"engram/memory"
)

// Pointers are pointers as a command line has them.
func Pointers(refs []string) (pointers []memory.Pointer) {
	for _, ref := range refs {
		pointers = append(pointers, memory.Pointer{Ref: ref})
	}
	return pointers
}

// FromTop makes a short form that was typed in a folder one from the top of the work
// tree. What may be a key, and is no file here, stays as it is.
func (g *Globals) FromTop(top, pointer string) string {
	typed := filepath.ToSlash(pointer)
	if top == "" || facts.IsRef(typed) || strings.HasPrefix(typed, "https://") || strings.HasPrefix(typed, "http://") {
		return typed
	}
	dir, name := g.Directory(), filepath.FromSlash(typed)
	if filepath.IsAbs(name) {
		dir, name = filepath.Split(name)
	} else if _, err := facts.ParseKey(typed); err == nil {
		if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			return typed
		}
	}
	below := folderBelow(top, dir)
	if below == "" || below == "." && dir == g.Directory() {
		return typed
	}
	return filepath.ToSlash(filepath.Join(below, name))
}

// folderBelow is the way from one folder down to another: "." for the same, "" where
// the one is not below the other.
func folderBelow(top, dir string) string {
	for _, path := range []*string{&top, &dir} {
		if absolute, err := filepath.Abs(*path); err == nil {
			*path = absolute
		}
		if real, err := filepath.EvalSymlinks(*path); err == nil {
			*path = real
		}
	}
	below, err := filepath.Rel(top, dir)
	if err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return ""
	}
	return below
}
