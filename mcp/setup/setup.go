// Package setup tells coding agents' clients about engram's MCP server: it writes
// entries into their files, takes them out again to the byte, and says what is
// there. It is not for what the server answers, which is package mcp's, nor for
// git's hooks.
//
// A file of somebody else's is edited, never written anew: what is not engram's
// keeps its bytes. What a file was before is kept aside the first time.
package setup

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// SchemaVersion is the version of the JSON that a Report makes.
const SchemaVersion = 1

// What keeps a client from being set up.
var (
	// ErrNoProject: the client's files belong into a work tree, and there is none.
	ErrNoProject = errors.New("there is no work tree to set up")
	// ErrNoClient: none of the clients was found.
	ErrNoClient = errors.New("no client was found")
)

// FileError is a file that cannot be edited, and stays as it is.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.Err) }
func (e *FileError) Unwrap() error { return e.Err }

// Place is where clients look for what they are told.
type Place struct {
	Project string // top of the work tree; "" where there is none
	// ProjectKept is the folder for what the project's files were before, a work
	// tree's own; HomeKept is that for files of the home folder.
	ProjectKept, HomeKept string
	Home                  string
	Getenv                func(string) string
	LookPath              func(string) (string, error) // finds a program
}

// Options say what is written.
type Options struct {
	Clients []string // by name; they have to exist
	// Binary is the absolute path of engram; OnPath says that `engram` finds it.
	Binary string
	OnPath bool
	// Profiles are handed to the server. nil keeps those that an entry has.
	Profiles []string
	NoHooks  bool
	NoGuide  bool // AGENTS.md and CLAUDE.md are left alone
	Scopes   []Scope
}

// Report says what is where, or what was done.
type Report struct {
	SchemaVersion int      `json:"schema_version"`
	Clients       []string `json:"clients"`
	Files         []File   `json:"files"`
	// Complete reports whether everything is in place; after a removal, whether
	// everything is gone.
	Complete bool     `json:"complete"`
	Notes    []string `json:"notes,omitempty"`
}

// File is a file and what became of it.
type File struct {
	Client string `json:"client"` // "" of what is for all of them
	What   string `json:"what"`   // server, hooks, guide, or two of them
	State  string `json:"state"`
	Path   string `json:"path"`
	// Backup is where its former bytes are.
	Backup string `json:"backup,omitempty"`
	// Content is what a new file would hold; only of Print.
	Content string `json:"content,omitempty"`
}

// The states of a file: what Status finds, and what Install and Uninstall did.
const (
	Current  = "current"
	Missing  = "missing"
	Outdated = "outdated"
	Made     = "made"     // there was no such file
	Updated  = "updated"  // engram's part was written into it
	Restored = "restored" // it has the bytes that it had before
	Removed  = "removed"  // engram's part was taken out of it
	Deleted  = "deleted"
	Absent   = "absent" // it has nothing of engram's
	Printed  = "printed"
)

// edit is one thing of engram's in a file. Its functions are pure.
type edit interface {
	// put makes a text say what it should; done twice it is done once.
	put(text string) (string, error)
	// take makes it say nothing of engram's. What original, the text before any
	// setup, has that would be left empty stays.
	take(text, original string) (string, error)
	holds(text string) bool
}

// target is a file that a client reads, and what it is told there.
type target struct {
	client, what string
	path         string
	home         bool   // of the person, and not of the project
	theirs       bool   // setup writes into it where it exists, and never makes it
	base         string // what a new file begins with
	edits        []edit
	exact        []edit // the same, written whatever else an entry has
}

func putAll(edits []edit, text string) (string, error) {
	for _, e := range edits {
		var err error
		if text, err = e.put(text); err != nil {
			return "", err
		}
		if !e.holds(text) {
			return "", errors.New("cannot be edited safely")
		}
	}
	return text, nil
}

// begin is the text to edit: that of a file, or what a new one begins with.
func (t target) begin(text string) string {
	if strings.TrimSpace(strings.TrimPrefix(text, byteOrderMark)) == "" && t.base != "" {
		return t.base
	}
	return text
}

// targets are the files of the clients that options name, the guide's last.
func targets(p Place, o Options) ([]target, error) {
	var list []target
	for _, c := range clients() {
		for _, name := range o.Clients {
			if name != c.name {
				continue
			}
			if p.Project == "" && !c.home {
				return nil, fmt.Errorf("%w: %s reads its settings there", ErrNoProject, c.title)
			}
			list = append(list, c.targets(p, o)...)
		}
	}
	if p.Project != "" && !o.NoGuide {
		list = append(list, guideTargets(p, o)...)
	}
	return list, nil
}

// ClientNames lists the clients that can be set up.
func ClientNames() []string {
	var list []string
	for _, c := range clients() {
		list = append(list, c.name)
	}
	return list
}

// Title is what people call a client.
func Title(name string) string {
	for _, c := range clients() {
		if c.name == name {
			return c.title
		}
	}
	return name
}

// CanUse reports whether a client's files have a place here.
func CanUse(p Place, name string) bool {
	return slices.ContainsFunc(clients(), func(c client) bool { return c.name == name && (p.Project != "" || c.home) })
}

// Found lists the clients of which a place has traces: a folder, a file or a
// program.
func Found(p Place) []string {
	var list []string
	for _, c := range clients() {
		if CanUse(p, c.name) && c.found(p) {
			list = append(list, c.name)
		}
	}
	return list
}

func (c client) found(p Place) bool {
	for _, program := range c.programs {
		if _, err := p.LookPath(program); err == nil {
			return true
		}
	}
	for _, name := range c.inProject {
		if p.Project != "" && exists(filepath.Join(p.Project, name)) {
			return true
		}
	}
	for _, name := range c.inHome {
		if exists(filepath.Join(p.Home, name)) {
			return true
		}
	}
	return false
}
