package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

const sourceLong = `Sources are the memories of other repositories, such as one that a whole
organization keeps. Every question is put to them as well, and an answer says
where each fact comes from. They are only read, and only what is meant for
others: facts of reach org or global, in the scopes that were asked for.

A source is an entry in this repository's git configuration, so it is yours and
not the team's. git fetches it, with your keys and settings, when you say so.`

const sourceExample = `  engram source add org git@example.com:org/memory.git --scope 'shared/*'
  engram source list
  engram source fetch
  engram source rm org`

func newSourceCmd(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "source", Short: "Read the memories of other repositories, too", Long: sourceLong, Example: sourceExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return &usageError{"there is no command source " + args[0], "`engram source --help` lists what there is"}
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSourceAddCmd(g), newSourceListCmd(g), newSourceFetchCmd(g), newSourceRmCmd(g))
	return cmd
}

type sourceAddOptions struct {
	*globals
	in memory.SourceInput
}

const sourceAddLong = `Fetch the memory of another repository and make it a source of this one, by a
NAME of your choice. Where it cannot be fetched, or is no memory, nothing is
added: what was never fetched could answer nothing.

--scope narrows what is read: shared and shared/* both are that topic and all
below it. Without it, all is read that the other team means for others.`

func newSourceAddCmd(g *globals) *cobra.Command {
	opts := sourceAddOptions{globals: g}
	cmd := &cobra.Command{
		Use: "add NAME URL", Short: "Fetch a memory and make it a source", Long: sourceAddLong,
		Example: "  engram source add org https://example.com/org/memory.git\n  engram source add org ../org-memory --scope 'shared/*' --scope security",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return missing("source add", []string{"the name", "the address"}[len(args)])
			}
			if len(args) > 2 {
				return &usageError{"source add takes a name and an address", "`engram source add --help` shows examples"}
			}
			opts.in.Name, opts.in.URL = args[0], args[1]
			return runSourceAdd(cmd.Context(), opts, g.io)
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&opts.in.Scopes, "scope", "s", nil, "only facts of this topic `PATTERN`; may be repeated")
	f.StringVar(&opts.in.Branch, "source-branch", "", "the memory `BRANCH` of the other repository (default: engram)")
	return cmd
}

func runSourceAdd(ctx context.Context, opts sourceAddOptions, io *streams) error {
	m, _, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.AddSource(ctx, opts.in)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(result)
	}
	io.source(result.Source)
	return nil
}

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

type sourceRmOptions struct {
	*globals
	name string
}

const sourceRmLong = `Remove a source: its entry, its reference, and all that was derived from it. The
other repository is not touched, and facts that were published to it stay there.`

func newSourceRmCmd(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "rm NAME", Aliases: []string{"remove"}, Short: "Remove a source", Long: sourceRmLong,
		Example:           "  engram source rm org",
		ValidArgsFunction: completeSources(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return missing("source rm", "the name of one source")
			}
			return runSourceRm(cmd.Context(), sourceRmOptions{g, args[0]}, g.io)
		},
	}
}

func runSourceRm(ctx context.Context, opts sourceRmOptions, io *streams) error {
	m, _, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.RemoveSource(ctx, opts.name)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(result)
	}
	io.pairs("", []pair{{"removed", result.Name}, {"left", result.Left}})
	return nil
}

// completeSources offers the names of sources for the first most arguments; 0 is
// no limit.
func completeSources(g *globals, most int, also ...string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if most > 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var offers []string
		for _, src := range g.sourcesToOffer(cmd.Context()) {
			if !slices.Contains(args, src.Name) {
				offers = append(offers, src.Name+"\t"+plain(src.URL))
			}
		}
		return append(offers, also...), cobra.ShellCompDirectiveNoFileComp
	}
}

// sourcesToOffer stays silent where there is no repository.
func (g *globals) sourcesToOffer(ctx context.Context) []memory.Source {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	m, _, err := g.open(ctx)
	if err != nil {
		return nil
	}
	defer m.Close()
	result, err := m.Sources(ctx)
	if err != nil {
		return nil
	}
	return result.Sources
}

// sourceFlag adds the option that names a source.
func sourceFlag(cmd *cobra.Command, g *globals, name *string) {
	cmd.Flags().StringVar(name, "source", "", "read the source `NAME` instead of this memory")
	completeWith(cmd, "source", completeSources(g, 0))
}

// from says where a fact comes from that is not of this memory.
func from(origin string) string {
	if origin == "" {
		return ""
	}
	return fmt.Sprintf("from %s", origin)
}

// address is how a fact is named to engram get.
func address(origin, key string) string {
	if origin == "" {
		return key
	}
	return origin + ":" + key
}
