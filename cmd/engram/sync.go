package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/memory"
)

type syncOptions struct {
	*globals
	args []string
}

const syncLong = `Share the memory with a remote: fetch what it has, merge it fact by fact, audit
what arrived, and push what it lacks, again from the beginning where somebody
else was faster. Nothing is ever forced. It runs the git that you have, so your
credential helpers, SSH configuration and proxies work.

Without REMOTE it is the one that the memory branch follows: origin, unless
branch.<name>.remote of git's configuration says another. A remote that has no
branch yet is refused: hosting services make the first one the default.

Where the remote cannot be reached, what you wrote stays on the branch, and
"engram watch" or the next sync sends it.

In a pipe it prints: remote, revision, facts that arrived, commits sent,
conflicts opened, conflicts closed.`

func newSyncCmd(g *globals) *cobra.Command {
	opts := syncOptions{globals: g}
	return &cobra.Command{
		Use: "sync [REMOTE]", Short: "Fetch, merge, audit and push the memory", Long: syncLong,
		Example:           "  engram sync\n  engram sync backup\n  engram sync --json | jq .arrived",
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runSync(cmd.Context(), opts, g.io)
		},
	}
}

func runSync(ctx context.Context, opts syncOptions, io *streams) error {
	in := memory.SyncInput{}
	switch len(opts.args) {
	case 0:
	case 1:
		in.Remote = opts.args[0]
	default:
		return tooMany("sync", "remote")
	}
	m, j, done, err := opts.openToAudit(ctx)
	if err != nil {
		return err
	}
	defer done()
	in.Budget = j.budget
	r, err := m.Sync(ctx, in)
	if err != nil {
		for _, note := range r.Notes {
			io.message("note: %s", note)
		}
		return err
	}
	if opts.json {
		return io.json(r)
	}
	io.synced(r)
	return nil
}

func (io *streams) synced(r memory.SyncResult) {
	if io.terminal {
		arrived, sent, rivals := "nothing new", "nothing to send", ""
		if r.Arrived > 0 {
			arrived = plural(r.Arrived, "fact", "facts") + " arrived"
		}
		if r.Pushed > 0 {
			sent = plural(r.Pushed, "commit", "commits") + " sent"
		}
		if len(r.Rivals) > 0 {
			rivals = plural(len(r.Rivals), "key was", "keys were") + " written in two places"
		}
		io.printf("%s%s\n", io.color.green(r.Remote), io.color.dim(" · "+dotted(arrived, sent, rivals, "revision "+short(r.Revision))))
		for _, c := range r.Opened {
			io.conflict(c, c.Scope)
		}
	} else {
		io.row(r.Remote, r.Revision, strconv.Itoa(r.Arrived), strconv.Itoa(r.Pushed), strconv.Itoa(len(r.Opened)), strconv.Itoa(len(r.Closed)))
	}
	for _, v := range r.Violations {
		io.message("warning: against engram.yml: %s", v.Message)
	}
	for _, path := range r.Contests {
		io.message("warning: %s was changed on both sides; one version stands, the other is kept beside it", path)
	}
	for _, note := range r.Notes {
		io.message("note: %s", note)
	}
	if len(r.Opened) > 0 {
		_ = io.flush()
		io.message("hint: `engram resolve ID` settles a conflict for everybody")
	}
}
