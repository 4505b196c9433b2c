package main

import (
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
)

// TestEveryCommandHasHelp asks of every command what man pages have.
func TestEveryCommandHasHelp(t *testing.T) {
	root, _ := newRootCmd(&app.App{Out: term.SystemStreams(nil), Getenv: os.Getenv})
	want := []string{"init", "setup", "demo", "commit", "promote", "retire", "undo", "import", "query", "get", "deref", "list", "log", "export", "conflicts", "resolve", "judge", "audit", "check", "detect", "policy", "status", "watch", "hooks", "hook", "model", "lint", "doctor", "purge", "version", "completion", "source", "publish", "sync", "merge-file", "serve", "mcp", "brief", "bus", "verify", "why", "session", "recall", "task"}
	seen := map[string]bool{}
	for _, cmd := range root.Commands() {
		seen[cmd.Name()] = true
		if cmd.IsAdditionalHelpTopicCommand() {
			continue
		}
		if cmd.Short == "" || cmd.Long == "" {
			t.Errorf("%s says too little about itself", cmd.Name())
		}
		if !strings.Contains(cmd.Example, "engram "+cmd.Name()) && !strings.Contains(cmd.Example, "| engram "+cmd.Name()) {
			t.Errorf("%s has no example", cmd.Name())
		}
		help := runHere("", cmd.Name(), "--help")
		if help.status != 0 || !strings.Contains(help.stdout, "Examples:") || help.stderr != "" {
			t.Errorf("engram %s --help: %+v", cmd.Name(), help)
		}
	}
	for _, name := range want {
		if !seen[name] {
			t.Errorf("there is no command %s", name)
		}
	}
}

// TestHelpFitsATerminal keeps every text that a person wrote in 80 columns.
func TestHelpFitsATerminal(t *testing.T) {
	root, _ := newRootCmd(&app.App{Out: term.SystemStreams(nil), Getenv: os.Getenv})
	check := func(cmd *cobra.Command) {
		for line := range strings.SplitSeq(cmd.Long+"\n"+cmd.Example, "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("%s: too wide: %s", cmd.Name(), line)
			}
		}
	}
	check(root)
	for _, cmd := range root.Commands() {
		check(cmd)
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
}
