package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"engram/facts"
	"engram/memory"
)

type versionOptions struct{ *globals }

// versionResult says which engram this is. It opens no repository.
type versionResult struct {
	SchemaVersion int    `json:"schema_version"`
	Version       string `json:"version"`
	Commit        string `json:"commit"`   // of engram's own source; "" where unknown
	Modified      bool   `json:"modified"` // that source had changes
	Format        int    `json:"format"`   // of the branch, docs/format.md
	Go            string `json:"go"`
	Platform      string `json:"platform"`
}

func newVersionCmd(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Say which engram this is",
		Long:    "Say which engram this is, which branch format it writes and how it was built.",
		Example: "  engram version\n  engram version --json",
		Args:    noArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runVersion(cmd.Context(), versionOptions{g}, g.io)
		},
	}
}

func runVersion(_ context.Context, opts versionOptions, io *streams) error {
	v := thisVersion()
	if opts.json {
		return io.json(v)
	}
	commit := short(v.Commit)
	if v.Modified {
		commit += "+changes"
	}
	if commit != "" {
		commit = ", " + commit
	}
	io.printf("engram %s%s (format %d, %s, %s)\n", v.Version, commit, v.Format, v.Go, v.Platform)
	return nil
}

func thisVersion() versionResult {
	v := versionResult{
		SchemaVersion: memory.SchemaVersion, Version: "devel", Format: facts.FormatVersion,
		Go: runtime.Version(), Platform: fmt.Sprintf("%s/%s", runtime.GOOS, runtime.GOARCH),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
