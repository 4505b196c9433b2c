package sessions

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
)

type listOptions struct {
	*app.Globals
	in    memory.SessionsInput
	since string
}

const listLong = `List the sessions of coding agents, the newest first. With --text the best match
comes first, with the places where the words were said.

In a pipe it prints, tab-separated: id, client, branch, started, ended, turns,
events, commits, facts, "live" for a session at work, title. With --text a line
follows for each place: "match", session, event, turn, kind, excerpt.`

const listExample = `  engram session list
  engram session list --text "rounding of taxes"
  engram session list --file src/tax.go --since "2w ago"
  engram session list --commit 1a2b3c4
  engram session list --json | jq -r '.sessions[].title'`

func newListCmd(g *app.Globals) *cobra.Command {
	opts := listOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List sessions, or find them by words, file or commit", Long: listLong, Example: listExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runList(cmd.Context(), opts) },
	}
	flags.Bind(cmd.Flags(), &opts.in, "text", "agent", "branch", "path", "commit", "limit")
	flags.Text(cmd.Flags(), &opts.since, &opts.in, "since", "")
	app.CompleteWith(cmd, "file", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault))
	return cmd
}

func runList(ctx context.Context, opts listOptions) error {
	in := opts.in
	var err error
	if in.Since, err = app.TimeFlag("since", opts.since, opts.Now()); err != nil {
		return err
	}
	return answer(ctx, opts.Globals, opts.Open, opts.print, func(m *memory.Memory, agent string) (memory.SessionsResult, error) {
		in.AskedBy = agent
		if in.Path, err = from(opts.Globals, m, in.Path); err != nil {
			return memory.SessionsResult{}, err
		}
		return m.Sessions(ctx, in)
	})
}

func (opts listOptions) print(out *term.Streams, r memory.SessionsResult) {
	for i, s := range r.Sessions {
		if !out.Terminal {
			printListRow(out, s)
			continue
		}
		if i > 0 {
			out.Printf("\n")
		}
		show.Session(out, s, r.Sessions)
		for _, match := range s.Matches {
			if match.Snippet == "" {
				continue
			}
			where := []string{"turn " + strconv.Itoa(match.Turn), strings.ReplaceAll(match.Kind, "_", " ")}
			if match.Tool != "" {
				where[1] += " of " + match.Tool
			}
			out.Text(show.SessionIndent, strings.Join(where, ", ")+": "+match.Snippet)
		}
	}
	show.Notes(out, r.Notes)
	if left := r.Total - len(r.Sessions); left > 0 {
		out.Message("note: %s not listed; a greater --limit lists more", term.Plural(left, "more session is", "more sessions are"))
	}
	filtered := opts.in
	filtered.Limit = 0
	switch {
	case r.Total > 0:
	case filtered != (memory.SessionsInput{}) || opts.since != "":
		out.Message("no session matches\nhint: `engram session list` lists all there are")
	default:
		out.Message("no session is kept here yet\nhint: `engram session import --all` keeps the sessions that clients have stored on this machine")
	}
}

func printListRow(out *term.Streams, s memory.SessionSummary) {
	out.Row(s.ID, s.Client, s.Branch, term.Stamp(s.Started), term.Stamp(s.Ended), strconv.Itoa(s.Turns), strconv.Itoa(s.Events),
		strings.Join(s.Commits, ","), strings.Join(s.Facts, ","), term.Either(s.Live, "live", ""), s.Title)
	for _, match := range s.Matches {
		out.Row("match", s.ID, match.Event, strconv.Itoa(match.Turn), match.Kind, match.Snippet)
	}
}
