package embedding

import (
	"cmp"
	"context"
	"slices"
	"time"

	"engram/facts"
	"engram/index/internal/version"
	"engram/internal/vectors"
)

// Claims are the claims of the facts on a branch, which have vectors.
type Claims struct{ Source version.Source }

// Compares is Content's: who states nearly the same corroborates.
func (c Claims) Compares() bool { return true }

// Update is Content's.
func (c Claims) Update(ctx context.Context, e *Call, revision string) error {
	claims, err := c.missing(ctx, e, revision)
	if err != nil {
		return err
	}
	texts := make([]Text, len(claims))
	for i, claim := range claims {
		texts[i] = Text{claim.digest, claim.text}
	}
	return e.Add(ctx, texts, len(texts))
}

// newClaim is a claim that stands on the branch and has no vector yet.
type newClaim struct {
	digest    uint64
	text      string
	committed time.Time
}

// missing returns the claims of a revision that have no vector, the newest first. It looks
// only at what changed if everything before is embedded.
func (c Claims) missing(ctx context.Context, e *Call, revision string) ([]newClaim, error) {
	have := func(uint64) bool { return false }
	file, err := e.Open()
	if err != nil {
		return nil, err
	}
	if file != nil {
		defer func() { _ = file.Close() }()
		have = func(digest uint64) bool { _, ok := file.Row(digest); return ok }
	}
	var claims []newClaim
	complete := file != nil && e.Revision != "" && e.Missing == 0 && file.Len() <= 2*e.Live+deadRows
	if complete {
		changes, relation, err := c.Source.Changes(ctx, e.Revision, revision)
		if err != nil {
			return nil, &version.SourceError{Err: err}
		}
		if relation == version.Behind {
			return nil, nil
		}
		if complete = relation == version.Ahead; complete {
			claims, err = c.changed(ctx, changes, have)
			if err != nil {
				return nil, err
			}
		}
	}
	if !complete {
		if claims, err = c.everything(ctx, e, revision, file, have); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(claims, func(a, b newClaim) int {
		return cmp.Or(b.committed.Compare(a.committed), cmp.Compare(a.digest, b.digest))
	})
	return claims, nil
}

func (c Claims) changed(ctx context.Context, changes []version.State, have func(uint64) bool) ([]newClaim, error) {
	var claims []newClaim
	for _, s := range changes {
		if !s.Tip || s.Blob == "" {
			continue
		}
		data, err := c.Source.Read(ctx, s.Blob)
		if err != nil {
			return nil, &version.SourceError{Err: err}
		}
		s.Data = data
		claims = appendClaim(claims, s, have)
	}
	return claims, nil
}

func appendClaim(claims []newClaim, s version.State, have func(uint64) bool) []newClaim {
	f, err := facts.ParseAt(s.Key, s.Data)
	if err != nil {
		return claims // not a fact: the index counts it
	}
	if digest := version.ClaimDigest(f.Claim); !have(digest) {
		claims = append(claims, newClaim{digest, f.Claim, f.Provenance.CreatedAt})
	}
	return claims
}

// everything reads all claims that stand in a revision. If most vectors in the file are of
// other claims, it drops those.
func (c Claims) everything(ctx context.Context, e *Call, revision string, file *vectors.File, have func(uint64) bool) ([]newClaim, error) {
	states, total, err := c.Source.States(ctx, revision)
	if err != nil {
		return nil, &version.SourceError{Err: err}
	}
	var claims []newClaim
	var kept []uint64
	live, done := 0, 0
	for s, err := range states {
		if err != nil {
			return nil, &version.SourceError{Err: err}
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if done++; done%instantBatch == 0 {
			e.Tell("reading", done, total)
		}
		if !s.Tip {
			continue
		}
		before := len(claims)
		claims = appendClaim(claims, s, func(digest uint64) bool {
			if have(digest) {
				kept = append(kept, digest)
				return true
			}
			return false
		})
		live += len(claims) - before
	}
	e.Live = live + len(kept)
	e.Revision, e.Missing = revision, len(claims)
	if file != nil && file.Len() > 2*len(kept)+deadRows {
		if err := e.Keep(file, kept); err != nil {
			return nil, err
		}
	}
	return claims, e.Save()
}
