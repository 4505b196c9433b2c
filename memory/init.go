package memory

import (
	"context"
	"errors"
	"fmt"

	"engram/facts"
	"engram/gitstore"
)

// InitResult says what Init made and where everything lies.
type InitResult struct {
	Answer
	Branch    string      `json:"branch"`
	Created   bool        `json:"created"`           // false: it stood already, here or at a remote
	Adopted   string      `json:"adopted,omitempty"` // the remote branch that the local one begins at
	Footprint []Footprint `json:"footprint"`
}

// Footprint is one thing that engram keeps, and how to be rid of it.
type Footprint struct {
	What   string `json:"what"`
	Where  string `json:"where"`
	Remove string `json:"remove"`
}

// Init begins the memory branch, with no history in common with the code, and
// touches nothing else. Where the branch is a memory already it changes
// nothing; where one was fetched from a remote, the local branch begins there,
// because two beginnings could never be merged. The error wraps ErrEmptyRemote where the memory would be the first
// branch of this repository or of one of its remotes: hosting services make
// the first branch that is pushed the default one.
func (m *Memory) Init(ctx context.Context) (InitResult, error) {
	result := InitResult{Branch: m.store.Branch(), Footprint: append(m.footprint(), m.sourceFootprint(ctx)...)}
	tip, _, err := m.tip(ctx)
	if err == nil {
		result.Answer = answer(tip)
		return result, nil
	}
	if !errors.Is(err, gitstore.ErrNoBranch) {
		return result, err
	}
	if adopted, err := m.adopt(ctx, &result); err != nil || adopted {
		return result, err
	}
	if err := m.checkNotFirst(ctx); err != nil {
		return result, err
	}
	revision, err := m.store.Update(ctx, func(tip string) ([]gitstore.Write, gitstore.Meta, error) {
		if tip != "" {
			return nil, gitstore.Meta{}, nil // somebody else was faster
		}
		result.Created = true
		return beginning(), gitstore.Meta{Message: "begin the memory\n"}, nil
	})
	result.Answer = answer(revision)
	return result, err
}

// adopt begins the local branch at what was fetched from a remote.
func (m *Memory) adopt(ctx context.Context, result *InitResult) (bool, error) {
	remotes, err := m.store.RemoteBranches(ctx)
	if err != nil || len(remotes) == 0 {
		return false, err
	}
	first := remotes[0]
	if _, err := m.manifest(ctx, first.Revision); err != nil {
		return false, fmt.Errorf("%s: %w", first.Name, err)
	}
	if err := m.store.BeginAt(ctx, first.Revision); err != nil {
		return false, err
	}
	result.Answer, result.Adopted = answer(first.Revision), first.Name
	return true, nil
}

func (m *Memory) checkNotFirst(ctx context.Context) error {
	others, err := m.store.OtherBranches(ctx)
	if err != nil {
		return err
	}
	if others == 0 {
		return fmt.Errorf("%w of this repository, which has no other yet", ErrEmptyRemote)
	}
	empty, err := m.store.EmptyRemotes(ctx)
	if err != nil {
		return err
	}
	if len(empty) > 0 {
		return fmt.Errorf("%w of the remote %s at the next `git push --all`, because that has no other yet", ErrEmptyRemote, empty[0])
	}
	return nil
}

func (m *Memory) footprint() []Footprint {
	branch := m.store.Branch()
	return []Footprint{
		{"the facts, with their history", "git branch " + branch, "delete that branch, once `engram export --all` has saved what you want to keep"},
		{"derived and local state: index and locks", m.store.StateDir(), "delete that folder; it is rebuilt when needed"},
	}
}

// beginning is what a memory holds before its first fact.
func beginning() []gitstore.Write {
	return []gitstore.Write{
		{Path: facts.ManifestPath, Data: fmt.Appendf(nil, "# What this team agreed on about its memory. docs/format.md explains the fields.\nformat: %d\n", facts.FormatVersion)},
		{Path: ".gitattributes", Data: []byte("* text eol=lf\n*.yml merge=engram\n")},
		{Path: "README.md", Data: []byte(branchReadme)},
	}
}

const branchReadme = `# This branch is a memory

It holds facts about the code in this repository, for people and for coding
agents, one small YAML file each: ` + "`namespace/category/identifier.yml`" + `. It
shares no history with the code and is never merged into it.

    engram query "how long does a session live?"   ask
    engram commit "Sessions live 30 minutes."      tell
    engram list                                    see what there is
    engram log KEY                                 see how one fact changed

Files may be read by anybody and edited by hand; ` + "`engram lint`" + ` says whether
they are still facts. A fact that no longer holds is retired with
` + "`engram retire KEY`" + `, which keeps its file: deleting a file retires nothing.
`
