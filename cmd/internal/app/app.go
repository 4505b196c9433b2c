// Package app is what every command shares: the global options, opening the memory
// and the models as configured, reading arguments, and completing them in a shell.
package app

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
	"engram/secret"
)

// App is what the commands of a program are wired to.
type App struct {
	Out        *term.Streams
	Getenv     func(string) string
	Executable func() (string, error)
	Now        func() time.Time
	NewID      func(time.Time) string // nil: random
	Scanner    *secret.Scanner
	AgentTime  time.Duration // of hooks of agents; 0: hooks.AgentTime
	// evidenceTime is memory.Options.EvidenceTime.
	EvidenceTime time.Duration
}

// System returns what the process has: its streams, environment and clock.
func System() *App {
	log.SetOutput(io.Discard) // the index library's own messages
	return &App{
		Out: term.SystemStreams(time.Now), Getenv: os.Getenv, Executable: os.Executable, Now: time.Now, Scanner: secret.New(),
	}
}

// Globals are the options that every command has, and what they open.
type Globals struct {
	*App
	Repo    string
	Branch  string
	JSON    bool
	noColor bool
	Verbose bool

	started    bool   // cobra found no fault with the command line
	stdinTaken string // the input that standard input was read for
}

// NewGlobals gives the root command of a program the options that every command
// has, and makes its errors and output those of a.
func NewGlobals(a *App, root *cobra.Command) *Globals {
	g := &Globals{App: a}
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.PersistentPreRun = func(*cobra.Command, []string) {
		g.started = true
		g.Out.Color = g.Out.Color && term.Paint(!g.noColor)
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fault.Usage(FlagError(err), "`"+cmd.CommandPath()+" --help` shows its options")
	})
	root.SetIn(a.Out.In)
	root.SetOut(a.Out.Data)
	root.SetErr(a.Out.Err)
	flags := root.PersistentFlags()
	flags.StringVar(&g.Repo, "repo", "", "work in the repository that `DIR` is in (ENGRAM_REPO; default: here)")
	flags.StringVar(&g.Branch, "memory", "", "name of the memory `BRANCH` (ENGRAM_BRANCH; default: engram)")
	flags.BoolVar(&g.JSON, "json", false, "print one JSON object; errors are one on standard error")
	flags.BoolVar(&g.noColor, "no-color", false, "no colours on a terminal (NO_COLOR)")
	flags.BoolVarP(&g.Verbose, "verbose", "v", false, "say on standard error what happens")
	return g
}

// Execute carries out one command line and returns its exit status.
func (g *Globals) Execute(root *cobra.Command, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once

	root.SetArgs(args)
	g.Out.Hide = g.hider(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !g.started {
		err = fault.UsageOf(err, root.Name()) // cobra found fault with the command line itself
	}
	if flushErr := g.Out.Flush(); err == nil {
		err = flushErr
	}
	return fault.Report(ctx, g.Out, err, g.JSON || wantsJSON(args))
}

// hider removes the secrets of a command line from what is said about it.
func (g *Globals) hider(args []string) func(string) string {
	said := append([]string{strings.Join(args, " ")}, args...)
	return func(text string) string { return g.Hide(text, said...) }
}

// Hide removes from a message the secrets that it repeats of what was said.
func (g *Globals) Hide(message string, said ...string) string {
	return memory.HideSecrets(g.Scanner, message, said...)
}

// wantsJSON finds --json on a command line that was refused before its flags
// were read.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		switch arg {
		case "--json", "--json=true":
			return true
		case "--":
			return false
		}
	}
	return false
}

// TextOnly is the PreRunE of commands that print no data: it rejects --json.
func (g *Globals) TextOnly(cmd *cobra.Command, _ []string) error {
	if g.JSON {
		return fault.Usage(commandName(cmd)+" prints no data, so --json means nothing", "omit --json")
	}
	return nil
}
