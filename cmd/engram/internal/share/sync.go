// Package share has the commands that exchange facts with other repositories: sync,
// git hooks, sources, publish and git's merge driver.
package share

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type syncOptions struct {
	*app.Globals
	args []string
}

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
	opts := syncOptions{Globals: g}
	return &cobra.Command{
		Use: "sync [REMOTE]", Short: "Fetch, merge, audit and push the memory", Long: syncLong,
		Example:           "  engram sync\n  engram sync backup\n  engram sync --json | jq .arrived",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runSync(cmd.Context(), opts, g.Out)
		},
	}
}

func runSync(ctx context.Context, opts syncOptions, out *term.Streams) error {
	in := memory.SyncInput{}
	switch len(opts.args) {
	case 0:
	case 1:
		in.Remote = opts.args[0]
	default:
		return fault.TooMany("sync", "remote")
	}
	m, j, done, err := opts.OpenToAudit(ctx)
	if err != nil {
		return err
	}
	defer done()
	in.Budget = j.Budget
	r, err := m.Sync(ctx, in)
	if err != nil {
		show.Notes(out, r.Notes)
		return err
	}
	return term.Print(out, opts.JSON, r, printSync)
}

func printSync(out *term.Streams, r memory.SyncResult) {
	if out.Terminal {
		arrived, sent, rivals := "nothing new", "nothing to send", ""
		if r.Arrived > 0 {
			arrived = term.Plural(r.Arrived, "fact", "facts") + " arrived"
		}
		if r.Pushed > 0 {
			sent = term.Plural(r.Pushed, "commit", "commits") + " sent"
		}
		if len(r.Rivals) > 0 {
			rivals = term.Plural(len(r.Rivals), "key was", "keys were") + " written in two places"
		}
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
		_ = out.Flush()
		out.Message("hint: `engram resolve ID` settles a conflict for everybody")
	}
}
