// Package share shares a memory through git remotes: it begins, joins, invites, fetches,
// merges, pushes and watches.
package share

import (
	"context"
	"fmt"

	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/audit"
	"engram/memory/internal/branches"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
	"engram/memory/internal/purge"
	"engram/memory/internal/source"
	"engram/memory/internal/write"
)

// Sharer shares a memory through git remotes.
type Sharer struct {
	*core.Memory
	audit    *audit.Auditor
	branches *branches.Settler
	compare  *compare.Comparer
	purge    *purge.Purger
	source   *source.Sources
	write    *write.Writer
}

// New returns the Sharer of a memory.
func New(m *core.Memory) *Sharer {
	return &Sharer{Memory: m, audit: audit.New(m), branches: branches.New(m), compare: compare.New(m), purge: purge.New(m), source: source.New(m), write: write.New(m)}
}

func (m *Sharer) checkNotFirst(ctx context.Context, emptyRemotes []string) error {
	others, err := m.Store.OtherBranches(ctx)
	if err != nil {
		return err
	}
	if others == 0 {
		return fmt.Errorf("%w of this repository, which has no other yet", core.ErrEmptyRemote)
	}
	if len(emptyRemotes) > 0 {
		return fmt.Errorf("%w of the remote %s at the next `git push --all`, because that has no other yet", core.ErrEmptyRemote, emptyRemotes[0])
	}
	return nil
}

func (m *Sharer) footprint() []core.Footprint {
	branch := m.Store.Branch()
	return []core.Footprint{
		{What: "the facts, with their history", Where: "git branch " + branch, Remove: "delete that branch, once `engram export --all` has saved what you want to keep"},
		{What: "local state: index, locks, and journals of sessions", Where: m.Store.StateDir(), Remove: "delete that folder; what is derived is rebuilt when needed, sessions that are not sealed are lost"},
	}
}

// beginning returns the files of a memory before its first fact.
func beginning(p Privacy) []gitstore.Write {
	manifest := fmt.Appendf(nil, "# What this team agreed on about its memory. docs/format.md explains the fields.\nformat: %d\n", facts.FormatVersion)
	if p.AnonymousMode {
		manifest = append(manifest, "anonymous_mode: true\n"...)
	}
	if p.AnonAgents {
		manifest = append(manifest, "anon_agents: true\n"...)
	}
	return []gitstore.Write{
		{Path: facts.ManifestPath, Data: manifest},
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
