package models

import (
	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
	"engram/model"
)

func newModelVerifyCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "verify [NAME]", Short: "Check the files of fetched models", ValidArgsFunction: completeModels(),
		Long: `Compare the files of one fetched model, or of all fetched models, with the sizes
and digests of the catalogue.

Exit codes: 0 all files are intact, 1 at least one is not, 2 wrong usage, or the
model is not fetched.

In a pipe it prints, tab-separated: name, file, problem (or empty).`,
		Example: "  engram model verify\n  engram model verify potion-base-8m --json",
		Args:    app.AtMostOne("model", "`engram model verify --help` shows examples"),
		RunE:    func(_ *cobra.Command, args []string) error { return runModelVerify(g, args) },
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
	Problem string `json:"problem"` // "" if there is none
}

func runModelVerify(g *app.Globals, names []string) error {
	cache, err := model.NewCache(g.Getenv)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		for _, m := range cache.List() {
			if m.Fetched > 0 {
				names = append(names, m.Name)
			}
		}
		if len(names) == 0 && !g.JSON {
			g.Out.Message("no model is fetched\nhint: `engram model list` shows what there is")
		}
	}
	verdict := modelVerdict{SchemaVersion: memory.SchemaVersion, Intact: true, Files: []modelFile{}}
	for _, name := range names {
		checks, err := cache.Verify(name)
		if err != nil {
			return app.ModelError(err)
		}
		for _, c := range checks {
			verdict.Intact = verdict.Intact && c.Problem == ""
			verdict.Files = append(verdict.Files, modelFile{name, c.Path, c.Problem})
		}
	}
	return fault.NoIf(!verdict.Intact, term.Print(g.Out, g.JSON, verdict, printVerdict))
}

func printVerdict(out *term.Streams, v modelVerdict) {
	for _, f := range v.Files {
		switch {
		case !out.Terminal:
			out.Row(f.Name, f.Path, f.Problem)
		case f.Problem == "":
			out.Printf("%s  %s\n", out.Color.Green("intact"), term.Plain(f.Name+"/"+f.Path))
		default:
			out.Printf("%s  %s\n", out.Color.Red("damaged"), term.Plain(f.Name+"/"+f.Path+": "+f.Problem))
		}
	}
	if !v.Intact {
		out.Message("hint: `engram model pull NAME` fetches a damaged model again")
	}
}
