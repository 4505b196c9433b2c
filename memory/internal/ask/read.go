package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/index"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// FactResult is one fact.
type FactResult struct {
	core.Answer
	Fact  core.Fact `json:"fact"`
	Notes []string  `json:"notes,omitempty"`
}

// GetInput names a fact and, optionally, a moment in the past.
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
	// Trust adds the reliability of the fact's agent. It needs the index, which Get does
	// not need otherwise: half a millisecond more, or the time to update the index.
	Trust bool `json:"trust,omitempty"`
}

// Get reads the fact at a key: its current version or, if the input says so, the one that
// held or was known at another time. A fact that replaces it on the code branch of the
// question takes precedence. The error wraps ErrNotFound, also if the fact is bound to
// another branch, or is a *PermissionError.
func (m *Reader) Get(ctx context.Context, in GetInput) (FactResult, error) {
	if in = in.split(); in.Origin != "" {
		return m.getFrom(ctx, in)
	}
	k, err := facts.ParseKey(in.Key)
	if err != nil {
		return FactResult{}, err
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return FactResult{}, err
	}
	reads := m.Reader(manifest, in.AskedBy)
	p := core.Past{Revision: tip, Date: m.Moment()}
	if in.KnownAtRevision != "" || !in.KnownAt.IsZero() {
		if in.KnownAtRevision != "" && !in.KnownAt.IsZero() {
			return FactResult{}, core.UsageErrorf(core.OneOfTwoHint, "known at a moment or at a revision, not both")
		}
		if p, err = m.ResolvePast(ctx, tip, in.KnownAtRevision, in.KnownAt); err != nil {
			return FactResult{}, err
		}
	}
	if !in.AsOf.IsZero() {
		return m.getAsOf(ctx, tip, p, k, in, reads)
	}
	f, err := m.FactOn(ctx, p, k, m.ResolveBranch(in.Branch))
	if err != nil {
		return FactResult{}, err
	}
	if err := reads.Check(ctx, p.Revision, f); err != nil {
		return FactResult{}, err
	}
	result := FactResult{Answer: core.AnswerAt(p.Revision), Fact: core.Show(f, f.Window(), p.Date)}
	if p.Standing != nil {
		result.Fact.Age = core.Age(result.Fact.Committed, m.Moment())
		return result, nil
	}
	if err = m.audit.TellDisputed(ctx, tip, &result.Fact); err == nil && in.Trust {
		err = m.addTrust(ctx, tip, &result.Fact)
	}
	if err == nil {
		result.Notes, err = m.proof.MarkFreshness(ctx, tip, proof.FreshTimeGet, &result.Fact)
	}
	return result, err
}

// addTrust sets how reliable the agent of a fact has been.
func (m *Reader) addTrust(ctx context.Context, tip string, f *core.Fact) error {
	_, err := m.Index.View(ctx, tip, func(view *index.View) error {
		seen, err := m.audit.AuditedAt(ctx, view.Revision(), view)
		if err != nil {
			return err
		}
		trust, err := seen.Trust(ctx, view)
		if err == nil {
			f.Trust, err = seen.RatingBy(ctx, view, f.AgentID, trust)
		}
		return err
	})
	return err
}

