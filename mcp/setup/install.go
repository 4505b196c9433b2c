package setup

import (
	"io/fs"
	"slices"
)

// planned is a file to be written.
type planned struct {
	target
	file file
	text string
}

// plan decides for each file before anything is written: if one file cannot be edited,
// nothing is.
func plan(p Place, o Options) ([]planned, error) {
	list, err := targets(p, o)
	if err != nil {
		return nil, err
	}
	var plans []planned
	for _, t := range list {
		f, err := readFile(t.path)
		if err != nil {
			return nil, err
		}
		text, err := putAll(t.edits, t.begin(f.text))
		if err != nil {
			return nil, &FileError{t.path, err}
		}
		plans = append(plans, planned{t, f, text})
	}
	return plans, nil
}

// Install writes engram's entries for the clients in the options, beside existing content.
// It is idempotent and updates older entries. If one file cannot be edited, nothing is
// written. The error is a *FileError, or wraps ErrNoProject.
func Install(p Place, o Options) (Report, error) {
	report := newReport(o)
	plans, err := plan(p, o)
	if err != nil {
		return report, err
	}
	first := false
	for _, w := range plans {
		first = first || w.beginsCapture()
		f := File{Client: w.client, What: w.what, Path: w.path, State: Current}
		if !w.file.there || w.text != w.file.text {
			if f.State, err = w.write(p); err != nil {
				return report, err
			}
		}
		f.Backup = w.kept(p).backup()
		report.Files = append(report.Files, f)
	}
	p.sweep()
	if report.Notes = notes(p, o); first {
		report.Notes = append([]string{captureNote}, report.Notes...)
	}
	return report, nil
}

// captureNote is said once: when hooks that keep sessions are installed.
const captureNote = "from now on sessions of agents in this repository are kept in it, under .git, without secrets that engram recognizes; nothing of them leaves this machine until somebody shares it (--no-sessions leaves this out)"

// beginsCapture reports whether a file gets its first hook that keeps sessions.
func (w planned) beginsCapture() bool {
	return slices.ContainsFunc(w.edits, func(e edit) bool {
		h, ok := e.(interface {
			begins(before, after string) bool
		})
		return ok && h.begins(w.file.text, w.text)
	})
}

// write writes the file, and first saves its former content unless that was done before.
func (w planned) write(p Place) (state string, err error) {
	folders, err := makeFolders(w.file.path)
	if err != nil {
		return "", &FileError{w.path, err}
	}
	keeper := w.kept(p)
	_, known := keeper.get()
	began := slices.ContainsFunc(w.edits, func(e edit) bool { return e.holds(w.file.text) })
	if !known || !began { // without an entry, the saved content is from another installation
		if err := keeper.put(before{Existed: w.file.there, MadeFolders: folders, text: w.file.text}); err != nil {
			return "", err
		}
	}
	if err := w.file.write(w.text, w.mode()); err != nil {
		return "", err
	}
	if w.file.there {
		return Updated, nil
	}
	return Made, nil
}

// mode returns the mode of a new file: the settings of a person may later hold tokens.
func (t target) mode() fs.FileMode {
	if t.home {
		return 0o600
	}
	return 0o644
}

// Status looks at each file and changes nothing.
func Status(p Place, o Options) (Report, error) {
	report := newReport(o)
	plans, err := plan(p, o)
	if err != nil {
		return report, err
	}
	for _, w := range plans {
		f := File{Client: w.client, What: w.what, Path: w.path, State: w.state(), Backup: w.kept(p).backup()}
		report.Complete = report.Complete && f.State == Current
		report.Files = append(report.Files, f)
	}
	report.Notes = notes(p, o)
	return report, nil
}

func (w planned) state() string {
	switch {
	case !w.file.there:
		return Missing
	case w.text == w.file.text:
		return Current
	}
	for _, e := range w.edits {
		if !e.holds(w.file.text) {
			return Missing
		}
		if b, ok := e.(block); ok && b.current(w.file.text) {
			return Current // the numbers of facts change often
		}
	}
	return Outdated
}

// Print returns the contents of new files, for a person to paste.
func Print(p Place, o Options) (Report, error) {
	report := newReport(o)
	list, err := targets(p, o)
	if err != nil {
		return report, err
	}
	for _, t := range list {
		text, err := putAll(t.edits, t.base)
		if err != nil {
			return report, err
		}
		report.Files = append(report.Files, File{Client: t.client, What: t.what, Path: t.path, State: Printed, Content: text})
	}
	report.Notes = notes(p, o)
	return report, nil
}

// notes returns what else the person should know.
func notes(p Place, o Options) (list []string) {
	shared := false
	for _, c := range clients() {
		if slices.Contains(o.Clients, c.name) {
			shared = shared || !c.home
			if c.note != "" {
				list = append(list, c.note)
			}
		}
	}
	if slices.Contains(o.Clients, "claude-code") && lacksImport(p, o) {
		list = append(list, "Claude Code before 2.1.277 does not read AGENTS.md, and later ones not everywhere: a CLAUDE.md with the line @AGENTS.md makes it")
	}
	if shared && !o.OnPath {
		list = append(list, "files of the project name `engram` and not a path of this machine, and your PATH does not lead to "+o.Binary+": put its folder there")
	}
	return list
}
