package models

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/model"
)

type modelRmOptions struct {
	*app.Globals
	yes bool
}

func newModelRmCmd(g *app.Globals) *cobra.Command {
	opts := modelRmOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "rm NAME", Short: "Remove a fetched model", Args: oneModel, PreRunE: g.TextOnly, ValidArgsFunction: completeModels(),
		Long: `Remove a model from the cache. Without --yes the command only shows what it
would remove. The setting and the vectors in the index do not change.`,
		Example: "  engram model rm potion-base-8m\n  engram model rm potion-base-8m --yes",
		RunE:    func(_ *cobra.Command, args []string) error { return runModelRm(opts, args[0]) },
	}
	cmd.Flags().BoolVar(&opts.yes, "yes", false, "remove it")
	return cmd
}

func runModelRm(opts modelRmOptions, name string) error {
	out := opts.Out
	cache, err := model.NewCache(opts.Getenv)
	if err != nil {
		return err
	}
	items := cache.List()
	i := slices.IndexFunc(items, func(m model.Item) bool { return m.Name == name })
	if i < 0 {
		return app.ModelError(&model.UnknownError{Value: name})
	}
	removed := items[i].Fetched > 0
	if opts.yes {
		if removed, err = cache.Remove(name); err != nil {
			return err
		}
	}
	where := filepath.Join(cache.Dir, name)
	switch {
	case !removed:
		out.Message("%s is not fetched", name)
		return nil
	case !opts.yes:
		out.Message("would remove %s (%s)\nhint: with --yes it is removed", where, term.Size(items[i].Fetched))
		return nil
	}
	out.Message("removed %s (%s)", where, term.Size(items[i].Fetched))
	switch s, err := opts.Settings(); {
	case err != nil || !uses(s, name):
	case s.Model == name:
		out.Message("warning: it is the model in use\nhint: `engram model use off` turns it off, `engram model pull %s` fetches it again", name)
	default:
		out.Message("warning: detect.nli names it\nhint: `engram model pull %s` fetches it again", name)
	}
	return nil
}
