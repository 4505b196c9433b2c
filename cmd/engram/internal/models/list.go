package models

import (
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/term"
	"engram/memory"
	"engram/model"
)

func newModelListCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the models that engram knows", Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		Long: `List the models that engram knows: which are fetched and which is in use here.

In a pipe it prints, tab-separated: name, state (in use, fetched, partly or
empty), kind, size in bytes, dimensions, licence, folder, note.`,
		Example: "  engram model list\n  engram model list --json | jq -r .in_use",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runModelList(g) },
	}
}

// modelList is what list prints as JSON.
type modelList struct {
	SchemaVersion int         `json:"schema_version"`
	CacheDir      string      `json:"cache_dir"`
	InUse         string      `json:"in_use"`     // the setting; "" if it is not set
	InUseDir      string      `json:"in_use_dir"` // "" if it is off or not there
	Models        []modelItem `json:"models"`
}

type modelItem struct {
	Name       string     `json:"name"`
	Kind       model.Kind `json:"kind"`
	Task       string     `json:"task"`
	Dimensions int        `json:"dimensions"`
	Bytes      int64      `json:"bytes"`
	Fetched    int64      `json:"fetched_bytes"`
	Installed  bool       `json:"installed"`
	InUse      bool       `json:"in_use"`
	Licence    string     `json:"licence"`
	Note       string     `json:"note"`
	Repository string     `json:"repository"`
	Revision   string     `json:"revision"`
	Dir        string     `json:"dir"`
}

func runModelList(g *app.Globals) error {
	cache, err := model.NewCache(g.Getenv)
	if err != nil {
		return err
	}
	s, err := g.Settings()
	if err != nil {
		return err
	}
	list := modelList{SchemaVersion: memory.SchemaVersion, CacheDir: cache.Dir, InUse: s.Model}
	list.InUseDir, _ = model.Resolve(cache, s.Model) // the list says of each model whether it is fetched
	for _, m := range cache.List() {
		list.Models = append(list.Models, modelItem{
			Name: m.Name, Kind: m.Kind, Task: m.Task, Dimensions: m.Dimensions, Bytes: m.Size(), Fetched: m.Fetched, Installed: m.Installed,
			InUse: uses(s, m.Name), Licence: m.Licence, Note: m.Note, Repository: m.Repository, Revision: m.Revision, Dir: m.Dir,
		})
	}
	return term.Print(g.Out, g.JSON, list, printModels)
}

func printModels(out *term.Streams, list modelList) {
	listed := list.InUse == "" || list.InUse == model.Off
	for _, m := range list.Models {
		listed = listed || m.Name == list.InUse
		if !out.Terminal {
			out.Row(m.Name, m.state(), string(m.Kind), strconv.FormatInt(m.Bytes, 10), strconv.Itoa(m.Dimensions), m.Licence, m.Dir, m.Note)
			continue
		}
		out.Printf("%s  %s\n", out.Color.Bold(m.Name), out.Color.Green(m.state()))
		dimensions := term.Either(m.Dimensions > 0, strconv.Itoa(m.Dimensions)+" dimensions", "")
		out.Printf("  %s\n", out.Color.Dim(term.Dotted(m.Task, term.Size(m.Bytes), dimensions, m.Licence)))
		out.Printf("  %s\n", term.Indented(m.Note, out.Width, "  "))
	}
	switch {
	case !listed && list.InUseDir == "":
		out.Message("warning: the model in use, %s, is not there", list.InUse)
	case !listed:
		out.Message("in use: the model in %s", list.InUseDir)
	}
	for _, m := range list.Models {
		if m.InUse && !m.Installed {
			out.Message("hint: `engram model pull %s` fetches the model in use", m.Name)
		}
	}
}

func (m modelItem) state() string {
	switch {
	case m.InUse && m.Installed:
		return "in use"
	case m.Installed:
		return "fetched"
	case m.Fetched > 0:
		return "partly"
	}
	return ""
}
