package sessions

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

type logOptions struct {
	*app.Globals
	in memory.SessionLogInput
}

const logLong = `List what agents did to a file or folder, newest first: which tool they called,
in which session. For the conversation that led to some lines of a file, use
"engram why PATH:LINE". PATH is relative to the current folder.

In a pipe it prints, tab-separated: session, event, turn, time, agent, tool,
excerpt, title of the session.`

const logExample = `  engram session log src/tax.go
  engram session log src --limit 10
  engram session log src/tax.go --json | jq -r '.entries[].session_id'`

func newLogCmd(g *app.Globals) *cobra.Command {
	opts := logOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "log PATH", Short: "List what agents did to a file or folder", Long: logLong, Example: logExample,
		Args: app.One("path", "ask for each path on its own"), ValidArgsFunction: app.CompletePointers(),
		RunE: func(cmd *cobra.Command, args []string) error { return runLog(cmd.Context(), opts, args[0]) },
	}
	flags.Bind(cmd.Flags(), &opts.in, "limit")
	return cmd
}

func runLog(ctx context.Context, opts logOptions, path string) error {
	in := opts.in
	if err := notBelowZero("limit", in.Limit); err != nil {
		return err
	}
	return answer(ctx, opts.Globals, opts.Open, printLog, func(m *memory.Memory, agent string) (r memory.SessionLogResult, err error) {
		in.AskedBy = agent
		if in.Path, err = from(opts.Globals, m, path); err != nil {
			return r, err
		}
		return m.SessionLog(ctx, in)
	})
}

func printLog(out *term.Streams, r memory.SessionLogResult) {
	last := ""
	for _, e := range r.Entries {
		if !out.Terminal {
			out.Row(e.Session, e.Event, strconv.Itoa(e.Turn), term.Stamp(e.At), e.Agent, e.Tool, e.Snippet, e.Title)
			continue
		}
		if e.Session != last {
			last = e.Session
			out.Printf("%s  %s\n", out.Color.Yellow(term.Plain(e.Session)), out.Color.Bold(term.Indented(term.Plain(show.Title(e.Title)), out.Width, "  ")))
		}
		out.Printf("  %s  %s\n", out.Color.Green(term.Plain(e.Tool)), term.Indented(term.Plain(e.Snippet), out.Width, "    "))
		out.Printf("    %s\n", out.Color.Dim(term.Dotted("turn "+strconv.Itoa(e.Turn), e.Agent, term.Ago(out.Now(), e.At))))
	}
	if left := r.Total - len(r.Entries); left > 0 {
		out.Message("note: %s not listed; a greater --limit lists more", term.Plural(left, "older call is", "older calls are"))
	}
	if len(r.Entries) > 0 && out.Terminal {
		out.Message("hint: `engram session show %s --around %s` shows what was around the first of these", r.Entries[0].Session, r.Entries[0].Event)
	}
	if r.Total == 0 {
		out.Message("no session is known to have read or changed %s\nhint: `engram session import --all` keeps the sessions that clients have stored on this machine", r.Path)
	}
}
