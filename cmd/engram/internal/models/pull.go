package models

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/model"
)

type modelPullOptions struct {
	*app.Globals
	name, mirror string
}

func newModelPullCmd(g *app.Globals) *cobra.Command {
	opts := modelPullOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "pull NAME", Short: "Fetch a model", Args: oneModel, PreRunE: g.TextOnly, ValidArgsFunction: completeModels(),
		Long: `Fetch a model of the catalogue from Hugging Face, or from a mirror with the same
paths. Each file must have the size and the SHA-256 that this engram was built
with. An interrupted download continues; existing files are checked.

Proxies are taken from HTTPS_PROXY and NO_PROXY.

In a pipe it prints, tab-separated: name, folder.`,
		Example: "  engram model pull potion-base-8m\n  engram model pull potion-base-8m --mirror https://hf.example.com",
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.name = args[0]
			return runModelPull(cmd.Context(), opts, g.Out)
		},
	}
	cmd.Flags().StringVar(&opts.mirror, "mirror", "", "fetch from `URL` (default: "+model.DefaultBase+")")
	return cmd
}

func runModelPull(ctx context.Context, opts modelPullOptions, out *term.Streams) error {
	cache, err := model.NewCache(opts.Getenv)
	if err != nil {
		return err
	}
	cache.Base = opts.mirror
	dir, err := cache.Path(opts.name)
	if err != nil {
		return app.ModelError(err)
	}
	err = cache.Pull(ctx, opts.name, func(file string, done, total int64) {
		out.Progress.Update("fetching "+file+", KiB:", int(done>>10), int(total>>10))
	})
	if errors.Is(err, model.ErrDamaged) {
		return fault.Usage(err.Error(), "pull again; if it stays so, what is served there is not the model that this engram knows")
	}
	if err != nil {
		return fault.Hinted(err, "without a network, --mirror URL takes another server and `engram model use DIR` a folder with the files")
	}
	out.Progress.Clear()
	if out.Terminal {
		out.Printf("%s is in %s\n", opts.name, term.Plain(dir))
	} else {
		out.Row(opts.name, dir)
	}
	switch s, err := opts.Settings(); {
	case err != nil || uses(s, opts.name):
	case judgesPairs(dir):
		out.Message("hint: detect.nli: %s in %s turns it on", opts.name, config.FileName)
	default:
		out.Message("hint: `engram model use %s` turns it on", opts.name)
	}
	return nil
}
