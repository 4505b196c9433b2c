package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"engram/secret"
)

// app is what the commands of a program are wired to.
type app struct {
	io         *streams
	getenv     func(string) string
	executable func() (string, error)
	now        func() time.Time
	newID      func(time.Time) string // nil: random
	scanner    *secret.Scanner
	agentTime  time.Duration // of hooks of agents; 0: hooks.AgentTime
	// evidenceTime is memory.Options.EvidenceTime.
	evidenceTime time.Duration
}

// globals are the options that every command has, and what they open.
type globals struct {
	*app
	repo    string
	branch  string
	json    bool
	noColor bool
	verbose bool

	started    bool   // cobra found no fault with the command line
	stdinTaken string // the input that standard input was read for
}

// newGlobals gives the root command of a program the options that every command
// has, and makes its errors and output those of a.
func newGlobals(a *app, root *cobra.Command) *globals {
	g := &globals{app: a}
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.PersistentPreRun = func(*cobra.Command, []string) {
		g.started = true
		g.io.color = g.io.color && paint(!g.noColor)
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(err.Error(), "`"+cmd.CommandPath()+" --help` shows its options")
	})
	root.SetIn(a.io.in)
	root.SetOut(a.io.out)
	root.SetErr(a.io.err)
	flags := root.PersistentFlags()
	flags.StringVar(&g.repo, "repo", "", "work in the repository that `DIR` is in (ENGRAM_REPO; default: here)")
	flags.StringVar(&g.branch, "memory", "", "name of the memory `BRANCH` (ENGRAM_BRANCH; default: engram)")
	flags.BoolVar(&g.json, "json", false, "print one JSON object; errors are one on standard error")
	flags.BoolVar(&g.noColor, "no-color", false, "no colours on a terminal (NO_COLOR)")
	flags.BoolVarP(&g.verbose, "verbose", "v", false, "say on standard error what happens")
	return g
}

// execute carries out one command line and returns its exit status.
func (g *globals) execute(root *cobra.Command, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once

	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !g.started {
		err = usageOf(err, root.Name()) // cobra found fault with the command line itself
	}
	if flushErr := g.io.flush(); err == nil {
		err = flushErr
	}
	return g.io.report(ctx, err, g.json || wantsJSON(args))
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

// textOnly refuses --json where there is no data to print.
func (g *globals) textOnly(command string) error {
	if g.json {
		return usage(command+" prints no data, so --json means nothing", "leave --json away")
	}
	return nil
}
