package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"engram/hooks"
	"engram/memory"
)

type hooksOptions struct {
	*globals
	withFetch bool
	print     string
}

const hooksLong = `Let git tell engram what happened. After a pull, merge, rebase, checkout or
commit, what was fetched of the memory is taken over and audited, and one line
says what arrived and what now conflicts. Before a commit on the memory branch
its facts are checked; before a commit on any other branch, the facts are listed
whose evidence it changes. With the setting hooks.push a push carries the memory
along.

A hook is silent when there is nothing to say, never asks, ends after the time
that is set as hooks.timeout (5s), and never stops git, except where a secret
would be committed to the memory or the team set a gate in engram.yml.
docs/hooks.md tells more. (The hooks of coding agents are another thing: see
"engram hook".)`

const hooksExample = `  engram hooks install
  engram hooks status
  engram hooks uninstall`

func newHooksCmd(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "hooks", Short: "Let git keep the memory up to date", Long: hooksLong, Example: hooksExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usage("there is no command hooks "+args[0], "`engram hooks --help` lists what there is")
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newHooksInstallCmd(g), newHooksStatusCmd(g), newHooksUninstallCmd(g), newHooksRunCmd(g))
	return cmd
}

const hooksInstallLong = `Put engram's lines into this repository's hooks, wherever core.hooksPath says
they are, and set the merge driver for facts. A shell script that is there, such
as one of husky, lefthook or pre-commit, gets a few lines at its top; anything
else is moved aside and run by engram's. Done twice it is done once.

Hooks that git tracks, or that lie outside the repository, are not touched:
--print HOOK prints the lines to put there by hand.

--with-fetch also installs reference-transaction, which sees a plain "git
fetch". git runs it for every reference that moves, which makes a rebase of many
commits three times as long; without it, the next commit, merge or checkout sees
what was fetched.`

