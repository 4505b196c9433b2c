package survey

import (
	"context"
	"fmt"
	"strings"
	"time"

	"engram/index"
	"engram/memory/internal/core"
)

// OutlineInput says for whom to outline a memory.
type OutlineInput struct {
	AskedBy string `json:"asked_by,omitempty"` // the agent that reads; "" whom the memory was opened for
	Branch  string `json:"branch,omitempty"`   // as of QueryInput
}

// OutlineResult is the tree of the scopes of a memory.
type OutlineResult struct {
	core.Answer
	// Memory has everything: its scope is "".
	Memory   OutlineScope `json:"memory"`
	Withheld int          `json:"withheld"` // facts that the agent may not read
	// Checked is when the evidence was checked that Doubted counts; zero if this process has
	// not checked all evidence.
	Checked time.Time `json:"checked_at,omitzero"`
}

// OutlineScope is a scope and what it holds, the scopes below it included.
type OutlineScope struct {
	Scope    string         `json:"scope"`    // the whole path
	Facts    int            `json:"facts"`    // current or scheduled
	Disputed int            `json:"disputed"` // of these: sides of open conflicts
	Doubted  int            `json:"doubted"`  // of these: with evidence that drifted or is missing
	Expired  int            `json:"expired"`  // beside these: whose TTL has passed
	Scopes   []OutlineScope `json:"scopes"`   // directly below it, by path
}

// Outline counts the facts of each scope. It omits conflicts and invitations.
func (m *Surveyor) Outline(ctx context.Context, in OutlineInput) (OutlineResult, error) {
	tip, manifest, err := m.Tip(ctx)
	if err != nil {
		return OutlineResult{}, err
	}
	q := m.query(SurveyInput{Branch: in.Branch}, m.Reader(manifest, in.AskedBy))
	q.Doubted = []string{string(core.Drifted), string(core.Missing)}
	found, revision, checked, err := m.find(ctx, tip, q)
	if err != nil {
		return OutlineResult{}, fmt.Errorf("outline: %w", err)
	}
	return OutlineResult{Answer: core.AnswerAt(revision), Memory: tree(found.Scopes), Withheld: found.Withheld, Checked: checked}, nil
}

// tree makes a tree of counts that are sorted by scope.
func tree(counts []index.ScopeCount) OutlineScope {
	below := make(map[string][]index.ScopeCount)
	var all index.ScopeCount
	for _, c := range counts {
		at := strings.LastIndexByte(c.Scope, '/')
		if at < 0 { // those without a scope are below the memory as well, and nothing is below them
			all.Facts, all.Disputed, all.Doubted, all.Expired = all.Facts+c.Facts, all.Disputed+c.Disputed, all.Doubted+c.Doubted, all.Expired+c.Expired
		}
		if c.Scope != "" {
			parent := c.Scope[:max(at, 0)]
			below[parent] = append(below[parent], c)
		}
	}
	var node func(c index.ScopeCount) OutlineScope
	node = func(c index.ScopeCount) OutlineScope {
		n := OutlineScope{Scope: c.Scope, Facts: c.Facts, Disputed: c.Disputed, Doubted: c.Doubted, Expired: c.Expired, Scopes: []OutlineScope{}}
		for _, child := range below[c.Scope] {
			n.Scopes = append(n.Scopes, node(child))
		}
		return n
	}
	return node(all)
}
