package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
)

// FactResult is one fact.
type FactResult struct {
	Answer
	Fact  Fact     `json:"fact"`
	Notes []string `json:"notes,omitempty"`
}

// GetInput names a fact, and from when.
type GetInput struct {
	Key  string    `json:"key" help:"namespace/category/identifier as a query shows it, or NAME:KEY for a fact of a source"`
	AsOf time.Time `json:"as_of,omitzero" flag:"as-of,,TIME" help:"the version that held at this TIME"` // zero: the one that stands
	// The version that the branch had then, or at that commit. At most one of
	// the two.
	KnownAt         time.Time `json:"known_at,omitzero" flag:"known-at,,TIME" help:"the version that the memory had at this TIME"`
	KnownAtRevision string    `json:"known_at_revision,omitempty"`
	AskedBy         string    `json:"asked_by,omitempty"` // the agent that reads; "" whom the memory was opened for
	// Origin is the source to read from; "" is this memory. NAME:KEY as the Key
	// means the same.
	Origin string `json:"origin,omitempty" flag:"source,,NAME" help:"read from the source NAME"`
	Branch string `json:"branch,omitempty" flag:"branch,,NAME" help:"read as on the code branch NAME instead of the one checked out; * for all"`
	// Trust says the agent's as well. It asks the index, which Get has no need of
	// otherwise: half a millisecond more, or what it takes to bring the index up to date.
	Trust bool `json:"trust,omitempty"`
}

// Get reads the fact at a key: the version that stands there or, where the
// input says so, the one that held at another time, or that was known then. Where
// a fact holds in its place on the code branch that is asked on, that one. The
// error wraps ErrNotFound, also where the fact is bound to another branch, or is a
// *PermissionError.
func (m *Memory) Get(ctx context.Context, in GetInput) (FactResult, error) {
	if in = in.split(); in.Origin != "" {
		return m.getFrom(ctx, in)
	}
	k, err := facts.ParseKey(in.Key)
	if err != nil {
		return FactResult{}, err
	}
	tip, manifest, err := m.tip(ctx)
	if err != nil {
		return FactResult{}, err
	}
	reads := m.reader(manifest, in.AskedBy)
	p := past{revision: tip, date: m.moment()}
	if in.KnownAtRevision != "" || !in.KnownAt.IsZero() {
		if in.KnownAtRevision != "" && !in.KnownAt.IsZero() {
			return FactResult{}, wrong(oneMomentHint, "known at a moment or at a revision, not both")
		}
		if p, err = m.pastOf(ctx, tip, in.KnownAtRevision, in.KnownAt); err != nil {
			return FactResult{}, err
		}
	}
	if !in.AsOf.IsZero() {
		return m.getAsOf(ctx, tip, p, k, in, reads)
	}
	f, err := m.factOn(ctx, p, k, m.asksOn(in.Branch))
	if err != nil {
		return FactResult{}, err
	}
	if err := reads.check(ctx, p.revision, f); err != nil {
		return FactResult{}, err
	}
	result := FactResult{Answer: answer(p.revision), Fact: show(f, f.Window(), p.date)}
	if p.standing != nil {
		result.Fact.Age = age(result.Fact.Committed, m.moment())
		return result, nil
	}
	if err = m.tellDisputed(ctx, tip, &result.Fact); err == nil && in.Trust {
		err = m.tellTrust(ctx, tip, &result.Fact)
	}
	if err == nil {
		result.Notes, err = m.tellFresh(ctx, tip, freshTimeGet, &result.Fact)
	}
	return result, err
}

// tellTrust says how reliable the agent of a fact has been.
func (m *Memory) tellTrust(ctx context.Context, tip string, f *Fact) error {
	_, err := m.index.View(ctx, tip, func(view *index.View) error {
		seen, err := m.auditedAt(ctx, view.Revision(), view)
		if err != nil {
			return err
		}
		trust, err := seen.trust(ctx, view)
		if err != nil {
			return err
		}
		value := 1.0
		if trust != nil {
			value = trust(f.AgentID)
		}
		f.Trust, err = seen.rating(view, f.AgentID, value)
		return err
	})
	return err
}

