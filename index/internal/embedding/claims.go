package embedding

import (
	"cmp"
	"context"
	"os"
	"slices"
	"time"

	"engram/facts"
	"engram/index/internal/version"
	"engram/internal/vectors"
)

// newClaim is a claim that stands on the branch and has no vector yet.
type newClaim struct {
	digest    uint64
	text      string
	committed time.Time
}

// claims returns the claims of a revision that have no vector, the newest first. It looks
// only at what changed if everything before is embedded.
func (e *embedCall) claims(ctx context.Context, revision string) ([]newClaim, error) {
	have := func(uint64) bool { return false }
	file, err := e.open()
	if err != nil {
		return nil, err
	}
	if file != nil {
		defer func() { _ = file.Close() }()
		have = func(digest uint64) bool { _, ok := file.Row(digest); return ok }
	}
	var claims []newClaim
	complete := file != nil && e.state.Revision != "" && e.state.Missing == 0 && file.Len() <= 2*e.state.Live+deadRows
	if complete {
		changes, relation, err := e.src.Changes(ctx, e.state.Revision, revision)
		if err != nil {
			return nil, &version.SourceError{Err: err}
		}
		if relation == version.Behind {
			return nil, nil
		}
		if complete = relation == version.Ahead; complete {
			claims, err = e.changed(ctx, changes, have)
			if err != nil {
				return nil, err
			}
		}
	}
	if !complete {
		if claims, err = e.everything(ctx, revision, file, have); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(claims, func(a, b newClaim) int {
		return cmp.Or(b.committed.Compare(a.committed), cmp.Compare(a.digest, b.digest))
	})
	return claims, nil
}

func (e *embedCall) changed(ctx context.Context, changes []version.State, have func(uint64) bool) ([]newClaim, error) {
	var claims []newClaim
	for _, s := range changes {
		if !s.Tip || s.Blob == "" {
			continue
		}
		data, err := e.src.Read(ctx, s.Blob)
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
func (e *embedCall) everything(ctx context.Context, revision string, file *vectors.File, have func(uint64) bool) ([]newClaim, error) {
	states, total, err := e.src.States(ctx, revision)
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
			e.tell("reading", done, total)
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
	e.state.Live = live + len(kept)
	e.state.Revision, e.state.Missing = revision, len(claims)
	if file != nil && file.Len() > 2*len(kept)+deadRows {
		if err := e.compact(file, kept); err != nil {
			return nil, err
		}
	}
	return claims, e.save()
}

// compact rewrites the file with only the vectors of the claims that stand.
func (e *embedCall) compact(file *vectors.File, digests []uint64) error {
	draft := e.vectorPath(vectorFile + ".compact")
	_ = os.Remove(draft)
	defer func() { _ = os.Remove(draft) }()
	slices.Sort(digests)
	for part := range slices.Chunk(slices.Compact(digests), instantBatch) {
		rows := make([][]float32, len(part))
		for i, digest := range part {
			row, _ := file.Row(digest)
			rows[i] = file.Vector(row)
		}
		if err := vectors.Append(draft, e.stamp(), part, rows); err != nil {
			return err
		}
	}
	if err := e.forgetNeighbours(); err != nil {
		return err
	}
	_ = e.Close() // some systems do not replace a mapped file
	return os.Rename(draft, e.vectorPath(vectorFile))
}
