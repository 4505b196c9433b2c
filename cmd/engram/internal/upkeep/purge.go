package upkeep

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/flags"
	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

const purgeLong = `Remove facts from the whole history of the branch: every version, the commit
messages about them, and the conflicts that quote them. Use it for content that
must not be there, such as a leaked secret. If a fact is merely wrong, retire it
("engram retire").

Without --yes the command changes nothing and shows what it would remove: keys,
ids and dates, never the content of the facts.

With --yes it rewrites the branch in this clone. The old history stays under a
rescue reference until you delete that reference. Nothing is pushed: the end of
the output lists what to do for remotes and other clones. Replace a leaked
secret in any case.

In a pipe it prints, tab-separated, by the word in front:
  version   key, fact_id, commit, date, author
  message   commit, date, author: a commit message that is redacted
  conflict  key: a conflict that is removed too
  mention   path, stands or past, names or repeats or both: a file that stays
  ref       a reference that contains the old history
  commits   number, how many are rewritten, how many lose a signature
  revision  before, after (empty without --yes), the rescue reference
  note      something else to know
  next      a step to take, the most urgent first`

const purgeExample = `  engram purge domain/db/password
  engram purge domain/db/password --reason "it held a password" --yes
  engram purge domain/db/password domain/db/copy --json`

// NewPurgeCmd returns "engram purge".
func NewPurgeCmd(g *app.Globals) *cobra.Command {
	var in memory.PurgeInput
	cmd := &cobra.Command{
		Use: "purge KEY…", Short: "Remove leaked facts from the whole history", Long: purgeLong, Example: purgeExample,
		ValidArgsFunction: app.CompleteKeys(g, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			if in.Keys = args; len(args) == 0 {
				return fault.Missing("purge", "the key")
			}
			result, err := app.Show(cmd.Context(), g, g.OpenToWrite, printPurge, func(m *memory.Memory, _ config.Settings) (memory.PurgeResult, error) {
				return m.Purge(cmd.Context(), in)
			})
			if err == nil && !result.Applied {
				g.Out.Message("nothing was changed; --yes applies it")
			}
			return err
		},
	}
	flags.Bind(cmd.Flags(), &in, "apply", "reason")
	return cmd
}

func printPurgeRows(out *term.Streams, r memory.PurgeResult) {
	for _, v := range r.Versions {
		out.Row("version", v.Key.String(), v.FactID, v.Commit, term.Stamp(v.Date), v.Author)
	}
	for _, c := range r.Messages {
		out.Row("message", c.Commit, term.Stamp(c.Date), c.Author)
	}
	for _, k := range r.Conflicts {
		out.Row("conflict", k.String())
	}
	for _, m := range r.Mentions {
		how := strings.TrimSpace(term.Either(m.Names, "names ", "") + term.Either(m.Repeats, "repeats", ""))
		out.Row("mention", m.Path, term.Either(m.Stands, "stands", "past"), how)
	}
	for _, ref := range r.Refs {
		out.Row("ref", ref)
	}
	after := term.Either(r.Applied, r.Revision, "")
	out.Row("commits", strconv.Itoa(r.Commits), strconv.Itoa(r.Rewritten), strconv.Itoa(r.Unsigned))
	out.Row("revision", r.Old, after, r.Rescue)
	for _, note := range r.Notes {
		out.Row("note", note)
	}
	for _, step := range r.Next {
		out.Row("next", step)
	}
}

// printPurge prints what a purge removes, and for a person what to do then.
func printPurge(out *term.Streams, r memory.PurgeResult) {
	if !out.Terminal {
		printPurgeRows(out, r)
		return
	}
	would := term.Either(r.Applied, "went", "would go")
	out.Printf("%s\n", out.Color.Bold(fmt.Sprintf("What %s, from %d of %s:", would, r.Rewritten, term.Plural(r.Commits, "commit", "commits"))))
	for _, key := range r.Keys {
		out.Printf("  %s\n", out.Color.Bold(term.Plain(key.String())))
		for _, v := range r.Versions {
			if v.Key == key {
				out.Printf("    %s\n", purgedCommit(out, v.PurgedCommit, v.FactID))
			}
		}
	}
	if len(r.Conflicts) > 0 {
		out.Printf("  %s\n", out.Color.Dim("conflicts that quote them"))
	}
	for _, k := range r.Conflicts {
		out.Printf("    %s\n", term.Plain(k.String()))
	}
	if len(r.Messages) > 0 {
		out.Printf("  %s\n", out.Color.Dim(term.Plural(len(r.Messages), "commit message that says something of them", "commit messages that say something of them")))
		for _, c := range r.Messages {
			out.Printf("    %s\n", purgedCommit(out, c, ""))
		}
	}
	if r.Unsigned > 0 {
		out.Printf("  %s\n", term.Plural(r.Unsigned, "signature, which is of a commit that changes", "signatures, which are of commits that change"))
	}
	printMentions(out, r.Mentions)
	if len(r.Refs) > 0 {
		out.Printf("\n%s\n", out.Color.Bold("Contains the old history as well, and is not touched:"))
		for _, ref := range r.Refs {
			out.Printf("  %s\n", term.Plain(ref))
		}
	}
	for _, note := range r.Notes {
		out.Printf("\n%s %s\n", out.Color.Yellow("note:"), term.Indented(term.Plain(note), out.Width, "      "))
	}
	out.Printf("\n%s\n", out.Color.Bold("What people have to do:"))
	for i, step := range r.Next {
		head := fmt.Sprintf("  %d. ", i+1)
		out.Printf("%s%s\n", head, term.Indented(term.Plain(step), out.Width, strings.Repeat(" ", len(head))))
	}
	if r.Applied {
		out.Printf("\n")
		out.Summary("revision " + term.Short(r.Old) + " → " + term.Short(r.Revision))
	}
}

func purgedCommit(out *term.Streams, c memory.PurgedCommit, id string) string {
	return out.Color.Yellow(term.Short(c.Commit)) + "  " + term.Dotted(id, term.Ago(out.Now(), c.Date), show.NameOf(c.Author))
}

func printMentions(out *term.Streams, list []memory.Mention) {
	if len(list) == 0 {
		return
	}
	out.Printf("\n%s\n", out.Color.Bold("Look at these as well; they stay as they are:"))
	for _, m := range list {
		about := term.Dotted(term.Either(m.Repeats, "repeats what is purged", ""), term.Either(m.Names, "names the key", ""), term.Either(m.Stands, "", "in earlier versions"))
		out.Printf("  %s  %s\n", term.Plain(m.Path), out.Color.Dim(about))
	}
}
