package messages

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/memory"
	"engram/skills/less"
)

type busSkillOptions struct {
	*app.Globals
	yes   bool
	tests bool
}

// skillResult says what became of each file of the skill pack.
type skillResult struct {
	SchemaVersion int         `json:"schema_version"`
	Dir           string      `json:"dir"`
	Files         []skillFile `json:"files"`
}

type skillFile struct {
	Path  string `json:"path"`
	State string `json:"state"` // written, unchanged or replaced
}

const busSkillLong = `Write the skill pack LESS into a folder, for an orchestrator or a client that
loads skills: manifest.json, SKILL.md and the schemas of what agents exchange;
with --tests also the conformance cases, which say what a gateway answers. The
folder is created if it does not exist.

If a file exists with other content, nothing is written, unless --yes replaces
it. In a pipe it prints, tab-separated: state, path.`

const busSkillExample = `  engram bus skill skills/less
  engram bus skill ~/.claude/skills/less --yes`

func newBusSkillCmd(g *app.Globals) *cobra.Command {
	opts := busSkillOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "skill DIR", Short: "Write the skill pack into a folder", Long: busSkillLong, Example: busSkillExample,
		Args: app.One("folder", ""),
		RunE: func(_ *cobra.Command, args []string) error { return runBusSkill(opts, args[0]) },
	}
	cmd.Flags().BoolVar(&opts.tests, "tests", false, "the conformance cases too")
	cmd.Flags().BoolVar(&opts.yes, "yes", false, "replace files that say something else")
	return cmd
}

func runBusSkill(opts busSkillOptions, name string) error {
	dir, err := filepath.Abs(name)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	var root *os.Root
	if err == nil {
		root, err = os.OpenRoot(dir) // nothing is written through a link to elsewhere
	}
	if err != nil {
		return fault.Usage(err.Error(), "name a folder that can be written to")
	}
	defer root.Close()
	files, err := compareSkill(root, opts.tests)
	if err != nil {
		return err
	}
	if changed := namesIn(files, "replaced"); len(changed) > 0 && !opts.yes {
		return fault.Usage(fmt.Sprintf("%s of %s would be replaced; nothing was written", term.Plural(len(changed), "file", "files"), name),
			"--yes replaces "+strings.Join(changed, ", "))
	}
	for _, f := range files {
		if err := writeSkillFile(root, f); err != nil {
			return fault.Usage(fmt.Sprintf("write %s: %v", filepath.Join(name, f.Path), err), "files before it are written; the command can be repeated")
		}
	}
	return term.Print(opts.Out, opts.JSON, skillResult{memory.SchemaVersion, dir, files}, printSkill)
}

// compareSkill says what is to become of each file of the pack, of the cases only where
// they are wanted.
func compareSkill(root *os.Root, tests bool) ([]skillFile, error) {
	var files []skillFile
	err := fs.WalkDir(less.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && name == "tests" && !tests {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() {
			return err
		}
		want, err := fs.ReadFile(less.FS, name)
		if err != nil {
			return err
		}
		state := "replaced"
		switch got, err := root.ReadFile(filepath.FromSlash(name)); {
		case errors.Is(err, fs.ErrNotExist):
			state = "written"
		case err == nil && bytes.Equal(got, want):
			state = "unchanged"
		}
		files = append(files, skillFile{name, state})
		return nil
	})
	return files, err
}

func writeSkillFile(root *os.Root, f skillFile) error {
	if f.State == "unchanged" {
		return nil
	}
	text, err := fs.ReadFile(less.FS, f.Path)
	if err != nil {
		return err
	}
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(f.Path)), 0o755); err != nil {
		return err
	}
	return root.WriteFile(filepath.FromSlash(f.Path), text, 0o644)
}

func namesIn(files []skillFile, state string) []string {
	var names []string
	for _, f := range files {
		if f.State == state {
			names = append(names, f.Path)
		}
	}
	return names
}

func printSkill(out *term.Streams, r skillResult) {
	if out.Terminal {
		out.Printf("%s in %s (%d written, %d replaced)\n", term.Plural(len(r.Files), "file", "files"), term.Plain(r.Dir), len(namesIn(r.Files, "written")), len(namesIn(r.Files, "replaced")))
		return
	}
	for _, f := range r.Files {
		out.Row(f.State, f.Path)
	}
}
