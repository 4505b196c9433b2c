// Command engram is the shared memory of a team and its coding agents, kept on
// a branch of the git repository it is about.
//
// This package only wires: its commands are packages under internal, one file a
// command, and what commands share is in cmd/internal. What the commands do is
// package memory's.
package main

import (
	"os"

	"engram/cmd/internal/app"
)

func main() { os.Exit(run(os.Args[1:], app.System())) }
