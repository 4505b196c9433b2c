// Package source configures, fetches and writes to sources: the memories of other
// repositories that this one reads.
package source

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"engram/facts"
	"engram/gitstore/internal/commit"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/history"
	"engram/gitstore/internal/remote"
	"engram/gitstore/internal/repo"
	"engram/internal/lazyregexp"
)

// Source is another repository's memory that this one may read, as this
// repository's own configuration has it:
//
//	[engram-source "NAME"]
//		url = https://example.com/org/memory
//		scope = shared
//		branch = engram
//
// That is local on purpose. What is on the memory branch comes from others, and
// must not decide which addresses this machine talks to.
type Source struct {
	Name   string
	URL    string   // as configured, with what credentials are in it
	Branch string   // of the other repository, without refs/heads/
	Scopes []string // only facts of these scopes and those below; none: every scope
	// Problem is why the entry cannot be used, nil if it can.
	Problem error
}

var (
	// ErrNoSource: no source has that name.
	ErrNoSource = errors.New("no such source")
	// ErrSourceExists: one has it already.
	ErrSourceExists = errors.New("the source already exists")
	// ErrSourceName: a source cannot have that name.
	ErrSourceName = errors.New("not a valid source name")
)

const (
	sourceSection = "engram-source"
	sourceRefs    = "refs/engram/sources/"
	maxSourceName = 40
	// MaxSources is how many sources a repository may have: each takes part in
	// every question.
	MaxSources = 16
)

var sourceName = lazyregexp.New(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// CheckSourceName rejects a name that is not a short slug, that cannot be the name of
// a folder, or that is reserved: none and ours.
func CheckSourceName(name string) error {
	_, err := facts.ParseKey("tool/sources/" + name)
	if err != nil || len(name) > maxSourceName || !sourceName.MatchString(name) || name == "none" || name == "ours" {
		return fmt.Errorf("%w: %.60q; use lower-case letters, digits and single hyphens; none and ours are reserved", ErrSourceName, name)
	}
	return nil
}

// Ref is the reference of the fetched memory of a source in this repository.
func (src Source) Ref() string { return sourceRefs + src.Name }

// Set is the sources that a repository is configured to read.
type Set struct {
	repo    *repo.Repo
	history *history.Reader
	remote  *remote.Client
	commits *commit.Writer
	cache   *sourceCache
}

// New returns the sources of a repository, which are reached through a client of
// remotes and written to by a writer of commits.
func New(r *repo.Repo, client *remote.Client, commits *commit.Writer) *Set {
	return &Set{repo: r, history: history.New(r), remote: client, commits: commits, cache: &sourceCache{}}
}

// On is the same set for a repository opened with another memory branch.
func (s *Set) On(r *repo.Repo, client *remote.Client, commits *commit.Writer) *Set {
	other := New(r, client, commits)
	other.cache = s.cache
	return other
}

// sourceCache keeps what the configuration said last.
type sourceCache struct {
	mu   sync.Mutex
	raw  []byte
	list []Source
}

func (s *Set) configFile() string { return filepath.Join(s.repo.CommonDir, "config") }

// Sources lists the sources, by name. If there are none it only reads the
// configuration file and starts no git. What other files say (the user's, the
// system's, included ones) does not count.
func (s *Set) Sources(ctx context.Context) ([]Source, error) {
	raw, err := os.ReadFile(s.configFile())
	if errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Contains(bytes.ToLower(raw), []byte(sourceSection)) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the sources: %w", err)
	}
	c := s.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.raw != nil && bytes.Equal(c.raw, raw) {
		return slices.Clone(c.list), nil
	}
	out, err := gitcmd.Run(ctx, s.repo.CommonDir, "config", "--file", s.configFile(), "--no-includes", "-z", "--get-regexp", `^`+sourceSection+`\.`)
	var failed *gitcmd.Error
	if errors.As(err, &failed) && out == "" && failed.Stderr == "" {
		err = nil // only a comment mentions them
	}
	if err != nil {
		return nil, fmt.Errorf("read the sources: %w", err)
	}
	c.raw, c.list = raw, parseSources(out)
	return slices.Clone(c.list), nil
}

