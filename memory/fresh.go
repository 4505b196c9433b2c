package memory

import (
	"context"
	"errors"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
)

// located is the verdict on a pointer, and where its lines stand.
type located struct {
	PointerCheck
	path        string // of the file that has them now
	first, last int    // 0 of all of it
	several     bool   // what moved could as well be elsewhere
}

func (l located) as(verdict Freshness, reason string) located {
	l.Freshness, l.Reason = verdict, reason
	return l
}

// pointer is the verdict on one pointer. What cannot be compared, for whatever
// reason, is unchecked and no error; an error is of the context alone.
//
//  1. A web address: unchecked. Nothing is fetched.
//  2. A diff: fresh where both its commits are here, which never change.
//  3. A fact: checkFact.
//  4. A file, folder, section or test: checkFile.
func (c *checker) pointer(ctx context.Context, p facts.Pointer) (located, error) {
	l := located{PointerCheck: PointerCheck{Ref: p.Ref, Digest: p.Digest}}
	if c.over() {
		return l.as(Unchecked, "there was no time to check it"), errLate
	}
	address, err := facts.ParseRef(p.Ref)
	if err != nil {
		return l.as(Unchecked, "it is no reference"), nil
	}
	l.path, l.first, l.last = address.Path, address.FirstLine, address.LastLine
	limited, cancel := c.limited(ctx)
	defer cancel()
	switch {
	case address.Type == facts.PointURL: // 1.
		return l.as(Unchecked, "engram fetches nothing"), nil
	case c.none != "":
		return l.as(Unchecked, c.none), nil
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
		return l.as(Unchecked, "there was no time to check it"), errLate
	case err != nil:
		return l.as(Unchecked, err.Error()), nil
	}
	return l, nil
}

// errLate: the time of a checker was over before the verdict.
var errLate = errors.New("there was no time to check it")

// checkFile is the verdict on a pointer into the code:
//
//  1. The bytes stand where they stood: fresh. With a digest git is not asked.
//  2. What stood or stands there is a folder: by the names in it. A link or a submodule:
//     by the names of the objects.
//  3. They stand elsewhere in that file: moved.
//  4. git keeps a stand-in there (git lfs): by what is committed. git converts it when
//     it checks it out: by what is staged, or unchecked where it was changed since.
//  5. They stand in the file that this one was renamed to, or in another that has
//     changed since and did not have them: moved, unless this file has an edited version
//     of them in their place, so that the other is a copy.
//  6. The file is there, and they are not: drifted. It is gone: missing.
//
// Where neither digest nor commit says what stood there, the verdict is unchecked,
// unless nothing stands there at all.
func (c *checker) checkFile(ctx context.Context, l located, a facts.Address) (located, error) {
	now, err := c.file(ctx, a.Path)
	if err != nil {
		return l, err
	}
	// 1.
	if now.content != nil {
		if s := evidence.Was(a, l.Digest, nil).Here(now.content); s.Freshness == Fresh {
			return l.at(a.Path, s), nil
		}
	}
	before, commit, err := c.before(ctx, a)
	if err != nil {
		return l, err
	}
	// 2.
	if objects(before) || objects(now) || tooLong(now) || tooLong(before) && l.Digest == "" && now.Kind == gitstore.CodeFile {
		if now.Kind == gitstore.CodeFolder && now.Name != "" && (before != nil || l.Digest != "") {
			return c.byListing(ctx, l, before, now)
		}
		return l.byObjects(a, before, now), nil
	}
	was := evidence.Was(a, l.Digest, contentOf(before))
	if was.Unknown() && now.Kind != gitstore.CodeNone {
		return l.as(Unchecked, whyUnknown(a, commit)), nil
	}
	// 3.
	var here evidence.Standing
	if now.content != nil {
		s := was.In(now.content)
		if s.Freshness == Drifted && c.work { // 4.
			if head, err := c.committedHere(ctx, a.Path); err == nil && (isStandIn(head.content) || isStandIn(contentOf(before))) && head.content != nil {
				s = was.In(head.content)
			} else if stored, why, err := c.stored(ctx, a.Path); err != nil || why != "" {
				return l.as(Unchecked, why), err
			} else if stored != nil {
				now, s = stored, was.In(stored.content)
			}
		}
		if s.Freshness != Drifted {
			return l.at(a.Path, s), nil
		}
		here = s
	}
	// 5.
	moved, reason, err := c.elsewhere(ctx, l, sought{a, was, before, now, commit})
	if err != nil || moved.Freshness == Moved || moved.Freshness == Unchecked {
		return moved, err
	}
	// 6.
	if now.Kind == gitstore.CodeNone {
		return l.as(Missing, orElse(reason, "nothing stands there")), nil
	}
	return l.as(Drifted, orElse(reason, here.Reason)), nil
}

