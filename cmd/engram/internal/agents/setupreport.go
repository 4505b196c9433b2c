package agents

import (
	"cmp"
	"os/exec"
	"slices"
	"strings"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/term"
	"engram/mcp/setup"
)

func lookPath(name string) (string, error) { return exec.LookPath(name) }

func printSetup(out *term.Streams, r setup.Report) {
	for _, f := range r.Files {
		printFile(out, f)
	}
	show.Notes(out, r.Notes)
}

// printRemoved prints what was removed for all clients. It omits those that were never
// set up, which only JSON lists.
func printRemoved(out *term.Streams, r setup.Report) {
	r.Files = slices.DeleteFunc(r.Files, func(f setup.File) bool { return f.State == setup.Absent })
	if len(r.Files) == 0 {
		out.Message("nothing of engram's was there")
	}
	printSetup(out, r)
}

func printFile(out *term.Streams, f setup.File) {
	client := cmp.Or(f.Client, "all agents")
	switch {
	case f.State == setup.Printed:
		out.Message("%s, %s: %s", client, f.What, f.Path)
		out.Printf("%s", strings.TrimRight(f.Content, "\n")+"\n\n")
	case !out.Terminal:
		out.Row(client, f.What, f.State, f.Path, f.Backup)
	case f.State == setup.Absent: // nothing that a person has to read
	default:
		painted := out.Color.Green
		if f.State == setup.Missing || f.State == setup.Outdated {
			painted = out.Color.Red
		}
		out.Printf("%-11s  %s\n", client, term.DottedPainted(painted(f.State), f.What, f.Path))
	}
}
