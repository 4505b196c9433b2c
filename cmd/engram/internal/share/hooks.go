package share

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/show"
	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/hooks"
	"engram/memory"
)

type hooksOptions struct {
	*app.Globals
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

func NewHooksCmd(g *app.Globals) *cobra.Command {
	return app.Group(&cobra.Command{
		Use: "hooks", Short: "Let git keep the memory up to date", Long: hooksLong, Example: hooksExample,
	}, newHooksInstallCmd(g), newHooksStatusCmd(g), newHooksUninstallCmd(g), newHooksRunCmd(g))
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

func newHooksInstallCmd(g *app.Globals) *cobra.Command {
	opts := hooksOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "install", Short: "Put engram's lines into the hooks", Long: hooksInstallLong,
		Example: "  engram hooks install\n  engram hooks install --with-fetch\n  engram hooks install --print post-merge",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runHooksInstall(cmd.Context(), opts, g.Out) },
	}
	cmd.Flags().BoolVar(&opts.withFetch, "with-fetch", false, "see a plain `git fetch` as well, which makes git slower")
	cmd.Flags().StringVar(&opts.print, "print", "", "print the lines for a `HOOK` and change nothing")
	app.CompleteWith(cmd, "print", cobra.FixedCompletions(hooks.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runHooksInstall(ctx context.Context, opts hooksOptions, out *term.Streams) error {
	o, err := newHookOptions(opts.Globals)
	if err != nil {
		return err
	}
	o.WithFetch = opts.withFetch
	if opts.print != "" {
		if !hooks.IsHook(opts.print) {
			return fault.Usage("engram has nothing to do in a hook "+opts.print, "it has in "+strings.Join(hooks.Names(), ", "))
		}
		out.Printf("%s", hooks.Snippet(opts.print, o))
		return nil
	}
	place, err := locate(opts.Globals)
	if err != nil {
		return err
	}
	report, err := hooks.Install(ctx, place, o)
	if err != nil {
		return hooksError(err)
	}
	return printHooks(out, report, opts.JSON)
}

// locate is the repository that a person works in.
func locate(g *app.Globals) (hooks.Place, error) {
	place, err := hooks.Locate(g.Directory(), nil)
	if err != nil {
		return place, hooksError(err)
	}
	return place, nil
}

// newHookOptions names this engram and the memory branch.
func newHookOptions(g *app.Globals) (hooks.Options, error) {
	s, err := g.Settings()
	if err != nil {
		return hooks.Options{}, err
	}
	binary, err := g.Executable()
	if err == nil {
		binary, err = filepath.Abs(binary)
	}
	return hooks.Options{Binary: binary, Branch: cmp.Or(s.Branch, memory.DefaultBranch)}, err
}

// hooksError gives errors of package hooks their codes and hints.
func hooksError(err error) error {
	byHand := "`engram hooks install --print HOOK` prints the lines to put there by hand"
	switch {
	case errors.Is(err, hooks.ErrNoRepository):
		return fault.Unusable(err, "run engram inside a git repository, or make one with `git init`")
	case errors.Is(err, hooks.ErrElsewhere), errors.Is(err, hooks.ErrVersioned), errors.Is(err, hooks.ErrForeign):
		return fault.Unusable(err, byHand)
	case errors.Is(err, hooks.ErrBare):
		return fault.Unusable(err, "install hooks in the clones that people work in; `engram check` examines a memory on a server")
	}
	return err
}

const hooksStatusLong = `Show for each hook whether engram's lines are in it: installed; chained, with
whose script beside it; replaced, where another tool has written over it since;
missing; or off, where nobody asked for it.

Exit code 1 where something is missing. In a pipe it prints, tab-separated:
hook, state, with, path, note.`

func newHooksStatusCmd(g *app.Globals) *cobra.Command {
	opts := hooksOptions{Globals: g}
	return &cobra.Command{
		Use: "status", Short: "Show which hooks are installed", Long: hooksStatusLong,
		Example: "  engram hooks status\n  engram hooks status --json | jq -e .complete",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runHooksStatus(cmd.Context(), opts, g.Out) },
	}
}

func runHooksStatus(ctx context.Context, opts hooksOptions, out *term.Streams) error {
	place, err := locate(opts.Globals)
	if err != nil {
		return err
	}
	report, err := hooks.Status(ctx, place, hooks.Options{})
	if err != nil {
		return hooksError(err)
	}
	return printHooks(out, report, opts.JSON)
}

const hooksUninstallLong = `Take engram's lines out of the hooks, delete the hooks that are engram's alone,
put back what was moved aside, and take the merge driver out of the
configuration. Everything else stays as it is, to the byte.`

func newHooksUninstallCmd(g *app.Globals) *cobra.Command {
	opts := hooksOptions{Globals: g}
	return &cobra.Command{
		Use: "uninstall", Short: "Take engram's lines out of the hooks", Long: hooksUninstallLong,
		Example: "  engram hooks uninstall",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runHooksUninstall(cmd.Context(), opts, g.Out) },
	}
}

func runHooksUninstall(ctx context.Context, opts hooksOptions, out *term.Streams) error {
	place, err := locate(opts.Globals)
	if err != nil {
		return err
	}
	report, err := hooks.Uninstall(ctx, place)
	if err != nil {
		return hooksError(err)
	}
	return printHooks(out, report, opts.JSON)
}

// printHooks prints a report, and says no where something is not in place.
func printHooks(out *term.Streams, r hooks.Report, asJSON bool) error {
	if asJSON {
		if err := out.JSON(r); err != nil {
			return err
		}
	} else {
		for _, h := range r.Hooks {
			printHook(out, h)
		}
		show.Notes(out, r.Notes)
	}
	if !r.Complete {
		return fault.ErrAnsweredNo
	}
	return nil
}

func printHook(out *term.Streams, h hooks.Hook) {
	if !out.Terminal {
		out.Row(h.Name, h.State, h.With, h.Path, h.Note)
		return
	}
	painted := map[string]func(string) string{
		hooks.Missing: out.Color.Red, hooks.Replaced: out.Color.Red, hooks.Off: out.Color.Dim,
	}[h.State]
	if painted == nil {
		painted = out.Color.Green
	}
	const widest = len(hooks.ReferenceTransaction)
	pad := strings.Repeat(" ", widest-len(h.Name))
	with := term.Either(h.With != "", "with "+h.With, "")
	out.Printf("%s%s  %s\n", h.Name, pad, term.DottedPainted(painted(h.State), with, h.Note))
}
