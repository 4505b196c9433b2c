package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"engram/memory"
	"engram/model"
)

type modelListOptions struct{ *globals }

func newModelListCmd(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the models that engram knows", Args: noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		Long: `List the models that engram knows: which are fetched and which is in use here.

In a pipe it prints, tab-separated: name, state (in use, fetched, partly or
empty), kind, size in bytes, dimensions, licence, folder, note.`,
		Example: "  engram model list\n  engram model list --json | jq -r .in_use",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runModelList(modelListOptions{g}, g.io)
		},
	}
}

// modelList is what list prints as JSON.
type modelList struct {
	SchemaVersion int         `json:"schema_version"`
	CacheDir      string      `json:"cache_dir"`
	InUse         string      `json:"in_use"`     // the setting; "" is none
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

func runModelList(opts modelListOptions, io *streams) error {
	cache, err := model.NewCache(opts.getenv)
	if err != nil {
		return err
	}
	list := modelList{SchemaVersion: memory.SchemaVersion, CacheDir: cache.Dir}
	if list.InUse, list.InUseDir, err = opts.modelInUse(cache); err != nil {
		return err
	}
	s, err := opts.settings()
	if err != nil {
		return err
	}
	for _, m := range cache.List() {
		list.Models = append(list.Models, modelItem{
			Name: m.Name, Kind: m.Kind, Task: m.Task, Dimensions: m.Dimensions, Bytes: m.Size(), Fetched: m.Fetched, Installed: m.Installed,
			InUse: s.uses(m.Name), Licence: m.Licence, Note: m.Note, Repository: m.Repository, Revision: m.Revision, Dir: m.Dir,
		})
	}
	if opts.json {
		return io.json(list)
	}
	io.modelList(list)
	return nil
}

func (io *streams) modelList(list modelList) {
	listed := list.InUse == "" || list.InUse == model.Off
	for _, m := range list.Models {
		listed = listed || m.Name == list.InUse
		if !io.terminal {
			io.row(m.Name, m.state(), string(m.Kind), strconv.FormatInt(m.Bytes, 10), strconv.Itoa(m.Dimensions), m.Licence, m.Dir, m.Note)
			continue
		}
		io.printf("%s  %s\n", io.color.bold(m.Name), io.color.green(m.state()))
		dimensions := ""
		if m.Dimensions > 0 {
			dimensions = strconv.Itoa(m.Dimensions) + " dimensions"
		}
		io.printf("  %s\n", io.color.dim(dotted(m.Task, size(m.Bytes), dimensions, m.Licence)))
		io.printf("  %s\n", indented(m.Note, io.width, "  "))
	}
	switch {
	case !listed && list.InUseDir == "":
		io.message("warning: the model in use, %s, is not there", list.InUse)
	case !listed:
		io.message("in use: the model in %s", list.InUseDir)
	}
	for _, m := range list.Models {
		if m.InUse && !m.Installed {
			io.message("hint: `engram model pull %s` fetches the model in use", m.Name)
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

// modelInUse is the setting as it stands, and the folder that it means: "" for
// no model, and for one that is not there.
func (g *globals) modelInUse(cache *model.Cache) (value, dir string, err error) {
	if value, err = g.modelSetting(); err != nil {
		return "", "", err
	}
	dir, _ = model.Resolve(cache, value) // list says of each model whether it is there
	return value, dir, nil
}
