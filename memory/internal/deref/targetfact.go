package deref

import (
	"context"
	"errors"
	"strings"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/internal/lazyregexp"
	"engram/memory/internal/core"
)

var (
	versionForm  = lazyregexp.New(`^[0-9A-HJKMNP-TV-Z]{26}$`) // a ULID
	revisionForm = lazyregexp.New(`^[0-9a-f]{7,40}$`)
)

// factTarget reads the fact of a sam pointer: the current version, a version by its id, or
// the version at a revision of the memory branch. The digest is that of the claim, as in
// conflicts, not of the bytes: a version with the same claim is the same evidence.
func (m *Reader) factTarget(ctx context.Context, tip string, a facts.Address, agent string) (target, error) {
	key, err := facts.ParseKey(a.Path)
	if err != nil {
		return target{}, core.NotFoundErrorf(hint.New("only facts of this memory are read: sam:namespace/category/identifier"), "sam:%s is no fact: %v", a.Path, err)
	}
	manifest, err := m.Manifest(ctx, tip)
	if err != nil {
		return target{}, err
	}
	f, err := m.factAtVersion(ctx, tip, key, a.Version)
	if err != nil {
		return target{}, err
	}
	if err := m.Reader(manifest, agent).Check(ctx, tip, f); err != nil {
		return target{}, err
	}
	a.Path, a.Version = f.Key.String(), f.ID
	return target{address: a, fact: &f, digest: "sha256:" + facts.ContentHash(f.Claim)}, nil
}

func (m *Reader) factAtVersion(ctx context.Context, tip string, key facts.Key, version string) (facts.Fact, error) {
	now := core.Past{Revision: tip, Date: m.Moment()}
	switch {
	case version == "":
		return m.FactOn(ctx, now, key, m.ResolveBranch(""))
	case versionForm.MatchString(version):
		return m.factVersion(ctx, tip, key, version)
	case revisionForm.MatchString(version):
		revision, err := m.Store.Ancestor(ctx, version, tip)
		if errors.Is(err, gitstore.ErrNotFound) {
			return facts.Fact{}, core.NotFoundErrorf(core.VersionsHint(key), "%s is no revision of the memory", version)
		}
		if err != nil {
			return facts.Fact{}, err
		}
		now.Revision = revision
		return m.FactOn(ctx, now, key, core.EveryBranch)
	}
	return facts.Fact{}, core.NotFoundErrorf(core.VersionsHint(key), "%s has no version %q: it is an id or a revision of the memory branch", key, version)
}

// factVersion finds a version of a fact by its id.
func (m *Reader) factVersion(ctx context.Context, tip string, key facts.Key, id string) (facts.Fact, error) {
	f, found, err := m.FactAt(ctx, tip, key)
	if err == nil && found && f.ID == id {
		return f, nil
	}
	entries, err := m.Store.History(ctx, tip, key.Path(), 0)
	if err != nil {
		return facts.Fact{}, err
	}
	for _, e := range entries {
		if f, err := m.Version(ctx, e.New); err == nil && f.ID == id {
			return f, nil
		}
	}
	return facts.Fact{}, core.NotFoundErrorf(core.VersionsHint(key), "%s has no version %s", key, id)
}

// factExcerpt renders a fact for a dereference: its claim, author and window, and as many
// lines of the detail as the tokens permit. ok is false if not even the claim fits.
func factExcerpt(f facts.Fact, tokens int) (text string, truncated, ok bool) {
	f = core.FillUnstated(f)
	shown := facts.Fact{
		Key: f.Key, ID: f.ID, Claim: f.Claim, Detail: f.Detail, Kind: f.Kind, ValidFrom: f.ValidFrom, ValidUntil: f.ValidUntil,
		Provenance: facts.Provenance{Agent: f.Provenance.Agent, Engineer: f.Provenance.Engineer, CreatedAt: f.Provenance.CreatedAt},
	}
	detail := evidence.Span{First: 1, Last: evidence.Count([]byte(f.Detail)), Text: []byte(f.Detail)}
	for {
		text = string(facts.Marshal(shown))
		used := facts.Tokens(text)
		if used <= tokens {
			return text, truncated, true
		}
		if shown.Detail == "" {
			return "", true, false
		}
		truncated = true
		short, _ := evidence.Shorten(detail, facts.Tokens(shown.Detail)-max(used-tokens, 1))
		shown.Detail = strings.TrimRight(string(short.Text), "\n")
		detail = short
	}
}
