package main

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"engram/memory"
	"engram/model"
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
	flags.StringVar(&g.branch, "branch", "", "name of the memory `BRANCH` (ENGRAM_BRANCH; default: engram)")
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
		{"Begin", []*cobra.Command{newInitCmd(g), newDemoCmd(g)}},
		{"Tell", []*cobra.Command{newCommitCmd(g), newPromoteCmd(g), newRetireCmd(g), newImportCmd(g)}},
		{"Ask", []*cobra.Command{newQueryCmd(g), newGetCmd(g), newListCmd(g), newLogCmd(g), newExportCmd(g)}},
		{"Look after", []*cobra.Command{newStatusCmd(g), newWatchCmd(g), newModelCmd(g), newLintCmd(g), newDoctorCmd(g), newEvalCmd(g)}},
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

// open opens the memory, by what flags, environment and configuration say.
// The caller closes it.
func (g *globals) open(ctx context.Context) (*memory.Memory, settings, error) {
	m, s, err := g.openWith(ctx, &memory.Options{})
	return m, s, err
}

// openWithModel is open for commands that look for meaning. The caller calls
// done instead of closing the memory.
func (g *globals) openWithModel(ctx context.Context) (m *memory.Memory, s settings, done func(), err error) {
	if s, err = g.settings(); err != nil {
		return nil, s, nil, err
	}
	options := &memory.Options{}
	embedder, err := g.embedder(s)
	if err != nil {
		options.EmbedderProblem = err.Error()
	} else if embedder != nil {
		options.Embedder = embedder
	}
	m, s, err = g.openWith(ctx, options)
	done = func() {
		if m != nil {
			_ = m.Close()
		}
		if embedder != nil {
			_ = embedder.Close()
		}
	}
	if err != nil {
		done()
	}
	return m, s, done, err
}

// embedder opens the model that is configured; nil where none is.
func (g *globals) embedder(s settings) (model.Embedder, error) {
	cache, err := model.NewCache(g.getenv)
	if err != nil {
		return nil, err
	}
	dir, err := model.Resolve(cache, s.model)
	if err != nil || dir == "" {
		return nil, err
	}
	return model.OpenEmbedderFor(dir)
}

func (g *globals) openWith(ctx context.Context, options *memory.Options) (*memory.Memory, settings, error) {
	s, err := g.settings()
	if err != nil {
		return nil, s, err
	}
	logger, began := g.logger(), g.now()
	options.Branch, options.Now, options.NewID = s.branch, g.now, g.newID
	options.Progress, options.Logger, options.Weights = g.io.progress.update, logger, &s.weights
	m, err := memory.Open(ctx, g.directory(), g.scanner, options)
	logger.Debug("open", "directory", g.directory(), "branch", s.branch, "took", g.now().Sub(began), "error", err)
	return m, s, err
}

// openToWrite is open for commands that write texts: the rules against secrets
// load while git starts.
func (g *globals) openToWrite(ctx context.Context) (*memory.Memory, settings, error) {
	g.scanner.Warm()
	return g.open(ctx)
}

func (g *globals) logger() *slog.Logger {
	if !g.verbose {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(clearingWriter{g.io}, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// clearingWriter writes to standard error around the line of progress.
type clearingWriter struct{ io *streams }

func (w clearingWriter) Write(p []byte) (int, error) {
	w.io.progress.clear()
	return w.io.err.Write(p)
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
