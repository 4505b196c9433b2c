// Package less is what an orchestrator installs to let its agents speak over the bus
// (source document 2 §4.1): the manifest, a text for agents, the JSON Schemas of messages, and
// conformance cases, as files that the binary carries along.
package less

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

// FS holds manifest.json, SKILL.md, schemas/NAME.json and tests.
//
//go:embed manifest.json SKILL.md schemas tests
var FS embed.FS

// SchemaFiles are the schemas alone, as NAME.json.
func SchemaFiles() fs.FS {
	files, err := fs.Sub(FS, "schemas")
	if err != nil {
		panic(err) // it is part of the binary
	}
	return files
}

// Schemas lists the names of the schemas, such as engram.v0.1, in order.
func Schemas() []string {
	files, err := fs.ReadDir(FS, "schemas")
	if err != nil {
		panic(err) // it is part of the binary
	}
	var names []string
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".json"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Schema is the text of a schema, by a name of Schemas, with or without its version.
func Schema(name string) (text []byte, found bool) {
	for _, known := range Schemas() {
		if short, _, _ := strings.Cut(known, "."); name == known || name == short {
			b, err := FS.ReadFile("schemas/" + known + ".json")
			return b, err == nil
		}
	}
	return nil, false
}
