// Package begin has the commands that begin or join a memory, and the demo.
package begin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
)

type initOptions struct {
	*app.Globals
	config bool
	in     memory.BeginInput
}

const initLong = `Begin the memory of this repository: a branch with no history in common with
your code. The command touches no work tree, and prints everything it creates
and how to remove it. If the remote already has a memory, that memory is
fetched; if this repository has one, only the settings below are updated.

The memory is shared with git's default remote, or with --remote: a name, or the
address of a separate repository for the memory, which becomes the remote
"engram". A few git settings make "git fetch" and "git pull" update the memory
too. The command warns if anybody can read that remote.

A team decides once whether facts name their author (--anonymous) and their
agent (--anon-agents); on a terminal the command asks. engram.yml on the branch
records the decision.

The memory cannot be the first branch of a repository or of an empty remote,
because hosting services make the first branch the default.`

// NewInitCmd returns "engram init".
func NewInitCmd(g *app.Globals) *cobra.Command {
	opts := initOptions{Globals: g}
	var privacy memory.Privacy
	cmd := &cobra.Command{
		Use: "init", Short: "Begin the memory of this repository", Long: initLong,
		Example: "  engram init\n  engram init --config\n  engram init --remote git@example.com:team/memory.git --anonymous=false",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("anonymous") || cmd.Flags().Changed("anon-agents") {
				opts.in.Privacy = &privacy
			}
			return runInit(cmd.Context(), opts, g.Out)
		},
	}
	cmd.Flags().BoolVar(&opts.config, "config", false, "also write "+config.FileName+" with every setting explained")
	cmd.Flags().StringVar(&opts.in.Remote, "remote", "", "share the memory with the remote `NAME`, or with an address")
	cmd.Flags().BoolVar(&privacy.AnonymousMode, "anonymous", false, "store no names of engineers")
	cmd.Flags().BoolVar(&privacy.AnonAgents, "anon-agents", false, "store random names instead of the names of agents")
	app.CompleteWith(cmd, "remote", completeRemotes(g))
	return cmd
}

func runInit(ctx context.Context, opts initOptions, out *term.Streams) error {
	m, s, done, err := opts.Open(ctx)
	if err != nil {
		return err
	}
	defer done()
	path := filepath.Join(m.WorkTree(), config.FileName)
	if opts.config {
		if err := configPossible(m, path); err != nil {
			return err
		}
	}
	in := opts.in
	if out.Asks && !opts.JSON {
		in.Ask = func() (memory.Privacy, error) { return askPrivacy(ctx, out) }
	}
	result, err := m.Begin(ctx, in)
	if err != nil {
		return err
	}
	if opts.config {
		if err := writeNew(path, config.ConfigFor(result.Branch)); err != nil {
			return err
		}
		result.Footprint = append(result.Footprint, memory.Footprint{What: "settings of this work tree", Where: path, Remove: "delete the file"})
	}
	configured := opts.config || opts.Branch == "" || opts.Branch == s.BranchWithoutFlag
	return term.Print(out, opts.JSON, result, func(out *term.Streams, r memory.InitResult) { printInit(out, r, configured, waiting(opts, m)) })
}

// waiting counts the sessions that agents had here before.
func waiting(opts initOptions, m *memory.Memory) int {
	home := opts.Getenv("HOME")
	if home == "" {
		home, _ = os.UserHomeDir()
	}
	n, err := m.WaitingSessions(home, opts.Getenv)
	if home == "" || err != nil {
		return 0
	}
	return n
}

// configPossible checks --config before the branch is made.
func configPossible(m *memory.Memory, path string) error {
	if m.WorkTree() == "" {
		return fault.Usage("there is no work tree here to put "+config.FileName+" into", "omit --config; ENGRAM_* variables set the same")
	}
	if _, err := os.Lstat(path); err == nil {
		return fault.Usage(path+" exists and is not overwritten", "omit --config, or compare it with .engram.example.yml in engram's source")
	}
	return nil
}

// writeNew writes a file that does not exist.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fault.Usage(path+" exists and is not overwritten", "")
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", config.FileName, err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", config.FileName, err)
	}
	return nil
}

// printInit prints what init did; configured says whether other commands find the
// branch without being told, and sessions how many wait to be imported.
func printInit(out *term.Streams, r memory.InitResult, configured bool, sessions int) {
	done := "The memory begins"
	switch {
	case r.Adopted != "":
		done = "The memory of " + r.Adopted + " is here"
	case !r.Created:
		done = "The memory exists already"
	}
	printFootprint(out, done, r.Branch, r.Revision, r.Footprint, configured)
	show.Notes(out, r.Notes)
	printVisibility(out, r.Remote, r.Visibility)
	out.Message("\nNext:\n  engram commit \"CLAIM\" --scope TOPIC   write the first fact\n  engram query QUESTION                  find it again\n  engram setup                           tell your coding agents of it")
	if r.Remote != "" {
		out.Message("  engram sync                            share it with %s\n  engram invite                          let colleagues join", r.Remote)
	} else {
		out.Message("  engram init --remote ADDRESS           share it")
	}
	if sessions > 0 {
		out.Message("  engram session import --all            keep %s that agents had here before", term.Plural(sessions, "session", "sessions"))
	}
	out.Message("\nAgents that are set up keep their sessions under refs/engram/sessions in this clone; nothing of them leaves this machine by itself, and `engram setup --no-sessions` keeps none.")
}

// askPrivacy asks the two questions that a team answers once.
func askPrivacy(ctx context.Context, out *term.Streams) (p memory.Privacy, err error) {
	d := term.NewAsker(ctx, out)
	out.Printf("Two questions, asked once and kept in engram.yml for the whole team.\n\n")
	named, err := d.Yes("Should facts show who wrote them? [Y/n]\n  No: your name is left out before anything is stored.")
	if err != nil {
		return p, err
	}
	agents, err := d.Yes("Should facts show which agent wrote them? [Y/n]\n  No: names of agents are random in each session.")
	out.Printf("\n")
	return memory.Privacy{AnonymousMode: !named, AnonAgents: !agents}, err
}
