// Package golden keeps the outcome of a measurement in a file, and shows what changed.
package golden

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// golden is what was measured, as it is kept in a file.
type golden interface {
	GoldenName() string
	Golden() string
}

// Write writes a golden file for each suite.
func Write[G golden](dir string, suites []G) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write golden files: %w", err)
	}
	for _, s := range suites {
		if err := os.WriteFile(filepath.Join(dir, s.GoldenName()), []byte(s.Golden()), 0o644); err != nil {
			return fmt.Errorf("write golden files: %w", err)
		}
	}
	return nil
}

// Diff shows how suites differ from their golden files; "" means not at all.
func Diff[G golden](dir string, suites []G) (string, error) {
	var b strings.Builder
	for _, s := range suites {
		path := filepath.Join(dir, s.GoldenName())
		want, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(&b, "%s is missing\n", path)
			continue
		}
		if err != nil {
			return "", fmt.Errorf("read golden files: %w", err)
		}
		if diff := diffLines(string(want), s.Golden()); diff != "" {
			fmt.Fprintf(&b, "--- %s\n+++ this run\n%s", path, diff)
		}
	}
	return b.String(), nil
}

// diffLines compares two golden files line by line, matching lines by what
// names them: everything before the first run of two spaces.
func diffLines(want, got string) string {
	wanted, given := namedLines(want), namedLines(got)
	var b strings.Builder
	for _, name := range given.names {
		old, found := wanted.lines[name]
		if found && old == given.lines[name] {
			continue
		}
		if found {
			fmt.Fprintf(&b, "-%s\n", old)
		}
		fmt.Fprintf(&b, "+%s\n", given.lines[name])
	}
	for _, name := range wanted.names {
		if _, found := given.lines[name]; !found {
			fmt.Fprintf(&b, "-%s\n", wanted.lines[name])
		}
	}
	return b.String()
}

type named struct {
	names []string
	lines map[string]string
}

func namedLines(text string) named {
	n := named{lines: make(map[string]string)}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		name, _, _ := strings.Cut(line, "  ")
		if strings.HasPrefix(line, "#") {
			name = "#"
		}
		if line == "" {
			continue
		}
		for _, again := n.lines[name]; again; _, again = n.lines[name] {
			name += "'" // the same commit asked about twice
		}
		n.names = append(n.names, name)
		n.lines[name] = line
	}
	return n
}
