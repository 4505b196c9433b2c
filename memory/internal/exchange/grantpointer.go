package exchange

import (
	"context"
	"strings"

	"engram/bus"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
)

// grantPointer returns the pointer of a grant as a whole reference with a commit. It
// completes a short form or, if the grant is strict, returns an error that says what to
// write. A prefix applies to all commits unless it names one.
func (m *Bus) grantPointer(ctx context.Context, in budget.GrantInput) (string, error) {
	if in.Pointer == "" {
		if bus.Purpose(in.Purpose) == bus.ForCode {
			return "", nil
		}
		return "", core.UsageErrorf(hint.New("name what may be pulled: repo:path#L12-L40@commit, or a folder with %s", hint.Prefix), "a grant needs a pointer")
	}
	if in.Prefix {
		if !in.Strict && !strings.Contains(in.Pointer, ":") {
			return "repo:" + strings.TrimPrefix(in.Pointer, "./"), nil
		}
		return in.Pointer, nil
	}
	a, err := facts.ParseRef(in.Pointer)
	if err == nil && !needsCommit(a) {
		return in.Pointer, nil
	}
	whole, completing := m.deref.CompleteFor(ctx, in.Parent, in.Pointer)
	switch {
	case completing != nil && err != nil:
		return "", completing // neither a valid form nor an existing thing
	case completing != nil:
		return "", core.UsageErrorf(hint.New("write the commit after it: %s@COMMIT", in.Pointer), "pointer %s names no commit, so what it is for would move", in.Pointer)
	case in.Strict:
		return "", core.UsageErrorf(hint.New("write %s", whole.Ref), "pointer %s names no commit, so what it is for would move", in.Pointer)
	}
	if a, err = facts.ParseRef(whole.Ref); err == nil && needsCommit(a) {
		return "", core.UsageErrorf(hint.New("commit the file first, or grant its folder with %s", hint.Prefix), "%s is not committed, so nobody could pull it", in.Pointer)
	}
	return whole.Ref, err
}

// needsCommit reports whether the address has a different meaning in each commit.
func needsCommit(a facts.Address) bool { return a.InRepository() && a.Commit == "" }

// grantNotes returns a note if a grant for reading covers nothing that is here, or only
// the listing of a folder.
func (m *Bus) grantNotes(ctx context.Context, tip string, g budget.Grant) []string {
	if g.Prefix || g.Purpose != bus.ForDeref {
		return nil
	}
	a, err := facts.ParseRef(g.Pointer)
	if err != nil {
		return nil
	}
	if _, err := m.deref.Locate(ctx, tip, a, deref.Requester{Agent: g.Child}); err != nil {
		if why, nothing := deref.Unresolved(err); nothing {
			return []string{"nothing can be read by it as things are: " + why}
		}
		return nil
	}
	if a.Type != facts.PointRepo && a.Type != facts.PointArtifact {
		return nil
	}
	if code, err := m.Store.CodeAt(ctx, a.Commit, a.Path); err == nil && code.Kind == gitstore.CodeFolder {
		return []string{a.Path + " is a folder: the grant covers its listing alone, and with --prefix (prefix) what is below it"}
	}
	return nil
}
