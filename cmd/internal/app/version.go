package app

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"engram/facts"
	"engram/memory"
)

// Version says which engram this is. It opens no repository.
type Version struct {
	SchemaVersion int    `json:"schema_version"`
	Version       string `json:"version"`
	Commit        string `json:"commit"`   // of engram's own source; "" where unknown
	Modified      bool   `json:"modified"` // that source had changes
	Format        int    `json:"format"`   // of the branch, docs/format.md
	Go            string `json:"go"`
	Platform      string `json:"platform"`
}

// ThisVersion reads the version of the running program.
func ThisVersion() Version {
	v := Version{
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
