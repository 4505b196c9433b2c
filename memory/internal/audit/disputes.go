package audit

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"engram/detect"
	"engram/facts"
	"engram/index"
	"engram/memory/internal/core"
)

// DisputeCache keeps the last Disputes of a memory. It is safe for concurrent use.
type DisputeCache struct {
	sync.Mutex
	last *Disputes
}

// Forget empties the cache.
func (c *DisputeCache) Forget() {
	c.Lock()
	defer c.Unlock()
	c.last = nil
}

// Disputes summarises the conflicts on the branch for readers. It is derived, and stored with
// the tree of the folder of conflicts that it was computed from.
type Disputes struct {
	Folder string `json:"folder"` // the tree; "" if there are no conflicts
	// Revision has this tree. What changed since is added without reading the others again.
	Revision string         `json:"revision,omitempty"`
	Open     map[string]int `json:"open"` // open conflicts by the key of either side
	// IDs are those of all open conflicts, updates to confirm included, by the key of either
	// side.
	IDs map[string][]string `json:"ids"`
	// Newer maps the key of a fact to the key of a fact that looks like its newer state,
	// which nobody has confirmed yet.
	Newer map[string]facts.Key `json:"newer"`
	// Flagged are the versions that were found to be in conflict, by agent
	// (flagged_commits in the consistency plan); nil until the index was asked for the agents
	// of Versions.
	Flagged  map[string]int `json:"flagged"`
	Versions []string       `json:"versions"` // that count as flagged
	// Families are the conflicts by family, and what was decided about them.
	Families []detect.Family `json:"families"`
}

// DisputesAt returns the disputes at a revision, recomputed if the conflicts have changed.
// Without a view, Flagged may be nil.
func (m *Auditor) DisputesAt(ctx context.Context, revision string, view *index.View) (*Disputes, error) {
	folder, err := m.Store.FolderAt(ctx, revision, detect.ConflictPrefix)
	if err != nil {
		return nil, err
	}
	cache := core.CacheOf[DisputeCache](m.Memory)
	cache.Lock()
	defer cache.Unlock()
	d := cache.last
	if d == nil {
		if d = new(Disputes); !m.compare.ReadState(DisputesFile, d) {
			d = new(Disputes)
		}
	}
	if d.IDs == nil || d.Families == nil || d.Folder != folder { // unreadable, or of another version
		next, ok := m.nextDisputes(ctx, d, revision, folder)
		if !ok {
			if next, err = m.newDisputes(ctx, revision, folder); err != nil {
				return nil, err
			}
		}
		d = next
		m.keepDisputes(d)
	}
	d.Revision = revision
	if view != nil && d.Flagged == nil {
		if err := d.attribute(ctx, view); err != nil {
			return nil, err
		}
		m.keepDisputes(d)
	}
	cache.last = d
	return d, nil
}

func (m *Auditor) newDisputes(ctx context.Context, revision, folder string) (*Disputes, error) {
	d := &Disputes{Folder: folder, Revision: revision, Open: make(map[string]int), IDs: make(map[string][]string), Newer: make(map[string]facts.Key)}
	conflicts, err := m.ConflictsAt(ctx, revision)
	if err != nil {
		return nil, err
	}
	for _, c := range conflicts {
		d.add(c)
	}
	slices.Sort(d.Versions)
	d.Versions = slices.Compact(d.Versions)
	d.Families = detect.Families(conflicts)
	return d, nil
}

// add counts a conflict.
func (d *Disputes) add(c detect.Conflict) {
	if c.Status == detect.Open {
		for _, key := range []string{c.A.Key.String(), c.B.Key.String()} {
			d.IDs[key] = append(slices.Clip(d.IDs[key]), c.ID)
		}
	}
	if c.Verdict == detect.Evolution {
		d.noteUpdate(c)
		return
	}
	if c.Status == detect.Open {
		d.Open[c.A.Key.String()]++
		d.Open[c.B.Key.String()]++
	}
	d.Versions = append(d.Versions, flagged(c)...)
}

// maxAdded is up to how many new conflicts are added to what is known of the others.
const maxAdded = 50

// nextDisputes returns the disputes at a revision whose conflicts are those of last and
// new ones; ok is false if more has changed. A commit that brings a conflict is one of
// those, and reading all conflicts would take it longer than everything else.
func (m *Auditor) nextDisputes(ctx context.Context, last *Disputes, revision, folder string) (d *Disputes, ok bool) {
	if last.IDs == nil || last.Families == nil || last.Revision == "" {
		return nil, false
	}
	changes, err := m.Store.Diff(ctx, last.Revision, revision)
	if err != nil {
		return nil, false
	}
	d = &Disputes{
		Folder: folder, Revision: revision, Open: maps.Clone(last.Open), IDs: maps.Clone(last.IDs), Newer: maps.Clone(last.Newer),
		Versions: slices.Clone(last.Versions), Families: last.Families,
	}
	added := 0
	for _, change := range changes {
		key, isKey := facts.KeyOfPath(change.Path)
		if !isKey || !detect.IsConflict(key) {
			continue
		}
		f, readable := m.FactIn(ctx, key, change.New)
		if added++; change.Old != "" || !readable || added > maxAdded {
			return nil, false
		}
		c, isConflict := detect.ConflictOf(f)
		if !isConflict {
			continue
		}
		if d.Families, ok = detect.AddOpen(d.Families, c); !ok {
			return nil, false
		}
		d.add(c)
	}
	slices.Sort(d.Versions)
	d.Versions = slices.Compact(d.Versions)
	return d, true
}

