package share

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/core"
)

// InitResult says what Init created, and where.
type InitResult struct {
	core.Answer
	Branch    string           `json:"branch"`
	Created   bool             `json:"created"`           // false: it stood already, here or at a remote
	Adopted   string           `json:"adopted,omitempty"` // the remote branch that the local one begins at
	Footprint []core.Footprint `json:"footprint"`
	Privacy
	Remote     string     `json:"remote,omitempty"`     // that the memory is shared with
	Visibility Visibility `json:"visibility,omitempty"` // of that remote
	Notes      []string   `json:"notes,omitempty"`
}

// Init is Begin with the zero BeginInput.
func (m *Sharer) Init(ctx context.Context) (InitResult, error) { return m.Begin(ctx, BeginInput{}) }

// Privacy has two decisions that a team makes once, when its memory begins.
type Privacy struct {
	AnonymousMode bool `json:"anonymous_mode"` // no names of engineers are stored
	AnonAgents    bool `json:"anon_agents"`    // names of agents are random in each session
}

// BeginInput says how a memory begins. The zero value shares it with the remote that git
// would choose, and stores names.
type BeginInput struct {
	// Remote is the remote to share the memory with: a name, or an address that
	// becomes the remote "engram", from which nothing but the memory is fetched.
	Remote string
	// Privacy is what the team decided. If it is nil, Ask is called, at most once and only
	// if a memory begins. Without either, names are stored.
	Privacy *Privacy
	Ask     func() (Privacy, error)
}

// Begin begins the memory branch, with no history in common with the code, and
// touches nothing else but the settings by which plain git fetches it:
//
//  1. If the branch is a memory already, it stays as it is.
//  2. If a remote has a memory, fetched or not, the local branch begins at that one:
//     two separate beginnings would have no merge base.
//  3. Otherwise the memory begins here. A remote that could not be asked becomes a
//     note, or an error if the input names it.
//
// The error wraps ErrEmptyRemote if the memory would be the first branch of this repository
// or of one of its remotes: hosting services make the first branch that is pushed the
// default branch. A remote that is used only for the memory may be empty.
func (m *Sharer) Begin(ctx context.Context, in BeginInput) (InitResult, error) {
	b := &beginRun{m: m, in: in, result: InitResult{Branch: m.Store.Branch(), Footprint: append(m.footprint(), m.source.SourceFootprint(ctx)...)}}
	err := b.begin(ctx)
	return b.result, err
}

type beginRun struct {
	m      *Sharer
	in     BeginInput
	remote remote // "" if there is none
	result InitResult
}

func (b *beginRun) begin(ctx context.Context) (err error) {
	if b.remote, err = b.m.findRemote(ctx, b.in.Remote); err != nil {
		return err
	}
	tip, _, err := b.m.Tip(ctx)
	switch {
	case err == nil:
		b.result.Answer = core.AnswerAt(tip)
	case !errors.Is(err, gitstore.ErrNoBranch):
		return err
	default:
		if err := b.beginBranch(ctx); err != nil {
			return err
		}
	}
	if err := b.connect(ctx); err != nil {
		return err
	}
	manifest, err := b.m.Manifest(ctx, b.result.Revision)
	if err != nil {
		return err
	}
	b.result.Privacy = Privacy{manifest.AnonymousMode, manifest.AnonAgents}
	if b.in.Privacy != nil && *b.in.Privacy != b.result.Privacy {
		b.note("the memory exists already, and what its %s says about privacy stands", facts.ManifestPath)
	}
	return nil
}

func (b *beginRun) note(format string, args ...any) {
	b.result.Notes = append(b.result.Notes, fmt.Sprintf(format, args...))
}

// beginBranch adopts a memory that a remote has, or begins one.
func (b *beginRun) beginBranch(ctx context.Context) error {
	there, err := b.findMemory(ctx)
	if err != nil {
		return err
	}
	switch {
	case there.fetched != nil:
		return b.beginAt(ctx, *there.fetched)
	case there.remote != "":
		return b.adopt(ctx)
	}
	if err := b.m.checkNotFirst(ctx, there.empty); err != nil {
		return err
	}
	var privacy Privacy
	if b.in.Privacy != nil {
		privacy = *b.in.Privacy
	} else if b.in.Ask != nil {
		if privacy, err = b.in.Ask(); err != nil {
			return err
		}
	}
	revision, err := b.m.Store.Update(ctx, func(tip string) ([]gitstore.Write, gitstore.Meta, error) {
		if tip != "" {
			return nil, gitstore.Meta{}, nil // somebody else was faster
		}
		b.result.Created = true
		return beginning(privacy), gitstore.Meta{Message: "begin the memory\n", Anonymous: privacy.AnonymousMode}, nil
	})
	b.result.Answer = core.AnswerAt(revision)
	return err
}

