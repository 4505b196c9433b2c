package main

import (
	"slices"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/agents"
	"engram/cmd/engram/internal/begin"
	"engram/cmd/engram/internal/browse"
	"engram/cmd/engram/internal/conflicts"
	"engram/cmd/engram/internal/look"
	"engram/cmd/engram/internal/messages"
	"engram/cmd/engram/internal/models"
	"engram/cmd/engram/internal/read"
	"engram/cmd/engram/internal/recall"
	"engram/cmd/engram/internal/sessions"
	"engram/cmd/engram/internal/share"
	"engram/cmd/engram/internal/team"
	"engram/cmd/engram/internal/topics"
	"engram/cmd/engram/internal/upkeep"
	"engram/cmd/engram/internal/write"
	"engram/cmd/internal/app"
)

const rootLong = `engram keeps what a team and its coding agents know about a code base on a
branch of its git repository: one small file a fact, with every earlier version
in git's history.

It never touches your work tree, index, HEAD, stash or other branches.`

const rootExample = `  engram init
  engram commit "Sessions live 30 minutes, sliding." --scope auth/session
  engram query how long does a session live
  engram demo`

// run carries out one command line and returns its exit status.
func run(args []string, a *app.App) int {
	root, g := newRootCmd(a, args...)
	return g.Execute(root, args)
}

// newRootCmd makes the whole tree of commands. If the command line begins with the
// name of a command, it makes only that command: making all of them takes as long as
// a short command does.
func newRootCmd(a *app.App, args ...string) (*cobra.Command, *app.Globals) {
	root := &cobra.Command{
		Use: "engram", Short: "The shared memory of a team and its coding agents, kept in git",
		Long: rootLong, Example: rootExample,
	}
	g := app.NewGlobals(a, root)
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
	make func(*app.Globals) *cobra.Command
}

func commandGroups() []group {
	return []group{
		{"Begin", []command{{"init", begin.NewInitCmd}, {"invite", begin.NewInviteCmd}, {"join", begin.NewJoinCmd}, {"demo", begin.NewDemoCmd}}},
		{"Tell", []command{{"commit", write.NewCommitCmd}, {"promote", write.NewPromoteCmd}, {"retire", write.NewRetireCmd}, {"undo", write.NewUndoCmd}, {"import", write.NewImportCmd}}},
		{"Ask", []command{{"query", read.NewQueryCmd}, {"get", read.NewGetCmd}, {"deref", read.NewDerefCmd}, {"browse", browse.NewBrowseCmd}, {"dashboard", look.NewDashboardCmd}, {"list", read.NewListCmd}, {"log", read.NewLogCmd}, {"export", read.NewExportCmd}, {"why", read.NewWhyCmd}, {"session", sessions.NewSessionCmd}, {"recall", recall.NewRecallCmd}, {"pack", recall.NewPackCmd}, {"task", recall.NewTaskCmd}}},
		{"Share", []command{{"sync", share.NewSyncCmd}, {"hooks", share.NewHooksCmd}, {"source", share.NewSourceCmd}, {"publish", share.NewPublishCmd}, {"merge-file", share.NewMergeFileCmd}}},
		{"Agents", []command{{"setup", agents.NewSetupCmd}, {"mcp", agents.NewMCPCmd}, {"serve", agents.NewServeCmd}, {"hook", agents.NewHookCmd}, {"brief", agents.NewBriefCmd}, {"bus", messages.NewBusCmd}}},
		{"Agree", []command{{"review", team.NewReviewCmd}, {"conflicts", conflicts.NewConflictsCmd}, {"resolve", conflicts.NewResolveCmd}, {"judge", conflicts.NewJudgeCmd}, {"audit", conflicts.NewAuditCmd}, {"check", conflicts.NewCheckCmd}, {"detect", conflicts.NewDetectCmd}, {"policy", team.NewPolicyCmd}}},
		{"Look after", []command{{"status", upkeep.NewStatusCmd}, {"verify", upkeep.NewVerifyCmd}, {"watch", upkeep.NewWatchCmd}, {"model", models.NewModelCmd}, {"lint", upkeep.NewLintCmd}, {"doctor", upkeep.NewDoctorCmd}, {"purge", upkeep.NewPurgeCmd}}},
		{"", []command{{"version", upkeep.NewVersionCmd}}},
	}
}

func addCommands(root *cobra.Command, g *app.Globals, args []string) {
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
				if !only { // a shell may ask for completions; a command that runs needs none
					app.Complete(cmd, g)
				}
				root.AddCommand(cmd)
			}
		}
	}
	if only {
		return
	}
	root.AddCommand(upkeep.NewCompletionCmd(g))
	root.AddCommand(topics.Commands()...)
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
