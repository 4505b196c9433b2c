package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"engram/memory"
)

// exampleConfig is a copy of .engram.example.yml, which a test keeps equal.
//
//go:embed example.yml
var exampleConfig []byte

type initOptions struct {
	*globals
	config bool
}

const initLong = `Begin the memory of this repository: a branch with no history in common with
your code. Nothing else is written, no work tree is touched, and what it leaves
where is printed. Where the memory exists already, nothing changes.

It refuses to be the first branch of a repository or of an empty remote, because
hosting services make that one the default.`

func newInitCmd(g *globals) *cobra.Command {
	opts := initOptions{globals: g}
	cmd := &cobra.Command{
		Use: "init", Short: "Begin the memory of this repository", Long: initLong,
		Example: "  engram init\n  engram init --config\n  engram init --memory notes",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runInit(cmd.Context(), opts, g.io)
		},
	}
	cmd.Flags().BoolVar(&opts.config, "config", false, "also write "+configName+" with every setting explained")
	return cmd
}

func runInit(ctx context.Context, opts initOptions, io *streams) error {
	m, s, err := opts.open(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	path := filepath.Join(m.WorkTree(), configName)
	if opts.config {
		if err := configPossible(m, path); err != nil {
			return err
		}
	}
	result, err := m.Init(ctx)
	if err != nil {
		return err
	}
	if opts.config {
		if err := writeNew(path, configFor(result.Branch)); err != nil {
			return err
		}
		result.Footprint = append(result.Footprint, memory.Footprint{What: "settings of this work tree", Where: path, Remove: "delete the file"})
	}
	if opts.json {
		return io.json(result)
	}
	io.begun(result, opts.config || opts.branch == "" || opts.branch == s.branchWithoutFlag)
	return nil
}

// configPossible refuses before the branch is made.
func configPossible(m *memory.Memory, path string) error {
	if m.WorkTree() == "" {
		return &usageError{"there is no work tree here to put " + configName + " into", "leave --config away; ENGRAM_* variables set the same"}
	}
	if _, err := os.Lstat(path); err == nil {
		return &usageError{path + " exists and is not overwritten", "leave --config away, or compare it with .engram.example.yml in engram's source"}
	}
	return nil
}

// configFor is the example with the branch that was begun, so that later
// commands find it.
func configFor(branch string) []byte {
	const example = "#branch: engram\n"
	line := "branch: " + branch + "\n"
	if strings.HasSuffix(example, line) {
		return exampleConfig
	}
	return bytes.Replace(exampleConfig, []byte(example), []byte(line), 1)
}

// writeNew writes a file that does not exist.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return &usageError{path + " exists and is not overwritten", ""}
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", configName, err)
	}
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", configName, err)
	}
	return nil
}

// begun prints what init did; configured says whether other commands find the
// branch without being told.
func (io *streams) begun(r memory.InitResult, configured bool) {
	if !io.terminal {
		for _, f := range r.Footprint {
			io.row(f.What, f.Where, f.Remove)
		}
	} else {
		done := "The memory begins"
		switch {
		case r.Adopted != "":
			done = "The memory of " + r.Adopted + " is here"
		case !r.Created:
			done = "The memory exists already"
		}
		io.printf("%s, on the branch %s at %s.\n\nAll that it keeps:\n", io.color.green(done), r.Branch, short(r.Revision))
		for _, f := range r.Footprint {
			io.printf("  %s\n", plain(f.What))
			io.pairs("    ", []pair{{"where", f.Where}, {"to be rid of it", f.Remove}})
		}
	}
	if !configured {
		io.message("note: other commands find it with --memory %s, ENGRAM_BRANCH=%s or branch: in %s", r.Branch, r.Branch, configName)
	}
	_ = io.flush() // what was done comes before what is next
	io.message("\nNext:\n  engram commit \"CLAIM\" --scope TOPIC   write the first fact\n  engram query QUESTION                  find it again\n  git push -u origin %s              share it", r.Branch)
}
