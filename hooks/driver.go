package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"engram/internal/lazyregexp"
)

// The merge driver is a section at the end of the repository's configuration. It is written
// here and not by git, so that removing these bytes restores the rest. If the last line of
// the file had no line end, the section has none either.
const driverHead = "[merge \"engram\"]\n\tname = engram merges facts\n\tdriver = "

var driverSection = lazyregexp.New(regexp.QuoteMeta(driverHead) + `"(?:[^"\\\n]|\\.)*"(\n|$)`)

// driverCommand returns what git runs, through sh.
func driverCommand(binary string) string {
	// If engram is missing or cannot run, git's own merge leaves its markers.
	return quote(slashed(binary)) + " merge-file %O %A %B %P; r=$?; test $r -lt 126 && exit $r; git merge-file -q %A %O %B"
}

// slashed returns a path in the form that git's sh on Windows accepts.
func slashed(path string) string { return filepath.ToSlash(path) }

func driverText(binary string) string {
	return driverHead + `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(driverCommand(binary)) + `"`
}

// withoutDriver removes engram's section from a configuration.
func withoutDriver(config []byte) (rest []byte, found bool) {
	at := driverSection.FindIndex(config)
	if at == nil {
		return config, false
	}
	begin, end := at[0], at[1]
	if rest := bytes.TrimLeft(config[end:], " \t\r\n"); len(rest) > 0 && rest[0] != '[' {
		// Somebody added settings to the section: they keep its header.
		head := []byte(driverHead[:strings.Index(driverHead, "\n")+1])
		return slices.Concat(config[:begin], head, config[end:]), true
	}
	if end == len(config) && !bytes.HasSuffix(config, []byte("\n")) && begin > 0 {
		begin-- // the line before it had no line end
	}
	return bytes.Join([][]byte{config[:begin], config[end:]}, nil), true
}

// withDriver appends the section to a configuration without one.
func withDriver(config []byte, binary string) []byte {
	section := driverText(binary)
	if len(config) == 0 || bytes.HasSuffix(config, []byte("\n")) {
		return append(bytes.Clone(config), section+"\n"...)
	}
	return append(bytes.Clone(config), "\n"+section...)
}

// setDriver makes engram the merge driver of facts, unless another driver of that name is
// configured; then note says so.
func (p Place) setDriver(ctx context.Context, binary string) (note string, err error) {
	err = p.editConfig(func(config []byte) ([]byte, error) {
		rest, _ := withoutDriver(config)
		other, err := p.driverIn(ctx, rest)
		if err != nil || other != "" {
			note = other
			return config, err
		}
		return withDriver(rest, binary), nil
	})
	if note != "" {
		note = "merge.engram.driver is already set and was not changed: " + note
	}
	return note, err
}

// unsetDriver removes the section; removed is false if there is none.
func (p Place) unsetDriver() (removed bool, err error) {
	err = p.editConfig(func(config []byte) ([]byte, error) {
		config, removed = withoutDriver(config)
		return config, nil
	})
	return removed, err
}

// driver returns the merge driver of facts that git would run.
func (p Place) driver(ctx context.Context) string {
	out, _ := git(ctx, p.top(), nil, "", "config", "--get", "merge.engram.driver")
	return strings.TrimSuffix(out, "\n")
}

// driverIn returns the driver that a configuration sets; "" for none.
func (p Place) driverIn(ctx context.Context, config []byte) (string, error) {
	if !bytes.Contains(bytes.ToLower(config), []byte(`"engram"`)) && !bytes.Contains(bytes.ToLower(config), []byte("merge.engram")) {
		return "", nil
	}
	out, err := git(ctx, p.CommonDir, nil, string(config), "config", "--file", "-", "--get", "merge.engram.driver")
	if saidNo(err) {
		return "", nil
	}
	return strings.TrimSuffix(out, "\n"), err
}

// editConfig edits the repository's configuration under git's own lock.
func (p Place) editConfig(edit func([]byte) ([]byte, error)) error {
	path := resolved(filepath.Join(p.CommonDir, "config"))
	lock, err := os.OpenFile(path+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("lock the configuration: %w", err)
	}
	defer os.Remove(path + ".lock")
	defer lock.Close()
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("read the configuration: %w", err)
	}
	config, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the configuration: %w", err)
	}
	changed, err := edit(config)
	if err != nil || bytes.Equal(changed, config) {
		return err
	}
	_, err = lock.Write(changed)
	err = errors.Join(err, lock.Sync(), lock.Close(), os.Chmod(path+".lock", info.Mode().Perm()))
	if err == nil {
		err = os.Rename(path+".lock", path)
	}
	if err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	return nil
}
