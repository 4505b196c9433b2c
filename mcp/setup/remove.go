package setup

import (
	"os"
	"path/filepath"
	"slices"
)

// Uninstall takes engram's entries out. A file in which nothing else has changed
// gets the bytes that it had; one that setup made, and in which nothing else is,
// is deleted with the folders made for it; of any other, only engram's part goes.
// Where nobody knows what a file was, one in which nothing else is counts as made.
// What is said to all agents goes with the last client. Nothing is written where
// one file cannot be edited.
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
	p.sweep() // so that the folder of copies can go with the last one
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
	for _, dir := range folders { // after the last file is gone from them
		_ = os.Remove(dir) // only if it is empty
	}
	return report, nil
}

// inUse lists the clients, other than some, that know of the server.
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

// removal is what becomes of a file.
type removal struct {
	planned
	state string
	was   before
	known bool // was is what was kept, and not lost or of a colleague's clone
}

// made reports whether setup made a file, as far as is known. A link is somebody
// else's, and so is what setup never makes. A copy that has the block in it was
// taken after an earlier one was lost, and says nothing of what was before.
func (r removal) made() bool {
	if r.theirs || isLink(r.path) {
		return false
	}
	return !r.was.Existed || r.what == "guide" && r.edits[0].holds(r.was.text)
}

// folders are those that go with a file if they are empty, the innermost first:
// those made for it, or those of the client in the project where nobody knows.
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

// planRemoval decides what becomes of a file.
//
//  1. It has nothing of engram's: nothing.
//  2. It is what setup made of what is kept: that comes back.
//  3. Setup made it, as far as anybody knows, and nothing else is in it: it is
//     deleted.
//  4. Otherwise engram's part goes.
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

// readable refuses a file of which nobody can say what it holds.
func (t target) readable(f file) error {
	if !f.there {
		return nil
	}
	if _, err := putAll(t.edits, t.begin(f.text)); err != nil {
		return &FileError{t.path, err}
	}
	return nil
}

func (r removal) carryOut(p Place) error {
	switch r.state {
	case Absent: // whoever took it out needs no copy any more
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
