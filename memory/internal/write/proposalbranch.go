package write

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// ProposedBranch is the branch beside the memory branch on which facts wait for a
// review. It includes the memory branch up to the last catch-up, so a pull request of it
// shows what is proposed.
type ProposedBranch struct {
	m     *Writer
	Store *gitstore.Store
}

// OpenProposed opens the proposal branch. The caller must close it.
func (m *Writer) OpenProposed() (*ProposedBranch, error) {
	store, err := m.Store.Beside(m.Store.Branch() + facts.ProposedSuffix)
	if err != nil {
		return nil, err
	}
	return &ProposedBranch{m, store}, nil
}

// Close releases the branch.
func (b *ProposedBranch) Close() { _ = b.Store.Close() }

// Head is the revision of the branch here or, before it exists here, the one that was
// fetched last; "" if nobody has proposed anything.
func (b *ProposedBranch) Head(ctx context.Context) (string, error) {
	tip, err := b.Store.Tip(ctx)
	if !errors.Is(err, gitstore.ErrNoBranch) {
		return tip, err
	}
	fetched, err := b.Store.RemoteBranches(ctx)
	if err != nil || len(fetched) == 0 {
		return "", err
	}
	return fetched[0].Revision, nil
}

// catchUp creates the branch if it is missing, and merges the memory branch into it.
func (b *ProposedBranch) catchUp(ctx context.Context, tip string) error {
	at, err := b.Head(ctx)
	if err != nil {
		return err
	}
	if at == "" {
		at = tip
	}
	if _, err := b.Store.Tip(ctx); errors.Is(err, gitstore.ErrNoBranch) {
		if err := b.Store.BeginAt(ctx, at); err != nil && !errors.Is(err, gitstore.ErrMoved) {
			return err
		}
	}
	base, err := b.m.baseOf(ctx, tip, at)
	if err != nil {
		return err
	}
	decided, err := b.m.decided(ctx, base, tip)
	if err != nil {
		return err
	}
	manifest, err := b.m.Manifest(ctx, tip)
	if err != nil {
		return err
	}
	_, err = b.Store.Merge(ctx, tip, proposalJoiner{decided, b.Store.BlobName}, func(gitstore.MergeResult) gitstore.Meta {
		return core.CommitMeta(manifest, "bring proposals up to "+b.m.Store.Branch()+"\n")
	})
	return err
}

// rounds bounds how often a write is planned again because the memory branch moved
// between catching up and taking the lock.
const rounds = 10

// write makes one commit on the branch of what plan wants. plan is given the tip of the
// memory branch, and that of the proposal branch, which includes it.
func (b *ProposedBranch) write(ctx context.Context, plan func(manifest facts.Manifest, tip, proposed string) ([]gitstore.Write, string, error)) (revision string, err error) {
	for range rounds {
		tip, err := b.m.Store.Tip(ctx)
		if err != nil {
			return "", err
		}
		if err := b.catchUp(ctx, tip); err != nil {
			return "", fmt.Errorf("bring %s up to %s: %w", b.Store.Branch(), b.m.Store.Branch(), err)
		}
		revision, err = b.Store.Update(ctx, func(proposed string) ([]gitstore.Write, gitstore.Meta, error) {
			if now, err := b.m.Store.Tip(ctx); err != nil || now != tip {
				return nil, gitstore.Meta{}, errors.Join(err, gitstore.ErrMoved)
			}
			manifest, err := b.m.Manifest(ctx, tip)
			if err != nil {
				return nil, gitstore.Meta{}, err
			}
			writes, message, err := plan(manifest, tip, proposed)
			return writes, core.CommitMeta(manifest, message), err
		})
		if !errors.Is(err, gitstore.ErrMoved) {
			return revision, err
		}
	}
	return "", fmt.Errorf("propose: %w", gitstore.ErrMoved)
}

// baseOf is the commit at which the proposal branch left the memory branch.
func (m *Writer) baseOf(ctx context.Context, tip, proposed string) (string, error) {
	base, err := m.Store.Base(ctx, tip, proposed)
	if err == nil && base == "" {
		err = fmt.Errorf("%w: %s%s shares no history with it", core.ErrNotMemory, m.Store.Branch(), facts.ProposedSuffix)
	}
	return base, err
}

