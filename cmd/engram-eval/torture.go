package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/eval/torture"
)

type tortureOptions struct {
	*app.Globals
	torture.Options
	tools []string
	keep  string
}

const tortureLong = `Put memory tools through what breaks them, and count what went wrong:

  lost        writes that were acknowledged and are gone, with one writer in four
              killed (SIGKILL) at a random moment
  divergence  histories of 3 to 5 clones that write and sync in any order, whose
              clones then differ or lack an acknowledged fact
  stale       readings after an acknowledged write that do not see it
  forbidden   readings that show an agent what it may not read
  secrets     tokens that were offered to be written and are in the store

A tool is engram, notes (plain git), server-memory=PROGRAM (the reference server
of MCP) or program=PROGRAM (your own adapter, see docs/reliability.md). engram is
built from the source in this folder, or taken from engram=PROGRAM.

In a pipe it prints, tab-separated: tool, measure, tried, acknowledged, refused,
failed, kills, bad, seconds. Exit status 1: something bad was found.`

const tortureExample = `  engram-eval torture --writes 50 --histories 2
  engram-eval torture --tool engram=./engram --tool notes --seed 7 --json
  engram-eval torture --tool program=./adapter --measure lost --writes 1000`

func newTortureCmd(g *app.Globals) *cobra.Command {
	opts := tortureOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "torture", Short: "Put memory tools through kills, clones and secrets", Long: tortureLong, Example: tortureExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runTorture(cmd.Context(), opts, g.Out) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&opts.tools, "tool", []string{"engram"}, "`NAME[=PROGRAM]` of a tool; may be repeated")
	flags.StringArrayVar(&opts.Measures, "measure", nil, "run the measure `NAME` alone; may be repeated")
	flags.IntVar(&opts.Writes, "writes", 0, "acknowledge `N` writes between kills (default: 200)")
	flags.IntVar(&opts.Histories, "histories", 0, "make up `N` histories (default: 10)")
	flags.IntVar(&opts.Answers, "answers", 0, "ask `N` times after a write (default: 40)")
	flags.IntVar(&opts.Secrets, "secrets", 0, "offer `N` secrets (default: 32)")
	flags.Uint64Var(&opts.Seed, "seed", 0, "seed `N` of everything that is random")
	flags.StringVar(&opts.keep, "keep", "", "work in `DIR`, which must be empty, and leave it there")
	return cmd
}

// tortureReport is the outcome for all tools.
type tortureReport struct {
	SchemaVersion int              `json:"schema_version"`
	Seed          uint64           `json:"seed"`
	Tools         []torture.Report `json:"tools"`
}

func runTorture(ctx context.Context, opts tortureOptions, out *term.Streams) error {
	for _, name := range opts.Measures {
		if !slices.Contains(torture.Measures(), name) {
			return fault.Usage("--measure: there is no measure "+name, "the measures are "+strings.Join(torture.Measures(), ", "))
		}
	}
	dir, remove, err := tortureDir(opts.keep)
	if err != nil {
		return err
	}
	defer remove()
	opts.Progress = out.Progress.Update
	report, bad := tortureReport{SchemaVersion: 1, Seed: opts.Seed}, 0
	for _, named := range opts.tools {
		name, path, _ := strings.Cut(named, "=")
		tool, err := tortureTool(ctx, name, path, dir)
		if err != nil {
			return err
		}
		result, err := torture.Run(ctx, name, tool, filepath.Join(dir, fmt.Sprint(len(report.Tools), "-", name)), opts.Options)
		report.Tools = append(report.Tools, result)
		bad += result.Bad()
		if err != nil { // a long run that is interrupted still says what it found
			return errors.Join(err, term.Print(out, opts.JSON, report, printTorture))
		}
	}
	if err := term.Print(out, opts.JSON, report, printTorture); err != nil {
		return err
	}
	if bad > 0 {
		return fault.ErrAnsweredNo
	}
	return nil
}

// tortureDir is an empty folder to work in.
func tortureDir(keep string) (dir string, remove func(), err error) {
	if keep == "" {
		dir, err = os.MkdirTemp("", "engram-torture")
		return dir, func() { os.RemoveAll(dir) }, err
	}
	if err := os.MkdirAll(keep, 0o755); err != nil {
		return "", nil, err
	}
	if entries, err := os.ReadDir(keep); err != nil || len(entries) > 0 {
		return "", nil, fault.Usage("--keep: the folder is not empty", "name a new one")
	}
	dir, err = filepath.Abs(keep)
	return dir, func() {}, err
}

// tortureTool makes the adapter that a --tool names.
func tortureTool(ctx context.Context, name, path, dir string) (torture.Tool, error) {
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return nil, fault.Usage("--tool: "+err.Error(), "name a program that can be started")
		}
		if path, err = filepath.Abs(found); err != nil {
			return nil, err
		}
	}
	switch {
	case name == "engram" && path == "":
		path = filepath.Join(dir, "engram")
		build := exec.CommandContext(ctx, "go", "build", "-o", path, "engram/cmd/engram")
		if said, err := build.CombinedOutput(); err != nil {
			return nil, fault.Usage("build engram: "+strings.TrimSpace(string(said)), "name one with --tool engram=PROGRAM")
		}
		return torture.NewEngram(path), nil
	case name == "engram":
		return torture.NewEngram(path), nil
	case name == "notes" && path == "":
		return torture.NewNotes(), nil
	case name == "server-memory" && path != "":
		return torture.NewEntities(path), nil
	case name == "program" && path != "":
		return torture.NewProgram(path), nil
	}
	return nil, fault.Usage("--tool: there is no tool "+name+" of this form", "use engram, engram=PROGRAM, notes, server-memory=PROGRAM or program=PROGRAM")
}

func printTorture(out *term.Streams, report tortureReport) {
	if out.Terminal {
		out.Row("tool", "measure", "tried", "acknowledged", "refused", "failed", "kills", "bad", "seconds")
	}
	for _, tool := range report.Tools {
		for _, r := range tool.Results {
			bad := fmt.Sprint(r.Bad)
			if r.Unsupported {
				bad = "unsupported"
			}
			out.Row(tool.Tool, r.Measure, fmt.Sprint(r.Tried), fmt.Sprint(r.Acknowledged), fmt.Sprint(r.Refused), fmt.Sprint(r.Failed), fmt.Sprint(r.Kills), bad, fmt.Sprintf("%.1f", r.Seconds))
			for _, e := range r.Examples {
				out.Message("%s, %s: %s", tool.Tool, r.Measure, e)
			}
		}
	}
}
