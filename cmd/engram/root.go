package main

import (
	"slices"

	"github.com/spf13/cobra"
)

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

const rootLong = `engram keeps what a team and its coding agents know about a code base on a
branch of its git repository: one small file a fact, with every earlier version
in git's history.

It never touches your work tree, index, HEAD, stash or other branches.`

const rootExample = `  engram init
  engram commit "Sessions live 30 minutes, sliding." --scope auth/session
  engram query how long does a session live
  engram demo`

// newRootCmd makes the whole tree of commands, or for a command line that begins
// with the name of a command only that one: making all of them takes as long as a
// short command does.
func newRootCmd(a *app, args ...string) (*cobra.Command, *globals) {
	g := &globals{app: a}
	root := &cobra.Command{
		Use: "engram", Short: "The shared memory of a team and its coding agents, kept in git",
		Long: rootLong, Example: rootExample,
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRun: func(*cobra.Command, []string) {
			g.started = true
			g.io.color = g.io.color && paint(!g.noColor)
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageError{err.Error(), "`" + cmd.CommandPath() + " --help` shows its options"}
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
	addCommands(root, g, args)
	return root, g
}

// group is the commands under one title of the help.
type group struct {
	title    string
	commands []command
}

type command struct {
	name string
	make func(*globals) *cobra.Command
}

func commandGroups() []group {
	return []group{
		{"Begin", []command{{"init", newInitCmd}, {"invite", newInviteCmd}, {"join", newJoinCmd}, {"demo", newDemoCmd}}},
		{"Tell", []command{{"commit", newCommitCmd}, {"promote", newPromoteCmd}, {"retire", newRetireCmd}, {"import", newImportCmd}}},
		{"Ask", []command{{"query", newQueryCmd}, {"get", newGetCmd}, {"deref", newDerefCmd}, {"list", newListCmd}, {"log", newLogCmd}, {"export", newExportCmd}, {"why", newWhyCmd}}},
		{"Share", []command{{"sync", newSyncCmd}, {"hooks", newHooksCmd}, {"source", newSourceCmd}, {"publish", newPublishCmd}, {"merge-file", newMergeFileCmd}}},
		{"Agents", []command{{"setup", newSetupCmd}, {"mcp", newMCPCmd}, {"serve", newServeCmd}, {"hook", newHookCmd}, {"brief", newBriefCmd}, {"bus", newBusCmd}}},
		{"Agree", []command{{"review", newReviewCmd}, {"conflicts", newConflictsCmd}, {"resolve", newResolveCmd}, {"audit", newAuditCmd}, {"check", newCheckCmd}, {"detect", newDetectCmd}, {"policy", newPolicyCmd}}},
		{"Look after", []command{{"status", newStatusCmd}, {"verify", newVerifyCmd}, {"watch", newWatchCmd}, {"model", newModelCmd}, {"lint", newLintCmd}, {"doctor", newDoctorCmd}, {"purge", newPurgeCmd}, {"eval", newEvalCmd}}},
		{"", []command{{"version", newVersionCmd}}},
	}
}

func addCommands(root *cobra.Command, g *globals, args []string) {
	groups := commandGroups()
	only := slices.ContainsFunc(groups, func(gr group) bool { return gr.has(args) })
	for _, group := range groups {
		if group.title != "" {
			root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		}
		for _, c := range group.commands {
			if !only || c.name == args[0] {
				cmd := c.make(g)
				cmd.GroupID = group.title
				root.AddCommand(cmd)
			}
		}
	}
	if only {
		return
	}
	root.AddCommand(newCompletionCmd(g))
	root.AddCommand(newTopics()...)
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" {
			cmd.Example = "  engram help commit\n  engram help exit-codes"
		}
	}
}

// has reports whether args begin with the name of one of the group's commands.
func (gr group) has(args []string) bool {
	return len(args) > 0 && slices.ContainsFunc(gr.commands, func(c command) bool { return c.name == args[0] })
}

// directory is where the repository is looked for.
func (g *globals) directory() string {
	return firstOf(g.repo, g.getenv("ENGRAM_REPO"), ".")
}

// textOnly refuses --json where there is no data to print.
func (g *globals) textOnly(command string) error {
	if g.json {
		return &usageError{command + " prints no data, so --json means nothing", "leave --json away"}
	}
	return nil
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