// decided are the changes of the memory branch since base: a proposal among them was
// decided.
func (m *Writer) decided(ctx context.Context, base, tip string) (map[gitstore.Change]bool, error) {
	introduced, _, err := m.Store.Introduced(ctx, base, tip)
	if err != nil {
		return nil, err
	}
	decided := make(map[gitstore.Change]bool, len(introduced))
	for _, c := range introduced {
		decided[gitstore.Change{Path: c.Path, New: c.New}] = true
	}
	return decided, nil
}

// ProposalsAt lists the open proposals of a revision of the proposal branch, by key. A
// proposal is open if
//
//  1. the proposal branch changed the fact since it left the memory branch, and
//  2. the memory branch neither has that version nor had it since.
//
// damaged counts the unreadable files among the facts.
func (m *Writer) ProposalsAt(ctx context.Context, tip, proposed string) (list []Proposal, damaged int, err error) {
	if proposed == "" || proposed == tip {
		return nil, 0, nil
	}
	base, err := m.baseOf(ctx, tip, proposed)
	if err != nil || base == proposed {
		return nil, 0, err
	}
	decided, err := m.decided(ctx, base, tip)
	if err != nil {
		return nil, 0, err
	}
	changes, err := m.Store.Diff(ctx, base, proposed)
	if err != nil {
		return nil, 0, err
	}
	for _, c := range changes {
		key, ok := facts.KeyOfPath(c.Path)
		if !ok || c.New == "" || core.IsInternal(key) || decided[gitstore.Change{Path: c.Path, New: c.New}] {
			continue
		}
		p, open, err := m.proposalAt(ctx, tip, proposed, key)
		if errors.Is(err, core.ErrUnreadable) {
			damaged++
			continue
		}
		if err != nil {
			return nil, damaged, err
		}
		if p.Blob = c.New; open {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b Proposal) int { return cmp.Compare(a.Fact.Key.String(), b.Fact.Key.String()) })
	return list, damaged, nil
}

func (m *Writer) proposalAt(ctx context.Context, tip, proposed string, key facts.Key) (p Proposal, open bool, err error) {
	f, found, err := m.FactAt(ctx, proposed, key)
	if err != nil || !found {
		return p, false, err
	}
	p.Fact = f
	old, stands, err := m.FactAt(ctx, tip, key)
	if errors.Is(err, core.ErrUnreadable) { // accepting the proposal fixes that
		return p, true, nil
	}
	if err != nil || !stands {
		return p, err == nil, err
	}
	p.Replaces = &old
	return p, string(facts.Marshal(old)) != string(facts.Marshal(f)), nil
}

// proposalJoiner merges the memory branch into that of the proposals. A change of what a
// proposal would replace does not decide on the proposal.
type proposalJoiner struct {
	decided  map[gitstore.Change]bool // what the memory branch has had
	blobName func(data []byte) string
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
//  1. If one is not a fact, the memory branch wins.
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
	return WritesOf(facts.MergeFile(c.Path, c.Base, c.Ours, c.Theirs)), nil // 3.
}

// WritesOf returns the writes of files that facts.MergeFile produced.
func WritesOf(files []facts.File) []gitstore.Write {
	writes := make([]gitstore.Write, len(files))
	for i, f := range files {
		writes[i] = gitstore.Write{Path: f.Path, Data: f.Data}
	}
	return writes
}

// Move moves a fact beside a key that is taken.
func (j proposalJoiner) Move(_ context.Context, path string, data []byte) (gitstore.Write, error) {
	if isFact(path, data) {
		f := facts.MoveFile(path, data)
		return gitstore.Write{Path: f.Path, Data: f.Data}, nil
	}
	return gitstore.Write{Path: path + "-" + j.blobName(data)[:12], Data: data}, nil
}

func (j proposalJoiner) has(path string, data []byte) bool {
	return j.decided[gitstore.Change{Path: path, New: j.blobName(data)}]
}