func newHooksInstallCmd(g *globals) *cobra.Command {
	opts := hooksOptions{globals: g}
	cmd := &cobra.Command{
		Use: "install", Short: "Put engram's lines into the hooks", Long: hooksInstallLong,
		Example: "  engram hooks install\n  engram hooks install --with-fetch\n  engram hooks install --print post-merge",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runHooksInstall(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().BoolVar(&opts.withFetch, "with-fetch", false, "see a plain `git fetch` as well, which makes git slower")
	cmd.Flags().StringVar(&opts.print, "print", "", "print the lines for a `HOOK` and change nothing")
	completeWith(cmd, "print", cobra.FixedCompletions(hooks.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runHooksInstall(ctx context.Context, opts hooksOptions, io *streams) error {
	o, err := opts.hookOptions()
	if err != nil {
		return err
	}
	o.WithFetch = opts.withFetch
	if opts.print != "" {
		if !hooks.IsHook(opts.print) {
			return usage("engram has nothing to do in a hook "+opts.print, "it has in "+strings.Join(hooks.Names(), ", "))
		}
		io.printf("%s", hooks.Snippet(opts.print, o))
		return nil
	}
	place, err := opts.hooksPlace()
	if err != nil {
		return err
	}
	report, err := hooks.Install(ctx, place, o)
	if err != nil {
		return hooksError(err)
	}
	return io.hooks(report, opts.json)
}

// hooksPlace is the repository that a person works in.
func (g *globals) hooksPlace() (hooks.Place, error) {
	place, err := hooks.Locate(g.directory(), nil)
	if err != nil {
		return place, hooksError(err)
	}
	return place, nil
}

// hookOptions names this engram and the memory branch.
func (g *globals) hookOptions() (hooks.Options, error) {
	s, err := g.settings()
	if err != nil {
		return hooks.Options{}, err
	}
	binary, err := g.executable()
	if err == nil {
		binary, err = filepath.Abs(binary)
	}
	return hooks.Options{Binary: binary, Branch: cmp.Or(s.branch, memory.DefaultBranch)}, err
}

// hooksError gives errors of package hooks their codes and hints.
func hooksError(err error) error {
	byHand := "`engram hooks install --print HOOK` prints the lines to put there by hand"
	switch {
	case errors.Is(err, hooks.ErrNoRepository):
		return unusable(err, "run engram inside a git repository, or make one with `git init`")
	case errors.Is(err, hooks.ErrElsewhere), errors.Is(err, hooks.ErrVersioned), errors.Is(err, hooks.ErrForeign):
		return unusable(err, byHand)
	case errors.Is(err, hooks.ErrBare):
		return unusable(err, "install hooks in the clones that people work in; `engram check` examines a memory on a server")
	}
	return err
}

const hooksStatusLong = `Show for each hook whether engram's lines are in it: installed; chained, with
whose script beside it; replaced, where another tool has written over it since;
missing; or off, where nobody asked for it.

Exit code 1 where something is missing. In a pipe it prints, tab-separated:
hook, state, with, path, note.`

func newHooksStatusCmd(g *globals) *cobra.Command {
	opts := hooksOptions{globals: g}
	return &cobra.Command{
		Use: "status", Short: "Show which hooks are installed", Long: hooksStatusLong,
		Example: "  engram hooks status\n  engram hooks status --json | jq -e .complete",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runHooksStatus(cmd.Context(), opts, g.io)
		},
	}
}

func runHooksStatus(ctx context.Context, opts hooksOptions, io *streams) error {
	place, err := opts.hooksPlace()
	if err != nil {
		return err
	}
	report, err := hooks.Status(ctx, place, hooks.Options{})
	if err != nil {
		return hooksError(err)
	}
	return io.hooks(report, opts.json)
}

const hooksUninstallLong = `Take engram's lines out of the hooks, delete the hooks that are engram's alone,
put back what was moved aside, and take the merge driver out of the
configuration. Everything else stays as it is, to the byte.`

func newHooksUninstallCmd(g *globals) *cobra.Command {
	opts := hooksOptions{globals: g}
	return &cobra.Command{
		Use: "uninstall", Short: "Take engram's lines out of the hooks", Long: hooksUninstallLong,
		Example: "  engram hooks uninstall",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runHooksUninstall(cmd.Context(), opts, g.io)
		},
	}
}

func runHooksUninstall(ctx context.Context, opts hooksOptions, io *streams) error {
	place, err := opts.hooksPlace()
	if err != nil {
		return err
	}
	report, err := hooks.Uninstall(ctx, place)
	if err != nil {
		return hooksError(err)
	}
	return io.hooks(report, opts.json)
}

// hooks prints a report, and says no where something is not in place.
func (io *streams) hooks(r hooks.Report, asJSON bool) error {
	if asJSON {
		if err := io.json(r); err != nil {
			return err
		}
	} else {
		for _, h := range r.Hooks {
			io.hook(h)
		}
		for _, note := range r.Notes {
			io.message("note: %s", note)
		}
	}
	if !r.Complete {
		return errAnsweredNo
	}
	return nil
}

func (io *streams) hook(h hooks.Hook) {
	if !io.terminal {
		io.row(h.Name, h.State, h.With, h.Path, h.Note)
		return
	}
	painted := map[string]func(string) string{
		hooks.Missing: io.color.red, hooks.Replaced: io.color.red, hooks.Off: io.color.dim,
	}[h.State]
	if painted == nil {
		painted = io.color.green
	}
	const widest = len(hooks.ReferenceTransaction)
	pad := strings.Repeat(" ", widest-len(h.Name))
	with := ""
	if h.With != "" {
		with = "with " + h.With
	}
	io.printf("%s%s  %s\n", h.Name, pad, dottedPainted(painted(h.State), with, h.Note))
}

// dottedPainted is dotted with a first part that has its colours.
func dottedPainted(first string, rest ...string) string {
	if more := dotted(rest...); more != "" {
		return first + " · " + more
	}
	return first
}
