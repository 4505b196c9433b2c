package code

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/repo"
	"engram/internal/lazyregexp"
)

// Conversion says that a file of the work tree is not what git stores of it.
type Conversion struct {
	Attribute string // filter=git-crypt; "" if git stores it as it is, line ends apart
	// Stored is the blob that is staged, if the file is as git checked it out; "" if
	// it was changed since, or if that is not known.
	Stored string
}

// converting are the attributes that make git store other bytes than the work tree has.
var converting = []string{"filter", "working-tree-encoding", "ident"}

var plainFilter = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

// Conversion returns how git converts a file when it checks it out. If no attributes
// file applies, no git is started; filters are not run.
func (r *Reader) Conversion(ctx context.Context, file string) (Conversion, error) {
	if r.repo.WorkTree == "" || !r.hasAttributes(file) {
		return Conversion{}, nil
	}
	out, err := r.inWorkTree(ctx, nil, append(append([]string{"check-attr", "-z"}, converting...), "--", file)...)
	if err != nil {
		return Conversion{}, fmt.Errorf("look up the attributes of %s: %w", file, err)
	}
	c, settings := conversionOf(strings.Split(out, "\x00"))
	if c.Attribute == "" || settings == nil {
		return c, nil
	}
	var no *exec.ExitError
	if _, err = r.inWorkTree(ctx, settings, "diff-files", "--quiet", "--", file); errors.As(err, &no) {
		return c, nil
	}
	if err == nil {
		out, err = r.inWorkTree(ctx, nil, "ls-files", "--stage", "-z", "--", file)
	}
	if err != nil {
		return c, fmt.Errorf("compare %s with what is staged: %w", file, err)
	}
	if fields := strings.Fields(out); len(fields) > 3 && fields[2] == "0" { // mode, blob, stage, path
		c.Stored = fields[1]
	}
	return c, nil
}

// conversionOf reads what check-attr prints: path, attribute and value, over and over.
// settings keep git from running the filter; nil if they cannot.
func conversionOf(fields []string) (c Conversion, settings []string) {
	settings = []string{}
	for i := 0; i+2 < len(fields); i += 3 {
		name, value := fields[i+1], fields[i+2]
		if value == "unspecified" || value == "unset" || name != "ident" && value == "set" {
			continue
		}
		if c.Attribute == "" {
			c.Attribute = strings.TrimSuffix(name+"="+value, "=set")
		}
		switch {
		case name == "filter" && plainFilter.MatchString(value):
			settings = append(settings, "-c", "filter."+value+".clean=", "-c", "filter."+value+".process=", "-c", "filter."+value+".required=false")
		case name == "filter":
			return c, nil
		}
	}
	return c, settings
}

func (r *Reader) inWorkTree(ctx context.Context, settings []string, args ...string) (string, error) {
	all := append([]string{"--git-dir=" + r.repo.GitDir, "--work-tree=" + r.repo.WorkTree, "-c", "core.fsmonitor=false"}, append(settings, args...)...)
	return gitcmd.Output(ctx, gitcmd.Find(ctx, r.repo.WorkTree, all...), args)
}

// hasAttributes reports whether there is a file that may give a path attributes.
func (r *Reader) hasAttributes(file string) bool {
	for _, place := range []string{filepath.Join(r.repo.CommonDir, "info"), filepath.Join(r.repo.GitDir, "info")} {
		if repo.Exists(filepath.Join(place, "attributes")) {
			return true
		}
	}
	if config, err := os.UserConfigDir(); err == nil && repo.Exists(filepath.Join(config, "git", "attributes")) {
		return true
	}
	for folder := path.Dir(file); ; folder = path.Dir(folder) {
		if repo.Exists(filepath.Join(r.repo.WorkTree, filepath.FromSlash(folder), ".gitattributes")) {
			return true
		}
		if folder == "." || folder == "/" {
			return false
		}
	}
}
