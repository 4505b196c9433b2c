package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"engram/memory"
)

type busGrantsOptions struct {
	*globals
	child string
	all   bool
}

const busGrantsLong = `List the grants that were issued in this repository, the newest first, with what
is left of each: on a terminal those that are open, with --all those that ended
within a week as well.

In a pipe it prints all, tab-separated: id, state (open, used up, expired,
revoked), child, parent (empty: a person), purpose (deref, inline), pointer,
prefix, uses left, uses, cap left, cap, when it ends, the grant it was made out
of.`

func newBusGrantsCmd(g *globals) *cobra.Command {
	opts := busGrantsOptions{globals: g}
	cmd := &cobra.Command{
		Use: "grants", Short: "List grants and what is left of them", Long: busGrantsLong,
		Example: "  engram bus grants\n  engram bus grants --to reviewer-1 --json",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBusGrants(cmd.Context(), opts, g.io) },
	}
	cmd.Flags().StringVar(&opts.child, "to", "", "only those for the agent of this `NAME`")
	cmd.Flags().BoolVar(&opts.all, "all", false, "those that ended as well")
	completeWith(cmd, "to", completeChildren(g))
	return cmd
}

func runBusGrants(ctx context.Context, opts busGrantsOptions, io *streams) error {
	m, _, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Grants(ctx, opts.child)
	if err != nil {
		return err
	}
	if io.terminal && !opts.json && !opts.all {
		issued := len(r.Grants)
		r.Grants = slices.DeleteFunc(r.Grants, func(s memory.GrantState) bool { return s.State != "open" })
		if ended := issued - len(r.Grants); ended > 0 {
			defer func() {
				_ = io.flush() // the list comes before what is not in it
				io.message("%s ended; --all lists them as well", plural(ended, "grant", "grants"))
			}()
		}
		if issued > 0 && len(r.Grants) == 0 {
			return nil
		}
	}
	return io.grants(r, opts.json)
}

func (io *streams) grants(r memory.GrantsResult, asJSON bool) error {
	if asJSON {
		return io.json(r)
	}
	for _, s := range r.Grants {
		io.grant(s)
	}
	if len(r.Grants) == 0 {
		io.message("no grant; `engram bus grant POINTER --to CHILD` issues one")
	}
	return nil
}

func (io *streams) grant(s memory.GrantState) {
	if !io.terminal {
		io.row(s.ID, s.State, s.Child, s.Parent, string(s.Purpose), s.Pointer, strconv.FormatBool(s.Prefix), strconv.Itoa(s.UsesLeft), strconv.Itoa(s.Uses),
			strconv.Itoa(s.CapLeft), strconv.Itoa(s.Cap), stamp(s.Expires), s.From)
		return
	}
	io.printf("%s%s\n", io.color.bold(s.ID), io.color.dim("  "+dotted(s.State, "for "+plain(s.Child), "by "+plain(cmp.Or(s.Parent, "a person")))))
	io.pairs("  ", []pair{
		{"pointer", s.Pointer + either(s.Prefix, " and below", "")}, {"purpose", string(s.Purpose)},
		{"left", fmt.Sprintf("%d of %s, %d of %d %s", s.UsesLeft, plural(s.Uses, "use", "uses"), s.CapLeft, s.Cap, either(s.Purpose == "inline", "characters", "tokens"))},
		{"ends", ago(io.now(), s.Expires)}, {"out of", s.From},
	})
}

type busRevokeOptions struct {
	*globals
	id, agent string
}

const busRevokeLong = `End a grant, and all that were made out of it. Its parent may, the parent of one
that it was made out of, and a person.

In a pipe it prints what was ended, as "engram bus grants" does.`

func newBusRevokeCmd(g *globals) *cobra.Command {
	opts := busRevokeOptions{globals: g}
	cmd := &cobra.Command{
		Use: "revoke ID", Short: "End a grant", Long: busRevokeLong, Example: "  engram bus revoke 01JZ8Q4M0V6T3N2X5W9B7C1D0E",
		ValidArgsFunction: completeGrants(g, func(s memory.GrantState) string {
			return either(s.State == "open", s.ID+"\t"+plain(s.Child+" "+s.Pointer), "")
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return missing("bus revoke", "the id of one grant")
			}
			opts.id = args[0]
			return runBusRevoke(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().StringVarP(&opts.agent, "agent", "a", "", "`NAME` of the agent that ends it (ENGRAM_AGENT; default: a person)")
	completeWith(cmd, "agent", cobra.NoFileCompletions)
	return cmd
}

func runBusRevoke(ctx context.Context, opts busRevokeOptions, io *streams) error {
	m, s, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.RevokeGrant(ctx, opts.id, cmp.Or(opts.agent, s.agent))
	if err != nil {
		return err
	}
	return io.grants(r, opts.json)
}
