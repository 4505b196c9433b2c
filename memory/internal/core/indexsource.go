package core

import (
	"context"
	"errors"
	"iter"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
)

// source shows the branch to the index in the index's own words.
type source struct{ store *gitstore.Store }

// States reads all versions of all facts up to a revision, and counts their files.
func (s source) States(ctx context.Context, to string) (iter.Seq2[index.State, error], int, error) {
	history, _, err := s.store.Introduced(ctx, "", to)
	if err != nil {
		return nil, 0, err
	}
	tip, err := s.tipBlobs(ctx, to)
	if err != nil {
		return nil, 0, err
	}
	files := make([]gitstore.File, 0, len(history))
	for _, c := range history {
		if _, ok := facts.KeyOfPath(c.Path); ok && c.New != "" {
			files = append(files, gitstore.File{Path: c.Path, Blob: c.New})
		}
	}
	states := func(yield func(index.State, error) bool) {
		for file, err := range s.store.ReadAll(ctx, files) {
			if err != nil {
				yield(index.State{}, err)
				return
			}
			key, _ := facts.KeyOfPath(file.Path)
			// A file that cannot be read has no Data; the index counts it as no fact.
			if !yield(index.State{Key: key, Blob: file.Blob, Tip: tip[file.Path] == file.Blob, Data: file.Data}, nil) {
				return
			}
		}
	}
	return states, len(files), nil
}

func (s source) tipBlobs(ctx context.Context, revision string) (map[string]string, error) {
	files, err := s.store.Files(ctx, revision, "")
	if err != nil {
		return nil, err
	}
	blobs := make(map[string]string, len(files))
	for _, f := range files {
		if f.Err == nil {
			blobs[f.Path] = f.Blob
		}
	}
	return blobs, nil
}

// Changes reads the versions that came between two revisions, if the second follows the
// first.
func (s source) Changes(ctx context.Context, from, to string) ([]index.State, index.Relation, error) {
	introduced, relation, err := s.store.Introduced(ctx, from, to)
	if relation == gitstore.Behind && err == nil {
		// Others wrote since the tip was read, unless it is the tip still: then
		// somebody set the branch back, and the index shows what was removed.
		if tip, tipErr := s.store.Tip(ctx); tipErr == nil && tip == to {
			relation = gitstore.Diverged
		}
	}
	if err != nil || relation != gitstore.Ahead {
		return nil, relationOf(relation), err
	}
	var states []index.State
	tips := make(map[string]string)
	for _, c := range introduced {
		key, ok := facts.KeyOfPath(c.Path)
		if !ok {
			continue
		}
		tip, known := tips[c.Path]
		if !known {
			if tip, err = s.store.BlobAt(ctx, to, c.Path); err != nil {
				return nil, index.Diverged, err
			}
			tips[c.Path] = tip
			states = append(states, index.State{Key: key, Blob: tip, Tip: tip != ""})
		}
		if c.New != "" && c.New != tip {
			states = append(states, index.State{Key: key, Blob: c.New})
		}
	}
	return states, index.Ahead, nil
}

func relationOf(r gitstore.Relation) index.Relation {
	switch r {
	case gitstore.Ahead:
		return index.Ahead
	case gitstore.Behind:
		return index.Behind
	}
	return index.Diverged
}

// Read returns no content for an object that cannot be a fact: one bad
// file must not keep the others from being found.
func (s source) Read(ctx context.Context, blob string) ([]byte, error) {
	data, err := s.store.Blob(ctx, blob)
	if errors.Is(err, gitstore.ErrTooLarge) || errors.Is(err, gitstore.ErrNotFound) {
		return nil, nil
	}
	return data, err
}
