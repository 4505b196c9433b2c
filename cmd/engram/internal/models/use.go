package models

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/internal/lazyregexp"
	"engram/model"
)

func newModelUseCmd(g *app.Globals) *cobra.Command {
	return &cobra.Command{
		Use: "use NAME|DIR|off", Short: "Choose the model of this work tree", Args: oneModel, PreRunE: g.TextOnly, ValidArgsFunction: completeModels(model.Off),
		Long: `Choose the model with which queries in this work tree find facts by meaning: a
fetched model, a model in a folder, or none. The command checks that the model
loads, and writes the setting model to .engram.yml at the top of the work tree;
the rest of that file does not change. A folder outside the work tree is written
with its absolute path, which colleagues may not have. The file engram.json is
added to a folder so that the model opens faster.

For one command, or without a work tree, set ENGRAM_MODEL instead.`,
		Example: "  engram model use potion-base-8m\n  engram model use ../models/our-own\n  engram model use off",
		RunE:    func(cmd *cobra.Command, args []string) error { return runModelUse(cmd.Context(), g, args[0]) },
	}
}

func runModelUse(ctx context.Context, g *app.Globals, given string) error {
	if given == "" {
		return fault.Usage("model use: the name of a model is empty", "`engram model use off` does without a model")
	}
	cache, err := model.NewCache(g.Getenv)
	if err != nil {
		return err
	}
	dir, err := model.Resolve(cache, given)
	if err != nil {
		return app.ModelError(err)
	}
	value, about := given, "no model"
	if dir != "" && judgesPairs(dir) {
		return fault.Usage(given+" judges pairs of claims, and finds no facts by meaning", "it belongs to the setting detect.nli in "+config.FileName+" (ENGRAM_DETECT_NLI)")
	}
	if dir != "" {
		if about, err = tryModel(ctx, dir); err != nil {
			return app.ModelError(err)
		}
	}
	root := config.WorkTreeOf(g.Directory())
	if _, known := cache.Lookup(value); !known && dir != "" {
		value = portable(root, dir)
	}
	if root == "" {
		return fault.Usage("there is no work tree here whose "+config.FileName+" could say model: "+value, "set ENGRAM_MODEL="+value+" instead")
	}
	path := filepath.Join(root, config.FileName)
	changed, err := setModel(path, value)
	if err != nil {
		return err
	}
	g.Out.Message("%s %s model: %s (%s)", path, term.Either(changed, "now says", "says already"), value, about)
	if env := g.Getenv("ENGRAM_MODEL"); env != "" && env != value {
		g.Out.Message("warning: ENGRAM_MODEL is %s here, which beats the file", env)
	}
	return nil
}

// judgesPairs tells a model for detect.nli from one that embeds.
func judgesPairs(dir string) bool {
	kind, err := model.KindOf(dir)
	return err == nil && kind == model.KindNLI
}

// uses reports whether a model is chosen for anything.
func uses(s config.Settings, name string) bool { return s.Model == name || s.Detection.NLI == name }

// portable is the path of a folder in the configuration of a work tree: relative to the
// top of the work tree if the folder is inside, otherwise absolute. root may be "".
func portable(root, dir string) string {
	if root == "" {
		return dir
	}
	if within, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(within) {
		return "./" + filepath.ToSlash(within)
	}
	return dir
}

// tryModel loads a model as a query would, and describes it. It leaves a record
// of the files' digests beside them.
func tryModel(ctx context.Context, dir string) (about string, err error) {
	m, err := model.OpenEmbedderFor(dir)
	if err != nil {
		return "", err
	}
	defer m.Close()
	if _, err := m.Embed(ctx, []string{"a first text"}); err != nil {
		return "", err
	}
	_ = model.Remember(dir) // in a folder that cannot be written to, a model opens a little slower
	return fmt.Sprintf("%s, %d dimensions", m.ID(), m.Dimensions()), nil
}

// modelIn is the setting in a configuration file, and whether it is there.
func modelIn(b []byte) (value string, there bool, err error) {
	var file struct {
		Model *string `yaml:"model"`
	}
	if err := yaml.Unmarshal(b, &file); err != nil {
		return "", false, err
	}
	if file.Model == nil {
		return "", false, nil
	}
	return *file.Model, true, nil
}

// setModel writes the setting to a configuration file, and creates the file if it does not
// exist. changed is false if the file has the setting already.
func setModel(path, value string) (changed bool, err error) {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	before, err := config.ReadConfigFile(path)
	if err != nil {
		return false, err
	}
	if was, there, err := modelIn(before); err == nil && there && was == value {
		return false, nil
	}
	after, err := withModel(before, value)
	if err != nil {
		return false, fault.Usage(path+": "+err.Error(), "write this line into it: model: "+value)
	}
	return true, replaceFile(path, after)
}

// modelLine is the line of the setting, without a comment after the value and without the
// end of the line.
var modelLine = lazyregexp.New(`(?m)^model[ \t]*:(?:[ \t]+[^\s#][^\r\n]*?)?(?:([ \t]+#[^\r\n]*)?)(\r?)$`)

// withModel puts the setting into a configuration file's text: in place of the
// line that is there, or else at the end. No other byte changes.
func withModel(text []byte, value string) ([]byte, error) {
	quoted, err := yaml.Marshal(value)
	if err != nil {
		return nil, err
	}
	if value == model.Off {
		quoted = []byte(value) // which yaml.v3 quotes for the sake of readers of YAML 1.1
	}
	line := append([]byte("model: "), bytes.TrimRight(quoted, "\n")...)
	after := modelLine.ReplaceAllFunc(text, func(old []byte) []byte {
		groups := modelLine.FindSubmatch(old)
		return bytes.Join([][]byte{line, groups[1], groups[2]}, nil)
	})
	if !modelLine.Match(text) {
		end := []byte("\n")
		if bytes.Contains(text, []byte("\r\n")) {
			end = []byte("\r\n")
		}
		if len(text) > 0 && text[len(text)-1] != '\n' {
			after = append(after, end...)
		}
		after = append(append(after, line...), end...)
	}
	switch got, _, err := modelIn(after); {
	case err != nil:
		return nil, fmt.Errorf("the setting cannot be added: %w", err)
	case got != value:
		return nil, errors.New("the setting cannot be added to what stands there")
	}
	return after, nil
}

// replaceFile writes a file in one step, with the permissions it had.
func replaceFile(path string, b []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), config.FileName+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
