package main

import (
	"github.com/spf13/cobra"

	"engram/memory"
	"engram/model"
)

type modelVerifyOptions struct {
	*globals
	names []string
}

func newModelVerifyCmd(g *globals) *cobra.Command {
	opts := modelVerifyOptions{globals: g}
	return &cobra.Command{
		Use: "verify [NAME]", Short: "Check the files of fetched models", ValidArgsFunction: completeModels(),
		Long: `Compare the files of a fetched model, or of all that are there, with the sizes
and digests of the catalogue.

Exit codes: 0 all are intact, 1 at least one file is not, 2 wrong usage, or the
model is not fetched.

In a pipe it prints, tab-separated: name, file, problem (or empty).`,
		Example: "  engram model verify\n  engram model verify potion-base-8m --json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return oneModel(cmd, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			opts.names = args
			return runModelVerify(opts, g.io)
		},
	}
}

// modelVerdict is what verify prints as JSON.
type modelVerdict struct {
	SchemaVersion int         `json:"schema_version"`
	Intact        bool        `json:"intact"`
	Files         []modelFile `json:"files"`
}

type modelFile struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Problem string `json:"problem"` // "" is none
}

func runModelVerify(opts modelVerifyOptions, io *streams) error {
	cache, err := model.NewCache(opts.getenv)
	if err != nil {
		return err
	}
	if len(opts.names) == 0 {
		for _, m := range cache.List() {
			if m.Fetched > 0 {
				opts.names = append(opts.names, m.Name)
			}
		}
		if len(opts.names) == 0 && !opts.json {
			io.message("no model is fetched\nhint: `engram model list` shows what there is")
		}
	}
	verdict := modelVerdict{SchemaVersion: memory.SchemaVersion, Intact: true, Files: []modelFile{}}
	for _, name := range opts.names {
		checks, err := cache.Verify(name)
		if err != nil {
			return modelError(err)
		}
		for _, c := range checks {
			verdict.Intact = verdict.Intact && c.Problem == ""
			verdict.Files = append(verdict.Files, modelFile{name, c.Path, c.Problem})
		}
	}
	if opts.json {
		err = io.json(verdict)
	} else {
		io.modelVerdict(verdict)
	}
	if err == nil && !verdict.Intact {
		err = errAnsweredNo
	}
	return err
}

func (io *streams) modelVerdict(v modelVerdict) {
	for _, f := range v.Files {
		switch {
		case !io.terminal:
			io.row(f.Name, f.Path, f.Problem)
		case f.Problem == "":
			io.printf("%s  %s\n", io.color.green("intact"), plain(f.Name+"/"+f.Path))
		default:
			io.printf("%s  %s\n", io.color.red("damaged"), plain(f.Name+"/"+f.Path+": "+f.Problem))
		}
	}
	if !v.Intact {
		io.message("hint: `engram model pull NAME` fetches what is damaged anew")
	}
}
