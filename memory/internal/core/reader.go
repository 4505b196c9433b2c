package core

import (
	"cmp"
	"context"
	"slices"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/index"
)

// Reader is a caller whom permissions keep from reading some scopes; nil may read
// everything.
type Reader struct {
	m     *Memory
	agent string
	list  facts.Permissions
	at    time.Time
	rules []index.ScopeRule
}

// Reader returns the permissions of an agent, "" being the agent that the memory was
// opened for. It is nil if everything may be read.
func (m *Memory) Reader(manifest facts.Manifest, agent string) *Reader {
	r := &Reader{m: m, agent: cmp.Or(agent, m.Agent), list: manifest.Permissions}
	if len(r.list) == 0 {
		return nil
	}
	r.at = m.Moment()
	hides := false
	for _, p := range r.list {
		if p.Agent != facts.AnyAgent && p.Agent != r.agent || !p.Window.Contains(r.at) {
			continue
		}
		rule := index.ScopeRule{Scope: p.Scope, Show: r.MayReadScope(p.Scope)}
		if !slices.Contains(r.rules, rule) {
			r.rules, hides = append(r.rules, rule), hides || !rule.Show
		}
	}
	if !hides {
		return nil
	}
	slices.SortFunc(r.rules, func(a, b index.ScopeRule) int {
		return cmp.Or(len(a.Scope)-len(b.Scope), cmp.Compare(a.Scope, b.Scope))
	})
	return r
}

// MayReadScope reports whether facts of a scope may be shown to the reader.
func (r *Reader) MayReadScope(scope string) bool {
	return r == nil || r.list.Allow(r.agent, scope, facts.Read, r.at)
}

// ScopeRules are the rules by which the index shows what may be read.
func (r *Reader) ScopeRules() []index.ScopeRule {
	if r == nil {
		return nil
	}
	return r.rules
}

// WithheldRules are the rules by which the index shows what ScopeRules hide.
func (r *Reader) WithheldRules() []index.ScopeRule {
	rules := []index.ScopeRule{{Scope: "", Show: false}}
	for _, rule := range r.rules {
		rules = append(rules, index.ScopeRule{Scope: rule.Scope, Show: !rule.Show})
	}
	return rules
}

// MayRead is MayReadScope for a fact of a revision. A conflict quotes both of its sides,
// so both must be readable, whatever its own scope.
func (r *Reader) MayRead(ctx context.Context, revision string, f facts.Fact) (bool, error) {
	if r == nil || !r.MayReadScope(f.Scope) {
		return r == nil, nil
	}
	c, ok := detect.ConflictOf(f)
	if !ok {
		return true, nil
	}
	for _, p := range []detect.Party{c.A, c.B} {
		s, err := r.m.ConflictSide(ctx, revision, p)
		if err != nil {
			return false, err
		}
		if s != nil && !r.MayReadScope(s.Fact.Scope) {
			return false, nil
		}
	}
	return true, nil
}

// Check is MayRead as an error.
func (r *Reader) Check(ctx context.Context, revision string, f facts.Fact) error {
	may, err := r.MayRead(ctx, revision, f)
	if err == nil && !may {
		err = &PermissionError{Agent: r.agent, Scope: f.Scope, Access: facts.Read}
	}
	return err
}

// CheckVersion is Check for a version and the version before it, which its changes
// quote. A version that is not readable as a fact has nothing to withhold.
func (r *Reader) CheckVersion(ctx context.Context, revision string, now, before facts.Fact) error {
	for _, f := range []facts.Fact{now, before} {
		if f.Claim == "" {
			continue
		}
		if err := r.Check(ctx, revision, f); err != nil {
			return err
		}
	}
	return nil
}

// MayReadConflict is MayRead for a conflict as surfaces show it.
func (r *Reader) MayReadConflict(c Conflict) bool {
	return r == nil || r.MayReadScope(c.Scope) && (c.A == nil || r.MayReadScope(c.A.Scope)) && (c.B == nil || r.MayReadScope(c.B.Scope))
}
