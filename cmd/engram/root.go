package main

import (
	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/agents"
	"engram/cmd/engram/internal/begin"
	"engram/cmd/engram/internal/conflicts"
	"engram/cmd/engram/internal/messages"
	"engram/cmd/engram/internal/models"
	"engram/cmd/engram/internal/read"
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
	root, g := newRootCmd(a)
	return g.Execute(root, args)
}

// newRootCmd makes the whole tree of commands.
func newRootCmd(a *app.App) (*cobra.Command, *app.Globals) {
	root := &cobra.Command{
		Use: "engram", Short: "The shared memory of a team and its coding agents, kept in git",
		Long: rootLong, Example: rootExample,
	}
	g := app.NewGlobals(a, root)
	addCommands(root, g)
	return root, g
}

func addCommands(root *cobra.Command, g *app.Globals) {
	groups := []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Begin", []*cobra.Command{begin.NewInitCmd(g), begin.NewInviteCmd(g), begin.NewJoinCmd(g), begin.NewDemoCmd(g)}},
		{"Tell", []*cobra.Command{write.NewCommitCmd(g), write.NewPromoteCmd(g), write.NewRetireCmd(g), write.NewImportCmd(g)}},
		{"Ask", []*cobra.Command{read.NewQueryCmd(g), read.NewGetCmd(g), read.NewDerefCmd(g), read.NewListCmd(g), read.NewLogCmd(g), read.NewExportCmd(g), read.NewWhyCmd(g)}},
		{"Share", []*cobra.Command{share.NewSyncCmd(g), share.NewHooksCmd(g), share.NewSourceCmd(g), share.NewPublishCmd(g), share.NewMergeFileCmd(g)}},
		{"Agents", []*cobra.Command{agents.NewSetupCmd(g), agents.NewMCPCmd(g), agents.NewServeCmd(g), agents.NewHookCmd(g), agents.NewBriefCmd(g), messages.NewBusCmd(g)}},
		{"Agree", []*cobra.Command{team.NewReviewCmd(g), conflicts.NewConflictsCmd(g), conflicts.NewResolveCmd(g), conflicts.NewAuditCmd(g), conflicts.NewCheckCmd(g), conflicts.NewDetectCmd(g), team.NewPolicyCmd(g)}},
		{"Look after", []*cobra.Command{upkeep.NewStatusCmd(g), upkeep.NewVerifyCmd(g), upkeep.NewWatchCmd(g), models.NewModelCmd(g), upkeep.NewLintCmd(g), upkeep.NewDoctorCmd(g), upkeep.NewPurgeCmd(g)}},
	}
	for _, group := range groups {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(upkeep.NewVersionCmd(g), upkeep.NewCompletionCmd(g))
	root.AddCommand(topics.Commands()...)
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" {
			cmd.Example = "  engram help commit\n  engram help exit-codes"
		}
	}
}
