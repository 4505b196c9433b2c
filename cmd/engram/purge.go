package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"engram/facts"
	"engram/memory"
)

type purgeOptions struct {
	*globals
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

func newPurgeCmd(g *globals) *cobra.Command {
	opts := purgeOptions{globals: g}
	cmd := &cobra.Command{
		Use: "purge KEY…", Short: "Take leaked facts out of the whole history", Long: purgeLong, Example: purgeExample,
		ValidArgsFunction: completeKeys(g, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.in.Keys = args
			return runPurge(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().BoolVar(&opts.in.Apply, "yes", false, "do it; without, it only shows what would be done")
	cmd.Flags().StringVar(&opts.in.Reason, "reason", "", "why, in words; it goes into the commit's message")
	return cmd
}

func runPurge(ctx context.Context, opts purgeOptions, io *streams) error {
	if len(opts.in.Keys) == 0 {
		return missing("purge", "the key")
	}
	m, _, err := opts.openToWrite(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	result, err := m.Purge(ctx, opts.in)
	if err != nil {
		return err
	}
	switch {
	case opts.json:
		err = io.json(result)
	case io.terminal:
		io.purged(result)
	default:
		io.purgedRows(result)
	}
	if err == nil && !result.Applied {
		io.message("nothing was changed; --yes applies it")
	}
	return err
}

func (io *streams) purgedRows(r memory.PurgeResult) {
	for _, v := range r.Versions {
		io.row("version", v.Key.String(), v.FactID, v.Commit, stamp(v.Date), v.Author)
	}
	for _, c := range r.Messages {
		io.row("message", c.Commit, stamp(c.Date), c.Author)
	}
	for _, k := range r.Conflicts {
		io.row("conflict", k.String())
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
		io.row("mention", m.Path, state, strings.Join(how, " "))
	}
	for _, ref := range r.Refs {
		io.row("ref", ref)
	}
	after := ""
	if r.Applied {
		after = r.Revision
	}
	io.row("commits", strconv.Itoa(r.Commits), strconv.Itoa(r.Rewritten), strconv.Itoa(r.Unsigned))
	io.row("revision", r.Old, after, r.Rescue)
	for _, note := range r.Notes {
		io.row("note", note)
	}
	for _, step := range r.Next {
		io.row("next", step)
	}
}

// purged shows the same to a person.
func (io *streams) purged(r memory.PurgeResult) {
	would := "would go"
	if r.Applied {
		would = "went"
	}
	io.printf("%s\n", io.color.bold(fmt.Sprintf("What %s, from %d of %s:", would, r.Rewritten, plural(r.Commits, "commit", "commits"))))
	for _, key := range r.Keys {
		io.printf("  %s\n", io.color.bold(plain(key.String())))
		for _, v := range r.Versions {
			if v.Key == key {
				io.printf("    %s\n", io.purgedCommit(v.PurgedCommit, v.FactID))
			}
		}
	}
	io.purgedKeys("conflicts that quote them", r.Conflicts)
	if len(r.Messages) > 0 {
		io.printf("  %s\n", io.color.dim(plural(len(r.Messages), "commit message that says something of them", "commit messages that say something of them")))
		for _, c := range r.Messages {
			io.printf("    %s\n", io.purgedCommit(c, ""))
		}
	}
	if r.Unsigned > 0 {
		io.printf("  %s\n", plural(r.Unsigned, "signature, which is of a commit that changes", "signatures, which are of commits that change"))
	}
	io.mentions(r.Mentions)
	if len(r.Refs) > 0 {
		io.printf("\n%s\n", io.color.bold("Contains the old history as well, and is not touched:"))
		for _, ref := range r.Refs {
			io.printf("  %s\n", plain(ref))
		}
	}
	for _, note := range r.Notes {
		io.printf("\n%s %s\n", io.color.yellow("note:"), indented(plain(note), io.width, "      "))
	}
	io.printf("\n%s\n", io.color.bold("What people have to do:"))
	for i, step := range r.Next {
		head := fmt.Sprintf("  %d. ", i+1)
		io.printf("%s%s\n", head, indented(plain(step), io.width, strings.Repeat(" ", len(head))))
	}
	if r.Applied {
		io.printf("\n%s\n", io.color.dim("revision "+short(r.Old)+" → "+short(r.Revision)))
	}
}

func (io *streams) purgedCommit(c memory.PurgedCommit, id string) string {
	return io.color.yellow(short(c.Commit)) + "  " + dotted(id, ago(io.now(), c.Date), nameOf(c.Author))
}

func (io *streams) purgedKeys(title string, keys []facts.Key) {
	if len(keys) == 0 {
		return
	}
	io.printf("  %s\n", io.color.dim(title))
	for _, k := range keys {
		io.printf("    %s\n", plain(k.String()))
	}
}

func (io *streams) mentions(list []memory.Mention) {
	if len(list) == 0 {
		return
	}
	io.printf("\n%s\n", io.color.bold("Look at these as well; they stay as they are:"))
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
		io.printf("  %s  %s\n", plain(m.Path), io.color.dim(dotted(repeats, names, past)))
	}
}
