package deref

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

// target is what a pointer leads to.
type target struct {
	address facts.Address // with full commits
	span    evidence.Span // what the address names, as text
	content []byte        // the whole file
	read    bool          // a content was read, even if it has no such part
	digest  string        // of what the address names
	fact    *facts.Fact   // of a sam pointer
	// problem is why nothing can be quoted although the digest is known.
	problem error
	notes   []string
}

// Hints that several errors share.
var (
	formsHint            = hint.New("%s lists the forms; a short one such as src/a.go:12-40 is completed", hint.Do(hint.Help, "pointers"))
	nothingCommittedHint = hint.New("commit something, or check out a branch of the code")
	blobHint             = hint.New("point at a file that is text, or quote what matters as evidence")
	fetchHint            = hint.New("fetch the commit with %s, or point at one that is here", hint.Do(hint.Git, "fetch"))
	deepenHint           = hint.New("this clone is shallow: %s brings the rest of the history", hint.Do(hint.Git, "fetch --unshallow"))
)

// Requester is who dereferences a pointer.
type Requester struct {
	Agent  string // "" is a person
	Strict bool   // at the boundary between agents, whether named or not
}

// isPerson reports whether the requester may read every commit, reachable or not.
func (a Requester) isPerson() bool { return a.Agent == "" && !a.Strict }

// Locate reads what an address in this repository leads to, if the requester may read it.
// The error wraps ErrNotFound or ErrUsage, as that of Deref.
func (m *Reader) Locate(ctx context.Context, tip string, a facts.Address, who Requester) (target, error) {
	if a.InSession() && !strings.Contains(a.Path, ":") { // which no session's id has
		return m.sessionTarget(ctx, a, who.Agent)
	}
	switch a.Type {
	case facts.PointRepo, facts.PointArtifact, facts.PointTest:
		return m.codeTarget(ctx, a, who)
	case facts.PointDiff:
		return m.diffTarget(ctx, a, who)
	case facts.PointSAM:
		return m.factTarget(ctx, tip, a, who.Agent)
	}
	return target{}, core.UsageErrorf(hint.New("open it in a browser, or quote what matters as evidence"), "%s is a page; engram fetches nothing", a.URL)
}

func (m *Reader) codeTarget(ctx context.Context, a facts.Address, who Requester) (target, error) {
	commit, err := m.commitOf(ctx, a.Commit, who)
	if err != nil {
		return target{}, err
	}
	a.Commit = commit
	code, err := m.Store.CodeAt(ctx, commit, a.Path)
	if err != nil {
		return target{}, err
	}
	if code.Kind == gitstore.CodeFolder && a.Name != "" {
		return target{}, core.UsageErrorf(hint.New("omit the name, or point at a file in it"), "%s is a folder, which has no %q", a.Path, a.Name)
	}
	var content []byte
	switch code.Kind {
	case gitstore.CodeFile:
		content, err = m.Store.CodeBlob(ctx, code.Name)
	case gitstore.CodeFolder:
		content, err = m.proof.Listing(ctx, code.Name)
	default:
		return target{}, m.whyAbsent(ctx, a)
	}
	if errors.Is(err, gitstore.ErrTooLarge) {
		return target{}, core.UsageErrorf(blobHint, "%s has more than %d bytes, which is too large to be read: %w", a.Path, gitstore.MaxCodeFile, err)
	}
	if err != nil {
		return target{}, err
	}
	return cut(a, content)
}

