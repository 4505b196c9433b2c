package main

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"engram/model"
)

type modelRmOptions struct {
	*globals
	name string
	yes  bool
}

func newModelRmCmd(g *globals) *cobra.Command {
	opts := modelRmOptions{globals: g}
	cmd := &cobra.Command{
		Use: "rm NAME", Short: "Remove a fetched model", Args: oneModel, ValidArgsFunction: completeModels(),
		Long: `Remove a model from the cache. Without --yes it only says what would go. The
setting stays as it is, and so do the vectors in the index.`,
		Example: "  engram model rm potion-base-8m\n  engram model rm potion-base-8m --yes",
		RunE: func(_ *cobra.Command, args []string) error {
			opts.name = args[0]
			return runModelRm(opts, g.io)
		},
	}
	cmd.Flags().BoolVar(&opts.yes, "yes", false, "remove it")
	return cmd
}

func runModelRm(opts modelRmOptions, io *streams) error {
	if err := opts.textOnly("model rm"); err != nil {
		return err
	}
	cache, err := model.NewCache(opts.getenv)
	if err != nil {
		return err
	}
	items := cache.List()
	i := slices.IndexFunc(items, func(m model.Item) bool { return m.Name == opts.name })
	if i < 0 {
		return modelError(&model.UnknownError{Value: opts.name})
	}
	removed := items[i].Fetched > 0
	if opts.yes {
		if removed, err = cache.Remove(opts.name); err != nil {
			return err
		}
	}
	where := filepath.Join(cache.Dir, opts.name)
	switch {
	case !removed:
		io.message("%s is not fetched", opts.name)
		return nil
	case !opts.yes:
		io.message("would remove %s (%s)\nhint: with --yes it is removed", where, size(items[i].Fetched))
		return nil
	}
	io.message("removed %s (%s)", where, size(items[i].Fetched))
	switch s, err := opts.settings(); {
	case err != nil || !s.uses(opts.name):
	case s.model == opts.name:
		io.message("warning: it is the model in use\nhint: `engram model use off` turns it off, `engram model pull %s` fetches it again", opts.name)
	default:
		io.message("warning: detect.nli names it\nhint: `engram model pull %s` fetches it again", opts.name)
	}
	return nil
}
