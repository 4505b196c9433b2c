// Package source manages the other memories that are read beside this one, and publishes
// facts to them.
package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"engram/gitstore"
	"engram/index"
	"engram/internal/filelock"
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/write"
)

// Sources manages the memories that are read beside a memory.
type Sources struct {
	*core.Memory
	audit *audit.Auditor
	write *write.Writer
}

// New returns the Sources of a memory.
func New(m *core.Memory) *Sources {
	return &Sources{Memory: m, audit: audit.New(m), write: write.New(m)}
}

// SourceInput names the memory of another repository to read.
type SourceInput struct {
	Name   string   `json:"name"`
	URL    string   `json:"url"`
	Scopes []string `json:"scopes,omitempty" flag:"scope,s,PATTERN" help:"only facts of this topic PATTERN"` // such as shared/*; none: every scope
	Branch string   `json:"branch,omitempty" flag:"source-branch,,BRANCH" default:"engram" help:"the memory BRANCH of the other repository"`
}

// Source is a source as it is configured and was fetched.
type Source struct {
	Name     string     `json:"name"`
	URL      string     `json:"url"` // without credentials
	Branch   string     `json:"branch"`
	Scopes   []string   `json:"scopes"`
	Revision string     `json:"revision"`   // "": not fetched yet
	Fetched  *time.Time `json:"fetched_at"` // null: not known
	Facts    int        `json:"facts"`      // that this repository gets to see
	Problem  string     `json:"problem,omitempty"`
}

// SourcesResult is a list of sources.
type SourcesResult struct {
	core.Answer
	Sources []Source `json:"sources"`
}

// SourceResult is one source.
type SourceResult struct {
	core.Answer
	Source Source `json:"source"`
}

// FetchResult says what a fetch brought.
type FetchResult struct {
	core.Answer
	Sources []SourceFetch `json:"sources"`
}

// SourceFetch is what a fetch brought of one source.
type SourceFetch struct {
	Name     string `json:"name"`
	Before   string `json:"revision_before"` // "" if it was not fetched yet
	Revision string `json:"revision"`
	Changed  int    `json:"changed"` // facts that this repository gets to see, or saw, that differ
	// Rewritten: the history was rewritten there. What was derived from the old
	// one is gone; its objects stay in this repository until git collects them.
	Rewritten bool   `json:"rewritten"`
	Problem   string `json:"problem,omitempty"`
}

// RemoveResult says what became of a source.
type RemoveResult struct {
	core.Answer
	Name string `json:"name"`
	Left string `json:"left"` // what is left, and how to remove it
}

// fetchMark is what is remembered of the last fetch. It is local, and lost with
// the derived state.
type fetchMark struct {
	Revision string    `json:"revision"`
	At       time.Time `json:"at"`
}

func (m *Sources) fetchMarkPath() string { return filepath.Join(m.Store.StateDir(), "fetched.json") }

// AddSource fetches another repository's memory and makes it a source of this one. A source
// that was never fetched could only add a note to each answer.
// The error wraps one of gitstore's, or ErrNotMemory; nothing has changed then.
func (m *Sources) AddSource(ctx context.Context, in SourceInput) (SourceResult, error) {
	release, err := m.lockSources(ctx)
	if err != nil {
		return SourceResult{}, err
	}
	defer func() { _ = release() }()
	src, err := m.Store.AddSource(ctx, gitstore.Source{Name: in.Name, URL: in.URL, Branch: in.Branch, Scopes: slices.Clone(in.Scopes)},
		func(src gitstore.Source) error {
			if err := os.RemoveAll(m.SourceDir(src.Name)); err != nil { // of an earlier one of that name
				return fmt.Errorf("begin the source: %w", err)
			}
			_, _, err := m.OpenSource(src).Tip(ctx)
			return err
		})
	if err != nil {
		return SourceResult{}, err
	}
	other := New(m.OpenSource(src))
	if err := other.markFetched(ctx); err != nil {
		return SourceResult{}, err
	}
	shown, err := other.describeSource(ctx)
	return SourceResult{m.answer(ctx), shown}, err
}

