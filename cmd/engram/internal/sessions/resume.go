package sessions

import (
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

const resumeLong = `Print the command that continues a session in its client, and the folder to run
it in, if that folder is still there. The client must still have its own
transcript; "engram session export" writes it again.

In a pipe it prints the command line alone.`

func newResumeCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "resume ID", Short: "Print the command that continues a session", Long: resumeLong,
		Example: "  engram session resume 0f3a\n  sh -c \"$(engram session resume 0f3a)\"",
		Args:    oneSession, ValidArgsFunction: app.CompleteSessions(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return answer(cmd.Context(), g, g.Open, printResume, func(m *memory.Memory, _ string) (memory.ResumeResult, error) {
				return m.ResumeSession(cmd.Context(), args[0])
			})
		},
	}
}

func printResume(out *term.Streams, r memory.ResumeResult) {
	words := make([]string, len(r.Command))
	for i, word := range r.Command {
		words[i] = term.Quoted(word)
	}
	line := strings.Join(words, " ")
	if r.Folder != "" && !r.FolderGone {
		line = "cd " + term.Quoted(r.Folder) + " && " + line
	}
	out.Printf("%s\n", term.Plain(line))
	if r.FolderGone {
		out.Message("note: the session worked in %s, which is not on this machine: run the command where its work is now. If the client does not find the session, `engram session export %s` writes its transcript", r.Folder, r.ID)
	}
}
