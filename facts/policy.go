package facts

import (
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// DefaultRate is how many commits an agent may make in an hour unless the team
// configured another limit.
const DefaultRate = 50

// AnyAgent stands for every agent in a permission.
const AnyAgent = "*"

// Permission says what an agent may do in a scope and below it, for as long as
// its window lasts.
type Permission struct {
	Agent  string // a name, or AnyAgent
	Scope  string // "" is every scope
	Read   *bool  // nil: it says nothing about reading
	Write  *bool  // nil: it says nothing about writing
	Window Window // not stated: always
}

// Access is what somebody wants to do with a fact.
type Access int

// The accesses.
const (
	Read Access = iota
	Write
)

// Permissions are the permissions of a team, in any order.
type Permissions []Permission

// Allow reports whether an agent ("" is a person) may have access to a scope at
// a time. Only permissions count whose window contains that time and that state
// something about the access:
//
//  1. The permission with the longest scope decides.
//  2. Of several with that scope, one that names the agent decides.
//  3. Of several of those, one that forbids decides.
//  4. Without any, access is allowed.
func (list Permissions) Allow(agent, scope string, access Access, at time.Time) bool {
	allowed, best := true, -1
	for _, p := range list {
		says := p.Read
		if access == Write {
			says = p.Write
		}
		if says == nil || p.Agent != AnyAgent && p.Agent != agent || !p.Window.Contains(at) || !p.covers(scope) {
			continue
		}
		rank := 2 * len(p.Scope)
		if p.Agent == agent {
			rank++
		}
		switch {
		case rank > best:
			allowed, best = *says, rank
		case rank == best:
			allowed = allowed && *says
		}
	}
	return allowed
}

func (p Permission) covers(scope string) bool {
	return p.Scope == "" || scope == p.Scope || strings.HasPrefix(scope, p.Scope+"/")
}

// Review says which facts must be reviewed before they hold. The zero value reviews
// none.
type Review struct {
	Namespaces     []string // facts of these, whoever writes them
	UnknownAuthors bool     // facts of authors that Authors does not list
	Authors        []string // email addresses, in lower case
}

// Needed reports whether a fact by an author has to be reviewed first.
func (r Review) Needed(k Key, email string) bool {
	return slices.Contains(r.Namespaces, k.Namespace) ||
		r.UnknownAuthors && !slices.Contains(r.Authors, strings.ToLower(email))
}

// ProposedSuffix is appended to the name of the memory branch for proposed facts.
const ProposedSuffix = "-proposed"

// Any reports whether any facts have to be reviewed.
func (r Review) Any() bool { return r.UnknownAuthors || len(r.Namespaces) > 0 }

// MayAccept reports whether an author may decide on proposed facts. If Authors is
// empty, everybody may.
func (r Review) MayAccept(email string) bool {
	return len(r.Authors) == 0 || slices.Contains(r.Authors, strings.ToLower(email))
}

// Gate is a check that makes a git hook fail.
type Gate string

// The gates.
const (
	GateSecrets   Gate = "secrets"
	GateLint      Gate = "lint"
	GateConflicts Gate = "conflicts"
)

// Gates lists every gate.
func Gates() []Gate { return []Gate{GateSecrets, GateLint, GateConflicts} }

func setPermissions(v *yaml.Node, list *Permissions) error {
	return eachItem(v, func(item *yaml.Node) error {
		p := Permission{Agent: AnyAgent}
		var unknown []Unknown
		if err := eachField(item, p.fields(), &unknown); err != nil {
			return err
		}
		if len(unknown) > 0 { // it may forbid something
			return fault(item, "a permission has agent, scope, read, write, valid_from and valid_until, not %s", abridge(unknown[0].Name, 40))
		}
		if p.Agent == "" {
			return fault(item, "a permission needs an agent; use %q for every agent", AnyAgent)
		}
		if p.Scope = strings.Trim(p.Scope, "/"); p.Scope != "" && !isScope(p.Scope) {
			return fault(item, "%q is not a topic path such as payments/webhooks", abridge(p.Scope, 60))
		}
		if p.Read == nil && p.Write == nil {
			return fault(item, "a permission must state read or write")
		}
		if p.Window.Empty() {
			return fault(item, "this permission ends before it starts")
		}
		*list = append(*list, p)
		return nil
	})
}

func setReview(v *yaml.Node, r *Review) error {
	var later []Unknown
	err := eachField(v, r.fields(), &later)
	for i, a := range r.Authors {
		r.Authors[i] = strings.ToLower(a)
	}
	return err
}

func setGates(v *yaml.Node, gates *[]Gate) error {
	return eachItem(v, func(item *yaml.Node) error {
		var gate Gate
		if err := setString(item, &gate); err != nil {
			return err
		}
		if !slices.Contains(Gates(), gate) {
			return fault(item, "%q is not one of the gates %v", abridge(string(gate), 40), Gates())
		}
		*gates = append(*gates, gate)
		return nil
	})
}
