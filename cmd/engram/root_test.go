package main

import (
	"testing"

	"engram/cmd/internal/app"
)

// TestCommandsHaveTheirNames: a command line is matched with these names before the
// command is made.
func TestCommandsHaveTheirNames(t *testing.T) {
	_, g := newRootCmd(app.System(), "version")
	for _, group := range commandGroups() {
		for _, c := range group.commands {
			if got := c.make(g).Name(); got != c.name {
				t.Errorf("the command %q is listed as %q", got, c.name)
			}
		}
	}
}