// noteUpdate notes which side of an update to confirm looks like the newer one.
func (d *Disputes) noteUpdate(c detect.Conflict) {
	if c.Status != detect.Open {
		return
	}
	switch c.Newer {
	case detect.SideA:
		d.Newer[c.B.Key.String()] = c.A.Key
	case detect.SideB:
		d.Newer[c.A.Key.String()] = c.B.Key
	}
}

// flagged are the versions that a conflict speaks against: of an open one and of
// one that a third fact settled both, otherwise the one that lost. A conflict
// that was dismissed, or that is still in doubt, speaks against nobody.
func flagged(c detect.Conflict) []string {
	switch {
	case c.Status == detect.Open && c.Verdict == detect.Genuine, c.Resolution == detect.ByMerge:
		return []string{c.A.ID, c.B.ID}
	case c.Status == detect.Resolved && c.Winner == c.A.ID:
		return []string{c.B.ID}
	case c.Status == detect.Resolved && c.Winner == c.B.ID:
		return []string{c.A.ID}
	}
	return nil
}

// attribute counts the flagged versions of each agent.
func (d *Disputes) attribute(ctx context.Context, view *index.View) error {
	agents, err := view.AgentsOf(ctx, d.Versions)
	if err != nil {
		return err
	}
	d.Flagged = make(map[string]int)
	for _, agent := range agents {
		d.Flagged[agent]++
	}
	return nil
}

// Trust returns the reliability of agents by the consistency plan: 1 − flagged / total. It
// affects ranking only. It is nil if no agent has flagged versions.
func (d *Disputes) Trust(ctx context.Context, view *index.View) (func(agent string) float64, error) {
	if len(d.Flagged) == 0 {
		return nil, nil
	}
	trust := make(map[string]float64, len(d.Flagged))
	for agent, n := range d.Flagged {
		total, err := view.CommitsBy(ctx, agent)
		if err != nil {
			return nil, err
		}
		trust[agent] = 1 - float64(n)/float64(max(total, n))
	}
	return func(agent string) float64 {
		if t, ok := trust[agent]; ok {
			return t
		}
		return 1
	}, nil
}

// keepDisputes stores the disputes for the next process. A failure is only logged.
func (m *Auditor) keepDisputes(d *Disputes) {
	if d.Folder == "" {
		return
	}
	if err := m.compare.WriteState(DisputesFile, d); err != nil {
		m.Log.Warn("disputes not stored", "error", err)
	}
}

// Audited says what audits of this clone have seen at a revision, for one answer.
type Audited struct {
	m    *Auditor
	tip  string
	mark string
	*Disputes
}

// AuditedAt returns what audits of this clone have seen at a revision; view may be nil.
func (m *Auditor) AuditedAt(ctx context.Context, tip string, view *index.View) (Audited, error) {
	d, err := m.DisputesAt(ctx, tip, view)
	return Audited{m, tip, m.ReadMark().Revision, d}, err
}

// minRated is the number of versions from which on the trust of an agent is shown: one
// conflict of one fact says nothing about an agent. The ranking uses it in any case, as the
// formula of the consistency plan has it.
const minRated = 5

// Rating returns an agent's trust as readers see it, rounded to two digits. It is nil if
// nothing was audited yet, if the agent has written little, or for people, who are not
// rated.
func (a Audited) Rating(ctx context.Context, view *index.View, agent string, trust float64) (*float64, error) {
	if agent == "" || a.mark == "" && a.Folder == "" {
		return nil, nil
	}
	wrote, err := view.CommitsBy(ctx, agent)
	if err != nil || wrote < minRated {
		return nil, err
	}
	trust = math.Round(trust*100) / 100
	return &trust, nil
}

// RatingBy is Rating with the result of Trust.
func (a Audited) RatingBy(ctx context.Context, view *index.View, agent string, trust func(string) float64) (*float64, error) {
	value := 1.0
	if trust != nil {
		value = trust(agent)
	}
	return a.Rating(ctx, view, agent, value)
}

// HasConflict reports whether the version at a key is a side of an open conflict. It returns
// nil if no audit has seen the version.
func (a Audited) HasConflict(ctx context.Context, key facts.Key, blob string) *bool {
	open := a.Open[key.String()] > 0
	if open || a.wasAudited(ctx, key, blob) {
		return &open
	}
	return nil
}

// NewerOf returns the key of the fact that looks like the newer state of the one at a key,
// if it exists and the reader may read it, or the zero Key.
func (a Audited) NewerOf(ctx context.Context, key facts.Key, reads *core.Reader) (facts.Key, error) {
	candidate, known := a.Newer[key.String()]
	if !known {
		return facts.Key{}, nil
	}
	f, found, err := a.m.FactAt(ctx, a.tip, candidate)
	if err != nil || !found {
		return facts.Key{}, err
	}
	if may, err := reads.MayRead(ctx, a.tip, f); err != nil || !may {
		return facts.Key{}, err
	}
	return candidate, nil
}

func (a Audited) wasAudited(ctx context.Context, key facts.Key, blob string) bool {
	if a.mark == "" || a.mark == a.tip {
		return a.mark != ""
	}
	seen, err := a.m.Store.BlobAt(ctx, a.mark, key.Path())
	return err == nil && seen == blob
}

// TellDisputed sets HasConflict of facts that stand on the tip.
func (m *Auditor) TellDisputed(ctx context.Context, tip string, list ...*core.Fact) error {
	seen, err := m.AuditedAt(ctx, tip, nil)
	if err != nil {
		return err
	}
	for _, f := range list {
		blob, err := m.Store.BlobAt(ctx, tip, f.Key.Path())
		if err != nil {
			return err
		}
		f.HasConflict = seen.HasConflict(ctx, f.Key, blob)
	}
	return nil
}
