package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/index"
	"engram/internal/hint"
)

// PermissionError refuses what the team does not let somebody do
// (docs/policy.md).
type PermissionError struct {
	Agent  string // "" is a person
	Scope  string // "" of a fact without one
	Access facts.Access
	Policy bool // it was engram.yml that was to be written, and no fact
}

func (e *PermissionError) Error() string {
	if e.Access == facts.Write {
		return e.what() + "; nothing was written"
	}
	return e.what()
}

func (e *PermissionError) what() string {
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

func permissionHint(e *PermissionError) hint.Hint {
	if e.Policy {
		return hint.New("let a person change it")
	}
	return hint.New("permissions in engram.yml on the memory branch say who may; %s shows them", hint.Do(hint.ShowPolicy))
}

// reader is who asks, as far as not everything may be shown to them; nil may
// read everything.
type reader struct {
	m     *Memory
	agent string
	list  facts.Permissions
	at    time.Time
	rules []index.ScopeRule
}

// reader is who asks: agent, or whom the memory was opened for.
func (m *Memory) reader(manifest facts.Manifest, agent string) *reader {
	r := &reader{m: m, agent: cmp.Or(agent, m.agent), list: manifest.Permissions}
	if len(r.list) == 0 {
		return nil
	}
	r.at = m.moment()
	hides := false
	for _, p := range r.list {
		if p.Agent != facts.AnyAgent && p.Agent != r.agent || !p.Window.Contains(r.at) {
			continue
		}
		rule := index.ScopeRule{Scope: p.Scope, Show: r.may(p.Scope)}
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

func (r *reader) may(scope string) bool {
	return r == nil || r.list.Allow(r.agent, scope, facts.Read, r.at)
}

// access are the rules that the index is asked by.
func (r *reader) access() []index.ScopeRule {
	if r == nil {
		return nil
	}
	return r.rules
}

// withheld are the rules by which the index shows what access leaves out.
func (r *reader) withheld() []index.ScopeRule {
	rules := []index.ScopeRule{{Scope: "", Show: false}}
	for _, rule := range r.rules {
		rules = append(rules, index.ScopeRule{Scope: rule.Scope, Show: !rule.Show})
	}
	return rules
}

// mayFact is may for a fact of a revision. A conflict says what both of its
// sides do, whatever its own scope.
func (r *reader) mayFact(ctx context.Context, revision string, f facts.Fact) (bool, error) {
	if r == nil || !r.may(f.Scope) {
		return r == nil, nil
	}
	c, ok := detect.ConflictOf(f)
	if !ok {
		return true, nil
	}
	for _, p := range []detect.Party{c.A, c.B} {
		s, err := r.m.side(ctx, revision, p)
		if err != nil {
			return false, err
		}
		if s != nil && !r.may(s.fact.Scope) {
			return false, nil
		}
	}
	return true, nil
}

// check is mayFact as an error.
func (r *reader) check(ctx context.Context, revision string, f facts.Fact) error {
	may, err := r.mayFact(ctx, revision, f)
	if err == nil && !may {
		err = &PermissionError{Agent: r.agent, Scope: f.Scope, Access: facts.Read}
	}
	return err
}

// checkVersion is check for a version that is shown with what it changed. One
// that cannot be read has nothing to withhold.
func (r *reader) checkVersion(ctx context.Context, revision string, now, before facts.Fact) error {
	for _, f := range []facts.Fact{now, before} {
		if f.Claim == "" {
			continue
		}
		if err := r.check(ctx, revision, f); err != nil {
			return err
		}
	}
	return nil
}

// mayConflict is mayFact for a conflict as it is shown.
func (r *reader) mayConflict(c Conflict) bool {
	return r == nil || r.may(c.Scope) && (c.A == nil || r.may(c.A.Scope)) && (c.B == nil || r.may(c.B.Scope))
}

// countWithheld counts what matches a question and may not be read.
func (a asked) countWithheld(ctx context.Context, view *index.View) (int, error) {
	if a.reader == nil {
		return 0, nil
	}
	q := a.query
	q.Access, q.Limit = a.reader.withheld(), 1
	found, err := view.Rank(ctx, q, a.ranking)
	return found.Matched, err
}

// permit refuses a write to a scope. Beside who states a fact, who imports it
// has to be allowed to; a fact that comes back as it was is judged as of when
// it was stated.
func (p *planner) permit(d draft, scope string) error {
	if len(p.manifest.Permissions) == 0 {
		return nil
	}
	stated := p.now
	if d.restored && !d.fact.Provenance.CreatedAt.IsZero() {
		stated = d.fact.Provenance.CreatedAt
	}
	if err := p.mayWrite(d.fact.Provenance.Agent, scope, stated); err != nil {
		return err
	}
	if d.imported {
		return p.mayWrite(d.importer, scope, p.now)
	}
	return nil
}

func (p *planner) mayWrite(agent, scope string, at time.Time) error {
	if !p.manifest.Permissions.Allow(agent, scope, facts.Write, at) {
		return &PermissionError{Agent: agent, Scope: scope, Access: facts.Write}
	}
	return nil
}

// permitPut is permit for a new version: for its scope, for that of the fact it
// continues, and for that of what stands at its key.
func (p *planner) permitPut(d draft, next, old facts.Fact, continues bool) error {
	if len(p.manifest.Permissions) == 0 {
		return nil
	}
	if err := p.permit(d, next.Scope); err != nil {
		return err
	}
	if continues {
		if err := p.permit(d, old.Scope); err != nil {
			return err
		}
	}
	at, found, err := p.at(next.Key)
	if err != nil {
		return err
	}
	if found {
		return p.permit(d, at.Scope)
	}
	return nil
}

// mayChangePolicy refuses an agent that is forbidden anything: it could lift
// that. People are not held back, since they can push the branch.
func mayChangePolicy(list facts.Permissions, agent string, at time.Time) error {
	for _, p := range list {
		if agent != "" && (p.Agent == facts.AnyAgent || p.Agent == agent) && p.Window.Contains(at) && (forbids(p.Read) || forbids(p.Write)) {
			return &PermissionError{Agent: agent, Policy: true, Access: facts.Write}
		}
	}
	return nil
}

func forbids(says *bool) bool { return says != nil && !*says }

// describePermission puts a permission into words.
func describePermission(p facts.Permission) string {
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
	s := fmt.Sprintf("%s %s %s", who, cmp.Or(strings.Join(may, ", "), "is not said to do anything to"), where)
	if !p.Window.From.IsZero() {
		s += " from " + p.Window.From.Format(time.RFC3339)
	}
	if !p.Window.Until.IsZero() {
		s += " until " + p.Window.Until.Format(time.RFC3339)
	}
	return s
}
