package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"engram/memory"
)

type busTurnOptions struct {
	*globals
	agent string
}

const busTurnLong = `Print what is left of an agent's turn: how much of the code, of documents, of
facts and of tokens it may still pull without a grant, and when the turn ends if
nothing else ends it. Nothing is used up by that.

In a pipe it prints, tab-separated, a line for each of repo_spans,
artifact_sections, sam_items and tokens: name, used, limit, left; then ends and
the time, empty where no turn runs.`

func newBusTurnCmd(g *globals) *cobra.Command {
	opts := busTurnOptions{globals: g}
	cmd := &cobra.Command{
		Use: "turn", Short: "Print what is left of an agent's turn", Long: busTurnLong,
		Example: "  engram bus turn --agent reviewer-1\n  engram bus turn --agent reviewer-1 --json | jq .left.tokens",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBusTurn(cmd.Context(), opts, g.io) },
	}
	cmd.Flags().StringVarP(&opts.agent, "agent", "a", "", "`NAME` of the agent whose turn it is (ENGRAM_AGENT)")
	completeWith(cmd, "agent", completeChildren(g))
	return cmd
}

func runBusTurn(ctx context.Context, opts busTurnOptions, io *streams) error {
	m, s, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Turn(ctx, cmp.Or(opts.agent, s.agent))
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(r)
	}
	io.turn(r)
	return nil
}

func (io *streams) turn(r memory.TurnResult) {
	ends := ""
	if r.Ends != nil {
		if ends = stamp(*r.Ends); io.terminal {
			ends = ago(io.now(), *r.Ends)
		}
	}
	counts := []struct {
		field, words      string
		used, limit, left int
	}{
		{"repo_spans", "spans of code", r.Used.RepoSpans, r.Limits.RepoSpans, r.Left.RepoSpans},
		{"artifact_sections", "sections of documents", r.Used.ArtifactSections, r.Limits.ArtifactSections, r.Left.ArtifactSections},
		{"sam_items", "facts", r.Used.SAMItems, r.Limits.SAMItems, r.Left.SAMItems},
		{"tokens", "tokens", r.Used.Tokens, r.Limits.Tokens, r.Left.Tokens},
	}
	if !io.terminal {
		for _, c := range counts {
			io.row(c.field, strconv.Itoa(c.used), strconv.Itoa(c.limit), strconv.Itoa(c.left))
		}
		io.row("ends", ends)
		return
	}
	list := make([]pair, 0, len(counts)+1)
	for _, c := range counts {
		list = append(list, pair{c.words, fmt.Sprintf("%d of %d left", c.left, c.limit)})
	}
	io.printf("%s%s\n", io.color.bold(plain(r.Agent)), io.color.dim("  "+either(ends == "", "no turn runs", "ends "+ends)))
	io.pairs("  ", list)
}