func (m *Reader) getAsOf(ctx context.Context, tip string, p core.Past, key facts.Key, in GetInput, reads *core.Reader) (FactResult, error) {
	var result FactResult
	_, err := m.Index.View(ctx, tip, func(view *index.View) error {
		q := index.Query{AsOf: in.AsOf, Now: p.Date, Past: p.Standing, Ephemeral: true, Branch: m.ResolveBranch(in.Branch), Limit: MaxLimit}
		hit, found, err := core.FindOnBranch(ctx, view, q, key)
		if err != nil {
			return err
		}
		if found {
			f, err := m.FactOfBlob(ctx, hit.Blob)
			if err == nil {
				err = reads.Check(ctx, tip, f)
			}
			if err != nil {
				return err
			}
			revision := view.Revision()
			if p.Standing != nil {
				revision = p.Revision
			}
			result = FactResult{Answer: core.AnswerAt(revision), Fact: core.Show(f, hit.Window, p.Date)}
			result.Fact.Age = core.Age(result.Fact.Committed, m.Moment())
			return nil
		}
		return fmt.Errorf("%w: %s did not hold on %s", core.ErrNotFound, key, in.AsOf.Format(time.RFC3339))
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
	core.Answer
	Facts []core.Fact `json:"facts"`
	// Omitted counts the files that were not read because of the limit, whether they pass the filters
	// or not, and what the budget left out. For an agent that may not read everything all are read,
	// and it counts what it may read and does not see.
	Omitted int `json:"omitted"`
	// Withheld counts the facts that the agent may not read.
	Withheld int      `json:"withheld"`
	Damaged  int      `json:"damaged"` // files that are not facts, of those that were read; Lint lists them
	Notes    []string `json:"notes,omitempty"`
}

// List reads facts from the branch, by key. It omits conflicts and invitations unless the
// prefix names them.
func (m *Reader) List(ctx context.Context, in ListInput) (ListResult, error) {
	if in.Origin != "" {
		return m.listFrom(ctx, in)
	}
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return ListResult{}, err
	}
	reads, withheld := m.Reader(manifest, in.AskedBy), 0
	if err := cmp.Or(core.CheckOneOf("kind", facts.Kind(in.Kind), facts.Kinds()), core.CheckOneOf("type", facts.Type(in.Type), facts.Types())); err != nil {
		return ListResult{}, err
	}
	in.Branch = m.ResolveBranch(in.Branch)
	result, list, err := m.listAt(ctx, tip, in, reads == nil, func(f facts.Fact) (may bool, err error) {
		if in.Prefix == "" && core.IsInternal(f.Key) {
			return false, nil
		}
		if may, err = reads.MayRead(ctx, tip, f); err == nil && !may {
			withheld++
		}
		return may, err
	})
	result.Withheld = withheld
	if err == nil {
		err = m.audit.TellDisputed(ctx, tip, list...)
	}
	if err == nil {
		result.Notes, err = m.proof.MarkFreshness(ctx, tip, proof.FreshTime, list...)
	}
	return result, err
}

// listAt lists the facts of a revision that the input asks for and that shows admits. list
// points at the facts of the result. stops says that nothing needs to be read behind the limit.
func (m *Reader) listAt(ctx context.Context, tip string, in ListInput, stops bool, shows func(facts.Fact) (bool, error)) (r ListResult, list []*core.Fact, err error) {
	r = ListResult{Answer: core.AnswerAt(tip), Facts: []core.Fact{}}
	now := m.Moment()
	last := ""
	r.Damaged, err = m.Each(ctx, tip, in.Prefix, func(f facts.Fact) error {
		if !in.Wants(f, now) {
			return nil
		}
		if may, err := shows(f); err != nil || !may {
			return err
		}
		if in.Limit > 0 && len(r.Facts) == in.Limit {
			if stops {
				return errEnough
			}
			r.Omitted++
			return nil
		}
		last = f.Key.Path()
		shown := core.Show(f, f.Window(), now)
		shown.Origin = in.Origin
		r.Facts = append(r.Facts, shown)
		return nil
	})
	if errors.Is(err, errEnough) {
		r.Omitted, err = m.countAfter(ctx, tip, in.Prefix, last)
	}
	if err != nil {
		return r, nil, err
	}
	n, err := core.FitBudget(r.Facts, in.Budget)
	r.Facts, r.Omitted = r.Facts[:n], r.Omitted+len(r.Facts)-n
	for i := range r.Facts {
		list = append(list, &r.Facts[i])
	}
	return r, list, err
}

// errEnough ends a list at its limit.
var errEnough = errors.New("the list has as many facts as were asked for")

// countAfter counts the files of facts behind a path, in the order of a list.
func (m *Reader) countAfter(ctx context.Context, tip, prefix, last string) (n int, err error) {
	internal, passed := core.InternalPrefixes(prefix), false
	for f, err := range m.Store.Names(ctx, tip, strings.TrimSuffix(prefix, "/")) {
		if err != nil {
			return n, err
		}
		if passed && core.IsFactFile(f) && !core.HasAnyPrefix(f.Path, internal) {
			n++
		}
		passed = passed || f.Path == last
	}
	return n, nil
}

// Wants reports whether a fact passes the filters.
func (in ListInput) Wants(f facts.Fact, now time.Time) bool {
	state := f.StateAt(now)
	f = f.WithDefaults()
	return (in.All || state == facts.Current || state == facts.Scheduled) &&
		core.VisibleOn(f, in.Branch) && core.UnderScope(f.Scope, in.Scope) &&
		(in.Kind == "" || string(f.Kind) == in.Kind) &&
		(in.Type == "" || string(f.Type) == in.Type) &&
		(in.Agent == "" || f.Provenance.Agent == in.Agent) &&
		(in.Tag == "" || slices.ContainsFunc(f.Tags, func(t string) bool { return strings.EqualFold(t, in.Tag) }))
}
