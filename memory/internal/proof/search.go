package proof

import (
	"cmp"
	"context"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// search is what happened to the files of the code since a commit. It is immutable.
type search struct {
	renamed    map[string]string            // new path by old path
	changed    map[string]gitstore.CodeMove // files that are new or not as they were, by their path now
	names      map[string]string            // their paths by blob
	ambiguous  map[string]bool              // blobs of more than one file
	incomplete string                       // why the search is incomplete; "" if it is complete
}

// tooMany is the reason for a verdict after an incomplete search.
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

// searchSince finds what happened to files since a commit, with one diff for all pointers.
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
		to = "" // the staged files are nearer to the work tree than HEAD
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

// addWorkChanges adds changes that are neither committed nor staged.
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
		s.incomplete = cmp.Or(s.incomplete, "too many files of the work tree are not staged to look into each; `git add` them")
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

// lostContent is content that is no longer in its file.
type lostContent struct {
	address     facts.Address
	was         evidence.Original
	before, now *codeFile // its file; before is nil if it is not known
	commit      string    // "" if it is not here
}

// editedInPlace reports whether its file has an edited version in its place.
func (s lostContent) editedInPlace() bool {
	switch {
	case s.now.Kind == gitstore.CodeNone:
		return false
	case s.now.Content == nil:
		return true
	}
	return s.was.Edited(s.now.Content)
}

// findElsewhere searches for content that is no longer in its file:
//
//  1. nowhere, if its commit is not here;
//  2. in the file that it was renamed to, as git reports it;
//  3. a whole file by its blob, among the files that are new or changed since its commit;
//  4. lines by the longest of them, in the same files, except where they already were at
//     that commit.
//
// If the file has an edited version of the content, 3 and 4 have found a copy, which is
// no verdict. After an incomplete search, content that was not found is unchecked. reason
// explains why it was not found.
func (c *Checker) findElsewhere(ctx context.Context, l Verdict, g lostContent) (_ Verdict, reason string, err error) {
	a := g.address
	// 1.
	if g.commit == "" {
		if a.Commit != "" {
			reason = "its commit is not in this clone, so what became of it is unknown"
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
			bound = cmp.Or(bound, tooMany)
		}
	}
	if to == "" && bound != "" && !g.editedInPlace() {
		return c.cache.put(c, l, l.with(core.Unchecked, cmp.Or(reason, bound)), ""), "", nil
	}
	if to != "" && !g.editedInPlace() {
		return c.cache.put(c, l, l.at(to, st), nameOfFile(c.files[to])), "", nil
	}
	if to != "" {
		reason = cmp.Or(reason, st.AlsoAt(to))
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

// findSameBlob finds the whole file under another name.
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

// findInChangedFiles finds a changed file that has the lines and did not have them
// before. all is false if there were too many files to examine.
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

// findMovedTo searches a changed file for the lost content.
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

// contentBefore returns a changed file as it was at a commit, or nil if it is new.
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
