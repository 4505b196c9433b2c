package gitstore

import (
	"context"
	"crypto/sha1" // #nosec G505 -- git's names, not a protection
	"encoding/hex"
	"fmt"
)

// Base is a commit that two revisions have in common, the newest one, or ""
// where there is none. Of several, git chooses.
func (s *Store) Base(ctx context.Context, a, b string) (string, error) {
	bases, err := s.mergeBases(ctx, a, b)
	if err != nil || len(bases) == 0 {
		return "", err
	}
	return bases[0], nil
}

// BlobName is the name that git gives a file's content.
func BlobName(data []byte) string {
	h := sha1.New() // #nosec G401
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// Beside opens another branch of the same repository. The two share everything
// but the branch, the lock of writers included. Close it, too.
func (s *Store) Beside(branch string) (*Store, error) {
	if err := checkBranchName(branch); err != nil {
		return nil, err
	}
	b := &Store{
		branch: branch, ref: "refs/heads/" + branch, gitDir: s.gitDir, commonDir: s.commonDir, objects: s.objects,
		workTree: s.workTree, bare: s.bare, prompt: s.prompt, stateDir: s.stateDir, now: s.now, signing: s.signing, log: s.log,
		who: s.who, sources: s.sources, reached: s.reached,
	}
	b.cat = &catFile{dir: b.commonDir, turn: newTurn()}
	b.code = newCodeCat(b.commonDir, b.cat)
	b.refs = &refUpdater{commonDir: b.commonDir, turn: newTurn()}
	return b, nil
}