// cut returns the part of a content that an address names.
func cut(a facts.Address, content []byte) (target, error) {
	s := target{address: a, content: content, read: true}
	whole := a.FirstLine == 0 && a.Name == ""
	switch {
	case evidence.IsLFS(content):
		s.problem = core.UsageErrorf(hint.New("%s fetches it; quote what matters as evidence", hint.Do(hint.Git, "lfs pull")), "%s is kept in Git LFS: git has only a pointer to it", a.Path)
	case !evidence.IsText(content):
		s.problem = core.UsageErrorf(blobHint, "%s is not text: %d bytes, %s", a.Path, len(content), evidence.Digest(content))
	}
	if s.problem != nil && !whole {
		return s, s.problem
	}
	span, err := evidence.Cut(a, content)
	if err != nil && a.Commit == "" {
		return s, core.NotFoundErrorf(hint.Hint{}, "%s in the work tree: %v", a.Path, err)
	}
	if err != nil {
		return s, core.NotFoundErrorf(hint.Hint{}, "%s at %s: %v", a.Path, core.ShortCommit(a.Commit), err)
	}
	s.span, s.digest = span, evidence.Digest(span.Text)
	return s, nil
}

// commitOf returns the full name of a commit of the code, if the requester may read it.
func (m *Reader) commitOf(ctx context.Context, name string, who Requester) (string, error) {
	commit, err := m.Store.CommitOf(ctx, name)
	if errors.Is(err, gitstore.ErrNotFound) {
		return "", m.noCommit(name, err)
	}
	if err != nil {
		return "", err
	}
	return commit, m.checkReachable(ctx, commit, who)
}

// checkReachable rejects, for agents, a commit that no branch or tag has: stashes, and
// commits that were amended or rebased away, perhaps for a reason.
func (m *Reader) checkReachable(ctx context.Context, commit string, who Requester) error {
	if who.isPerson() {
		return nil
	}
	has, err := m.Store.CodeHas(ctx, commit)
	if err == nil && !has {
		err = &core.NotFoundError{Message: fmt.Sprintf("no branch or tag has commit %s (any more)", core.ShortCommit(commit)), Hint: hint.New("point at a commit that a branch or tag has"), Unknown: true}
	}
	return err
}

// noCommit returns why no commit of the code has a name. Commits of the memory branch are
// rejected: facts are read by sam pointers, which check permissions.
func (m *Reader) noCommit(name string, err error) error {
	if errors.Is(err, gitstore.ErrMemoryCommit) {
		return core.UsageErrorf(hint.New("a fact is sam:KEY, and a version of it sam:KEY@VERSION; code pointers name commits of the code"), "commit %.60s is of a memory, where no code stands", name)
	}
	return m.unknownCommit(name)
}

func (m *Reader) unknownCommit(name string) error {
	e := &core.NotFoundError{Message: fmt.Sprintf("no commit %.60s is in this repository: it was never fetched, or rebased away and cleared out", name), Hint: fetchHint, Unknown: true}
	if m.Store.Shallow() {
		e.Message, e.Hint = fmt.Sprintf("no commit %.60s is in this repository, which is a shallow clone", name), deepenHint
	}
	return e
}

func (m *Reader) diffTarget(ctx context.Context, a facts.Address, who Requester) (target, error) {
	for _, name := range []*string{&a.From, &a.To} {
		commit, err := m.Store.CommitNamed(ctx, *name)
		if errors.Is(err, gitstore.ErrNotFound) {
			err = m.noCommit(*name, err)
		}
		if err == nil {
			err = m.checkReachable(ctx, commit, who)
		}
		if err != nil {
			return target{}, err
		}
		*name = commit
	}
	diff, err := m.Store.CodeDiff(ctx, a.From, a.To, a.Path)
	if errors.Is(err, gitstore.ErrTooLarge) {
		return target{}, core.UsageErrorf(hint.New("point at fewer files"), "the diff of %s is too large to be read: %w", a.Path, err)
	}
	if err != nil {
		return target{}, err
	}
	if len(diff) == 0 {
		return target{}, core.NotFoundErrorf(hint.Hint{}, "nothing changed at %s between %s and %s", a.Path, core.ShortCommit(a.From), core.ShortCommit(a.To))
	}
	s, err := cut(a, diff)
	if err != nil && s.problem == nil {
		return s, core.NotFoundErrorf(hint.Hint{}, "the diff of %s has %d lines", a.Path, evidence.Count(diff))
	}
	return s, err
}