// Sources lists the sources by name, with what is known of each.
func (m *Sources) Sources(ctx context.Context) (SourcesResult, error) {
	result := SourcesResult{Answer: m.answer(ctx), Sources: []Source{}}
	list, err := m.Store.Sources(ctx)
	for _, src := range list {
		shown := Source{Name: src.Name, URL: gitstore.WithoutSecrets(src.URL), Branch: src.Branch, Scopes: append([]string{}, src.Scopes...)}
		problem := src.Problem
		if problem == nil {
			shown, problem = New(m.OpenSource(src)).describeSource(ctx)
		}
		if problem != nil {
			shown.Problem = problem.Error()
		}
		result.Sources = append(result.Sources, shown)
	}
	return result, errors.Join(err, ctx.Err())
}

// FetchSources updates the named sources, or all. If one fails, its Problem says why, and the
// others are fetched all the same. The error is the first one.
func (m *Sources) FetchSources(ctx context.Context, names []string) (FetchResult, error) {
	release, err := m.lockSources(ctx)
	if err != nil {
		return FetchResult{}, err
	}
	defer func() { _ = release() }()
	list, err := m.Store.Sources(ctx)
	if err != nil {
		return FetchResult{}, err
	}
	for _, name := range names {
		if !slices.ContainsFunc(list, func(src gitstore.Source) bool { return src.Name == name }) {
			return FetchResult{}, fmt.Errorf("%w: %.60q", gitstore.ErrNoSource, name)
		}
	}
	result := FetchResult{Answer: m.answer(ctx), Sources: []SourceFetch{}}
	var first error
	for i, src := range list {
		if len(names) > 0 && !slices.Contains(names, src.Name) {
			continue
		}
		m.Progress("fetching "+src.Name, i, len(list))
		fetched, err := m.fetchSource(ctx, src)
		if err != nil {
			fetched.Problem = err.Error()
		}
		if err != nil && first == nil {
			first = err
		}
		result.Sources = append(result.Sources, fetched)
	}
	return result, errors.Join(first, ctx.Err())
}

// fetchSource fetches one. The caller holds the lock.
func (m *Sources) fetchSource(ctx context.Context, src gitstore.Source) (SourceFetch, error) {
	shown := SourceFetch{Name: src.Name}
	if src.Problem != nil {
		return shown, src.Problem
	}
	other := New(m.OpenSource(src))
	fetched, err := m.Store.FetchSource(ctx, src)
	if shown.Before, shown.Revision, shown.Rewritten = fetched.Before, fetched.Now, fetched.Rewritten; err != nil {
		return shown, err
	}
	if fetched.Rewritten {
		if err := other.forgetDerived(ctx); err != nil {
			return shown, err
		}
	}
	if err := other.markFetched(ctx); err != nil {
		return shown, err
	}
	if _, _, err := other.Tip(ctx); err != nil {
		return shown, err
	}
	shown.Changed, err = other.countChanged(ctx, fetched.Before, fetched.Now)
	return shown, err
}

// RemoveSource ends a source: its configuration, its reference and all that was
// derived from it. The error wraps gitstore.ErrNoSource.
func (m *Sources) RemoveSource(ctx context.Context, name string) (RemoveResult, error) {
	release, err := m.lockSources(ctx)
	if err != nil {
		return RemoveResult{}, err
	}
	defer func() { _ = release() }()
	src, err := m.Store.Source(ctx, name)
	if src.Name == "" {
		return RemoveResult{}, err
	}
	if err := m.Store.RemoveSource(ctx, name); err != nil {
		return RemoveResult{}, err
	}
	if gitstore.CheckSourceName(name) == nil {
		if err := New(m.OpenSource(src)).forgetDerived(ctx); err != nil {
			return RemoveResult{}, err
		}
	}
	return RemoveResult{m.answer(ctx), name,
		"what was fetched stays as objects that nothing refers to, until git's own maintenance removes them, as git prune does at once"}, nil
}

