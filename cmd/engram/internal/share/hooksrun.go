package share

import (
	"cmp"
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/hooks"
	"engram/memory"
)

const hooksRunLong = `Run a hook's work. The hooks that "engram hooks install" writes call this
command with the arguments that git passes; you do not need to.

Exit code 4 stops the current commit; git ignores every other code.`

func newHooksRunCmd(g *app.Globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "run HOOK [ARG…]", Short: "Run a hook's work", Long: hooksRunLong,
		Example: "  engram hooks run post-merge 0",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fault.Missing("hooks run", "the name of the hook")
			}
			return nil
		},
		ValidArgs: hooks.Names(),
		RunE:      func(cmd *cobra.Command, args []string) error { return runHook(cmd.Context(), g, args[0], args[1:]) },
	}
	cmd.Flags().SetInterspersed(false) // what git hands over is no option
	return cmd
}

// commitAsCommitter makes what engram commits in a hook the work of whoever runs git:
// git's GIT_AUTHOR_* and dates are those of the commit that the hook runs for.
func commitAsCommitter() {
	for _, part := range []string{"NAME", "EMAIL"} {
		if value, set := os.LookupEnv("GIT_COMMITTER_" + part); set {
			_ = os.Setenv("GIT_AUTHOR_"+part, value)
		} else {
			_ = os.Unsetenv("GIT_AUTHOR_" + part)
		}
	}
	_, _ = os.Unsetenv("GIT_AUTHOR_DATE"), os.Unsetenv("GIT_COMMITTER_DATE")
}

// runHook fails open: a problem prints one line and does not change the exit status.
func runHook(ctx context.Context, g *app.Globals, name string, args []string) error {
	if !hooks.IsHook(name) || g.Getenv(hooks.Inside) != "" {
		return nil
	}
	place, err := hooks.Locate(".", g.Getenv)
	if err != nil {
		return nil
	}
	commitAsCommitter()
	// The repository is the one that git says, whatever the user's ENGRAM_REPO is.
	g.Repo = place.Open
	s, err := g.Settings()
	if err != nil {
		g.Out.Message("engram: %s was skipped: %s", name, err.Error())
		return nil
	}
	exit := hooks.Run(ctx, hooks.RunOptions{
		Name: name, Args: args, Place: place, Branch: cmp.Or(s.Branch, memory.DefaultBranch),
		Stdin: g.Out.In, Stderr: g.Out.Err, Getenv: g.Getenv, Now: time.Now,
		Timeout: s.Hooks.Timeout, Push: s.Hooks.Push,
		Capture: s.Sessions.Capture, Scanner: g.Scanner,
		Open: func(ctx context.Context) (hooks.Memory, func(), error) {
			m, done, err := g.OpenForHook(ctx, s)
			return m, done, err
		},
	})
	if exit == hooks.Refused {
		return fault.ErrRefused
	}
	return nil
}