// parseSources reads what `git config -z --get-regexp` prints.
func parseSources(out string) []Source {
	byName := make(map[string]*Source)
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		rest, _ := strings.CutPrefix(key, sourceSection+".")
		dot := strings.LastIndexByte(rest, '.')
		if dot < 0 {
			continue // of the section without a name
		}
		name, field := rest[:dot], rest[dot+1:]
		if byName[name] == nil {
			byName[name] = &Source{Name: name, Branch: repo.DefaultBranch}
		}
		switch src := byName[name]; field {
		case "url":
			src.URL = value
		case "branch":
			src.Branch = value
		case "scope":
			src.Scopes = append(src.Scopes, value)
		}
	}
	var list []Source
	for _, src := range byName {
		src.Problem = src.check()
		list = append(list, *src)
	}
	slices.SortFunc(list, func(a, b Source) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// check validates an entry, which may have been written by hand.
func (src *Source) check() error {
	if err := CheckSourceName(src.Name); err != nil {
		return err
	}
	if err := repo.CheckBranchName(src.Branch); err != nil || src.Branch == "" {
		return fmt.Errorf("%w: %q", repo.ErrBranchName, src.Branch)
	}
	for i, pattern := range src.Scopes {
		scope, err := SourceScope(pattern)
		if err != nil {
			return err
		}
		src.Scopes[i] = scope
	}
	if slices.Contains(src.Scopes, "") {
		src.Scopes = nil
	}
	if src.URL == "" {
		return fmt.Errorf("%w: it is empty", ErrAddress)
	}
	return nil
}

// ErrScope: a pattern names no scope.
var ErrScope = errors.New("not a valid scope pattern")

var scopePattern = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$`)

// SourceScope is the scope that a pattern means: shared and shared/* both are
// shared and all that is below it, * is every scope, "".
func SourceScope(pattern string) (string, error) {
	scope := strings.TrimSuffix(strings.TrimSuffix(strings.Trim(pattern, "/"), "*"), "/")
	if pattern == "" || scope == "" && strings.Trim(pattern, "/") != "*" || scope != "" && !scopePattern.MatchString(scope) || len(scope) > facts.MaxScope {
		return "", fmt.Errorf("%w: %.60q; use a topic path such as shared or shared/*", ErrScope, pattern)
	}
	return scope, nil
}

// Source is the source of that name. The error wraps ErrNoSource, or is what
// makes the entry unusable.
func (s *Set) Source(ctx context.Context, name string) (Source, error) {
	list, err := s.Sources(ctx)
	if err != nil {
		return Source{}, err
	}
	for _, src := range list {
		if src.Name == name {
			return src, src.Problem
		}
	}
	return Source{}, fmt.Errorf("%w: %.60q", ErrNoSource, name)
}

// AddSource fetches a memory and, if that works, configures it as a source; src
// comes back with its address made absolute. The error wraps ErrSourceExists,
// ErrSourceName, ErrAddress, ErrOurs, ErrScope, ErrBranchName, or what
// FetchSource returns; nothing is left behind then. check may find fault with
// what was fetched.
func (s *Set) AddSource(ctx context.Context, src Source, check func(Source) error) (Source, error) {
	list, err := s.Sources(ctx)
	if err != nil {
		return src, err
	}
	if slices.ContainsFunc(list, func(other Source) bool { return other.Name == src.Name }) {
		return src, fmt.Errorf("%w: %s", ErrSourceExists, src.Name)
	}
	if len(list) >= MaxSources {
		return src, fmt.Errorf("%w: there are %d sources already, which is the limit", ErrSourceExists, len(list))
	}
	src.Branch = cmp.Or(src.Branch, repo.DefaultBranch)
	if err := src.check(); err != nil {
		return src, err
	}
	if src.URL, err = s.address(ctx, src.URL); err != nil {
		return src, err
	}
	if _, err = s.FetchSource(ctx, src); err == nil && check != nil {
		err = check(src)
	}
	if err == nil {
		err = s.configure(ctx, src)
	}
	if err != nil {
		_ = s.dropRef(context.WithoutCancel(ctx), src)
	}
	return src, err
}

// configure writes the entry, its address last: an entry without one is not used.
func (s *Set) configure(ctx context.Context, src Source) error {
	var settings [][2]string
	for _, scope := range src.Scopes {
		settings = append(settings, [2]string{"scope", scope})
	}
	for _, set := range append(settings, [2]string{"branch", src.Branch}, [2]string{"url", src.URL}) {
		args := []string{"config", "--file", s.configFile(), "--add", sourceSection + "." + src.Name + "." + set[0], set[1]}
		if _, err := gitcmd.Run(ctx, s.repo.CommonDir, args...); err != nil {
			_ = s.unconfigure(context.WithoutCancel(ctx), src.Name)
			return fmt.Errorf("configure the source: %w", err)
		}
	}
	return nil
}

func (s *Set) unconfigure(ctx context.Context, name string) error {
	_, err := gitcmd.Run(ctx, s.repo.CommonDir, "config", "--file", s.configFile(), "--remove-section", sourceSection+"."+name)
	return err
}

// RemoveSource removes a source from the configuration, and its reference. The
// objects stay until git's own collection of what nothing refers to.
func (s *Set) RemoveSource(ctx context.Context, name string) error {
	src, err := s.Source(ctx, name)
	if src.Name == "" {
		return err
	}
	if err := s.unconfigure(ctx, name); err != nil {
		return fmt.Errorf("remove the source: %w", err)
	}
	if CheckSourceName(name) != nil {
		return nil // it can have no reference
	}
	return s.dropRef(ctx, src)
}

func (s *Set) dropRef(ctx context.Context, src Source) error {
	_, err := gitcmd.Run(ctx, s.repo.CommonDir, "update-ref", "-d", src.Ref())
	if err != nil {
		return fmt.Errorf("remove %s: %w", src.Ref(), err)
	}
	return nil
}
