package proof

import (
	"context"
	"errors"
	"strings"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// checkDiff returns the verdict on a pointer to a diff, which is fresh if both its commits
// are here.
func (c *Checker) checkDiff(ctx context.Context, l Verdict, a facts.Address) (Verdict, error) {
	for _, name := range []string{a.From, a.To} {
		_, err := c.Verifier.Store.CommitOf(ctx, name)
		if errors.Is(err, gitstore.ErrNotFound) {
			_, err = c.Verifier.Store.CommitNamed(ctx, name)
		}
		if errors.Is(err, gitstore.ErrNotFound) {
			return l.with(core.Unchecked, "the commit "+name+" is not here"), nil
		}
		if err != nil {
			return l, err
		}
	}
	return l.with(core.Fresh, ""), nil
}

// checkFact returns the verdict on a pointer to a fact:
//
//  1. No current fact has the key: missing.
//  2. The current version is the named one, or has the same claim: fresh.
//  3. Neither a version nor a digest is named: unchecked.
//  4. The claim differs: drifted.
func (c *Checker) checkFact(ctx context.Context, l Verdict, a facts.Address) (Verdict, error) {
	key, err := facts.ParseKey(a.Path)
	if err != nil {
		return l.with(core.Unchecked, "it does not name a fact"), nil
	}
	f, found, err := c.Verifier.FactAt(ctx, c.Tip, key)
	if errors.Is(err, core.ErrUnreadable) {
		return l.with(core.Unchecked, err.Error()), nil
	}
	if err != nil {
		return l, err
	}
	// 1.
	if !found {
		return l.with(core.Missing, "there is no such fact"), nil
	}
	if state := f.StateAt(c.Now); state != facts.Current && state != facts.Scheduled {
		return l.with(core.Missing, "the fact is "+string(state)), nil
	}
	// 2.
	switch {
	case a.Version != "" && a.Version == f.ID, claims(l.Digest, f.Claim):
		return l.with(core.Fresh, ""), nil
	case a.Version == "" && l.Digest == "": // 3.
		return l.with(core.Unchecked, "it names neither a version nor a digest"), nil
	}
	// 4. The version that is named may have claimed the same under another id.
	if same, err := c.claimedSame(ctx, f, a.Version); err != nil || same {
		return l.with(core.Fresh, ""), err
	}
	return l.with(core.Drifted, "the fact claims something else now"), nil
}

// claims reports whether a digest is that of a claim: of its words, as in conflicts, or of
// its bytes.
func claims(digest, claim string) bool {
	return digest != "" && (strings.HasPrefix("sha256:"+facts.ContentHash(claim), digest) || evidence.Matches(digest, []byte(claim)))
}

// claimedSame reports whether the previous version is the named one and has the same
// claim, because its evidence was reverified.
func (c *Checker) claimedSame(ctx context.Context, f facts.Fact, version string) (bool, error) {
	if version == "" || f.Supersedes != version {
		return false, nil
	}
	log, err := c.Verifier.Store.History(ctx, c.Tip, f.Key.Path(), 2)
	if err != nil || len(log) < 2 {
		return false, err
	}
	file, err := c.Verifier.Store.Get(ctx, log[1].Revision, f.Key.Path())
	if err != nil {
		return false, nil
	}
	old, err := core.Parse(file)
	return err == nil && old.ID == version && facts.ContentHash(old.Claim) == facts.ContentHash(f.Claim), nil
}
