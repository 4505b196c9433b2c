package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"engram/memory"
)

type watchOptions struct {
	*globals
	once bool
	tick time.Duration
}

const watchLong = `Take in what git fetched of the memory, keep the index and the vectors up to
date with the branch, so that no question has to wait for that, and audit what
arrives ("engram audit"). It ends with Ctrl-C, which is exit
code 0, or with --once when all is done.

Nothing needs it: whoever asks catches up. It is for large memories, and for
models that take long for a text, which nobody should wait for. Any number may
run; one of them works.

In a pipe it prints, tab-separated and for each change: revision, versions
indexed, claims embedded, claims without a vector yet, facts audited, conflicts
opened, conflicts closed, facts taken in.`

const watchExample = `  engram watch
  engram watch --once
  engram watch --json | jq -c .`

func newWatchCmd(g *globals) *cobra.Command {
	opts := watchOptions{globals: g}
	cmd := &cobra.Command{
		Use: "watch", Short: "Keep index and vectors up to date, and audit", Long: watchLong, Example: watchExample,
		Args: noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runWatch(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().BoolVar(&opts.once, "once", false, "end when everything is up to date")
	cmd.Flags().DurationVar(&opts.tick, "tick", 30*time.Second, "look this often even if nothing seems to change")
	return cmd
}

func runWatch(ctx context.Context, opts watchOptions, io *streams) error {
	if opts.tick <= 0 {
		return usage("--tick must be above 0", "leave it away for 30 seconds")
	}
	m, j, done, err := opts.openToAudit(ctx)
	if err != nil {
		return err
	}
	defer done()
	if problem := m.ModelProblem(); problem != "" {
		io.message("warning: %s, so no vectors are made", problem)
	}
	if !opts.once {
		io.message("watching; Ctrl-C ends it")
	}
	var printed error
	err = m.Watch(ctx, memory.WatchOptions{Tick: opts.tick, Once: opts.once, Budget: j.budget, Report: func(r memory.WatchReport) {
		if opts.json {
			printed = errors.Join(printed, io.json(r))
		} else {
			io.watched(r)
		}
		printed = errors.Join(printed, io.flush())
	}})
	if !opts.once {
		err = ended(ctx, err)
	}
	return errors.Join(err, printed)
}

func (io *streams) watched(r memory.WatchReport) {
	if !io.terminal {
		io.row(append([]string{r.Revision}, counts(r.Indexed, r.Embedded, r.Pending, r.Audited, r.Opened, r.Closed, r.Arrived)...)...)
		return
	}
	left := ""
	if r.Pending > 0 {
		left = fmt.Sprintf("%d without a vector yet, about %s left", r.Pending, about(r.Left))
	}
	some := func(n int, what string) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprintf("%d %s", n, what)
	}
	io.printf("%s  %s\n", io.now().Local().Format("15:04:05"),
		dotted("revision "+short(r.Revision), some(r.Arrived, "taken in"), fmt.Sprintf("%d indexed", r.Indexed), some(r.Embedded, "embedded"), left,
			some(r.Audited, "audited"), some(r.Opened, "opened"), some(r.Closed, "closed")))
	if r.Opened > 0 {
		io.message("hint: `engram conflicts` shows what contradicts each other")
	}
	if r.Replaced != "" {
		io.message("note: the model changed from %s to %s", r.Replaced, r.Model)
	}
	if r.Rebuilt != "" {
		io.message("note: the index was built: %s", r.Rebuilt)
	}
}

// about writes seconds as a person says them.
func about(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < time.Minute:
		return d.Round(time.Second).String()
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()+0.5))
	}
	return fmt.Sprintf("%d h", int(d.Hours()+0.5))
}
