package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/remote"
	"engram/gitstore/internal/repo"
	"engram/internal/lazyregexp"
)

var (
	// ErrAddress: the address is malformed, or could make git run a program.
	ErrAddress = errors.New("not a valid source address")
	// ErrOurs: it is this repository, or holds this memory.
	ErrOurs = errors.New("a memory cannot be a source of itself")
)

const maxAddress = 2000

// helperForm is the form of an address that makes git run a program as transport.
var helperForm = lazyregexp.New(`^[A-Za-z0-9+.-]*::`)

// checkAddress rejects an address that git would take for an option, that would make
// git run a foreign program, or that does not belong in a configuration file.
func checkAddress(address string) error {
	switch {
	case address == "":
		return fmt.Errorf("%w: it is empty", ErrAddress)
	case len(address) > maxAddress:
		return fmt.Errorf("%w: it has %d bytes; the limit is %d", ErrAddress, len(address), maxAddress)
	case address[0] == '-':
		return fmt.Errorf("%w: %q starts with -, like an option", ErrAddress, remote.WithoutSecrets(address))
	case strings.ContainsFunc(address, unicode.IsControl):
		return fmt.Errorf("%w: %q has control characters", ErrAddress, remote.WithoutSecrets(address))
	case helperForm.MatchString(address):
		return fmt.Errorf("%w: %q would make git run a program", ErrAddress, remote.WithoutSecrets(address))
	}
	return nil
}

// checkScheme rejects a scheme for which git would run a program git-remote-SCHEME.
func checkScheme(address string) error {
	scheme, _, found := strings.Cut(address, "://")
	if !found {
		return nil // a path, or host:path
	}
	switch strings.ToLower(scheme) {
	case "https", "http", "ssh", "git", "file", "git+ssh", "ssh+git":
		return nil
	}
	return fmt.Errorf("%w: scheme %.20q is not supported; use https, http, ssh, git or file", ErrAddress, scheme)
}

// address checks an address as given and as git resolves it. A path comes out
// absolute: git would take it from wherever it happens to run.
func (s *Set) address(ctx context.Context, given string) (string, error) {
	if err := checkAddress(given); err != nil {
		return "", err
	}
	resolved, err := s.remote.Resolve(ctx, given)
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
			return "", fmt.Errorf("%w: git resolves it to the relative path %q", ErrAddress, resolved)
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
		return false // a fetch reports what is wrong with it
	}
	theirs, err := os.Stat(strings.TrimSuffix(out, "\n"))
	if err != nil {
		return false
	}
	ours, err := os.Stat(s.repo.CommonDir)
	return err == nil && os.SameFile(ours, theirs)
}

// sourceError describes why a git command that contacted an address failed.
func sourceError(address, porcelain string, err error) error {
	var failed *gitcmd.Error
	if !errors.As(err, &failed) {
		return err // cancelled, or no git
	}
	for _, text := range []string{"fatal: bad object", "error in tree", "error in commit", "fsck error", "missing blob", "unpack", "index-pack", "inflate"} {
		if strings.Contains(failed.Stderr, text) {
			return fmt.Errorf("%w: %s", gitcmd.ErrDamaged, withoutCredentials(gitcmd.Reason(failed.Stderr), address))
		}
	}
	told := remote.TransportError(err, porcelain)
	if errors.Is(told, remote.ErrNotThere) {
		return fmt.Errorf("%w: %s", repo.ErrNoBranch, withoutCredentials(gitcmd.Reason(failed.Stderr), address))
	}
	return told
}

func withoutCredentials(text, address string) string {
	return strings.ReplaceAll(text, address, remote.WithoutSecrets(address))
}
