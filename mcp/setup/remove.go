package setup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// Uninstall removes engram's entries. A file without other changes gets its former content;
// a file that setup created, without other content, is deleted with the folders created for
// it; from any other file only engram's part is removed. If the former content is unknown,
// a file without other content counts as created by setup. The guide is removed with the
// last client. If one file cannot be edited, nothing is written.
func Uninstall(p Place, o Options) (Report, error) {
	report := newReport(o)
	if others := inUse(p, o.Clients); len(others) > 0 && !o.NoGuide {
		o.NoGuide = true
		report.Notes = append(report.Notes, "AGENTS.md keeps what it says of engram: "+Title(others[0])+" still uses it")
	}
	list, err := targets(p, o)
	if err != nil {
		return report, err
	}
	var plans []removal
	for _, t := range list {
		r, err := planRemoval(p, t)
		if err != nil {
			return report, err
		}
		plans = append(plans, r)
	}
	p.sweep() // so that the folder of copies can be removed with the last copy
	var folders []string
	for _, r := range plans {
		if err := r.carryOut(p); err != nil {
			return report, err
		}
		if r.state == Deleted {
			folders = append(folders, r.folders(p)...)
		}
		report.Files = append(report.Files, File{Client: r.client, What: r.what, Path: r.path, State: r.state})
	}
	for _, dir := range folders { // after the last file in them is removed
		_ = os.Remove(dir) // only if it is empty
	}
	return report, nil
}

// inUse lists the other clients that have engram's server.
func inUse(p Place, but []string) (list []string) {
	for _, c := range clients() {
		if slices.Contains(but, c.name) || p.Project == "" && !c.home {
			continue
		}
		for _, t := range c.targets(p, Options{NoHooks: true}) {
			if f, err := readFile(t.path); err == nil && f.there && t.edits[0].holds(f.text) {
				list = append(list, c.name)
			}
		}
	}
	return list
}

// removal says what to do with a file.
type removal struct {
	planned
	state string
	was   before
	known bool // was is the saved content, which is neither lost nor another clone's
}

// made reports whether setup created a file, as far as is known. Setup creates no links and
// no files that it only edits. A copy with the block in it was saved after an earlier copy
// was lost, and does not have the original.
func (r removal) made() bool {
	if r.theirs || isLink(r.path) {
		return false
	}
	return !r.was.Existed || r.what == "guide" && r.edits[0].holds(r.was.text)
}

// folders returns those to remove with a file if they are empty, the innermost first: those
// created for it or, if that is unknown, the client's folders in the project.
func (r removal) folders(p Place) (list []string) {
	if r.known {
		for dir, n := filepath.Dir(r.file.path), r.was.MadeFolders; n > 0; dir, n = filepath.Dir(dir), n-1 {
			list = append(list, dir)
		}
		return list
	}
	if r.home { // a client's own folder there is older than any setup
		return nil
	}
	for dir := filepath.Dir(r.path); dir != filepath.Clean(p.Project) && !isLink(dir); dir = filepath.Dir(dir) {
		list = append(list, dir)
	}
	return list
}

// planRemoval decides what to do with a file.
//
//  1. It has no part of engram's: nothing.
//  2. It is the saved content with engram's part: the saved content is restored.
//  3. Setup created it, as far as is known, and it has no other content: it is
//     deleted.
//  4. Otherwise engram's part is removed.
func planRemoval(p Place, t target) (removal, error) {
	r := removal{planned: planned{target: t}, state: Absent}
	f, err := readFile(t.path)
	if err != nil {
		return r, err
	}
	r.file = f
	holds := func(text string) bool {
		return slices.ContainsFunc(t.edits, func(e edit) bool { return e.holds(text) })
	}
	if !f.there || !holds(f.text) { // 1
		return r, t.readable(f)
	}
	was, known := t.kept(p).get()
	r.was, r.known = was, known
	now, err := putAll(t.exact(), f.text)
	if err != nil {
		return r, &FileError{t.path, err}
	}
	if known && was.Existed && !holds(was.text) { // 2
		if then, err := putAll(t.exact(), t.begin(was.text)); err == nil && then == now {
			r.state, r.text = Restored, was.text
			return r, nil
		}
	}
	r.text = f.text
	for _, e := range t.edits {
		if r.text, err = e.take(r.text, was.text); err != nil {
			return r, &FileError{t.path, err}
		}
	}
	r.state = Removed // 4
	if r.made() && blank(r.text, t.base) {
		r.state = Deleted // 3
	}
	return r, nil
}

// readable rejects a file whose content cannot be determined.
func (t target) readable(f file) error {
	if !f.there {
		return nil
	}
	if _, err := putAll(t.edits, t.begin(f.text)); err != nil && !errors.Is(err, errNotOurs) {
		return &FileError{t.path, err}
	}
	return nil
}

func (r removal) carryOut(p Place) error {
	switch r.state {
	case Absent: // somebody removed the entry, so the copy is not needed
	case Deleted:
		if err := r.file.unchanged(); err != nil {
			return &FileError{r.path, err}
		}
		if err := os.Remove(r.file.path); err != nil {
			return &FileError{r.path, err}
		}
	default:
		if err := r.file.write(r.text, r.file.mode); err != nil {
			return err
		}
	}
	r.kept(p).drop()
	return nil
}
