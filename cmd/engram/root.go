package main

import "github.com/spf13/cobra"

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

// newRootCmd makes the whole tree of commands.
func newRootCmd(a *app) (*cobra.Command, *globals) {
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
		{"Look after", []*cobra.Command{newStatusCmd(g), newVerifyCmd(g), newWatchCmd(g), newModelCmd(g), newLintCmd(g), newDoctorCmd(g), newPurgeCmd(g), newEvalCmd(g)}},
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
