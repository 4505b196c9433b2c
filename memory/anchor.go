package memory

import (
	"context"
	"errors"
	"fmt"

	"engram/facts"
	"engram/internal/hint"
)

// anchor completes the pointers of drafts before they are written, and gives each the
// digest of what stands there:
//
//  1. A short form, or a reference into the repository without a commit: as Complete.
//     Nothing there is an error for a short form, and a warning for a reference.
//  2. A whole reference: it gets its digest. A digest that was stated and is not that
//     of what stands there is refused.
//  3. A whole reference to what is not here, as in another repository: it stays as it
//     is, with a warning.
//
// The warnings are by draft. Drafts without pointers cost nothing.
func (m *Memory) anchor(ctx context.Context, drafts []draft) ([][]string, error) {
	warnings := make([][]string, len(drafts))
	var c *completer
	for i := range drafts {
		d := &drafts[i]
		if len(d.fact.Pointers) == 0 || d.operation == facts.OpDelete || d.operation == facts.OpNone {
			continue
		}
		if c == nil {
			tip, err := m.store.Tip(ctx)
			if err != nil {
				return nil, err
			}
			c = &completer{m: m, tip: tip}
		}
		c.who.agent = d.fact.Provenance.Agent
		for j, p := range d.fact.Pointers {
			anchored, said, err := c.anchored(ctx, p)
			if err != nil {
				return nil, inputError(len(drafts), i, m.pointerError(j, err))
			}
			d.fact.Pointers[j] = anchored
			for _, s := range said {
				warnings[i] = append(warnings[i], fmt.Sprintf("pointers[%d]: %s", j, s))
			}
		}
	}
	return warnings, nil
}

// pointerError names which of several pointers is at fault.
func (m *Memory) pointerError(j int, err error) error {
	_, advice := m.classify(err)
	var usage *usageError
	var nothing *absentError
	if errors.As(err, &usage) || errors.As(err, &nothing) {
		return wrong(advice, "pointers[%d]: %w", j, err)
	}
	return fmt.Errorf("pointers[%d]: %w", j, err)
}

func (c *completer) anchored(ctx context.Context, p facts.Pointer) (facts.Pointer, []string, error) {
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
		if why, unresolved := notHere(err); unresolved && !short {
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
	if !c.who.person() {
		return p, nil, wrong(readHint, "something else stands at %s than its digest says", done.Ref)
	}
	return p, nil, wrong(hint.New("read it again (%s), and omit the digest to use that of what stands there", hint.Do(hint.ReadPointer)), "the digest of %s is %s, not %s", done.Ref, done.Digest, p.Digest)
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

// notHere reports whether an error says that a pointer leads to nothing here, and why.
// What is withheld from who asks is not here either.
func notHere(err error) (string, bool) {
	var usage *usageError
	var nothing *absentError
	var permission *PermissionError
	if errors.As(err, &usage) || errors.As(err, &nothing) || errors.As(err, &permission) || errors.Is(err, ErrNotFound) {
		return err.Error(), true
	}
	return "", false
}
