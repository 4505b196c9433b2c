package upkeep

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/facts"
	"engram/memory"
)

type purgeOptions struct {
	*app.Globals
	in memory.PurgeInput
}

const purgeLong = `Take facts out of the branch's whole history, as if they had never been there:
every version, what commit messages say of them, and the conflicts that quote
them. This is for what must not be there, such as a secret that got through. A
fact that is merely wrong is retired (` + "`engram retire`" + `).

Without --yes it shows what would go, and changes nothing. It shows keys, ids
and dates, never what the facts say.

With --yes this clone's branch is rewritten. The old history stays under a
rescue reference until somebody deletes that. Nothing is pushed: the end of the
output says what remotes and other clones have to do, and a secret has to be
replaced whatever is purged.

In a pipe it prints, tab-separated, by the word in front:
  version   key, fact_id, commit, date, author
  message   commit, date, author: a message that is redacted
  conflict  key: a conflict that goes as well
  mention   path, stands or past, names or repeats or both: what stays
  ref       a reference that contains the old history
  commits   number, how many get another name, how many lose a signature
  revision  before, after (empty without --yes), the rescue reference
  note      what else there is to know
  next      what is to be done, the most urgent first`

const purgeExample = `  engram purge domain/db/password
  engram purge domain/db/password --reason "it held a password" --yes
  engram purge domain/db/password domain/db/copy --json`

// NewPurgeCmd returns "engram purge".
func NewPurgeCmd(g *app.Globals) *cobra.Command {
	opts := purgeOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "purge KEY…", Short: "Remove leaked facts from the whole history", Long: purgeLong, Example: purgeExample,
		ValidArgsFunction: app.CompleteKeys(g, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.in.Keys = args
			return runPurge(cmd.Context(), opts, g.Out)
		},
	}
	cmd.Flags().BoolVar(&opts.in.Apply, "yes", false, "apply it; without --yes the command only shows what it would do")
	cmd.Flags().StringVar(&opts.in.Reason, "reason", "", "why, in words; it goes into the commit's message")
	return cmd
}

func runPurge(ctx context.Context, opts purgeOptions, out *term.Streams) error {
	if len(opts.in.Keys) == 0 {
		return fault.Missing("purge", "the key")
	}
	m, _, done, err := opts.OpenToWrite(ctx)
	if err != nil {
		return err
	}
	defer done()
	result, err := m.Purge(ctx, opts.in)
	if err != nil {
		return err
	}
	switch {
	case opts.JSON:
		err = out.JSON(result)
	case out.Terminal:
		printPurge(out, result)
	default:
		printPurgeRows(out, result)
	}
	if err == nil && !result.Applied {
		out.Message("nothing was changed; --yes applies it")
	}
	return err
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
		state, how := "past", []string{}
		if m.Stands {
			state = "stands"
		}
		if m.Names {
			how = append(how, "names")
		}
		if m.Repeats {
			how = append(how, "repeats")
		}
		out.Row("mention", m.Path, state, strings.Join(how, " "))
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

// printPurge prints the same for a person.
func printPurge(out *term.Streams, r memory.PurgeResult) {
	would := "would go"
	if r.Applied {
		would = "went"
	}
	out.Printf("%s\n", out.Color.Bold(fmt.Sprintf("What %s, from %d of %s:", would, r.Rewritten, term.Plural(r.Commits, "commit", "commits"))))
	for _, key := range r.Keys {
		out.Printf("  %s\n", out.Color.Bold(term.Plain(key.String())))
		for _, v := range r.Versions {
			if v.Key == key {
				out.Printf("    %s\n", purgedCommit(out, v.PurgedCommit, v.FactID))
			}
		}
	}
	printKeys(out, "conflicts that quote them", r.Conflicts)
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
		out.Printf("\n%s\n", out.Color.Dim("revision "+term.Short(r.Old)+" → "+term.Short(r.Revision)))
	}
}

func purgedCommit(out *term.Streams, c memory.PurgedCommit, id string) string {
	return out.Color.Yellow(term.Short(c.Commit)) + "  " + term.Dotted(id, term.Ago(out.Now(), c.Date), show.NameOf(c.Author))
}

func printKeys(out *term.Streams, title string, keys []facts.Key) {
	if len(keys) == 0 {
		return
	}
	out.Printf("  %s\n", out.Color.Dim(title))
	for _, k := range keys {
		out.Printf("    %s\n", term.Plain(k.String()))
	}
}

func printMentions(out *term.Streams, list []memory.Mention) {
	if len(list) == 0 {
		return
	}
	out.Printf("\n%s\n", out.Color.Bold("Look at these as well; they stay as they are:"))
	for _, m := range list {
		repeats, names, past := "", "", ""
		if m.Repeats {
			repeats = "repeats what is purged"
		}
		if m.Names {
			names = "names the key"
		}
		if !m.Stands {
			past = "in earlier versions"
		}
		out.Printf("  %s  %s\n", term.Plain(m.Path), out.Color.Dim(term.Dotted(repeats, names, past)))
	}
}
