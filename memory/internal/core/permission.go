package core

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"engram/facts"
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