// remoteMemories says which remotes have a memory.
type remoteMemories struct {
	fetched *gitstore.RemoteBranch // a memory that was fetched before
	remote  string                 // that has one
	empty   []string               // remotes without any branch
}

// findMemory finds a memory to adopt:
//
//  1. At the remote that was stated, and at no other.
//  2. In what was fetched before, origin's first.
//  3. At all remotes, which are asked at the same time; first that which git
//     would choose, then by name.
func (b *beginRun) findMemory(ctx context.Context) (there remoteMemories, err error) {
	if b.in.Remote != "" {
		found, err := b.m.Store.Look(ctx, b.remote.target())
		if err != nil {
			return there, err
		}
		if found.Memory {
			return remoteMemories{remote: b.remote.name}, nil
		}
		there.empty, err = b.m.Store.EmptyRemotes(ctx)
		there.empty = slices.DeleteFunc(there.empty, func(r string) bool { return r == b.remote.name && b.remote.dedicated })
		return there, err
	}
	fetched, err := b.m.Store.RemoteBranches(ctx)
	if err != nil {
		return there, err
	}
	if len(fetched) > 0 {
		return remoteMemories{fetched: &fetched[0]}, nil
	}
	return b.askAllRemotes(ctx)
}

func (b *beginRun) askAllRemotes(ctx context.Context) (there remoteMemories, err error) {
	remotes, err := b.m.Store.Remotes(ctx)
	if err != nil {
		return there, err
	}
	found, failed := make([]gitstore.Looked, len(remotes)), make([]error, len(remotes))
	var wg sync.WaitGroup
	for i, r := range remotes {
		wg.Go(func() { found[i], failed[i] = b.m.Store.Look(ctx, r.Name) })
	}
	wg.Wait()
	for i, r := range remotes {
		dedicated, err := b.m.Store.Dedicated(ctx, r.Name)
		switch {
		case err != nil:
			return there, err
		case failed[i] != nil:
			b.note("could not find out whether %s has a memory: %v; if it has, `engram sync` merges it with this one", r.Name, failed[i])
		case found[i].Memory && (there.remote == "" || r.Name == b.remote.name):
			there.remote = r.Name
		case !found[i].Memory && !found[i].Others && !dedicated:
			there.empty = append(there.empty, r.Name)
		}
	}
	if there.remote != "" {
		b.remote = remote{name: there.remote}
	}
	return there, ctx.Err()
}

// adopt fetches the memory of the remote and begins there.
func (b *beginRun) adopt(ctx context.Context) error {
	if err := b.addRemote(ctx); err != nil {
		return err
	}
	fetched, err := b.m.Store.Fetch(ctx, b.remote.name)
	if err != nil {
		return err
	}
	return b.beginAt(ctx, gitstore.RemoteBranch{Name: b.remote.name + "/" + b.m.Store.Branch(), Revision: fetched.After})
}

// beginAt begins the local branch at what was fetched.
func (b *beginRun) beginAt(ctx context.Context, fetched gitstore.RemoteBranch) error {
	if _, err := b.m.Manifest(ctx, fetched.Revision); err != nil {
		return fmt.Errorf("%s: %w", fetched.Name, err)
	}
	if err := b.m.Store.BeginAt(ctx, fetched.Revision); err != nil {
		return err
	}
	b.result.Answer, b.result.Adopted = core.AnswerAt(fetched.Revision), fetched.Name
	return nil
}

// connect sets git up to fetch and push the memory, and finds out who can read it at the
// remote.
func (b *beginRun) connect(ctx context.Context) error {
	if b.remote.name == "" {
		return nil
	}
	if err := b.addRemote(ctx); err != nil {
		return err
	}
	added, footprint, err := b.m.track(ctx, b.remote.name)
	if err != nil {
		return err
	}
	b.result.Footprint = append(b.result.Footprint, footprint...)
	if upstream, err := b.m.Store.Upstream(ctx); err == nil && upstream != b.remote.name && len(added) == 0 {
		b.note("the memory is shared with %s already, so it stays so; git config branch.%s.remote %s changes that", upstream, b.m.Store.Branch(), b.remote.name)
	}
	b.result.Remote = b.remote.name
	b.result.Visibility, err = b.m.RemoteVisibility(ctx, b.remote.name)
	return err
}

func (b *beginRun) addRemote(ctx context.Context) error {
	if !b.remote.isNew {
		return nil
	}
	b.remote.isNew = false
	footprint, err := b.m.addRemote(ctx, b.remote)
	b.result.Footprint = append(b.result.Footprint, footprint...)
	return err
}