// tellDisputed says of facts that stand on the tip whether they are sides of an
// open conflict.
func (m *Memory) tellDisputed(ctx context.Context, tip string, list ...*Fact) error {
	seen, err := m.auditedAt(ctx, tip, nil)
	if err != nil {
		return err
	}
	for _, f := range list {
		blob, err := m.store.BlobAt(ctx, tip, f.Key.Path())
		if err != nil {
			return err
		}
		f.HasConflict = seen.hasConflict(f.Key, blob)
	}
	return nil
}

func (m *Memory) getAsOf(ctx context.Context, tip string, p past, key facts.Key, in GetInput, reads *reader) (FactResult, error) {
	var result FactResult
	_, err := m.index.View(ctx, tip, func(view *index.View) error {
		q := index.Query{AsOf: in.AsOf, Now: p.date, Past: p.standing, Ephemeral: true, Branch: m.asksOn(in.Branch), Limit: MaxLimit}
		hit, found, err := heldOn(ctx, view, q, key)
		if err != nil {
			return err
		}
		if found {
			f, err := m.factOf(ctx, hit.Blob)
			if err == nil {
				err = reads.check(ctx, tip, f)
			}
			if err != nil {
				return err
			}
			revision := view.Revision()
			if p.standing != nil {
				revision = p.revision
			}
			result = FactResult{Answer: answer(revision), Fact: show(f, hit.Window, p.date)}
			result.Fact.Age = age(result.Fact.Committed, m.moment())
			return nil
		}
		return fmt.Errorf("%w: %s did not hold on %s", ErrNotFound, key, in.AsOf.Format(time.RFC3339))
	})
	return result, err
}

// ListInput narrows a list. A zero field does not filter.
type ListInput struct {
	Prefix string `json:"prefix,omitempty" help:"only keys below it, in whole segments"`
	Scope  string `json:"scope,omitempty" flag:"scope,s,PATH" help:"only facts of this topic PATH and those below it, such as payments/webhooks"`
	Kind   string `json:"kind,omitempty" enum:"kinds" help:"only this kind"`
	Type   string `json:"fact_type,omitempty" flag:"type" enum:"types" help:"only this type"`
	Agent  string `json:"agent_id,omitempty" flag:"agent,a,NAME" help:"only facts that the agent NAME stated"`
	Tag    string `json:"tag,omitempty" flag:"tag,t,TAG" help:"only facts with this TAG"`
	// AskedBy is the agent that reads; "" whom the memory was opened for.
	AskedBy string `json:"asked_by,omitempty"`
	All     bool   `json:"all,omitempty" help:"include retired, expired and superseded facts"`
	Limit   int    `json:"limit,omitempty" flag:"limit,n,N" default:"all" help:"at most N facts"`         // 0: all
	Budget  int    `json:"budget,omitempty"`                                                              // tokens that the facts may take as JSON, at least one is listed; 0: any
	Origin  string `json:"origin,omitempty" flag:"source,,NAME" help:"list the facts of the source NAME"` // "": this memory
	Branch  string `json:"branch,omitempty" flag:"branch,,NAME" help:"list as on the code branch NAME instead of the one checked out; * for all"`
}

// ListResult is a list of facts by key.
type ListResult struct {
	Answer
	Facts   []Fact `json:"facts"`
	Omitted int    `json:"omitted"` // left out because of the limit or the budget
	// Withheld are those that the agent that reads may not.
	Withheld int      `json:"withheld"`
	Damaged  int      `json:"damaged"` // files that are no facts; Lint says which
	Notes    []string `json:"notes,omitempty"`
}

