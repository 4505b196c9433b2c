package proof

import (
	"cmp"
	"context"
	"errors"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// Verdict is the verdict on a pointer, and where its lines are now.
type Verdict struct {
	PointerCheck
	Path        string // of the file that has the lines now
	First, Last int    // 0 for the whole file
	ambiguous   bool   // moved content was found in several places
}

func (l Verdict) with(verdict core.Freshness, reason string) Verdict {
	l.Freshness, l.Reason = verdict, reason
	return l
}

// pointer returns the verdict on one pointer. A pointer that cannot be compared is
// unchecked, which is not an error; only a cancelled context is.
//
//  1. A web address: unchecked. Nothing is fetched.
//  2. A diff: fresh if both its commits are here, since commits never change.
//  3. A fact: checkFact.
//  4. A file, folder, section or test: checkFile.
//  5. A session, an event or an artifact of one: whether this clone has it so.
func (c *Checker) pointer(ctx context.Context, p facts.Pointer) (Verdict, error) {
	l := Verdict{PointerCheck: PointerCheck{Ref: p.Ref, Digest: p.Digest}}
	if c.timedOut() {
		return l.with(core.Unchecked, "there was no time to check it"), errLate
	}
	address, err := facts.ParseRef(p.Ref)
	if err != nil {
		return l.with(core.Unchecked, "it is not a reference"), nil
	}
	l.Path, l.First, l.Last = address.Path, address.FirstLine, address.LastLine
	limited, cancel := c.Limited(ctx)
	defer cancel()
	switch {
	case address.Type == facts.PointURL: // 1.
		return l.with(core.Unchecked, "engram fetches nothing"), nil
	case address.InSession(): // 5.
		var reason string
		l.Freshness, reason, err = c.Verifier.archive.Holds(limited, address, func(text []byte) bool {
			return l.Digest == "" || evidence.Matches(l.Digest, text)
		})
		l = l.with(l.Freshness, reason)
	case c.NoCode != "":
		return l.with(core.Unchecked, c.NoCode), nil
	case address.Type == facts.PointDiff: // 2.
		l, err = c.checkDiff(limited, l, address)
	case address.Type == facts.PointSAM: // 3.
		l, err = c.checkFact(limited, l, address)
	default: // 4.
		l, err = c.checkFile(limited, l, address)
	}
	switch {
	case ctx.Err() != nil:
		return l, context.Cause(ctx)
	case err != nil && limited.Err() != nil:
		return l.with(core.Unchecked, "there was no time to check it"), errLate
	case err != nil:
		return l.with(core.Unchecked, err.Error()), nil
	}
	return l, nil
}

// errLate reports that the time limit of a Checker passed before the verdict.
var errLate = errors.New("there was no time to check it")

// checkFile returns the verdict on a pointer into the code:
//
//  1. The bytes are where they were: fresh. With a digest, git is not needed.
//  2. A folder was or is there: by the names in it. A link or a submodule: by the names
//     of the objects.
//  3. The bytes are elsewhere in that file: moved.
//  4. git stores a Git LFS pointer: by what is committed. git converts the file on
//     checkout: by what is staged, or unchecked if the file has changed since.
//  5. The bytes are in the file that this one was renamed to, or in another one that has
//     changed since and did not have them: moved, unless this file has an edited version
//     in their place, so that the other one is a copy.
//  6. The file does not have the bytes: drifted. There is no file: missing.
//
// If neither a digest nor a commit says what was there, the verdict is unchecked, unless
// nothing is there at all.
func (c *Checker) checkFile(ctx context.Context, l Verdict, a facts.Address) (Verdict, error) {
	now, err := c.File(ctx, a.Path)
	if err != nil {
		return l, err
	}
	// 1.
	if now.Content != nil {
		if s := evidence.Was(a, l.Digest, nil).Here(now.Content); s.Freshness == core.Fresh {
			return l.at(a.Path, s), nil
		}
	}
	before, commit, err := c.before(ctx, a)
	if err != nil {
		return l, err
	}
	// 2.
	if comparesByName(before, now, l.Digest) {
		if now.Kind == gitstore.CodeFolder && now.Name != "" && (before != nil || l.Digest != "") {
			return c.compareListing(ctx, l, before, now)
		}
		return l.compareObjects(a, before, now), nil
	}
	was := evidence.Was(a, l.Digest, contentOf(before))
	if was.Unknown() && now.Kind != gitstore.CodeNone {
		return l.with(core.Unchecked, whyUnknown(a, commit)), nil
	}
	// 3.
	var here evidence.Standing
	if now.Content != nil {
		s := was.In(now.Content)
		if s.Freshness == core.Drifted && c.work { // 4.
			if head, err := c.committedHere(ctx, a.Path); err == nil && (isLFSPointer(head.Content) || isLFSPointer(contentOf(before))) && head.Content != nil {
				s = was.In(head.Content)
			} else if stored, why, err := c.storedContent(ctx, a.Path); err != nil || why != "" {
				return l.with(core.Unchecked, why), err
			} else if stored != nil {
				now, s = stored, was.In(stored.Content)
			}
		}
		if s.Freshness != core.Drifted {
			return l.at(a.Path, s), nil
		}
		here = s
	}
	// 5.
	moved, reason, err := c.findElsewhere(ctx, l, lostContent{a, was, before, now, commit})
	if err != nil || moved.Freshness == core.Moved || moved.Freshness == core.Unchecked {
		return moved, err
	}
	// 6.
	if now.Kind == gitstore.CodeNone {
		return l.with(core.Missing, cmp.Or(reason, "nothing is there")), nil
	}
	return l.with(core.Drifted, cmp.Or(reason, here.Reason)), nil
}

// before returns what was at the place of a pointer at its commit, or nil if that is not
// known.
func (c *Checker) before(ctx context.Context, a facts.Address) (f *codeFile, commit string, err error) {
	if commit, err = c.commitOf(ctx, a.Commit); err != nil || commit == "" {
		return nil, "", err
	}
	f, err = c.committed(ctx, commit, a.Path)
	if err != nil || f.Kind == gitstore.CodeNone {
		return nil, commit, err
	}
	return f, commit, nil
}

func contentOf(f *codeFile) *evidence.Content {
	if f == nil {
		return nil
	}
	return f.Content
}

func isObject(f *codeFile) bool {
	return f != nil && f.Kind != gitstore.CodeNone && f.Kind != gitstore.CodeFile
}

// comparesByName reports whether only the names of git objects can be compared, because
// what was or is there is not a file or was not read.
func comparesByName(before, now *codeFile, digest string) bool {
	if isObject(before) || isObject(now) || isUnread(now) {
		return true
	}
	return isUnread(before) && digest == "" && now.Kind == gitstore.CodeFile
}

// isUnread reports whether a file was not read because it is too large.
func isUnread(f *codeFile) bool { return f != nil && f.Kind == gitstore.CodeFile && f.Content == nil }

// compareObjects compares folders, links and submodules by the names of their git objects.
func (l Verdict) compareObjects(a facts.Address, before, now *codeFile) Verdict {
	switch {
	case now.Kind == gitstore.CodeNone:
		return l.with(core.Missing, "nothing is there")
	case before == nil:
		return l.with(core.Unchecked, cmp.Or(now.Problem, "it names no commit that is here, and what is there now is not a file"))
	case before.Name == "" || now.Name == "":
		return l.with(core.Unchecked, cmp.Or(now.Problem, before.Problem, "it cannot be read"))
	case before.Name == now.Name:
		return l.with(core.Fresh, "")
	case before.Kind == gitstore.CodeFile && now.Kind == gitstore.CodeFile && a.FirstLine+len(a.Name) > 0:
		return l.with(core.Unchecked, cmp.Or(now.Problem, before.Problem, "it cannot be read"))
	case before.Kind != now.Kind:
		return l.with(core.Drifted, "what is there is of another kind")
	}
	return l.with(core.Drifted, "")
}

// compareListing compares a folder by the names in it; the contents of its files do not
// matter.
func (c *Checker) compareListing(ctx context.Context, l Verdict, before, now *codeFile) (Verdict, error) {
	same, err := c.sameFolder(ctx, l.Digest, before, now.Name)
	if err != nil {
		return l, err
	}
	if same {
		return l.with(core.Fresh, ""), nil
	}
	return l.with(core.Drifted, "other names are in it"), nil
}

// at returns the verdict with the place where the content is now.
func (l Verdict) at(path string, s evidence.Standing) Verdict {
	l = l.with(s.Freshness, s.Reason)
	if s.Freshness != core.Fresh && s.Freshness != core.Moved {
		return l
	}
	l.Path, l.First, l.Last, l.ambiguous = path, s.First, s.Last, s.Several
	address, err := facts.ParseRef(l.Ref)
	if s.Freshness == core.Fresh || err != nil {
		return l
	}
	address.Path, address.Commit = path, ""
	switch {
	case s.Name != "":
		address.Name = s.Name
	case address.Name != "" && s.First > 0: // the lines are now part of something else
		address = facts.Address{Type: facts.PointRepo, Path: path, FirstLine: s.First, LastLine: s.Last}
	default:
		address.FirstLine, address.LastLine = s.First, s.Last
	}
	l.Now = address.Ref()
	return l
}

// whyUnknown returns why the content that a pointer stands for is not known.
func whyUnknown(a facts.Address, commit string) string {
	switch {
	case a.Commit == "":
		return "it names neither a commit nor a digest"
	case commit == "":
		return "its commit " + core.ShortCommit(a.Commit) + " is not here, and it has no digest"
	}
	return "nothing stood there at its commit, and it has no digest"
}
