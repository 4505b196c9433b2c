// Package agents has the commands that serve coding agents: setup, mcp, serve, brief
// and the hooks of their clients.
package agents

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/hooks"
	"engram/mcp"
	"engram/mcp/setup"
	"engram/memory"
)

type setupOptions struct {
	*app.Globals
	clients                   []string
	all, check, remove, print bool
	profiles                  []string
	noHooks, noSessions       bool
	noGuide                   bool
}

const setupLong = `Add engram's MCP server to a coding agent's client, and instructions for agents
to AGENTS.md. CLIENT is one or more of: claude-code, codex, cursor, vscode,
opencode, gemini, antigravity, windsurf. --all selects the clients that are
found here, in your home folder or on your PATH.

Entries are added to the files that the client reads; every other byte stays.
The original file is backed up the first time. --remove restores it, or removes
only engram's part if the file has changed since. Running setup twice changes
nothing. Project files name the program "engram", so that they can be committed;
files in your home folder name its path if it is not on your PATH.

Clients with hooks run "engram hook" when a session starts, before its text is
compacted, and when the agent stops; and, to keep the session in this
repository, at each message and tool call. --no-sessions keeps none, and nothing
of a session leaves this machine until somebody shares it.

If CLAUDE.md exists and does not import AGENTS.md, it gets the same text.

--check exits with 1 if an entry is missing or out of date. In a pipe it prints,
tab-separated: client, what, state, path, backup.`

const setupExample = `  engram setup claude-code
  engram setup cursor vscode --profile team
  engram setup --all --check
  engram setup codex --print
  engram setup claude-code --remove`

// NewSetupCmd returns "engram setup".
func NewSetupCmd(g *app.Globals) *cobra.Command {
	opts := setupOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "setup CLIENT... | --all", Short: "Set up coding agents to use the memory", Long: setupLong, Example: setupExample,
		ValidArgsFunction: completeClients,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.clients = args
			return runSetup(cmd.Context(), opts, g.Out)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&opts.all, "all", false, "set up every client that is found")
	f.BoolVar(&opts.check, "check", false, "show missing or outdated entries and change nothing")
	f.BoolVar(&opts.remove, "remove", false, "remove engram's entries")
	f.BoolVar(&opts.print, "print", false, "print what would be written and change nothing")
	f.StringArrayVar(&opts.profiles, "profile", nil, "start the server with this `PROFILE` of tools; may be repeated")
	app.CompleteWith(cmd, "profile", cobra.FixedCompletions(mcp.Profiles(), cobra.ShellCompDirectiveNoFileComp))
	f.BoolVar(&opts.noHooks, "no-hooks", false, "do not change the client's hooks")
	f.BoolVar(&opts.noSessions, "no-sessions", false, "install no hooks that keep the agents' sessions")
	f.BoolVar(&opts.noGuide, "no-agents-md", false, "do not change AGENTS.md and CLAUDE.md")
	return cmd
}

func completeClients(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	for _, name := range setup.ClientNames() {
		if !slices.Contains(args, name) {
			offers = append(offers, name+"\t"+setup.Title(name))
		}
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

func runSetup(ctx context.Context, opts setupOptions, out *term.Streams) error {
	if err := opts.usable(); err != nil {
		return err
	}
	place, err := locate(opts.Globals)
	if err != nil {
		return err
	}
	o, err := opts.setupOptions(ctx, place)
	if err != nil {
		return err
	}
	work := setup.Install
	switch {
	case opts.check:
		work = setup.Status
	case opts.remove:
		work = setup.Uninstall
	case opts.print:
		work = setup.Print
	}
	report, err := work(place, o)
	if err != nil {
		return setupError(err)
	}
	print := printSetup
	if opts.all && opts.remove {
		print = printRemoved
	}
	return fault.NoIf(!report.Complete, term.Print(out, opts.JSON, report, print))
}

// locate finds the folders in which clients look for their configuration.
func locate(g *app.Globals) (setup.Place, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return setup.Place{}, fault.Unusable(err, "set HOME to your home folder")
	}
	folder, err := os.UserConfigDir()
	if err != nil {
		folder = filepath.Join(home, ".config")
	}
	p := setup.Place{Home: home, HomeKept: filepath.Join(folder, "engram", "setup"), Getenv: g.Getenv, LookPath: lookPath}
	if repo, err := hooks.Locate(g.Directory(), nil); err == nil {
		p.Project = repo.WorkTree
		p.ProjectKept = filepath.Join(repo.GitDir, "engram", "setup")
	} else if !errors.Is(err, hooks.ErrNoRepository) {
		return p, err
	}
	return p, nil
}

// setupOptions names this engram and the clients.
func (opts setupOptions) setupOptions(ctx context.Context, place setup.Place) (setup.Options, error) {
	o := setup.Options{Clients: opts.clients, OnPath: true, Profiles: opts.profiles, NoHooks: opts.noHooks, NoSessions: opts.noSessions, NoGuide: opts.noGuide}
	if binary, err := opts.Executable(); err == nil { // otherwise its name has to do
		if o.Binary, err = filepath.Abs(binary); err != nil {
			return o, err
		}
		o.OnPath = leadsTo(o.Binary)
	}
	if opts.all {
		o.Clients = setup.Found(place)
		if opts.remove { // what is gone by now may have left its files
			o.Clients = slices.DeleteFunc(setup.ClientNames(), func(name string) bool { return !setup.CanUse(place, name) })
		}
		if len(o.Clients) == 0 {
			return o, fault.Unusable(setup.ErrNoClient, "name one: "+strings.Join(setup.ClientNames(), ", "))
		}
	}
	if place.Project != "" && !o.NoGuide && !opts.remove {
		o.Scopes = topScopes(ctx, opts.Globals)
	}
	return o, nil
}

// leadsTo reports whether the PATH finds this very program as `engram`.
func leadsTo(binary string) bool {
	found, err := lookPath("engram")
	if err != nil {
		return false
	}
	a, errA := os.Stat(found)
	b, errB := os.Stat(binary)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// topScopes are the topics in use; none if no memory can be read.
func topScopes(ctx context.Context, g *app.Globals) []setup.Scope {
	result, err := app.Ask(ctx, g.Open, func(m *memory.Memory, _ config.Settings) (memory.ListResult, error) {
		return m.List(ctx, memory.ListInput{})
	})
	if err != nil {
		return nil
	}
	scopes := make([]string, len(result.Facts))
	for i, f := range result.Facts {
		scopes[i] = f.Scope
	}
	return setup.TopScopes(scopes)
}

// setupError adds exit codes and hints to errors of package setup.
func setupError(err error) error {
	var file *setup.FileError
	switch {
	case errors.Is(err, setup.ErrMarkers):
		return fault.Unusable(err, "leave one line "+setup.BeginMarker+" and one line "+setup.EndMarker+" below it, or neither; --no-agents-md leaves the file alone")
	case errors.As(err, &file):
		return fault.Unusable(err, "nothing was written; fix the file, or add the lines that `engram setup CLIENT --print` prints by hand")
	case errors.Is(err, setup.ErrNoProject):
		return fault.Unusable(err, "run engram inside a git repository, or make one with `git init`")
	}
	return err
}