// List reads facts straight from the branch, by key. Conflicts and invitations are left out
// unless a prefix asks for them.
func (m *Memory) List(ctx context.Context, in ListInput) (ListResult, error) {
	if in.Origin != "" {
		return m.listFrom(ctx, in)
	}
	tip, manifest, err := m.tip(ctx)
	if err != nil {
		return ListResult{}, err
	}
	reads := m.reader(manifest, in.AskedBy)
	if err := checkOneOf("kind", facts.Kind(in.Kind), facts.Kinds()); err != nil {
		return ListResult{}, err
	}
	if err := checkOneOf("type", facts.Type(in.Type), facts.Types()); err != nil {
		return ListResult{}, err
	}
	in.Branch = m.asksOn(in.Branch)
	result := ListResult{Answer: answer(tip), Facts: []Fact{}}
	now := m.moment()
	damaged, err := m.each(ctx, tip, in.Prefix, func(f facts.Fact) error {
		if !in.wants(f, now) || in.Prefix == "" && bookkeeping(f.Key) {
			return nil
		}
		if may, err := reads.mayFact(ctx, tip, f); err != nil {
			return err
		} else if !may {
			result.Withheld++
			return nil
		}
		if in.Limit > 0 && len(result.Facts) == in.Limit {
			result.Omitted++
			return nil
		}
		result.Facts = append(result.Facts, show(f, f.Window(), now))
		return nil
	})
	result.Damaged = damaged
	if err == nil {
		err = result.fit(in.Budget)
	}
	if err != nil {
		return result, err
	}
	list := make([]*Fact, len(result.Facts))
	for i := range result.Facts {
		list[i] = &result.Facts[i]
	}
	if err := m.tellDisputed(ctx, tip, list...); err != nil {
		return result, err
	}
	result.Notes, err = m.tellFresh(ctx, tip, freshTime, list...)
	return result, err
}

// fit leaves out what a budget of tokens does not hold.
func (r *ListResult) fit(budget int) error {
	n, err := fitting(r.Facts, budget)
	r.Facts, r.Omitted = r.Facts[:n], r.Omitted+len(r.Facts)-n
	return err
}

func (in ListInput) wants(f facts.Fact, now time.Time) bool {
	state := f.StateAt(now)
	f = f.WithDefaults()
	return (in.All || state == facts.Current || state == facts.Scheduled) &&
		seenOn(f, in.Branch) && underScope(f.Scope, in.Scope) &&
		(in.Kind == "" || string(f.Kind) == in.Kind) &&
		(in.Type == "" || string(f.Type) == in.Type) &&
		(in.Agent == "" || f.Provenance.Agent == in.Agent) &&
		(in.Tag == "" || slices.ContainsFunc(f.Tags, func(t string) bool { return strings.EqualFold(t, in.Tag) }))
}

func underScope(scope, filter string) bool {
	filter = strings.Trim(filter, "/")
	return filter == "" || scope == filter || strings.HasPrefix(scope, filter+"/")
}

// each calls use for every fact under a key prefix, and counts the files that
// are in a fact's place but are none.
func (m *Memory) each(ctx context.Context, revision, prefix string, use func(facts.Fact) error) (damaged int, err error) {
	prefix = strings.TrimSuffix(prefix, "/")
	for file, err := range m.store.All(ctx, revision, prefix) {
		if err != nil {
			return damaged, err
		}
		if !belongsToFacts(file) {
			continue
		}
		f, err := parse(file)
		if err != nil {
			damaged++
			continue
		}
		if !f.Key.HasPrefix(prefix) {
			continue
		}
		if err := use(f); err != nil {
			return damaged, err
		}
	}
	return damaged, nil
}

// belongsToFacts tells the files of facts from those beside them: facts lie in
// folders, and the top folder is for everything else, as are folders that begin
// with a dot, such as a hosting service's.
func belongsToFacts(file gitstore.File) bool {
	return strings.Contains(file.Path, "/") && !strings.HasPrefix(file.Path, ".")
}
