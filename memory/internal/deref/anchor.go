package deref

import (
	"context"
	"errors"
	"fmt"

	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/core"
)

func (c *Completer) Anchored(ctx context.Context, p facts.Pointer) (facts.Pointer, []string, error) {
	short := !facts.IsRef(p.Ref)
	a, err := facts.ParseRef(p.Ref)
	if !short && (err != nil || a.Type == facts.PointURL) { // of the former, validation says what is wrong
		return p, nil, nil
	}
	if err := checkDigest(p.Digest); err != nil {
		return p, nil, err
	}
	done, err := c.complete(ctx, p.Ref)
	if err != nil {
		if why, unresolved := NotHere(err); unresolved && !short {
			return p, []string{why + "; the pointer was kept as it is"}, nil
		}
		return p, nil, err
	}
	same := sameDigest(p.Digest, done.Digest)
	switch {
	case p.Digest == "" || same != nil && *same:
		if p.Ref, p.Digest = asStated(p.Ref, a, done.Ref), done.Digest; short {
			p.Ref = done.Ref
		}
		return p, done.Notes, nil
	case same == nil:
		return p, []string{"a digest other than sha256 cannot be compared; the pointer was kept as it is"}, nil
	case a.InRepository() && a.Commit == "": // the file went on since
		return p, []string{fmt.Sprintf("something else stands there now (%s); the pointer was kept as it is", done.Ref)}, nil
	}
	if !c.Who.person() {
		return p, nil, core.UsageErrorf(readHint, "something else stands at %s than its digest says", done.Ref)
	}
	return p, nil, core.UsageErrorf(hint.New("read it again (%s), and omit the digest to use that of what stands there", hint.Do(hint.ReadPointer)), "the digest of %s is %s, not %s", done.Ref, done.Digest, p.Digest)
}

// readHint: an agent is not told the digest of what it did not read, which says that it did.
var readHint = hint.New("read it again (%s), and cite the digest that comes with it", hint.Do(hint.ReadPointer))

// asStated is a reference as somebody wrote it, with no more than the commit that it
// lacked, where that is what it was completed to.
func asStated(ref string, a facts.Address, whole string) string {
	b, err := facts.ParseRef(whole)
	commit := b.Commit
	if !a.InRepository() || err != nil {
		return whole
	}
	if a.Commit == "" {
		b.Commit = ""
	}
	switch {
	case b != a:
		return whole
	case a.Commit == "" && commit != "" && len(ref)+1+len(commit) <= facts.MaxRef:
		return ref + "@" + commit
	}
	return ref
}

// NotHere reports whether an error says that a pointer leads to nothing here, and why.
// What is withheld from who asks is not here either.
func NotHere(err error) (string, bool) {
	var usage *core.UsageError
	var nothing *core.NotFoundError
	var permission *core.PermissionError
	if errors.As(err, &usage) || errors.As(err, &nothing) || errors.As(err, &permission) || errors.Is(err, core.ErrNotFound) {
		return err.Error(), true
	}
	return "", false
}
