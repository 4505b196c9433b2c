package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"engram/facts"
	"engram/memory"
)

type listOptions struct {
	*globals
	args []string
	in   memory.ListInput
}

const listLong = `List facts by key: all that hold, or those below a prefix of keys. Of the facts
bound to code branches, those of the branch that this work tree is on. With
--source those of a source that this repository gets to see.

In a pipe it prints, tab-separated: key, state, scope, kind, type, agent,
committed_at, claim. A warning on stderr names facts whose evidence has changed
or is gone.`

const listExample = `  engram list
  engram list domain/auth
  engram list --source org
  engram list --scope payments --kind decision
  engram list --all --json | jq -r '.facts[] | select(.state == "retired").key'`

func newListCmd(g *globals) *cobra.Command {
	opts := listOptions{globals: g}
	cmd := &cobra.Command{
		Use: "list [PREFIX]", Aliases: []string{"ls"}, Short: "List facts by key", Long: listLong, Example: listExample,
		ValidArgsFunction: completeKeys(g, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runList(cmd.Context(), opts, g.io)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&opts.in.Scope, "scope", "s", "", "only facts of this topic `PATH` and those below it")
	f.StringVar(&opts.in.Kind, "kind", "", "only this kind: "+names(facts.Kinds()))
	f.StringVar(&opts.in.Type, "type", "", "only this type: "+names(facts.Types()))
	f.StringVarP(&opts.in.Agent, "agent", "a", "", "only facts that the agent `NAME` stated")
	f.StringVarP(&opts.in.Tag, "tag", "t", "", "only facts with this `TAG`")
	f.BoolVar(&opts.in.All, "all", false, "retired, expired and superseded facts too")
	f.IntVarP(&opts.in.Limit, "limit", "n", 0, "at most `N` facts (default: all)")
	sourceFlag(cmd, g, &opts.in.Origin)
	askOnOption(f, &opts.in.Branch)
	completeEnums(cmd, g)
	return cmd
}

func runList(ctx context.Context, opts listOptions, io *streams) error {
	in := opts.in
	switch {
	case len(opts.args) > 1:
		return usage("list takes one prefix", "`engram list --help` shows how to narrow a list")
	case len(opts.args) == 1:
		in.Prefix = opts.args[0]
	}
	if in.Limit < 0 {
		return usage(fmt.Sprintf("--limit %d is below 0", in.Limit), "0 lists all")
	}
	m, _, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.List(ctx, in)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(result)
	}
	io.list(result)
	return nil
}

// list prints facts one below the other.
func (io *streams) list(r memory.ListResult) {
	var old drifted
	for _, f := range r.Facts {
		old.add(address(f.Origin, f.Key.String()), f.Freshness)
		if !io.terminal {
			io.row(address(f.Origin, f.Key.String()), string(f.State), f.Scope, f.Kind, f.FactType, f.AgentID, stamp(f.Committed), f.Claim)
			continue
		}
		state := ""
		if f.State != facts.Current {
			state = string(f.State)
		}
		branch := ""
		if f.Branch != "" {
			branch = "on " + f.Branch
		}
		meta := dotted(state, f.Scope, f.Kind, ago(io.now(), f.Committed), f.AgentID, branch)
		io.printf("%s%s\n", io.color.bold(plain(address(f.Origin, f.Key.String()))), io.color.dim("  "+meta)+io.restsOnPainted(f.Freshness))
		io.printf("  %s\n", indented(plain(f.Claim), io.width, "  "))
	}
	if io.terminal {
		summary := []string{plural(len(r.Facts), "fact", "facts"), "revision " + short(r.Revision)}
		if r.Omitted > 0 {
			summary = append(summary, fmt.Sprintf("%d more above the limit", r.Omitted))
		}
		io.printf("%s\n", io.color.dim(strings.Join(summary, " · ")))
	}
	io.driftWarning(old)
	for _, note := range r.Notes {
		io.message("note: %s", note)
	}
	io.withheld(r.Withheld, "are asked for")
	io.damaged(r.Damaged)
}

// withheld says that permissions keep something from who reads.
func (io *streams) withheld(n int, which string) {
	if n > 0 {
		io.message("note: %d more that %s may not be read by this agent (engram.yml)", n, which)
	}
}

// damaged says that some files could not be read; the rest could.
func (io *streams) damaged(n int) {
	if n > 0 {
		io.message("note: %s on the branch left out; `engram lint` says why", plural(n, "file that is no fact was", "files that are no facts were"))
	}
}
