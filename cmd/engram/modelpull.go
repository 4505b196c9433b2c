package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"engram/model"
)

type modelPullOptions struct {
	*globals
	name, mirror string
}

func newModelPullCmd(g *globals) *cobra.Command {
	opts := modelPullOptions{globals: g}
	cmd := &cobra.Command{
		Use: "pull NAME", Short: "Fetch a model", Args: oneModel, ValidArgsFunction: completeModels(),
		Long: `Fetch a model of the catalogue from Hugging Face, or from a mirror with the same
paths. Each file must have the size and the SHA-256 that this engram was built
with. What was interrupted continues; what is there already is checked.

Proxies are taken from HTTPS_PROXY and NO_PROXY.

In a pipe it prints, tab-separated: name, folder.`,
		Example: "  engram model pull potion-base-8m\n  engram model pull potion-base-8m --mirror https://hf.example.com",
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.name = args[0]
			return runModelPull(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().StringVar(&opts.mirror, "mirror", "", "fetch from `URL` (default: "+model.DefaultBase+")")
	completeWith(cmd, "mirror", cobra.NoFileCompletions)
	return cmd
}

func runModelPull(ctx context.Context, opts modelPullOptions, io *streams) error {
	if err := opts.textOnly("model pull"); err != nil {
		return err
	}
	cache, err := model.NewCache(opts.getenv)
	if err != nil {
		return err
	}
	cache.Base = opts.mirror
	dir, err := cache.Path(opts.name)
	if err != nil {
		return modelError(err)
	}
	err = cache.Pull(ctx, opts.name, func(file string, done, total int64) {
		io.progress.update("fetching "+file+", KiB:", int(done>>10), int(total>>10))
	})
	if errors.Is(err, model.ErrDamaged) {
		return usage(err.Error(), "pull again; if it stays so, what is served there is not the model that this engram knows")
	}
	if err != nil {
		return hinted(err, "without a network, --mirror URL takes another server and `engram model use DIR` a folder with the files")
	}
	io.progress.clear()
	if io.terminal {
		io.printf("%s is in %s\n", opts.name, plain(dir))
	} else {
		io.row(opts.name, dir)
	}
	switch s, err := opts.settings(); {
	case err != nil || s.uses(opts.name):
	case judgesPairs(dir):
		io.message("hint: detect.nli: %s in %s turns it on", opts.name, configName)
	default:
		io.message("hint: `engram model use %s` turns it on", opts.name)
	}
	return nil
}
