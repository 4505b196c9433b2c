// Package setup registers engram's MCP server with the clients of coding agents: it writes
// entries into their files, removes them to the byte, and reports what is there. What the
// server answers is up to package mcp, and git hooks to package hooks.
//
// Files of other tools are edited, not rewritten: everything that is not engram's keeps its
// bytes. The first edit of a file saves its former content.
package setup

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// SchemaVersion is the version of the JSON form of a Report.
const SchemaVersion = 1

// Errors of setting a client up.
var (
	// ErrNoProject reports that the client's files belong in a work tree and there is none.
	ErrNoProject = errors.New("there is no work tree to set up")
	// ErrNoClient reports that no client was found.
	ErrNoClient = errors.New("no client was found")
)

// FileError reports a file that cannot be edited. It is unchanged.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.Err) }
func (e *FileError) Unwrap() error { return e.Err }

// Place says where the files of clients are.
type Place struct {
	Project string // top of the work tree; "" if there is none
	// ProjectKept is the folder for former contents of the project's files, one for each
	// work tree; HomeKept is that for files in the home folder.
	ProjectKept, HomeKept string
	Home                  string
	Getenv                func(string) string
	LookPath              func(string) (string, error) // finds a program
}

// Options say what is written.
type Options struct {
	Clients []string // by name; all must exist
	// Binary is the absolute path of engram; OnPath reports whether `engram` finds it.
	Binary string
	OnPath bool
	// Profiles are arguments of the server. nil keeps the profiles of an existing entry.
	Profiles []string
	NoHooks  bool
	// NoSessions leaves out the hooks that keep sessions, and lets the others keep none.
	NoSessions bool
	NoGuide    bool // AGENTS.md and CLAUDE.md are left alone
	Scopes     []Scope
}

// Report lists files with their states, or with what was done to them.
type Report struct {
	SchemaVersion int      `json:"schema_version"`
	Clients       []string `json:"clients"`
	Files         []File   `json:"files"`
	// Complete reports whether everything is in place; after a removal, whether
	// everything is gone.
	Complete bool     `json:"complete"`
	Notes    []string `json:"notes,omitempty"`
}

// File is a file and its state.
type File struct {
	Client string `json:"client"` // "" if it is for all clients
	What   string `json:"what"`   // server, hooks, guide, or two of them
	State  string `json:"state"`
	Path   string `json:"path"`
	// Backup is the path of its former content.
	Backup string `json:"backup,omitempty"`
	// Content is the content of a new file; only of Print.
	Content string `json:"content,omitempty"`
}

// The states of a file that Status finds, and what Install and Uninstall did.
const (
	Current  = "current"
	Missing  = "missing"
	Outdated = "outdated"
	Made     = "made"     // there was no such file
	Updated  = "updated"  // engram's part was written into it
	Restored = "restored" // it has its former content
	Removed  = "removed"  // engram's part was removed from it
	Deleted  = "deleted"
	Absent   = "absent" // it has no part of engram's
	Printed  = "printed"
)

// edit is an edit of one part of a file. Its methods are pure.
type edit interface {
	// put adds engram's part to a text or updates it. It is idempotent.
	put(text string) (string, error)
	// take removes engram's part. An object or list that is empty then is removed too,
	// unless original, the text before any setup, has it.
	take(text, original string) (string, error)
	// holds reports whether a text has engram's part.
	holds(text string) bool
}

// target is a file that a client reads, and its edits.
type target struct {
	client, what string
	path         string
	home         bool   // it belongs to the person, not to the project
	theirs       bool   // setup edits the file if it exists, and never creates it
	base         string // what a new file begins with
	edits        []edit
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

// begin returns the text to edit: that of a file, or what a new file begins with.
func (t target) begin(text string) string {
	if strings.TrimSpace(strings.TrimPrefix(text, byteOrderMark)) == "" && t.base != "" {
		return t.base
	}
	return text
}

// targets returns the files of the clients in the options, and then those of the guide.
func targets(p Place, o Options) ([]target, error) {
	var list []target
	for _, c := range clients() {
		if !slices.Contains(o.Clients, c.name) {
			continue
		}
		if p.Project == "" && !c.home {
			return nil, fmt.Errorf("%w: %s reads its settings there", ErrNoProject, c.title)
		}
		list = append(list, c.targets(p, o)...)
	}
	if p.Project != "" && !o.NoGuide {
		list = append(list, guideTargets(p, o)...)
	}
	return list, nil
}

func newReport(o Options) Report {
	return Report{SchemaVersion: SchemaVersion, Clients: o.Clients, Files: []File{}, Complete: true}
}

// ClientNames lists the clients that can be set up.
func ClientNames() []string {
	var list []string
	for _, c := range clients() {
		list = append(list, c.name)
	}
	return list
}

// Title returns the name of a client for people.
func Title(name string) string {
	for _, c := range clients() {
		if c.name == name {
			return c.title
		}
	}
	return name
}

// CanUse reports whether the files of a client can be written here.
func CanUse(p Place, name string) bool {
	return slices.ContainsFunc(clients(), func(c client) bool { return c.name == name && (p.Project != "" || c.home) })
}

// Found lists the clients that seem to be in use: a folder, a file or a program of theirs
// exists.
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
	inPath := func(program string) bool { _, err := p.LookPath(program); return err == nil }
	in := func(dir string) func(name string) bool {
		return func(name string) bool { return dir != "" && exists(filepath.Join(dir, name)) }
	}
	return slices.ContainsFunc(c.programs, inPath) || slices.ContainsFunc(c.inProject, in(p.Project)) || slices.ContainsFunc(c.inHome, in(p.Home))
}
