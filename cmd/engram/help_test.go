package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"engram/hooks"
	"engram/llm"
	"engram/memory"
)

// TestEveryCommandHasHelp asks of every command what man pages have.
func TestEveryCommandHasHelp(t *testing.T) {
	root, _ := newRootCmd(&app{io: systemStreams(nil), getenv: os.Getenv})
	want := []string{"init", "setup", "demo", "commit", "promote", "retire", "import", "query", "get", "deref", "list", "log", "export", "conflicts", "resolve", "audit", "check", "detect", "policy", "status", "watch", "hooks", "hook", "model", "lint", "doctor", "purge", "eval", "version", "completion", "source", "publish", "sync", "merge-file", "serve", "mcp", "brief", "bus", "verify", "why"}
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
	root, _ := newRootCmd(&app{io: systemStreams(nil), getenv: os.Getenv})
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

// TestExampleConfig keeps the example beside the source equal to the one that
// init writes, and both to what is known.
func TestExampleConfig(t *testing.T) {
	shipped, err := os.ReadFile("../../.engram.example.yml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(exampleConfig), string(shipped)); diff != "" {
		t.Errorf(".engram.example.yml differs from cmd/engram/example.yml:\n%s", diff)
	}
	s, err := parseConfig(shipped)
	if err != nil || s != defaultSettings() {
		t.Errorf("as shipped it sets %+v, %v; it should set nothing", s, err)
	}
	var uncommented strings.Builder
	for line := range strings.Lines(string(shipped)) {
		text := strings.TrimLeft(line, " ")
		if strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "# ") && text != "#\n" {
			line = strings.Replace(line, "#", "", 1)
		}
		uncommented.WriteString(line)
	}
	s, err = parseConfig([]byte(strings.NewReplacer("agent:", "agent: somebody", "trunk:", "trunk: main", "parents:", "parents: director").Replace(uncommented.String())))
	if err != nil {
		t.Fatalf("a documented key is not known: %v", err)
	}
	if want := (settings{branch: "engram", trunk: "main", agent: "somebody", limit: 10, budget: 4000, model: "off", weights: memory.DefaultWeights(),
		detection: detectionSettings{nli: "off", tagger: "off", budget: memory.DefaultNLIBudget}, llm: llmSettings{protocol: llm.OpenAI, timeout: llm.DefaultTimeout}, hooks: hookSettings{timeout: hooks.DefaultTimeout},
		bus: busSettings{limits: memory.DefaultLimits(), parents: "director", turnTime: memory.DefaultTurnTime},
	}); s != want {
		t.Errorf("the documented keys set %+v, want every known one: %+v", s, want)
	}
	for _, known := range knownSettings() {
		if !strings.Contains(configurationTopic, known.env) || !strings.Contains(configurationTopic, known.key) || !strings.Contains(string(shipped), known.env) {
			t.Errorf("%s is not documented", known.key)
		}
	}
}
