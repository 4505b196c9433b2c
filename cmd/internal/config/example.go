package config

import (
	"bytes"
	_ "embed"
	"strings"
)

// exampleConfig is a copy of .engram.example.yml, which a test keeps equal.
//
//go:embed example.yml
var exampleConfig []byte

// ConfigFor is the example with the branch that was begun, so that later
// commands find it.
func ConfigFor(branch string) []byte {
	const example = "#branch: engram\n"
	line := "branch: " + branch + "\n"
	if strings.HasSuffix(example, line) {
		return exampleConfig
	}
	return bytes.Replace(exampleConfig, []byte(example), []byte(line), 1)
}
