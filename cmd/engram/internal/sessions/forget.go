package sessions

import (
	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

const forgetLong = `Remove a session from this clone: its reference, its journal, what is indexed,
and the objects that only it had. Without --yes the command changes nothing and
shows what it would remove. Hooks and "import --all" do not bring it back;
importing its file by name does.

In a pipe it prints names and values as "engram session redact" does.`

func newForgetCmd(g *app.Globals) *cobra.Command {
	var in memory.ForgetSessionInput
	cmd := &cobra.Command{
		Use: "forget ID", Aliases: []string{"rm"}, Short: "Remove a session from this clone", Long: forgetLong,
		Example: "  engram session forget 0f3a\n  engram session forget 0f3a --yes",
		Args:    oneSession, ValidArgsFunction: app.CompleteSessions(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in.ID = args[0]
			return answer(cmd.Context(), g, g.Open, printForget, func(m *memory.Memory, _ string) (memory.ForgetSessionResult, error) {
				return m.ForgetSession(cmd.Context(), in)
			})
		},
	}
	flags.Bind(cmd.Flags(), &in, "apply")
	return cmd
}

func printForget(out *term.Streams, r memory.ForgetSessionResult) {
	if !out.Terminal {
		printForgetRows(out, r)
	} else {
		out.Printf("%s %s: %s, %s\n", term.Either(r.Applied, "removed", "would remove"), out.Color.Yellow(term.Plain(r.ID)),
			term.Plural(r.Events, "event", "events"), term.Plural(r.Artifacts, "artifact", "artifacts"))
	}
	finish(out, r)
}
