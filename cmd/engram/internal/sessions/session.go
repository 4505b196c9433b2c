// Package sessions has the commands of "engram session": list, read, import, share and
// remove what coding agents did.
package sessions

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

const sessionLong = `Show how the code came to be what it is: every message, tool call and tool
result of coding agents' sessions, kept in this repository and found again from
a line of code ("engram why PATH:LINE").

While a session runs, its events are in a journal, a file in .git. At the end of
a turn the journal is sealed: the events go to a reference of git, below
refs/engram/sessions, which a plain git fetch or push does not see. They leave
this clone only with "engram session share". Secrets are replaced before
anything is stored.

A session is named by its id, or by the beginning of one, of at least four
characters.`

const sessionExample = `  engram session import --all
  engram session list
  engram session list --text "rounding of taxes"
  engram session show 0f3a
  engram session log src/tax.go`

// NewSessionCmd returns "engram session".
func NewSessionCmd(g *app.Globals) *cobra.Command {
	group := app.Group(&cobra.Command{
		Use: "session", Aliases: []string{"sessions"}, Short: "Keep, read and share the sessions of coding agents",
		Long: sessionLong, Example: sessionExample, SuggestionsMinimumDistance: 2,
	}, newListCmd(g), newShowCmd(g), newLogCmd(g), newResumeCmd(g), newExportCmd(g), newImportCmd(g),
		newShareCmd(g), newFetchCmd(g), newRedactCmd(g), newForgetCmd(g), newPruneCmd(g), newSealCmd(g), newConsolidateCmd(g), newViewsCmd(g), newLearntCmd(g))
	known := group.Args
	group.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 && args[0] == "why" { // it begins with a line, and so is no command of sessions
			return fault.Usage("there is no command session why", "`engram why PATH:LINE` goes from a line of code to the session that it came from")
		}
		return known(cmd, args)
	}
	return group
}

// oneSession makes a command take exactly one id of a session.
func oneSession(cmd *cobra.Command, args []string) error {
	return app.One("id of a session", "`engram session list` shows the ids there are")(cmd, args)
}

// completeValues completes an option with a few values.
func completeValues[T ~string](cmd *cobra.Command, flag string, values []T) {
	var texts []string
	for _, v := range values {
		texts = append(texts, string(v))
	}
	app.CompleteWith(cmd, flag, cobra.FixedCompletions(texts, cobra.ShellCompDirectiveNoFileComp))
}

// from is the path that a user typed, from the top of the work tree.
func from(g *app.Globals, m *memory.Memory, path string) (string, error) {
	if path == "" || m.WorkTree() == "" { // a bare repository: from the top
		return filepath.ToSlash(path), nil
	}
	return app.BelowTop(g.Directory(), m.WorkTree(), path)
}

// preview says that nothing was done yet.
func preview(out *term.Streams, applied bool) {
	if !applied {
		out.Message("this is a preview; nothing was changed\nhint: add --yes to do it")
	}
}

// notBelowZero rejects a negative limit.
func notBelowZero(name string, n int) error {
	if n < 0 {
		return fault.Usage("--"+name+" takes no number below 0", "omit --"+name)
	}
	return nil
}

// asked is a use case that knows who asks.
type asked[T any] func(m *memory.Memory, agent string) (T, error)

// answer opens the memory, asks it and prints the result.
func answer[T any](ctx context.Context, g *app.Globals, open app.Opener, print func(*term.Streams, T), ask asked[T]) error {
	return app.Answer(ctx, g, open, print, func(m *memory.Memory, s config.Settings) (T, error) { return ask(m, s.Agent) })
}
