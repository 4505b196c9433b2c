package mcp

import (
	"engram/facts"
	"engram/memory"
)

// addBus adds what agents exchange under budgets: the tools of seed 2 §4.2, and
// the message that ends a turn.
func addBus(s *surface) {
	addLessPut(s)
	addLessQuery(s)
	addLessRequest(s)
	addLessDeref(s)
	addLessGrant(s)
	addLessSubmit(s)
}

// sender is who speaks on the bus. Nobody is a person there: a person has no budget.
func (c *call) sender(stated string) (string, error) {
	agent, err := c.author(stated)
	if err == nil && agent == "" {
		err = &argumentError{"nobody knows who calls, and budgets are an agent's", "say it in agent_id"}
	}
	return agent, err
}

// lessPointer is a pointer as seed 1 §4.2 has it.
type lessPointer struct {
	Type   string `json:"type" jsonschema:"repo, artifact, sam, diff, test or url: what ref begins with"`
	Ref    string `json:"ref" jsonschema:"repo:path#L12-L40@COMMIT, artifact:path#sec=NAME@COMMIT, sam:KEY@VERSION, diff:A..B#path, test:path#NAME@COMMIT"`
	Digest string `json:"digest,omitempty" jsonschema:"of what stood there, as an earlier answer said"`
	Span   string `json:"span,omitempty" jsonschema:"leave it away: the ref has it"`
}

func (p lessPointer) wire() memory.EngramPointer {
	return memory.EngramPointer{Type: p.Type, Ref: p.Ref, Digest: p.Digest, Span: p.Span}
}

// ref is the reference, of which the type says no other than it does.
func (p lessPointer) ref() (string, error) {
	a, err := facts.ParseRef(p.Ref)
	if err != nil {
		return "", &argumentError{"pointer.ref: " + err.Error(), "write it as repo:internal/auth.go#L12-L40@COMMIT"}
	}
	if p.Type != string(a.Type) {
		return "", &argumentError{"pointer.type is not what its ref begins with", "write type as " + string(a.Type)}
	}
	return p.Ref, nil
}

// kindsOnWire are the kinds of engrams.
func kindsOnWire() []string { return names(facts.Kinds()) }

func reachesOnWire() []string { return names(facts.Reaches()) }
