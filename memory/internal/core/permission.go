package core

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/index"
)

// PermissionError rejects an access that the team does not permit (docs/policy.md).
type PermissionError struct {
	Agent  string // "" is a person
	Scope  string // "" of a fact without one
	Access facts.Access
	Policy bool // it was engram.yml that was to be written, and no fact
}

func (e *PermissionError) Error() string {
	if e.Access == facts.Write {
		return e.What() + "; nothing was written"
	}
	return e.What()
}

// What says who may not do what, without the consequence.
func (e *PermissionError) What() string {
	who := "people"
	if e.Agent != "" {
		who = "the agent " + e.Agent
	}
	what := "facts of the scope " + e.Scope
	switch {
	case e.Policy:
		what = facts.ManifestPath + ", which forbids it something"
	case e.Scope == "":
		what = "facts without a scope"
	}
	if e.Access == facts.Write {
		return who + " may not write " + what
	}
	return who + " may not read " + what
}

// CheckPolicyChange rejects a change of engram.yml by an agent that a permission forbids
// anything, because the agent could lift the permission. People are not checked, since
// they can push the branch.
func CheckPolicyChange(list facts.Permissions, agent string, at time.Time) error {
	for _, p := range list {
		if agent != "" && (p.Agent == facts.AnyAgent || p.Agent == agent) && p.Window.Contains(at) && (forbids(p.Read) || forbids(p.Write)) {
			return &PermissionError{Agent: agent, Policy: true, Access: facts.Write}
		}
	}
	return nil
}

func forbids(says *bool) bool { return says != nil && !*says }

// DescribePermission puts a permission into words.
func DescribePermission(p facts.Permission) string {
	who, where := "agent "+p.Agent, "every scope"
	if p.Agent == facts.AnyAgent {
		who = "everybody"
	}
	if p.Scope != "" {
		where = p.Scope
	}
	var may []string
	for _, access := range []struct {
		says *bool
		name string
	}{{p.Read, "read"}, {p.Write, "write"}} {
		switch {
		case access.says == nil:
		case *access.says:
			may = append(may, "may "+access.name)
		default:
			may = append(may, "may not "+access.name)
		}
	}
	s := fmt.Sprintf("%s %s %s", who, cmp.Or(strings.Join(may, ", "), "has no stated access to"), where)
	if !p.Window.From.IsZero() {
		s += " from " + p.Window.From.Format(time.RFC3339)
	}
	if !p.Window.Until.IsZero() {
		s += " until " + p.Window.Until.Format(time.RFC3339)
	}
	return s
}

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

// MayReadKey is MayRead for the fact at a key. Where there is no readable fact, nothing says
// that a limited reader may see it.
func (r *Reader) MayReadKey(ctx context.Context, revision string, key facts.Key) (bool, error) {
	if r == nil {
		return true, nil
	}
	f, found, err := r.m.FactAt(ctx, revision, key)
	if errors.Is(err, ErrUnreadable) || err == nil && !found {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return r.MayRead(ctx, revision, f)
}

// ReadableKeys returns those of some keys that MayReadKey allows.
func (r *Reader) ReadableKeys(ctx context.Context, revision string, keys []facts.Key) ([]facts.Key, error) {
	if r == nil {
		return keys, nil
	}
	readable := []facts.Key{}
	for _, key := range keys {
		may, err := r.MayReadKey(ctx, revision, key)
		if err != nil {
			return nil, err
		}
		if may {
			readable = append(readable, key)
		}
	}
	return readable, nil
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