// forgetDerived removes what was derived from a source, once nobody reads it.
func (m *Sources) forgetDerived(ctx context.Context) error {
	err := errors.Join(m.Index.Remove(ctx), m.Index.Close())
	if err == nil {
		err = os.RemoveAll(m.Store.StateDir())
	}
	if err != nil {
		return fmt.Errorf("forget what was derived from %s: %w", m.From.Name, err)
	}
	return nil
}

func (m *Sources) lockSources(ctx context.Context) (release func() error, err error) {
	return filelock.Acquire(ctx, filepath.Join(m.Store.StateDir(), "sources", "lock"), filelock.Exclusive)
}

// answer names the revision of this memory, "" if it has not begun: sources
// do not depend on it.
func (m *Sources) answer(ctx context.Context) core.Answer {
	tip, _ := m.Store.Tip(ctx)
	return core.AnswerAt(tip)
}

func (m *Sources) markFetched(ctx context.Context) error {
	tip, err := m.Store.Tip(ctx)
	if err != nil {
		return err
	}
	if err := core.WriteJSON(m.fetchMarkPath(), fetchMark{tip, m.Moment()}); err != nil {
		return fmt.Errorf("remember the fetch: %w", err)
	}
	return nil
}

// FetchedAt is when a source was last fetched; nil if that is not known.
func (m *Sources) FetchedAt() *time.Time {
	var mark fetchMark
	if !core.ReadJSON(m.fetchMarkPath(), &mark) || mark.At.IsZero() {
		return nil
	}
	return &mark.At
}

// describeSource says what is known of a source. What is wrong with it is the
// error; the rest is filled in all the same.
func (m *Sources) describeSource(ctx context.Context) (Source, error) {
	shown := Source{
		Name: m.From.Name, URL: gitstore.WithoutSecrets(m.From.URL), Branch: m.From.Branch, Scopes: append([]string{}, m.From.Scopes...),
		Fetched: m.FetchedAt(),
	}
	tip, _, err := m.Tip(ctx)
	if shown.Revision = tip; err != nil {
		return shown, m.SourceError(err)
	}
	q := index.Query{Now: m.Moment()}
	m.Restrict(&q)
	_, err = m.Index.View(ctx, tip, func(view *index.View) (err error) {
		shown.Facts, err = view.Count(ctx, q)
		return err
	})
	return shown, err
}

// countChanged counts the facts that differ between two revisions of a source,
// among those that this repository sees or saw.
func (m *Sources) countChanged(ctx context.Context, from, to string) (int, error) {
	if from == to {
		return 0, nil
	}
	changes, err := m.audit.Changes(ctx, from, to)
	if err != nil {
		return 0, err
	}
	var files []gitstore.File
	for _, c := range changes {
		for _, blob := range []string{c.Old, c.New} {
			if blob != "" {
				files = append(files, gitstore.File{Path: c.Path, Blob: blob})
			}
		}
	}
	seen, now := make(map[string]bool), m.Moment()
	for file, err := range m.Store.ReadAll(ctx, files) {
		if err != nil {
			return 0, err
		}
		if f, err := core.Parse(file); err == nil && m.MayShow(f, now) {
			seen[file.Path] = true
		}
	}
	return len(seen), nil
}

// CheckSources returns the problem of the first source that cannot be read; any reports
// whether there are sources.
func (m *Sources) CheckSources(ctx context.Context) (any bool, err error) {
	list, err := m.Store.Sources(ctx)
	for _, src := range list {
		problem := src.Problem
		if problem == nil {
			other := New(m.OpenSource(src))
			if _, _, problem = other.Tip(ctx); problem != nil {
				problem = other.SourceError(problem)
			}
		}
		if problem != nil && err == nil {
			err = fmt.Errorf("%s: %w", src.Name, problem)
		}
	}
	return len(list) > 0, err
}

// SourceFootprint is what sources keep in this repository.
func (m *Sources) SourceFootprint(ctx context.Context) (list []core.Footprint) {
	sources, _ := m.Store.Sources(ctx)
	for _, src := range sources {
		list = append(list, core.Footprint{What: "the source " + src.Name + ", as it was fetched",
			Where: src.Ref() + ", its entry in the repository's git configuration, and " + m.SourceDir(src.Name), Remove: "engram source rm " + src.Name})
	}
	return list
}
