package deref

import (
	"context"
	"errors"
	"fmt"

	"engram/bus"
	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
)

// Anchor completes a pointer of a fact with the commit and the digest of what it leads
// to. notes say why it kept a pointer as it is.
func (c *Completer) Anchor(ctx context.Context, p facts.Pointer) (facts.Pointer, []string, error) {
	short := !facts.IsRef(p.Ref)
	a, err := facts.ParseRef(p.Ref)
	if !short && (err != nil || a.Type == facts.PointURL) { // validation reports a malformed reference
		return p, nil, nil
	}
	if err := checkDigest(p.Digest); err != nil {
		return p, nil, err
	}
	done, err := c.complete(ctx, p.Ref)
	if err != nil {
		if why, unresolved := Unresolved(err); unresolved && !short {
			return p, []string{why + "; the pointer was kept as it is"}, nil
		}
		return p, nil, err
	}
	same := sameDigest(p.Digest, done.Digest)
	switch {
	case p.Digest == "" || same != nil && *same:
		if p.Ref, p.Digest = keepSpelling(p.Ref, a, done.Ref), done.Digest; short {
			p.Ref = done.Ref
		}
		return p, done.Notes, nil
	case same == nil:
		return p, []string{"a digest other than sha256 cannot be compared; the pointer was kept as it is"}, nil
	case a.InRepository() && a.Commit == "": // the file has changed since
		return p, []string{fmt.Sprintf("its target has changed since (%s); the pointer was kept as it is", done.Ref)}, nil
	}
	if !c.Who.isPerson() {
		return p, nil, core.UsageErrorf(readHint, "the digest is not that of %s", done.Ref)
	}
	return p, nil, core.UsageErrorf(hint.New("read it again (%s), and omit the digest to use the current one", hint.Do(hint.ReadPointer)), "the digest of %s is %s, not %s", done.Ref, done.Digest, p.Digest)
}

// readHint does not tell an agent the digest of what it did not read, because a digest
// is proof of reading.
var readHint = hint.New("read it again (%s), and cite the digest that comes with it", hint.Do(hint.ReadPointer))

// keepSpelling returns the reference as it was written, plus the missing commit, if that is
// equivalent to the completed reference.
func keepSpelling(ref string, a facts.Address, whole string) string {
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

// Unresolved reports whether an error means that a pointer leads to nothing in this
// repository, and why. Content that the requester may not read counts as absent.
func Unresolved(err error) (string, bool) {
	var usage *core.UsageError
	var nothing *core.NotFoundError
	var permission *core.PermissionError
	if errors.As(err, &usage) || errors.As(err, &nothing) || errors.As(err, &permission) || errors.Is(err, core.ErrNotFound) {
		return err.Error(), true
	}
	return "", false
}

// AnchorEngramPointer completes a pointer of an engram with the digest of what it leads to.
// It returns a refusal if the pointer leads to nothing, names no commit, or has another
// digest.
func (c *Completer) AnchorEngramPointer(ctx context.Context, p budget.EngramPointer) (budget.EngramPointer, *budget.Refusal, error) {
	p.Type = budget.PointerOf(p.Ref, "").Type
	fault := func(resend, format string, args ...any) (budget.EngramPointer, *budget.Refusal, error) {
		return p, &budget.Refusal{Code: bus.Invalid, Reason: fmt.Sprintf(format, args...), Resend: resend}, nil
	}
	address, err := facts.ParseRef(p.Ref)
	if err != nil {
		return fault("", "%v", err)
	}
	if address.Type == facts.PointURL {
		return budget.PointerOf(p.Ref, p.Digest), nil, nil
	}
	whole, err := c.complete(ctx, p.Ref)
	if err != nil {
		if why, nothing := Unresolved(err); nothing {
			_, advice := c.M.Classify(err)
			return fault(advice.In(wireWords()), "%s", why)
		}
		return p, nil, err
	}
	if address.InRepository() && address.Commit == "" {
		return fault("ref: "+whole.Ref, "%s names no commit", p.Ref)
	}
	if same := sameDigest(p.Digest, whole.Digest); same != nil && !*same {
		return fault(readHint.In(wireWords()), "the digest is not that of %s", whole.Ref)
	}
	return budget.PointerOf(whole.Ref, whole.Digest), nil, nil
}

// wireWords are the names of actions in refusals, which are the same text on every
// surface.
func wireWords() hint.Words {
	words := hint.CommandLine()
	words.Action = func(a hint.Action) string {
		return map[hint.Action]string{
			hint.Query: "a query", hint.ListFacts: "a list of the facts", hint.ShowLog: "the history of %s", hint.ShowPolicy: "the policy",
			hint.ReadPointer: "less_deref_pointer, or `engram deref`",
		}[a]
	}
	return words
}
