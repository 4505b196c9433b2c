package deref

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// whyAbsent returns why there is no file or folder at an address whose commit is here.
func (m *Reader) whyAbsent(ctx context.Context, a facts.Address) error {
	at := 0
	for { // find the first part of the path that is not a folder
		end := strings.IndexByte(a.Path[at:], '/')
		above := a.Path
		if end >= 0 {
			above = a.Path[:at+end]
		}
		code, err := m.Store.CodeAt(ctx, a.Commit, above)
		if err != nil {
			return err
		}
		switch code.Kind {
		case gitstore.CodeLink:
			return core.UsageErrorf(hint.New("point at what it leads to"), "%s is a symbolic link at %s, and none is followed", above, core.ShortCommit(a.Commit))
		case gitstore.CodeSubmodule:
			return core.UsageErrorf(hint.New("point at it from a memory of that repository"), "%s is another repository (a submodule), at its commit %s", above, code.Name)
		case gitstore.CodeFile:
			return core.NotFoundErrorf(hint.Hint{}, "%s is a file at %s, not a folder", above, core.ShortCommit(a.Commit))
		case gitstore.CodeNone:
			return m.suggestNames(ctx, a, above)
		}
		if end < 0 {
			return core.NotFoundErrorf(hint.Hint{}, "%s cannot be read at %s", a.Path, core.ShortCommit(a.Commit))
		}
		at += end + 1
	}
}

// suggestNames returns an error that suggests names similar to the missing one.
func (m *Reader) suggestNames(ctx context.Context, a facts.Address, missing string) error {
	message := fmt.Sprintf("there is no %s at %s", a.Path, core.ShortCommit(a.Commit))
	folder := path.Dir(missing)
	names, err := m.namesIn(ctx, a.Commit, folder)
	if err != nil {
		return err
	}
	if near := nearNames(path.Base(missing), names); len(near) > 0 {
		for i := range near {
			near[i] = path.Join(folder, near[i])
		}
		return core.NotFoundErrorf(hint.New("near it: %s", strings.Join(near, ", ")), "%s", message)
	}
	if key, err := facts.ParseKey(a.Path); err == nil && path.Ext(a.Path) == "" && a.FirstLine == 0 { // perhaps a key
		return core.NotFoundErrorf(hint.New("%s finds facts by what they say", hint.Do(hint.Query)), "%s, nor a fact of the key %s", message, key)
	}
	return core.NotFoundErrorf(hint.New("%s says what became of it", hint.Do(hint.Git, "log --all -- "+a.Path)), "%s", message)
}

// maxNear is how many names of a folder are compared with the missing one.
const maxNear = 2000

func (m *Reader) namesIn(ctx context.Context, commit, folder string) ([]string, error) {
	name, err := m.Store.FolderAt(ctx, commit, folder)
	if folder == "." {
		name, err = m.Store.RootFolder(ctx, commit)
	}
	if err != nil || name == "" {
		return nil, err
	}
	entries, err := m.Store.CodeFolder(ctx, name)
	var names []string
	for _, e := range entries[:min(len(entries), maxNear)] {
		names = append(names, e.Path)
	}
	return names, err
}

// nearNames returns at most three names that are similar to name.
func nearNames(name string, names []string) []string {
	distance := func(other string) int { return facts.EditDistance(strings.ToLower(name), strings.ToLower(other)) }
	var near []string
	for _, other := range names {
		if len(other) <= 100 && len(name) <= 100 && (distance(other) <= max(2, len(name)/4) || stem(name) == stem(other)) {
			near = append(near, other)
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return distance(a) - distance(b) })
	return near[:min(len(near), 3)]
}

// stem returns the name of a file without its extension.
func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
