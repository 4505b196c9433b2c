package write

import (
	"context"
	"slices"

	"engram/facts"
	"engram/gitstore"
)

// proposalJoiner merges the memory branch into that of the proposals. A change of what a
// proposal would replace does not decide on the proposal.
type proposalJoiner struct {
	decided map[gitstore.Change]bool // what the memory branch has had
}

func isFact(path string, data []byte) bool {
	key, ok := facts.KeyOfPath(path)
	if !ok || data == nil {
		return false
	}
	_, err := facts.ParseAt(key, data)
	return err == nil
}

// Join is symmetric. Of two versions of a file:
//
//  1. If one is no fact, the memory branch wins.
//  2. A proposal stays, whatever the memory branch has there.
//  3. Of two proposals, or two decided versions, facts.Merge chooses, and the loser becomes a rival.
func (j proposalJoiner) Join(_ context.Context, c gitstore.Contest) ([]gitstore.Write, error) {
	take := func(data []byte) []gitstore.Write { return []gitstore.Write{{Path: c.Path, Data: data}} }
	oursIs, theirsIs := isFact(c.Path, c.Ours), isFact(c.Path, c.Theirs)
	mine, yours := j.has(c.Path, c.Ours), j.has(c.Path, c.Theirs)
	switch {
	case !oursIs && !theirsIs && mine != yours: // 1.
		if mine {
			return take(c.Ours), nil
		}
		return take(c.Theirs), nil
	case oursIs && !theirsIs:
		return take(c.Ours), nil
	case theirsIs && !oursIs:
		return take(c.Theirs), nil
	case !oursIs:
		return take(slices.MaxFunc([][]byte{c.Ours, c.Theirs}, slices.Compare[[]byte])), nil
	case mine && !yours: // 2.
		return take(c.Theirs), nil
	case yours && !mine:
		return take(c.Ours), nil
	}
	var writes []gitstore.Write // 3.
	for _, f := range facts.MergeFile(c.Path, c.Base, c.Ours, c.Theirs) {
		writes = append(writes, gitstore.Write{Path: f.Path, Data: f.Data})
	}
	return writes, nil
}

// Move moves a fact beside a key that is taken.
func (j proposalJoiner) Move(_ context.Context, path string, data []byte) (gitstore.Write, error) {
	if isFact(path, data) {
		f := facts.MoveFile(path, data)
		return gitstore.Write{Path: f.Path, Data: f.Data}, nil
	}
	return gitstore.Write{Path: path + "-" + gitstore.BlobName(data)[:12], Data: data}, nil
}

func (j proposalJoiner) has(path string, data []byte) bool {
	return j.decided[gitstore.Change{Path: path, New: gitstore.BlobName(data)}]
}
