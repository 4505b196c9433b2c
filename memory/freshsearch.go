package memory

import (
	"context"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
)

// search is what became of the files of the code since a commit. It is not changed once
// it is made.
type search struct {
	renamed map[string]string            // what a file is called now
	changed map[string]gitstore.CodeMove // files that are new or not as they were, by their path now
	names   map[string]string            // their paths by blob
}

// searchSince finds what became of files since a commit, one diff for all pointers.
func (c *checker) searchSince(ctx context.Context, commit string) (*search, error) {
	if s, known := c.searches[commit]; known {
		return s, nil
	}
	if s := c.keep.search(c, commit); s != nil {
		c.searches[commit] = s
		return s, nil
	}
	to := c.commit
	if c.work {
		to = "" // what is staged is nearer to what is there than HEAD
	}
	moves, _, err := c.m.store.CodeMoves(ctx, commit, to)
	if err != nil {
		return nil, err
	}
	s := &search{renamed: make(map[string]string), changed: make(map[string]gitstore.CodeMove), names: make(map[string]string)}
	for _, move := range moves {
		if move.Path == "" {
			continue
		}
		if move.From != "" && move.From != move.Path {
			s.renamed[move.From] = move.Path
		}
		s.changed[move.Path] = move
		s.names[move.Blob] = move.Path
	}
	if err := c.addWorkChanges(ctx, s); err != nil {
		return nil, err
	}
	c.searches[commit] = s
	c.keep.putSearch(c, commit, s)
	return s, nil
}

// addWorkChanges adds what is neither committed nor staged.
func (c *checker) addWorkChanges(ctx context.Context, s *search) error {
	if !c.work || !c.thorough {
		return nil
	}
	if c.unstaged == nil {
		paths, err := c.m.store.WorkChanges(ctx)
		if err != nil {
			return err
		}
		c.unstaged = append([]string{}, paths...)
	}
	for _, path := range c.unstaged {
		if _, known := s.changed[path]; known {
			continue
		}
		s.changed[path] = gitstore.CodeMove{Path: path}
		if f, err := c.file(ctx, path); err == nil && f.Kind == gitstore.CodeFile {
			s.names[f.Name] = path
		}
	}
	return nil
}

// elsewhere looks for what is not in its file any more:
//
//  1. where its commit is not here, nowhere;
//  2. in the file that git says it was renamed to;
//  3. all of a file, by its blob, among what is new or changed since its commit;
//  4. lines, by the longest of them, in the same files, but not where they stood
//     already then.
//
// reason says something about what was not found.
func (c *checker) elsewhere(ctx context.Context, l located, a facts.Address, was evidence.Original, before *codeFile, commit string) (_ located, reason string, err error) {
	// 1.
	if commit == "" {
		if a.Commit != "" {
			reason = "its commit is not here, so that nobody can tell what became of it"
		}
		return l, reason, nil
	}
	if kept, ok := c.keep.get(ctx, c, l); ok {
		return kept, kept.Reason, nil
	}
	s, err := c.searchSince(ctx, commit)
	if err != nil {
		return l, "", err
	}
	// 2.
	if to := s.renamed[a.Path]; to != "" {
		f, err := c.file(ctx, to)
		if err != nil {
			return l, "", err
		}
		if f.content != nil {
			if st := was.In(f.content); st.Freshness == Fresh || st.Freshness == Moved {
				st.Freshness = Moved
				return c.keep.put(c, l, l.at(to, st), f.Name), "", nil
			}
		}
		reason = "the file was renamed to " + to + ", and what it pointed at has changed"
	}
	// 3.
	if to := s.names[nameOfFile(before)]; before != nil && to != "" && to != a.Path && before.content != nil && a.FirstLine == 0 && a.Name == "" {
		if st, ok := was.Elsewhere(before.content); ok {
			return c.keep.put(c, l, l.at(to, st), before.Name), "", nil
		}
	}
	// 4.
	to, st, err := c.otherFile(ctx, a, was, s)
	if err != nil {
		return l, "", err
	}
	if to != "" {
		return c.keep.put(c, l, l.at(to, st), nameOfFile(c.files[to])), "", nil
	}
	c.keep.put(c, l, l.as(Drifted, reason), "")
	return l, reason, nil
}

func nameOfFile(f *codeFile) string {
	if f == nil {
		return ""
	}
	return f.Name
}

// otherFile finds a changed file that has lines which it did not have before.
func (c *checker) otherFile(ctx context.Context, a facts.Address, was evidence.Original, s *search) (string, evidence.Standing, error) {
	key := was.Key()
	if key == nil || a.FirstLine == 0 && a.Name == "" {
		return "", evidence.Standing{}, nil
	}
	if err := c.indexLines(ctx, s); err != nil {
		return "", evidence.Standing{}, err
	}
	for _, path := range c.found.files(key) {
		move, changed := s.changed[path]
		if !changed || path == a.Path {
			continue
		}
		f, err := c.file(ctx, path)
		if err != nil {
			return "", evidence.Standing{}, err
		}
		if f.content == nil {
			continue
		}
		st, ok := was.Elsewhere(f.content)
		if !ok {
			continue
		}
		if move.Old != "" {
			old, err := c.blob(ctx, move.Old)
			if err != nil {
				return "", evidence.Standing{}, err
			}
			if old != nil {
				if _, there := was.Elsewhere(old); there {
					continue
				}
			}
		}
		return path, st, nil
	}
	return "", evidence.Standing{}, nil
}
