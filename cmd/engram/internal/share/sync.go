// Package share has the commands that exchange facts with other repositories: sync,
// git hooks, sources, publish and git's merge driver.
package share

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/term"
	"engram/memory"
)

const syncLong = `Share the memory with a remote: fetch it, merge it fact by fact, audit the facts
that arrived, and push. If somebody else pushed first, the sync starts again.
Nothing is ever forced. It runs your git, so your credential helpers, SSH
configuration and proxies work.

Without REMOTE the command uses the remote that the memory branch follows:
origin, unless branch.<name>.remote in git's configuration names another. A
remote that has no branch yet is rejected: hosting services make the first
branch the default.

If the remote cannot be reached, your facts stay on the branch, and "engram
watch" or the next sync sends them.

In a pipe it prints: remote, revision, facts that arrived, commits sent,
conflicts opened, conflicts closed.`

// NewSyncCmd returns "engram sync".
func NewSyncCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "sync [REMOTE]", Short: "Fetch, merge, audit and push the memory", Long: syncLong,
		Example: "  engram sync\n  engram sync backup\n  engram sync --json | jq .arrived",
		Args:    app.AtMostOne("remote", ""), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSync(cmd.Context(), g, strings.Join(args, ""))
		},
	}
}

func runSync(ctx context.Context, g *app.Globals, remote string) error {
	return app.Answer(ctx, g, g.OpenToAudit, printSync, func(m *memory.Memory, s config.Settings) (memory.SyncResult, error) {
		r, err := m.Sync(ctx, memory.SyncInput{Remote: remote, Budget: s.Detection.Budget})
		if err != nil {
			show.Notes(g.Out, r.Notes)
		}
		return r, err
	})
}

func printSync(out *term.Streams, r memory.SyncResult) {
	if out.Terminal {
		arrived := cmp.Or(term.Some(r.Arrived, "fact arrived", "facts arrived"), "nothing new")
		sent := cmp.Or(term.Some(r.Pushed, "commit sent", "commits sent"), "nothing to send")
		rivals := term.Some(len(r.Rivals), "key was written in two places", "keys were written in two places")
		out.Printf("%s%s\n", out.Color.Green(r.Remote), out.Color.Dim(" · "+term.Dotted(arrived, sent, rivals, "revision "+term.Short(r.Revision))))
		for _, c := range r.Opened {
			show.Conflict(out, c, c.Scope)
		}
	} else {
		out.Row(r.Remote, r.Revision, strconv.Itoa(r.Arrived), strconv.Itoa(r.Pushed), strconv.Itoa(len(r.Opened)), strconv.Itoa(len(r.Closed)))
	}
	for _, v := range r.Violations {
		out.Message("warning: against engram.yml: %s", v.Message)
	}
	for _, path := range r.Contests {
		out.Message("warning: %s was changed on both sides; one version stands, the other is kept beside it", path)
	}
	show.Notes(out, r.Notes)
	if len(r.Opened) > 0 {
		out.Message("hint: `engram resolve ID` settles a conflict for everybody")
	}
}
