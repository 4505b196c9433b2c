package main

import "github.com/spf13/cobra"

const rootLong = `engram keeps what a team and its coding agents know about a code base on a
branch of its git repository: one small file a fact, with every earlier version
in git's history.

It never touches your work tree, index, HEAD, stash or other branches.`

const rootExample = `  engram init
  engram commit "Sessions live 30 minutes, sliding." --scope auth/session
  engram query how long does a session live
  engram demo`

// run carries out one command line and returns its exit status.
func run(args []string, a *app) int {
	root, g := newRootCmd(a)
	return g.execute(root, args)
}

// newRootCmd makes the whole tree of commands.
func newRootCmd(a *app) (*cobra.Command, *globals) {
	root := &cobra.Command{
		Use: "engram", Short: "The shared memory of a team and its coding agents, kept in git",
		Long: rootLong, Example: rootExample,
	}
	g := newGlobals(a, root)
	addCommands(root, g)
	return root, g
}

func addCommands(root *cobra.Command, g *globals) {
	groups := []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Begin", []*cobra.Command{newInitCmd(g), newInviteCmd(g), newJoinCmd(g), newDemoCmd(g)}},
		{"Tell", []*cobra.Command{newCommitCmd(g), newPromoteCmd(g), newRetireCmd(g), newImportCmd(g)}},
		{"Ask", []*cobra.Command{newQueryCmd(g), newGetCmd(g), newDerefCmd(g), newListCmd(g), newLogCmd(g), newExportCmd(g), newWhyCmd(g)}},
		{"Share", []*cobra.Command{newSyncCmd(g), newHooksCmd(g), newSourceCmd(g), newPublishCmd(g), newMergeFileCmd(g)}},
		{"Agents", []*cobra.Command{newSetupCmd(g), newMCPCmd(g), newServeCmd(g), newHookCmd(g), newBriefCmd(g), newBusCmd(g)}},
		{"Agree", []*cobra.Command{newReviewCmd(g), newConflictsCmd(g), newResolveCmd(g), newAuditCmd(g), newCheckCmd(g), newDetectCmd(g), newPolicyCmd(g)}},
		{"Look after", []*cobra.Command{newStatusCmd(g), newVerifyCmd(g), newWatchCmd(g), newModelCmd(g), newLintCmd(g), newDoctorCmd(g), newPurgeCmd(g)}},
	}
	for _, group := range groups {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title + ":"})
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.AddCommand(newVersionCmd(g), newCompletionCmd(g))
	root.AddCommand(newTopics()...)
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" {
			cmd.Example = "  engram help commit\n  engram help exit-codes"
		}
	}
}
