package main

import (
	"cmp"
	"os/exec"
	"slices"
	"strings"

	"engram/mcp/setup"
)

func lookPath(name string) (string, error) { return exec.LookPath(name) }

// setup prints a report, and says no where something is not in place.
func (io *streams) setup(r setup.Report, asJSON bool) error {
	if asJSON {
		if err := io.json(r); err != nil {
			return err
		}
	} else {
		for _, f := range r.Files {
			io.setupFile(f)
		}
		for _, note := range r.Notes {
			io.message("note: %s", note)
		}
	}
	if !r.Complete {
		return errAnsweredNo
	}
	return nil
}

// setupRemoved prints what was taken out for all clients: most of them were never
// set up, and only JSON says so of each.
func (io *streams) setupRemoved(r setup.Report, asJSON bool) error {
	if !asJSON {
		r.Files = slices.DeleteFunc(r.Files, func(f setup.File) bool { return f.State == setup.Absent })
		if len(r.Files) == 0 {
			io.message("nothing of engram's was there")
		}
	}
	return io.setup(r, asJSON)
}

func (io *streams) setupFile(f setup.File) {
	client := cmp.Or(f.Client, "all agents")
	switch {
	case f.State == setup.Printed:
		io.message("%s, %s: %s", client, f.What, f.Path)
		io.printf("%s", strings.TrimRight(f.Content, "\n")+"\n\n")
	case !io.terminal:
		io.row(client, f.What, f.State, f.Path, f.Backup)
	case f.State == setup.Absent: // nothing that a person has to read
	default:
		painted := io.color.green
		if f.State == setup.Missing || f.State == setup.Outdated {
			painted = io.color.red
		}
		io.printf("%-11s  %s\n", client, dottedPainted(painted(f.State), f.What, f.Path))
	}
}
