package begin

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

const inviteLong = `Make an invitation: one string with which a colleague joins the memory from a
clone of the code, using "engram join". It is printed and not stored.

Anybody who holds the invitation can read the address of the repository in it.
The invitation grants no access: the remote decides who may read and write, as
for the code.

An invitation ends after --expires, when --uses people have joined, or when it
is revoked. It is recorded on the memory branch, which is pushed at once so that
the invitation can be used.

In a pipe it prints only the string.`

const inviteExample = `  engram invite
  engram invite --expires P1D --uses 1
  engram invite --remote engram --uses 0
  engram invite list
  engram invite revoke 3f9c`

// NewInviteCmd returns "engram invite".
func NewInviteCmd(g *app.Globals) *cobra.Command {
	var in memory.InviteInput
	cmd := &cobra.Command{
		Use: "invite", Short: "Invite colleagues to the memory", Long: inviteLong, Example: inviteExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(cmd.Context(), g, g.OpenToWrite, printInvite, func(m *memory.Memory, _ config.Settings) (memory.InviteResult, error) {
				return m.Invite(cmd.Context(), in)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&in.Remote, "remote", "", "invite to the memory at the remote `NAME` (default: the remote that the memory is shared with)")
	f.StringVar(&in.Expires, "expires", memory.DefaultInviteTTL, "how long it is valid: ISO-8601 `DURATION` such as P7D, or days")
	f.IntVar(&in.Uses, "uses", memory.DefaultInviteUses, "how many may join with it; 0 is no limit")
	app.CompleteWith(cmd, "remote", completeRemotes(g))
	cmd.AddCommand(newInviteListCmd(g), newInviteRevokeCmd(g))
	return cmd
}

func printInvite(out *term.Streams, r memory.InviteResult) {
	out.Printf("%s\n", term.Plain(r.Key))
	out.Message("\nWhoever holds this key can read the address in it:\n  %s", r.Remote)
	out.Message("It lets nobody in: who may read and write there, that remote decides.")
	out.Message("It is good for %s until %s. `engram invite revoke %s` ends it.", people(r.Uses), r.Expires.Format("2006-01-02 15:04 MST"), r.ID)
	out.Message("Your colleague runs, in a clone of the code: engram join KEY")
	show.Notes(out, r.Notes)
	printVisibility(out, r.Remote, r.Visibility)
}

func people(uses int) string {
	if uses == 0 {
		return "any number of people"
	}
	return term.Plural(uses, "person", "people")
}

// printVisibility warns if anybody can read what is shared.
func printVisibility(out *term.Streams, remote string, v memory.Visibility) {
	if v == memory.Public {
		out.Message("warning: anybody can read %s, and so the memory once it is there\nhint: `engram init --remote ADDRESS` shares it with a private repository of its own instead", remote)
	}
}

const inviteListLong = `List the invitations to this memory, newest first, and the people who joined
with each.

In a pipe it prints, tab-separated: id, state (open, expired, revoked, used up),
allowed uses, people who joined, expiry time, author.`

func newInviteListCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the invitations", Long: inviteListLong,
		Example: "  engram invite list\n  engram invite list --json",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.Answer(cmd.Context(), g, g.Open, printInviteList, func(m *memory.Memory, _ config.Settings) (memory.InvitationsResult, error) {
				return m.Invitations(cmd.Context())
			})
		},
	}
}

func printInviteList(out *term.Streams, r memory.InvitationsResult) {
	for _, i := range r.Invitations {
		printInvitation(out, i)
	}
	if out.Terminal {
		out.Summary(term.Plural(len(r.Invitations), "invitation", "invitations"), "revision "+term.Short(r.Revision))
	}
}

func printInvitation(out *term.Streams, i memory.Invitation) {
	if !out.Terminal {
		out.Row(i.ID, i.State, strconv.Itoa(i.Uses), strconv.Itoa(len(i.Joined)), term.StampOf(i.Expires), i.By)
		return
	}
	used := fmt.Sprintf("%d of %s joined", len(i.Joined), people(i.Uses))
	ends := ""
	if i.State == memory.InviteOpen && i.Expires != nil {
		ends = "until " + i.Expires.Local().Format("2006-01-02 15:04")
	}
	out.Printf("%s  %s\n", out.Color.Bold(i.ID), term.Dotted(i.State, used, ends))
	out.Printf("  %s\n", out.Color.Dim(term.Dotted(show.NameOf(i.By), term.Ago(out.Now(), i.Created))))
	for _, j := range i.Joined {
		out.Printf("  %s\n", term.Dotted(cmp.Or(show.NameOf(j.Engineer), "somebody"), "joined "+term.Ago(out.Now(), j.At)))
	}
}

const inviteRevokeLong = `End an invitation, so that nobody can join with it any more. The first digits of
its ID are enough. People who have already joined stay members; the remote still
decides who may read and write.`

func newInviteRevokeCmd(g *app.Globals) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use: "revoke ID", Short: "End an invitation", Long: inviteRevokeLong,
		Example:           "  engram invite revoke 3f9c\n  engram invite revoke 3f9c --reason \"posted in the wrong channel\"",
		ValidArgsFunction: completeInvites(g),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fault.Usage("invite revoke takes the id of one invitation", "`engram invite list` shows them")
			}
			return app.Answer(cmd.Context(), g, g.OpenToWrite, printInviteRevoke, func(m *memory.Memory, _ config.Settings) (memory.RevokeResult, error) {
				return m.Revoke(cmd.Context(), args[0], reason)
			})
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why, in words; it goes into the commit's message")
	return cmd
}

func printInviteRevoke(out *term.Streams, r memory.RevokeResult) {
	if out.Terminal {
		out.Printf("%s invitation %s\n", out.Color.Green("revoked"), r.ID)
	} else {
		out.Row(r.ID, memory.InviteRevoked, r.Revision)
	}
	show.Notes(out, r.Notes)
}

// completeInvites offers the ids of invitations that can be revoked.
func completeInvites(g *app.Globals) cobra.CompletionFunc {
	return app.CompleteFrom(g, 1, func(ctx context.Context, m *memory.Memory) (offers []string, err error) {
		r, err := m.Invitations(ctx)
		for _, i := range r.Invitations {
			if i.State == memory.InviteOpen || i.State == memory.InviteUsedUp {
				offers = append(offers, i.ID+"\t"+term.Plain(show.NameOf(i.By)))
			}
		}
		return offers, err
	})
}

// completeRemotes offers the names of git's remotes.
func completeRemotes(g *app.Globals) cobra.CompletionFunc {
	return app.CompleteFrom(g, 0, func(ctx context.Context, m *memory.Memory) ([]string, error) { return m.Remotes(ctx) })
}
