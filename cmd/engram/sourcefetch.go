package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"engram/memory"
)

type sourceFetchOptions struct {
	*globals
	names []string
}

const sourceFetchLong = `Bring sources up to date, all where none is named. git transfers only what is
missing. Until then answers reflect what was fetched before.

In a pipe it prints, tab-separated: name, revision before, revision, changed
facts that this repository gets to see, rewritten (true or false), problem.`

func newSourceFetchCmd(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "fetch [NAME…]", Short: "Bring sources up to date", Long: sourceFetchLong,
		Example:           "  engram source fetch\n  engram source fetch org",
		ValidArgsFunction: completeSources(g, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSourceFetch(cmd.Context(), sourceFetchOptions{g, args}, g.io)
		},
	}
}

// runSourceFetch prints what was fetched also where a source failed.
func runSourceFetch(ctx context.Context, opts sourceFetchOptions, io *streams) error {
	m, _, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.FetchSources(ctx, opts.names)
	if err != nil && len(result.Sources) < 2 { // the error says it all
		return err
	}
	if opts.json {
		if jsonErr := io.json(result); jsonErr != nil {
			return jsonErr
		}
		return err
	}
	for _, f := range result.Sources {
		io.sourceFetched(f)
	}
	if len(result.Sources) == 0 {
		io.message("no source; `engram source add NAME URL` makes one")
	}
	return err
}

func (io *streams) sourceFetched(f memory.SourceFetch) {
	if !io.terminal {
		io.row(f.Name, f.Before, f.Revision, strconv.Itoa(f.Changed), strconv.FormatBool(f.Rewritten), f.Problem)
		return
	}
	what := "nothing new"
	switch {
	case f.Problem != "":
		what = f.Problem
	case f.Before != f.Revision:
		what = plural(f.Changed, "fact changed", "facts changed")
	}
	rewritten := ""
	if f.Rewritten {
		rewritten = "its history was rewritten; what was derived of it is built anew"
	}
	io.printf("%s  %s\n", io.color.bold(plain(f.Name)), dotted(what, short(f.Revision), rewritten))
}
