package history

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"engram/gitstore/internal/gitcmd"
)

// Signature is what git holds of the signature of a commit.
type Signature struct {
	Revision string
	Author   string // name <email>, as the commit says
	Subject  string
	// Status is git's letter (%G? of git log): G good, B bad, U good by a key that
	// is not trusted here, X good but expired, Y good by a key that has expired
	// since, R by a revoked key, E cannot be checked, N none.
	Status string
	Signer string // "" if unknown
	Key    string // fingerprint
}

// Good reports whether the commit was signed by a key that this repository's
// configuration trusts, or did when it was made.
func (s Signature) Good() bool { return s.Status == "G" || s.Status == "X" || s.Status == "Y" }

// MaxSignatures bounds how many signatures are checked at a time: each takes a
// process, some 10 ms.
const MaxSignatures = 1000

// Signatures checks the commits that to contains and none of without, newest
// first, at most MaxSignatures of them; more says whether there are others. Git
// checks as it is configured: with gpg's keyring, or gpg.ssh.allowedSignersFile.
func (h *Reader) Signatures(ctx context.Context, to string, without ...string) (list []Signature, more bool, err error) {
	const fields = "%H%x00%an <%ae>%x00%s%x00%G?%x00%GS%x00%GF"
	args := []string{"log", "-z", "--no-color", "--no-show-signature", "--max-count=" + strconv.Itoa(MaxSignatures+1), "--format=tformat:" + fields, to}
	err = gitcmd.CheckRevision(to)
	for _, revision := range without {
		err = errors.Join(err, gitcmd.CheckRevision(revision))
		args = append(args, "^"+revision)
	}
	if err != nil {
		return nil, false, err
	}
	out, err := gitcmd.Run(ctx, h.repo.CommonDir, append(args, "--")...)
	if err != nil {
		return nil, false, fmt.Errorf("check the signatures of %s: %w", to, err)
	}
	values := strings.Split(out, "\x00")
	for ; len(values) >= 6; values = values[6:] {
		list = append(list, Signature{values[0], values[1], values[2], values[3], values[4], values[5]})
	}
	if more = len(list) > MaxSignatures; more {
		list = list[:MaxSignatures]
	}
	return list, more, nil
}
