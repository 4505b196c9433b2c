package show

import (
	"engram/cmd/internal/term"
	"engram/memory"
)

// mostUndone is how many changes a terminal lists.
const mostUndone = 20

// Undo prints what was taken back, or would be.
func Undo(preview bool) func(*term.Streams, memory.UndoResult) {
	return func(out *term.Streams, r memory.UndoResult) {
		if !out.Terminal {
			for _, d := range r.Done {
				out.Row(d.Key, d.How, r.Undone, r.Revision, d.Claim)
			}
			return
		}
		said := "took back"
		if preview {
			said = "would take back"
		}
		out.Printf("%s %s\n", out.Color.Green(said), out.Color.Bold(term.Plain(r.Subject)))
		out.Printf("%s\n", out.Color.Dim("  commit "+term.Short(r.Undone)+" · "+term.Plain(r.Author)+" · "+term.Ago(out.Now(), r.Date)))
		for _, d := range r.Done[:min(len(r.Done), mostUndone)] {
			out.Printf("\n%s %s\n", d.How, term.Plain(d.Key))
			out.Text("  ", d.Claim)
		}
		if left := len(r.Done) - mostUndone; left > 0 {
			out.Printf("\nand %d more\n", left)
		}
		if !preview {
			out.Message("hint: `engram undo %s` does it again", term.Short(r.Revision))
		}
	}
}
