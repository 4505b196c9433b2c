package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"engram/memory"
)

type inviteOptions struct {
	*globals
	in memory.InviteInput
}

const inviteLong = `Make an invitation: one string with which a colleague joins the memory from a
clone of the code, by "engram join". It is printed and kept nowhere.

Whoever holds it can read the address of the repository in it. It lets nobody
in: who may read and write there is the remote's to decide, as with the code.

An invitation ends after --expires, when --uses people have joined, or when it
is revoked. It stands on the memory branch, which is pushed at once so that it
can be used.

In a pipe it prints the string alone.`

const inviteExample = `  engram invite
  engram invite --expires P1D --uses 1
  engram invite --remote engram --uses 0
  engram invite list
  engram invite revoke 3f9c`

func newInviteCmd(g *globals) *cobra.Command {
	opts := inviteOptions{globals: g}
	cmd := &cobra.Command{
		Use: "invite", Short: "Invite colleagues to the memory", Long: inviteLong, Example: inviteExample,
		Args: noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runInvite(cmd.Context(), opts, g.io)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.in.Remote, "remote", "", "to the memory at that remote: its `NAME` (default: that which it is shared with)")
	f.StringVar(&opts.in.Expires, "expires", memory.DefaultInviteTTL, "how long it is good: ISO-8601 `DURATION` such as P7D, or days")
	f.IntVar(&opts.in.Uses, "uses", memory.DefaultInviteUses, "how many may join with it; 0 is no limit")
	completeWith(cmd, "remote", completeRemotes(g))
	cmd.AddCommand(newInviteListCmd(g), newInviteRevokeCmd(g))
	return cmd
}

func runInvite(ctx context.Context, opts inviteOptions, io *streams) error {
	m, _, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Invite(ctx, opts.in)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(r)
	}
	io.printf("%s\n", plain(r.Key))
	if err := io.flush(); err != nil { // the key comes before what is said of it
		return err
	}
	io.message("\nWhoever holds this key can read the address in it:\n  %s", r.Remote)
	io.message("It lets nobody in: who may read and write there, that remote decides.")
	io.message("It is good for %s until %s. `engram invite revoke %s` ends it.", people(r.Uses), r.Expires.Format("2006-01-02 15:04 MST"), r.ID)
	io.message("Your colleague runs, in a clone of the code: engram join KEY")
	io.notes(r.Notes)
	io.visibility(r.Remote, r.Visibility)
	return nil
}

func people(uses int) string {
	if uses == 0 {
		return "any number of people"
	}
	return plural(uses, "person", "people")
}

// notes prints what was decided or went wrong beside the main thing.
func (io *streams) notes(list []string) {
	for _, note := range list {
		io.message("note: %s", note)
	}
}

// visibility warns where anybody can read what is shared.
func (io *streams) visibility(remote string, v memory.Visibility) {
	if v == memory.Public {
		io.message("warning: anybody can read %s, and so the memory once it is there\nhint: `engram init --remote ADDRESS` shares it with a private repository of its own instead", remote)
	}
}

const inviteListLong = `List the invitations to this memory, the newest first, with who used them.

In a pipe it prints, tab-separated: id, state (open, expired, revoked, used up),
uses, how many joined, when it ends, who made it.`

func newInviteListCmd(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the invitations", Long: inviteListLong,
		Example: "  engram invite list\n  engram invite list --json",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runInviteList(cmd.Context(), g, g.io)
		},
	}
}

func runInviteList(ctx context.Context, g *globals, io *streams) error {
	m, _, err := g.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Invitations(ctx)
	if err != nil {
		return err
	}
	if g.json {
		return io.json(r)
	}
	for _, i := range r.Invitations {
		io.invitation(i)
	}
	if io.terminal {
		io.printf("%s\n", io.color.dim(dotted(plural(len(r.Invitations), "invitation", "invitations"), "revision "+short(r.Revision))))
	}
	return nil
}

func (io *streams) invitation(i memory.Invitation) {
	until := ""
	if i.Expires != nil {
		until = stamp(*i.Expires)
	}
	if !io.terminal {
		io.row(i.ID, i.State, strconv.Itoa(i.Uses), strconv.Itoa(len(i.Joined)), until, i.By)
		return
	}
	used := fmt.Sprintf("%d of %s joined", len(i.Joined), people(i.Uses))
	ends := ""
	if i.State == memory.InviteOpen && i.Expires != nil {
		ends = "until " + i.Expires.Local().Format("2006-01-02 15:04")
	}
	io.printf("%s  %s\n", io.color.bold(i.ID), dotted(i.State, used, ends))
	io.printf("  %s\n", io.color.dim(dotted(nameOf(i.By), ago(io.now(), i.Created))))
	for _, j := range i.Joined {
		io.printf("  %s\n", dotted(cmp.Or(nameOf(j.Engineer), "somebody"), "joined "+ago(io.now(), j.At)))
	}
}

type inviteRevokeOptions struct {
	*globals
	args   []string
	reason string
}

const inviteRevokeLong = `End an invitation: nobody can join with it any more. The first digits of its id
are enough. Who has joined stays; what they may do is the remote's to decide.`

func newInviteRevokeCmd(g *globals) *cobra.Command {
	opts := inviteRevokeOptions{globals: g}
	cmd := &cobra.Command{
		Use: "revoke ID", Short: "End an invitation", Long: inviteRevokeLong,
		Example:           "  engram invite revoke 3f9c\n  engram invite revoke 3f9c --reason \"posted in the wrong channel\"",
		ValidArgsFunction: completeInvites(g),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.args = args
			return runInviteRevoke(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().StringVar(&opts.reason, "reason", "", "why, in words; it goes into the commit's message")
	return cmd
}

func runInviteRevoke(ctx context.Context, opts inviteRevokeOptions, io *streams) error {
	if len(opts.args) != 1 {
		return usage("invite revoke takes the id of one invitation", "`engram invite list` shows them")
	}
	m, _, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := m.Revoke(ctx, opts.args[0], opts.reason)
	if err != nil {
		return err
	}
	if opts.json {
		return io.json(r)
	}
	if io.terminal {
		io.printf("%s invitation %s\n", io.color.green("revoked"), r.ID)
	} else {
		io.row(r.ID, memory.InviteRevoked, r.Revision)
	}
	io.notes(r.Notes)
	return nil
}
