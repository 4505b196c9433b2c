package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"engram/gitstore/internal/gitcmd"
)

var (
	// ErrAddress: git could be made to run something by it, or it is none.
	ErrAddress = errors.New("no address for a source")
	// ErrOurs: it is this repository, or holds this memory.
	ErrOurs = errors.New("this memory is no source for itself")
)

const maxAddress = 2000

// helperForm is how git is told to run a program of somebody's choice as transport.
var helperForm = regexp.MustCompile(`^[A-Za-z0-9+.-]*::`)

// checkAddress refuses what git would take for an option, what makes it run a
// program that is no part of git, and what no configuration file should hold.
func checkAddress(address string) error {
	switch {
	case address == "":
		return fmt.Errorf("%w: it is empty", ErrAddress)
	case len(address) > maxAddress:
		return fmt.Errorf("%w: it has %d bytes; at most %d are taken", ErrAddress, len(address), maxAddress)
	case address[0] == '-':
		return fmt.Errorf("%w: %q begins like an option", ErrAddress, RedactURL(address))
	case strings.ContainsFunc(address, unicode.IsControl):
		return fmt.Errorf("%w: %q has control characters", ErrAddress, RedactURL(address))
	case helperForm.MatchString(address):
		return fmt.Errorf("%w: %q names a program for git to run", ErrAddress, RedactURL(address))
	}
	return nil
}

// checkScheme refuses what git would look for a program git-remote-SCHEME for.
func checkScheme(address string) error {
	scheme, _, found := strings.Cut(address, "://")
	if !found {
		return nil // a path, or host:path
	}
	switch strings.ToLower(scheme) {
	case "https", "http", "ssh", "git", "file", "git+ssh", "ssh+git":
		return nil
	}
	return fmt.Errorf("%w: %.20q is none of https, http, ssh, git and file", ErrAddress, scheme)
}

// resolve is what git makes of an address by its configuration (insteadOf).
func (s *Set) resolve(ctx context.Context, address string) (string, error) {
	out, err := gitcmd.Run(ctx, s.repo.CommonDir, "ls-remote", "--get-url", "--", address)
	if err != nil {
		return "", err
	}
	return strings.TrimSuffix(out, "\n"), nil
}

// address checks an address as given and as git resolves it. A path comes out
// absolute: git would take it from wherever it happens to run.
func (s *Set) address(ctx context.Context, given string) (string, error) {
	if err := checkAddress(given); err != nil {
		return "", err
	}
	resolved, err := s.resolve(ctx, given)
	if err != nil {
		return "", err
	}
	if err := errors.Join(checkAddress(resolved), checkScheme(resolved)); err != nil {
		return "", err
	}
	path, local := localPath(resolved)
	if !local {
		return given, nil
	}
	if !filepath.IsAbs(path) {
		if resolved != given {
			return "", fmt.Errorf("%w: git makes the relative path %q of it", ErrAddress, resolved)
		}
		if path, err = filepath.Abs(path); err != nil {
			return "", fmt.Errorf("%w: %w", ErrAddress, err)
		}
		given = path
	}
	if s.isOurs(ctx, path) {
		return "", fmt.Errorf("%w: %s is this repository", ErrOurs, given)
	}
	return given, nil
}

// localPath is the path of an address on this machine.
func localPath(address string) (path string, local bool) {
	if rest, ok := strings.CutPrefix(address, "file://"); ok {
		return rest, true
	}
	if strings.Contains(address, "://") {
		return "", false
	}
	if filepath.VolumeName(address) != "" {
		return address, true
	}
	colon, slash := strings.IndexByte(address, ':'), strings.IndexByte(address, '/')
	return address, colon < 0 || slash >= 0 && slash < colon
}

func (s *Set) isOurs(ctx context.Context, path string) bool {
	args := []string{"rev-parse", "--path-format=absolute", "--git-common-dir"}
	out, err := gitcmd.Output(ctx, gitcmd.Find(ctx, path, args...), args)
	if err != nil {
		return false // whatever is wrong with it, fetching will tell
	}
	theirs, err := os.Stat(strings.TrimSuffix(out, "\n"))
	if err != nil {
		return false
	}
	ours, err := os.Stat(s.repo.CommonDir)
	return err == nil && os.SameFile(ours, theirs)
}
