package mcp_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"engram/internal/hint"
	"engram/mcp"
)

// toolOf is the tool that does what a command does, if it is not called by the command's
// first two words.
var toolOf = map[string]string{
	"engram list": "engram_query", "engram log KEY": "engram_get", "engram deref": "less_deref_pointer", "engram invite": "engram_init",
	"engram conflicts --undecided": "engram_status",
	"engram session list":          "engram_session", "engram session show KEY": "engram_session", "engram why KEY": "engram_session",
	"engram bus grant": "less_issue_grant", "engram bus validate": "less_submit_message",
	"engram bus task KEY --to %s \"%s\"": "engram_delegate", "engram bus result KEY \"%s\"": "engram_report",
}

// TestHintsNameTools: for each action that a tool of the server does, a hint names the tool
// and no command; for each other one, it says that the command needs a shell.
func TestHintsNameTools(t *testing.T) {
	dir := newMemory(t)
	for _, profiles := range [][]string{nil, {"team"}, {"bus"}, {"compat"}, {"team", "bus", "compat"}} {
		server, err := mcp.New(opener(dir), &mcp.Options{Version: "v0", Profiles: profiles})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = server.Close() })
		var names []string
		for _, tool := range overPipes(t, server).tools() {
			names = append(names, tool.Name)
		}
		for _, action := range actions(t) {
			command := strings.Replace(string(action), "%s", "KEY", 1)
			tool := toolOf[command]
			if words := strings.Fields(command); tool == "" {
				tool = words[0] + "_" + strings.Join(words[1:], " ")
				tool, _, _ = strings.Cut(tool, " --")
			}
			said := hint.New("%s", hint.Do(action, "KEY", "KEY", "KEY")).In(server.HintWords())
			if has := slices.Contains(names, tool); has != strings.Contains(said, tool) || has == strings.Contains(said, "(in a shell)") {
				t.Errorf("profiles %v: %s is %q", profiles, command, said)
			}
		}
	}
}

// actions reads all actions from the source of package hint.
func actions(t *testing.T) (all []hint.Action) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "internal", "hint", "action.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, constant := range regexp.MustCompile("Action = [\"`](.*)[\"`]").FindAllStringSubmatch(string(source), -1) {
		all = append(all, hint.Action(constant[1]))
	}
	if len(all) < 30 {
		t.Fatalf("only %d actions were found", len(all))
	}
	return all
}
