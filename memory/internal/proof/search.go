package proof

import (
	"context"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// search is what became of the files of the code since a commit. It is not changed once
// it is made.
type search struct {
	renamed    map[string]string            // what a file is called now
	changed    map[string]gitstore.CodeMove // files that are new or not as they were, by their path now
	names      map[string]string            // their paths by blob
	ambiguous  map[string]bool              // blobs that more than one of them has
	incomplete string                       // why it is not all; "" where it is
}

// tooMany is why something may be where nobody looked.
const tooMany = "too many files have changed since its commit to look into each, so that it may have moved"

// add adds a changed file.
func (s *search) add(path, blob string, move gitstore.CodeMove) {
	s.changed[path] = move
	if had := s.names[blob]; had != "" && had != path {
		s.ambiguous[blob] = true
		path = min(path, had)
	}
	if blob != "" {
		s.names[blob] = path
	}
}

// searchSince finds what became of files since a commit, one diff for all pointers.
func (c *Checker) searchSince(ctx context.Context, commit string) (*search, error) {
	if s, known := c.searches[commit]; known {
		return s, nil
	}
	if s := c.cache.search(c, commit); s != nil {
		c.searches[commit] = s
		return s, nil
	}
	to := c.Commit
	if c.work {
		to = "" // what is staged is nearer to what is there than HEAD
	}
	moves, more, err := c.Verifier.Store.CodeMoves(ctx, commit, to)
	if err != nil {
		return nil, err
	}
	s := &search{renamed: make(map[string]string), changed: make(map[string]gitstore.CodeMove), names: make(map[string]string), ambiguous: make(map[string]bool)}
	if more > 0 {
		s.incomplete = tooMany
	}
	for _, move := range moves {
		if move.Path == "" {
			continue
		}
		if move.From != "" && move.From != move.Path {
			s.renamed[move.From] = move.Path
		}
		s.add(move.Path, move.Blob, move)
	}
	if err := c.addWorkChanges(ctx, s); err != nil {
		return nil, err
	}
	c.searches[commit] = s
	c.cache.putSearch(c, commit, s)
	return s, nil
}

// addWorkChanges adds what is neither committed nor staged.
func (c *Checker) addWorkChanges(ctx context.Context, s *search) error {
	if !c.work || !c.thorough {
		return nil
	}
	if c.unstaged == nil {
		paths, more, err := c.Verifier.Store.WorkChanges(ctx)
		if err != nil {
			return err
		}
		c.unstagedMore = more > 0
		c.unstaged = append([]string{}, paths...)
	}
	if c.unstagedMore {
		s.incomplete = core.OrElse(s.incomplete, "too many files of the work tree are not staged to look into each; `git add` them")
	}
	for _, path := range c.unstaged {
		if _, known := s.changed[path]; known {
			continue
		}
		blob := ""
		if f, err := c.File(ctx, path); err == nil && f.Kind == gitstore.CodeFile {
			blob = f.Name
		}
		s.add(path, blob, gitstore.CodeMove{Path: path})
	}
	return nil
}

// lostContent is what is not in its file any more.
type lostContent struct {
	address     facts.Address
	was         evidence.Original
	before, now *codeFile // its file; before is nil where that is not known
	commit      string    // "" where it is not here
}

// editedInPlace reports whether its file has something like it in its place.
func (s lostContent) editedInPlace() bool {
	switch {
	case s.now.Kind == gitstore.CodeNone:
		return false
	case s.now.Content == nil:
		return true
	}
	return s.was.Edited(s.now.Content)
}

// findElsewhere looks for what is not in its file any more:
//
//  1. where its commit is not here, nowhere;
//  2. in the file that git says it was renamed to;
//  3. all of a file, by its blob, among what is new or changed since its commit;
//  4. lines, by the longest of them, in the same files, but not where they stood
//     already then.
//
// What 3 and 4 find is a copy, and no verdict, where the file has an edited version of
// it. Where there was too much to look through, what is not found is unchecked. reason says something about what was not found.
func (c *Checker) findElsewhere(ctx context.Context, l Verdict, g lostContent) (_ Verdict, reason string, err error) {
	a := g.address
	// 1.
	if g.commit == "" {
		if a.Commit != "" {
			reason = "its commit is not here, so that nobody can tell what became of it"
		}
		return l, reason, nil
	}
	if kept, ok := c.cache.get(ctx, c, l); ok {
		return kept, kept.Reason, nil
	}
	s, err := c.searchSince(ctx, g.commit)
	if err != nil {
		return l, "", err
	}
	// 2.
	if to := s.renamed[a.Path]; to != "" {
		f, err := c.File(ctx, to)
		if err != nil {
			return l, "", err
		}
		if f.Content != nil {
			if st := g.was.In(f.Content); st.Freshness == core.Fresh || st.Freshness == core.Moved {
				if st.Freshness == core.Fresh { // by its name, if it has one
					st.Freshness, st.Name = core.Moved, a.Name
				}
				return c.cache.put(c, l, l.at(to, st), f.Name), "", nil
			}
		}
		reason = "the file was renamed to " + to + ", and what it pointed at has changed"
	}
	// 3.
	to, st := s.findSameBlob(g)
	bound := s.incomplete
	if to == "" { // 4.
		var all bool
		if to, st, all, err = c.findInChangedFiles(ctx, g, s); err != nil {
			return l, "", err
		}
		if !all {
			bound = core.OrElse(bound, tooMany)
		}
	}
	if to == "" && bound != "" && !g.editedInPlace() {
		return c.cache.put(c, l, l.with(core.Unchecked, core.OrElse(reason, bound)), ""), "", nil
	}
	if to != "" && !g.editedInPlace() {
		return c.cache.put(c, l, l.at(to, st), nameOfFile(c.files[to])), "", nil
	}
	if to != "" {
		reason = core.OrElse(reason, st.AlsoAt(to))
	}
	c.cache.put(c, l, l.with(core.Drifted, reason), "")
	return l, reason, nil
}

func nameOfFile(f *codeFile) string {
	if f == nil {
		return ""
	}
	return f.Name
}

// findSameBlob finds all of a file under another name.
func (s *search) findSameBlob(g lostContent) (string, evidence.Standing) {
	if g.before == nil || g.before.Content == nil || g.address.FirstLine > 0 || g.address.Name != "" {
		return "", evidence.Standing{}
	}
	to := s.names[g.before.Name]
	if to == "" || to == g.address.Path {
		return "", evidence.Standing{}
	}
	st, ok := g.was.Elsewhere(g.before.Content)
	if !ok {
		return "", st
	}
	st.Several = s.ambiguous[g.before.Name]
	return to, st
}

// findInChangedFiles finds a changed file that has lines which it did not have before. all is
// false where there were too many to look into each.
func (c *Checker) findInChangedFiles(ctx context.Context, g lostContent, s *search) (found string, at evidence.Standing, all bool, err error) {
	key := g.was.Key()
	if key == nil || g.address.FirstLine == 0 && g.address.Name == "" {
		return "", at, true, nil
	}
	if all, err = c.indexLines(ctx, s); err != nil {
		return "", at, false, err
	}
	for _, path := range c.lines.files(key) {
		move, changed := s.changed[path]
		if !changed || path == g.address.Path {
			continue
		}
		st, ok, err := c.findMovedTo(ctx, g, path, move)
		switch {
		case err != nil:
			return "", at, all, err
		case !ok:
		case found == "":
			found, at = path, st
		default:
			at.Several = true
			return found, at, all, nil
		}
	}
	return found, at, all, nil
}

// findMovedTo looks for what is sought in a changed file.
func (c *Checker) findMovedTo(ctx context.Context, g lostContent, path string, move gitstore.CodeMove) (st evidence.Standing, ok bool, err error) {
	f, err := c.File(ctx, path)
	if err != nil || f.Content == nil {
		return st, false, err
	}
	old, err := c.contentBefore(ctx, g.commit, move)
	if err != nil {
		return st, false, err
	}
	st, ok = g.was.Arrived(f.Content, old)
	return st, ok, nil
}

// contentBefore is what a changed file was at a commit; nil where it is new.
func (c *Checker) contentBefore(ctx context.Context, commit string, move gitstore.CodeMove) (*evidence.Content, error) {
	if move.Old != "" {
		return c.blob(ctx, move.Old)
	}
	f, err := c.committed(ctx, commit, move.Path)
	if err != nil || f.Kind != gitstore.CodeFile {
		return nil, err
	}
	return f.Content, nil
}
