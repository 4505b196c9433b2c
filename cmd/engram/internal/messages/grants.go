package messages

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type busGrantsOptions struct {
	*app.Globals
	child string
	all   bool
}

const busGrantsLong = `List the grants that were issued in this repository, the newest first, with what
is left of each. On a terminal only open grants are listed; --all adds those
that ended within a week.

In a pipe it prints all, tab-separated: id, state (open, used up, expired,
revoked), child, parent (empty: a person), purpose (deref, inline), pointer,
prefix, uses left, uses, cap left, cap, when it ends, the grant it was made
from.`

func newBusGrantsCmd(g *app.Globals) *cobra.Command {
	opts := busGrantsOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "grants", Short: "List grants and what is left of them", Long: busGrantsLong,
		Example: "  engram bus grants\n  engram bus grants --to reviewer-1 --json",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBusGrants(cmd.Context(), opts) },
	}
	cmd.Flags().StringVar(&opts.child, "to", "", "only those for the agent of this `NAME`")
	cmd.Flags().BoolVar(&opts.all, "all", false, "those that ended as well")
	return cmd
}

func runBusGrants(ctx context.Context, opts busGrantsOptions) error {
	print := printGrants
	if !opts.all {
		print = printOpenGrants
	}
	return app.Answer(ctx, opts.Globals, opts.Open, print, func(m *memory.Memory, _ config.Settings) (memory.GrantsResult, error) {
		return m.Grants(ctx, opts.child)
	})
}

// printOpenGrants lists on a terminal only open grants, and counts the others.
func printOpenGrants(out *term.Streams, r memory.GrantsResult) {
	issued := len(r.Grants)
	if out.Terminal {
		r.Grants = slices.DeleteFunc(r.Grants, func(s memory.GrantState) bool { return s.State != "open" })
	}
	if issued == 0 || len(r.Grants) > 0 {
		printGrants(out, r)
	}
	if ended := issued - len(r.Grants); ended > 0 {
		out.Message("%s ended; --all lists them as well", term.Plural(ended, "grant", "grants"))
	}
}

func printGrants(out *term.Streams, r memory.GrantsResult) {
	for _, s := range r.Grants {
		printGrant(out, s)
	}
	if len(r.Grants) == 0 {
		out.Message("no grant; `engram bus grant POINTER --to CHILD` issues one")
	}
}

func printGrant(out *term.Streams, s memory.GrantState) {
	if !out.Terminal {
		out.Row(s.ID, s.State, s.Child, s.Parent, string(s.Purpose), s.Pointer, strconv.FormatBool(s.Prefix), strconv.Itoa(s.UsesLeft), strconv.Itoa(s.Uses),
			strconv.Itoa(s.CapLeft), strconv.Itoa(s.Cap), term.Stamp(s.Expires), s.From)
		return
	}
	out.Printf("%s%s\n", out.Color.Bold(s.ID), out.Color.Dim("  "+term.Dotted(s.State, "for "+term.Plain(s.Child), "by "+term.Plain(cmp.Or(s.Parent, "a person")))))
	out.Pairs("  ", []term.Pair{
		{"pointer", s.Pointer + term.Either(s.Prefix, " and below", "")}, {"purpose", string(s.Purpose)},
		{"left", fmt.Sprintf("%d of %s, %d of %d %s", s.UsesLeft, term.Plural(s.Uses, "use", "uses"), s.CapLeft, s.Cap, term.Either(s.Purpose == "inline", "characters", "tokens"))},
		{"ends", term.Ago(out.Now(), s.Expires)}, {"out of", s.From},
	})
}

const busRevokeLong = `End a grant, and all grants made from it. Its parent, the parent of a grant that
it was made from, and a person may do so.

In a pipe it prints the ended grants, as "engram bus grants" does.`

func newBusRevokeCmd(g *app.Globals) *cobra.Command {
	var agent string
	cmd := &cobra.Command{
		Use: "revoke ID", Short: "End a grant", Long: busRevokeLong, Example: "  engram bus revoke 01JZ8Q4M0V6T3N2X5W9B7C1D0E",
		ValidArgsFunction: app.CompleteGrants(g, func(s memory.GrantState) string {
			return term.Either(s.State == "open", s.ID+"\t"+term.Plain(s.Child+" "+s.Pointer), "")
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fault.Missing("bus revoke", "the id of one grant")
			}
			return app.Answer(cmd.Context(), g, g.Open, printGrants, func(m *memory.Memory, s config.Settings) (memory.GrantsResult, error) {
				return m.RevokeGrant(cmd.Context(), args[0], cmp.Or(agent, s.Agent))
			})
		},
	}
	cmd.Flags().StringVarP(&agent, "agent", "a", "", "`NAME` of the agent that ends it (ENGRAM_AGENT; default: a person)")
	return cmd
}
