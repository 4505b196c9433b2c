package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"engram/secret"
)

// app is what the commands are wired to.
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

// run carries out one command line and returns its exit status.
func run(args []string, a *app) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once

	root, g := newRootCmd(a, args...)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil && !g.started {
		err = usageOf(err) // cobra found fault with the command line itself
	}
	if flushErr := a.io.flush(); err == nil {
		err = flushErr
	}
	return a.io.report(ctx, err, g.json || wantsJSON(args))
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