// before is what stood at the place of a pointer at its commit; nil where that is not
// known.
func (c *checker) before(ctx context.Context, a facts.Address) (f *codeFile, commit string, err error) {
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
	return f.content
}

func objects(f *codeFile) bool {
	return f != nil && f.Kind != gitstore.CodeNone && f.Kind != gitstore.CodeFile
}

// tooLong reports whether a file was not read.
func tooLong(f *codeFile) bool { return f != nil && f.Kind == gitstore.CodeFile && f.content == nil }

// byObjects compares what has no bytes to look into, by the names that git gives it.
func (l located) byObjects(a facts.Address, before, now *codeFile) located {
	switch {
	case now.Kind == gitstore.CodeNone:
		return l.as(Missing, "nothing stands there")
	case before == nil:
		return l.as(Unchecked, orElse(now.problem, "it names no commit that is here, and what stands there is no file"))
	case before.Name == "" || now.Name == "":
		return l.as(Unchecked, orElse(orElse(now.problem, before.problem), "it cannot be read"))
	case before.Name == now.Name:
		return l.as(Fresh, "")
	case before.Kind == gitstore.CodeFile && now.Kind == gitstore.CodeFile && a.FirstLine+len(a.Name) > 0:
		return l.as(Unchecked, orElse(orElse(now.problem, before.problem), "it cannot be read"))
	case before.Kind != now.Kind:
		return l.as(Drifted, "something of another kind stands there")
	}
	return l.as(Drifted, "")
}

// byListing compares a folder, which stands for the names in it: what is in its files
// makes no difference.
func (c *checker) byListing(ctx context.Context, l located, before, now *codeFile) (located, error) {
	same, err := c.sameFolder(ctx, l.Digest, before, now.Name)
	switch {
	case err != nil:
		return l, err
	case same:
		return l.as(Fresh, ""), nil
	}
	return l.as(Drifted, "other names are in it"), nil
}

// at is a verdict with the place that goes with it.
func (l located) at(path string, s evidence.Standing) located {
	l = l.as(s.Freshness, s.Reason)
	if s.Freshness != Fresh && s.Freshness != Moved {
		return l
	}
	l.path, l.first, l.last, l.several = path, s.First, s.Last, s.Several
	address, err := facts.ParseRef(l.Ref)
	if s.Freshness == Fresh || err != nil {
		return l
	}
	address.Path, address.Commit = path, ""
	switch {
	case s.Name != "":
		address.Name = s.Name
	case address.Name != "" && s.First > 0: // it is a part of something else
		address = facts.Address{Type: facts.PointRepo, Path: path, FirstLine: s.First, LastLine: s.Last}
	default:
		address.FirstLine, address.LastLine = s.First, s.Last
	}
	l.Now = address.Ref()
	return l
}

// shortCommit is how many digits of a commit name it in a reason.
const shortCommit = 12

// whyUnknown says why nobody knows what stood there.
func whyUnknown(a facts.Address, commit string) string {
	switch {
	case a.Commit == "":
		return "it names neither a commit nor a digest"
	case commit == "":
		return "its commit " + a.Commit[:min(len(a.Commit), shortCommit)] + " is not here, and it has no digest"
	}
	return "nothing stood there at its commit, and it has no digest"
}
