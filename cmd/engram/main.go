// Command engram is the shared memory of a team and its coding agents, kept on
// a branch of the git repository it is about.
//
// This package reads flags and configuration, wires the memory, prints answers
// and maps errors to exit codes. What the commands do is package memory's.
package main

import (
	"io"
	"log"
	"os"
	"time"

	"engram/secret"
)

func main() {
	log.SetOutput(io.Discard) // the index library's own messages; engram says what matters
	os.Exit(run(os.Args[1:], &app{
		io:         systemStreams(time.Now),
		getenv:     os.Getenv,
		executable: os.Executable,
		now:        time.Now,
		scanner:    secret.New(),
	}))
}
