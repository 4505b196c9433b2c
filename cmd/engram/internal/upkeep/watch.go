package upkeep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type watchOptions struct {
	*app.Globals
	once bool
	tick time.Duration
}

const watchLong = `Take in the memory that git has fetched, keep the index and the vectors up to
date with the branch, so that no query has to wait, and audit the facts that
arrive ("engram audit"). Stop it with Ctrl-C (exit code 0); --once stops when
everything is up to date.

Watching is optional: every command catches up first. It helps with large
memories and slow models. Any number may run; one of them works.

In a pipe it prints, tab-separated and for each change: revision, versions
indexed, claims embedded, claims without a vector yet, facts audited, conflicts
opened, conflicts closed, facts taken in.`

const watchExample = `  engram watch
  engram watch --once
  engram watch --json | jq -c .`

// NewWatchCmd returns "engram watch".
func NewWatchCmd(g *app.Globals) *cobra.Command {
	opts := watchOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "watch", Short: "Keep index and vectors up to date, and audit", Long: watchLong, Example: watchExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runWatch(cmd.Context(), opts, g.Out) },
	}
	cmd.Flags().BoolVar(&opts.once, "once", false, "end when everything is up to date")
	cmd.Flags().DurationVar(&opts.tick, "tick", 30*time.Second, "look this often even if nothing seems to change")
	return cmd
}

func runWatch(ctx context.Context, opts watchOptions, out *term.Streams) error {
	if opts.tick <= 0 {
		return fault.Usage("--tick must be above 0", "omit it to use 30 seconds")
	}
	m, s, done, err := opts.OpenToAudit(ctx)
	if err != nil {
		return err
	}
	defer done()
	if problem := m.ModelProblem(); problem != "" {
		out.Message("warning: %s, so no vectors are made", problem)
	}
	if !opts.once {
		out.Message("watching; Ctrl-C ends it")
	}
	var printed error
	err = m.Watch(ctx, memory.WatchOptions{Tick: opts.tick, Once: opts.once, Budget: s.Detection.Budget, Report: func(r memory.WatchReport) {
		printed = errors.Join(printed, term.Print(out, opts.JSON, r, printWatch), out.Flush())
	}})
	if !opts.once {
		err = app.Ended(ctx, err)
	}
	return errors.Join(err, printed)
}

func printWatch(out *term.Streams, r memory.WatchReport) {
	if !out.Terminal {
		out.Row(append([]string{r.Revision}, term.Counts(r.Indexed, r.Embedded, r.Pending, r.Audited, r.Opened, r.Closed, r.Arrived)...)...)
		return
	}
	left := term.Either(r.Pending > 0, fmt.Sprintf("%d without a vector yet, about %s left", r.Pending, term.About(r.Left)), "")
	out.Printf("%s  %s\n", out.Now().Local().Format("15:04:05"),
		term.Dotted("revision "+term.Short(r.Revision), term.Count(r.Arrived, "taken in"), fmt.Sprintf("%d indexed", r.Indexed), term.Count(r.Embedded, "embedded"), left,
			term.Count(r.Audited, "audited"), term.Count(r.Opened, "opened"), term.Count(r.Closed, "closed")))
	if r.Opened > 0 {
		out.Message("hint: `engram conflicts` shows which facts contradict each other")
	}
	if r.Replaced != "" {
		out.Message("note: the model changed from %s to %s", r.Replaced, r.Model)
	}
	if r.Rebuilt != "" {
		out.Message("note: the index was built: %s", r.Rebuilt)
	}
}
