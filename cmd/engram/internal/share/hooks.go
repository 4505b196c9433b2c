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

const hooksLong = `Let git hooks keep the memory in sync. After a pull, merge, rebase, checkout or
commit, fetched facts are merged and audited, and one line says how many arrived
and which conflict. Before a commit on the memory branch its facts are checked;
before a commit on any other branch, the hook lists the facts whose evidence the
commit changes. With the setting hooks.push a push also pushes the memory.

A hook prints nothing if there is nothing to report, never asks, ends after
hooks.timeout (5s), and never stops git, unless a secret would be committed to
the memory or the team set a gate in engram.yml. See docs/hooks.md. (For the
hooks of coding agents see "engram hook".)`

const hooksExample = `  engram hooks install
  engram hooks status
  engram hooks uninstall`

// NewHooksCmd returns "engram hooks".
func NewHooksCmd(g *app.Globals) *cobra.Command {
	return app.Group(&cobra.Command{
		Use: "hooks", Short: "Keep the memory in sync with git hooks", Long: hooksLong, Example: hooksExample,
	}, newHooksInstallCmd(g), newHooksStatusCmd(g), newHooksUninstallCmd(g), newHooksRunCmd(g))
}

const hooksInstallLong = `Add engram's lines to this repository's hooks, in the folder that core.hooksPath
names, and set the merge driver for facts. An existing shell script, such as one
of husky, lefthook or pre-commit, gets a few lines at its top; any other hook is
moved aside, and engram's hook runs it. Installing twice changes nothing.

Hooks that git tracks, or that are outside the repository, are not touched:
--print HOOK prints the lines to add by hand.

--with-fetch also installs reference-transaction, which sees a plain "git
fetch". git runs it for every reference that moves, so a rebase of many commits
takes three times as long; without it, the next commit, merge or checkout sees
the fetched facts.`

func newHooksInstallCmd(g *app.Globals) *cobra.Command {
	opts := hooksOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "install", Short: "Install engram's git hooks", Long: hooksInstallLong,
		Example: "  engram hooks install\n  engram hooks install --with-fetch\n  engram hooks install --print post-merge",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runHooksInstall(cmd.Context(), opts, g.Out) },
	}
	cmd.Flags().BoolVar(&opts.withFetch, "with-fetch", false, "also run after a plain `git fetch`, which makes git slower")
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
	return reportHooks(opts.Globals, func(place hooks.Place) (hooks.Report, error) { return hooks.Install(ctx, place, o) })
}

// reportHooks does something with the hooks of the repository of the current folder,
// prints their state, and answers no if a hook is missing.
func reportHooks(g *app.Globals, work func(hooks.Place) (hooks.Report, error)) error {
	var report hooks.Report
	place, err := hooks.Locate(g.Directory(), nil)
	if err == nil {
		report, err = work(place)
	}
	if err != nil {
		return hooksError(err)
	}
	return fault.NoIf(!report.Complete, term.Print(g.Out, g.JSON, report, printHooks))
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

// hooksError adds exit codes and hints to errors of package hooks.
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

const hooksStatusLong = `Show whether engram's lines are in each hook: installed; chained, with the other
tool's script; replaced, if another tool has overwritten them; missing; or off,
if nobody asked for it.

Exit code 1 if a hook is missing. In a pipe it prints, tab-separated: hook,
state, with, path, note.`

func newHooksStatusCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show which hooks are installed", Long: hooksStatusLong,
		Example: "  engram hooks status\n  engram hooks status --json | jq -e .complete",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return reportHooks(g, func(place hooks.Place) (hooks.Report, error) {
				return hooks.Status(cmd.Context(), place, hooks.Options{})
			})
		},
	}
}

const hooksUninstallLong = `Remove engram's lines from the hooks, delete the hooks that are only engram's,
restore the hooks that were moved aside, and remove the merge driver from the
configuration. Everything else stays the same, byte for byte.`

func newHooksUninstallCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "uninstall", Short: "Remove engram's git hooks", Long: hooksUninstallLong,
		Example: "  engram hooks uninstall",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return reportHooks(g, func(place hooks.Place) (hooks.Report, error) { return hooks.Uninstall(cmd.Context(), place) })
		},
	}
}

func printHooks(out *term.Streams, r hooks.Report) {
	for _, h := range r.Hooks {
		printHook(out, h)
	}
	show.Notes(out, r.Notes)
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
