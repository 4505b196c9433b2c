package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"engram/model"
)

type modelUseOptions struct {
	*globals
	value string
}

func newModelUseCmd(g *globals) *cobra.Command {
	opts := modelUseOptions{globals: g}
	return &cobra.Command{
		Use: "use NAME|DIR|off", Short: "Choose the model of this work tree", Args: oneModel, ValidArgsFunction: completeModels(model.Off),
		Long: `Choose the model by which queries in this work tree find facts by meaning: one
that was fetched, one in a folder, or none. It checks that the model loads, and
writes the setting model to .engram.yml at the top of the work tree; all else in
that file stays as it is. A folder outside the work tree is written with its
whole path, which is another one for a colleague. engram.json is put in a
folder, so that it opens faster.

For one command, or where there is no work tree, set ENGRAM_MODEL instead.`,
		Example: "  engram model use potion-base-8m\n  engram model use ../models/our-own\n  engram model use off",
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.value = args[0]
			return runModelUse(cmd.Context(), opts, g.io)
		},
	}
}

func runModelUse(ctx context.Context, opts modelUseOptions, io *streams) error {
	if err := opts.textOnly("model use"); err != nil {
		return err
	}
	if opts.value == "" {
		return usage("model use: the name of a model is empty", "`engram model use off` does without a model")
	}
	cache, err := model.NewCache(opts.getenv)
	if err != nil {
		return err
	}
	dir, err := model.Resolve(cache, opts.value)
	if err != nil {
		return modelError(err)
	}
	value, about := opts.value, "no model"
	if dir != "" && judgesPairs(dir) {
		return usage(opts.value+" judges pairs of claims, and finds no facts by meaning", "it belongs to the setting detect.nli in "+configName+" (ENGRAM_DETECT_NLI)")
	}
	if dir != "" {
		if about, err = tryModel(ctx, dir); err != nil {
			return modelError(err)
		}
	}
	root := workTreeOf(opts.directory())
	if _, known := cache.Lookup(value); !known && dir != "" {
		value = portable(root, dir)
	}
	if root == "" {
		return usage("there is no work tree here whose "+configName+" could say model: "+value, "set ENGRAM_MODEL="+value+" instead")
	}
	path := filepath.Join(root, configName)
	changed, err := setModel(path, value)
	if err != nil {
		return err
	}
	verb := "says already"
	if changed {
		verb = "now says"
	}
	io.message("%s %s model: %s (%s)", path, verb, value, about)
	if env := opts.getenv("ENGRAM_MODEL"); env != "" && env != value {
		io.message("warning: ENGRAM_MODEL is %s here, which beats the file", env)
	}
	return nil
}

// judgesPairs tells a model for detect.nli from one that embeds.
func judgesPairs(dir string) bool {
	kind, err := model.KindOf(dir)
	return err == nil && kind == model.KindNLI
}

// uses reports whether a model is chosen for anything.
func (s settings) uses(name string) bool { return s.model == name || s.detection.nli == name }

// portable is how the configuration of a work tree names a folder: from its top
// if the folder is in it, and else by its whole path. root may be "".
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

// modelSetting is what the environment or else the configuration file says.
func (g *globals) modelSetting() (string, error) {
	s, err := g.settings()
	return s.model, err
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

// setModel writes the setting to a configuration file, which it makes if need
// be. changed is false if it stands there already.
func setModel(path, value string) (changed bool, err error) {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	before, err := readConfigFile(path)
	if err != nil {
		return false, err
	}
	if was, there, err := modelIn(before); err == nil && there && was == value {
		return false, nil
	}
	after, err := withModel(before, value)
	if err != nil {
		return false, usage(path+": "+err.Error(), "write this line into it: model: "+value)
	}
	return true, replaceFile(path, after)
}

// modelLine is the line of the setting, without a remark behind the value and
// without the end of the line.
var modelLine = regexp.MustCompile(`(?m)^model[ \t]*:(?:[ \t]+[^\s#][^\r\n]*?)?(?:([ \t]+#[^\r\n]*)?)(\r?)$`)

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
	f, err := os.CreateTemp(filepath.Dir(path), configName+".*")
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
