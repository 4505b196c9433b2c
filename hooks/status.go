package hooks

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"engram/internal/atomicfile"
)

// Status looks at each hook and changes nothing.
func Status(ctx context.Context, p Place, o Options) (Report, error) {
	report := Report{SchemaVersion: SchemaVersion, Hooks: []Hook{}, Complete: true}
	dir, err := p.folder(ctx)
	if err != nil {
		return report, err
	}
	report.Folder, report.Driver = dir, p.driver(ctx)
	kept := load[record](p, recordFile)
	for _, name := range Names() {
		file, err := readHook(filepath.Join(dir, name))
		if err != nil {
			return report, err
		}
		h := stateOf(name, file, kept, o)
		report.Complete = report.Complete && h.State != Missing && h.State != Replaced && h.Note == ""
		report.Hooks = append(report.Hooks, h)
	}
	if report.Driver == "" { // another driver is the user's choice
		report.Complete = false
		report.Notes = append(report.Notes, "no merge driver for facts is configured")
	}
	return report, nil
}

func stateOf(name string, file hookFile, kept record, o Options) Hook {
	h := Hook{Name: name, Path: file.path, State: Missing}
	_, block, isOwn, err := remove(file.content)
	wasThere := slices.Contains(kept.Files, file.path)
	switch {
	case err != nil:
		h.State, h.Note = Replaced, err.Error()
	case block != nil:
		h.State = Installed
		if !isOwn {
			h.State, h.With = Chained, file.maker()
		} else if saved, err := readHook(file.path + savedSuffix); err == nil && saved.there {
			h.State, h.With = Chained, saved.maker()
		}
		if !file.runs {
			h.Note = "the file is not executable, so git does not run it"
		} else if binary := namedBinary(block); binary != "" && !exists(binary) {
			h.Note = "it runs " + binary + ", which does not exist"
		}
	case wasThere:
		h.State = Replaced
		if file.there {
			h.With = file.maker()
		}
	case name == ReferenceTransaction && !o.WithFetch:
		h.State = Off
	}
	return h
}

// namedBinary returns the engram binary that a block runs.
func namedBinary(block []byte) string {
	_, rest, found := bytes.Cut(block, []byte("\tengram='"))
	quoted, _, ended := bytes.Cut(rest, []byte("\n"))
	if !found || !ended {
		return ""
	}
	text := strings.TrimRight(string(quoted), " #\r")
	return strings.ReplaceAll(strings.TrimSuffix(text, "'"), `'\''`, "'")
}

// Uninstall removes engram's lines and files from the hooks, and the merge driver from the
// configuration. Everything else keeps its bytes. Hooks that another tool has renamed are
// found too.
func Uninstall(ctx context.Context, p Place) (Report, error) {
	report := Report{SchemaVersion: SchemaVersion, Hooks: []Hook{}, Complete: true}
	dir, err := p.folder(ctx)
	if err != nil {
		return report, err
	}
	report.Folder = dir
	kept := load[record](p, recordFile)
	for _, folder := range foldersOf(dir, kept) {
		if _, err := p.ours(folder); err != nil {
			continue
		}
		if err := takeOut(folder, &report); err != nil {
			return report, err
		}
	}
	if kept.MadeFolder != "" {
		_ = os.Remove(kept.MadeFolder) // only if it is empty
	}
	if err := os.RemoveAll(p.state(".")); err != nil {
		report.Notes = append(report.Notes, err.Error())
	}
	removed, err := p.unsetDriver()
	if removed {
		report.Notes = append(report.Notes, "the merge driver was removed from "+filepath.Join(p.CommonDir, "config"))
	}
	report.Driver = p.driver(ctx)
	return report, err
}

// foldersOf lists the folder of hooks and those of earlier installations: another
// core.hooksPath, or other work trees.
func foldersOf(dir string, kept record) []string {
	folders := []string{dir}
	for _, f := range kept.Files {
		if d := filepath.Dir(f); !slices.Contains(folders, d) {
			folders = append(folders, d)
		}
	}
	return folders
}

func takeOut(folder string, report *Report) error {
	entries, err := os.ReadDir(folder)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		hook, _, _ := strings.Cut(entry.Name(), ".")
		if !IsHook(hook) || strings.HasSuffix(entry.Name(), savedSuffix) || entry.IsDir() {
			continue
		}
		file, err := readHook(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		if file.link {
			continue
		}
		rest, block, isOwn, err := remove(file.content)
		if err != nil {
			report.Complete = false
			report.Hooks = append(report.Hooks, Hook{Name: hook, State: Replaced, Path: file.path, Note: err.Error()})
			continue
		}
		if block == nil {
			continue
		}
		h, err := restore(hook, file, rest, isOwn)
		if err != nil {
			return err
		}
		report.Hooks = append(report.Hooks, h)
	}
	return nil
}

// restore gives one file its former content.
func restore(hook string, file hookFile, rest []byte, isOwn bool) (Hook, error) {
	h := Hook{Name: hook, State: Restored, Path: file.path}
	saved := filepath.Join(filepath.Dir(file.path), hook+savedSuffix)
	if !isOwn || !bareShebang(rest) { // another tool's file, or ours with additions
		if isOwn && exists(saved) {
			h.Note = saved + " was set aside and was not restored, because the hook that ran it was edited"
		}
		return h, atomicfile.Write(file.path, rest, file.mode, false)
	}
	if exists(saved) {
		return h, os.Rename(saved, file.path)
	}
	h.State = Deleted
	return h, os.Remove(file.path)
}
