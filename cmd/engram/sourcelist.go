package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

type sourceListOptions struct{ *globals }

const sourceListLong = `List the sources, with how much of each this repository gets to see, and when it
was fetched.

In a pipe it prints, tab-separated: name, url, branch, scopes, revision,
fetched_at, facts, problem.`

func newSourceListCmd(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List the sources", Long: sourceListLong,
		Example: "  engram source list\n  engram source list --json | jq -r '.sources[].name'",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runSourceList(cmd.Context(), sourceListOptions{g}, g.io)
		},
	}
}

func runSourceList(ctx context.Context, opts sourceListOptions, io *streams) error {
	m, _, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.Sources(ctx)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(result)
	}
	for _, src := range result.Sources {
		io.source(src)
	}
	if len(result.Sources) == 0 {
		io.message("no source; `engram source add NAME URL` makes one")
	}
	return nil
}

// source prints one source.
func (io *streams) source(src memory.Source) {
	fetched := ""
	if !io.terminal {
		if src.Fetched != nil {
			fetched = stamp(*src.Fetched)
		}
		io.row(src.Name, src.URL, src.Branch, strings.Join(src.Scopes, " "), src.Revision, fetched, strconv.Itoa(src.Facts), src.Problem)
		return
	}
	if src.Fetched != nil {
		fetched = "fetched " + ago(io.now(), *src.Fetched)
	}
	scopes := strings.Join(src.Scopes, ", ")
	if scopes == "" {
		scopes = "all"
	}
	io.printf("%s%s\n", io.color.bold(plain(src.Name)), io.color.dim("  "+dotted(plural(src.Facts, "fact", "facts"), fetched, short(src.Revision))))
	io.pairs("  ", []pair{{"url", src.URL}, {"branch", src.Branch}, {"scopes", scopes}})
	if src.Problem != "" {
		io.printf("  %s\n", io.color.red(indented(plain(src.Problem), io.width, "  ")))
	}
}
