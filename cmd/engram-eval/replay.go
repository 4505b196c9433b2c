package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/eval/recall"
)

const replayLong = `Play transcripts of agents through windows of some sizes, compacting them with
markers, and ask where the agent uses a string (path, digest, error, flag,
number, name) that its window has no more, or calls a tool again whose result
was evicted. The question is what the agent had then: its last words, the
message of the user, and the line without the string; a call is asked for as it
stands. Only what came before is
stored. docs/recall-measured.md explains it.

FILES are transcripts or folders of them; without one it takes the folder
sessions of the measurement data ($ENGRAM_DATA).`

func newReplayCmd(g *app.Globals) *cobra.Command {
	opts := evalOptions{Globals: g}
	in := recall.ReplayInput{}
	cmd := &cobra.Command{
		Use: "replay [FILES...]", Short: "Measure what transcripts need again after compactions", Long: replayLong,
		Example: "  ENGRAM_DATA=DIR engram-eval replay\n  engram-eval replay --chain --per-file 60\n  engram-eval replay --windows 8000 --per-file 20 session.jsonl",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				data := opts.folder()
				if data == "" {
					return fault.Usage("there is nothing to replay", "name transcripts, or set ENGRAM_DATA to the folder of measurement data")
				}
				args = []string{filepath.Join(data, "sessions")}
			}
			if in.PerFile < 1 || slices.ContainsFunc(in.Windows, func(size int) bool { return size < 1000 }) {
				return fault.Usage("--per-file is 1 or more, and --windows are 1000 tokens or more", "")
			}
			var err error
			if in.Files, err = transcripts(args); err != nil {
				return err
			}
			report, err := recall.Replay(cmd.Context(), in, g.Out.Progress.Update)
			if err != nil {
				return err
			}
			return term.Print(g.Out, opts.JSON, report, printReplay)
		},
	}
	flags := cmd.Flags()
	flags.IntSliceVar(&in.Windows, "windows", []int{32_000, 128_000, 200_000}, "play through windows of `TOKENS`")
	flags.IntVar(&in.PerFile, "per-file", 10, "ask at most `N` times for each transcript and window")
	flags.BoolVar(&in.Chain, "chain", false, "play the transcripts of a folder one after another as one session")
	return cmd
}

// transcripts are the files that are named, and those in the folders.
func transcripts(args []string) (files []string, err error) {
	for _, arg := range args {
		err := filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("find transcripts: %w", err)
		}
	}
	return files, nil
}

func printReplay(out *term.Streams, r recall.Report) {
	if out.Terminal {
		out.Printf("%d transcripts; %d files are not transcripts\n\n", r.Traces, r.Skipped)
		out.Printf("%7s %-20s %-14s %s\n", "window", "condition", "kind", "probes found      95 %    first precision tokens avoided p50 p95")
	}
	for _, row := range r.Rows {
		if !out.Terminal {
			out.Row(fmt.Sprint(row.Window), row.Condition, string(row.Kind), fmt.Sprint(row.Probes), shareCell(row.Exact), shareCell(row.Interval[0]), shareCell(row.Interval[1]), shareCell(row.First),
				shareCell(row.Precision), fmt.Sprintf("%.0f", row.Tokens), fmt.Sprint(row.Avoided), fmt.Sprintf("%.1f", row.P50), fmt.Sprintf("%.1f", row.P95))
			continue
		}
		out.Printf("%7d %-20s %-14s %6d %5s  %5s–%5s %5s %5s %7.0f %7d %6.1f %6.1f\n", row.Window, row.Condition, row.Kind, row.Probes, shareCell(row.Exact),
			shareCell(row.Interval[0]), shareCell(row.Interval[1]), shareCell(row.First), shareCell(row.Precision), row.Tokens, row.Avoided, row.P50, row.P95)
	}
}
