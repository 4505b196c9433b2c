package share

import (
	"bytes"
	"context"
	"errors"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/write"
)

// resolver decides what a merge of the branch cannot: facts by facts.MergeFile,
// every other text line by line.
type resolver struct{ m *Sharer }

// Joiner returns the resolver of conflicts in merges of the branch.
func (m *Sharer) Joiner() gitstore.Joiner { return resolver{m} }

// Join implements gitstore.Joiner.
func (j resolver) Join(ctx context.Context, c gitstore.Contest) ([]gitstore.Write, error) {
	files, err := j.m.joinFile(ctx, c.Path, c.Base, c.Ours, c.Theirs)
	return write.WritesOf(files), err
}

// Move implements gitstore.Joiner.
func (j resolver) Move(_ context.Context, path string, data []byte) (gitstore.Write, error) {
	f := facts.MoveFile(path, data)
	return gitstore.Write{Path: f.Path, Data: f.Data}, nil
}

// joinFile joins what two sides made of one file. The first of the result stands
// at path. It does not depend on the order of ours and theirs.
//
//  1. A fact: facts.MergeFile. Of two ways to settle one conflict the later lasts,
//     and the next audit fixes what the other had done; it has no rival.
//  2. Any other text, such as the manifest: line by line, as git does it. A
//     manifest that cannot be read counts as not merged.
//  3. What cannot be merged so: facts.MergeFile, which keeps one and puts the
//     other beside it.
func (m *Sharer) joinFile(ctx context.Context, path string, base, ours, theirs []byte) ([]facts.File, error) {
	if _, isFact := facts.KeyOfPath(path); !isFact && ours != nil && theirs != nil {
		if bytes.Compare(ours, theirs) > 0 {
			ours, theirs = theirs, ours
		}
		merged, err := m.Store.MergeText(ctx, base, ours, theirs)
		if err == nil && readableManifest(path, merged) {
			return []facts.File{{Path: path, Data: merged}}, nil
		}
		if err != nil && !errors.Is(err, gitstore.ErrClash) {
			return nil, err
		}
	}
	files := facts.MergeFile(path, base, ours, theirs)
	if path == facts.ManifestPath && len(files) > 1 {
		files = mergeManifests(files)
	}
	if key, isFact := facts.KeyOfPath(path); isFact && detect.IsConflict(key) && len(files) > 1 {
		files = files[:1]
	}
	return files, nil
}

// mergeManifests settles which of two versions of engram.yml stands, the first or
// the second: the one that reads; of two, the more careful one, by what it keeps
// private, then by what it wants signed, then by which sessions it lets be shared, then by
// how much it permits and reviews.
// What the other names as purged is added.
func mergeManifests(files []facts.File) []facts.File {
	a, errA := facts.ParseManifest(files[0].Data)
	b, errB := facts.ParseManifest(files[1].Data)
	if errB == nil && (errA != nil || strictness(b) > strictness(a)) {
		return mergeManifests([]facts.File{{Path: files[0].Path, Data: files[1].Data}, facts.Beside(files[0].Path, files[0].Data)})
	}
	if errA == nil && errB == nil {
		if text, err := facts.AddPurged(files[0].Data, b.Purged); err == nil {
			files[0].Data = text
		}
	}
	return files
}

// strictness is higher the more a manifest keeps private, wants signed, or restricts.
func strictness(m facts.Manifest) (n int) {
	for i, holds := range []bool{m.SignedCommits, m.AnonAgents, m.AnonymousMode} { // least important first
		if holds {
			n += 1 << (18 + i)
		}
	}
	switch m.Sessions {
	case "", facts.SessionsNever:
		n += 2 << 16
	case facts.SessionsPushed:
		n += 1 << 16
	}
	return n + len(m.Permissions) + len(m.Review.Namespaces)
}

func readableManifest(path string, data []byte) bool {
	if path != facts.ManifestPath {
		return true
	}
	_, err := facts.ParseManifest(data)
	return err == nil
}

// MergeFileInput is one file as git hands it to a merge driver.
type MergeFileInput struct {
	Path               string // on the branch
	Base, Ours, Theirs []byte // Base is nil if there is none
}

// MergeFileResult is the outcome of a merge driver. Merged is false if a person has to
// decide: then the other version is in no file. Kept is a claim that lost; the next audit
// keeps it as a rival of the winner.
type MergeFileResult struct {
	Data   []byte
	Merged bool
	Kept   string
}

// MergeFile merges one file for git's merge driver, in the same way as engram's own merges.
// It writes nothing.
func (m *Sharer) MergeFile(ctx context.Context, in MergeFileInput) (MergeFileResult, error) {
	files, err := m.joinFile(ctx, in.Path, in.Base, in.Ours, in.Theirs)
	if err != nil || len(files) == 0 {
		return MergeFileResult{Merged: err == nil}, err
	}
	r := MergeFileResult{Data: files[0].Data, Merged: len(files) == 1}
	if len(files) > 1 {
		if key, ok := facts.KeyOfPath(files[1].Path); ok {
			if f, err := facts.ParseAt(key, files[1].Data); err == nil {
				r.Merged, r.Kept = true, f.Claim
			}
		}
	}
	return r, nil
}
