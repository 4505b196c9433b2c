package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/facts"
	"engram/gitstore"
)

// at reads what stands at a key once this commit is through.
func (p *planner) at(key facts.Key) (facts.Fact, bool, error) {
	if f, ok := p.pending[key]; ok {
		return f, true, nil
	}
	if key.IsZero() {
		return facts.Fact{}, false, nil
	}
	return p.m.factAt(p.ctx, p.tip, key)
}

// factAt reads the fact at a key. A file that is no fact is an error, so that
// it is not overwritten.
func (m *Memory) factAt(ctx context.Context, revision string, key facts.Key) (facts.Fact, bool, error) {
	file, err := m.store.Get(ctx, revision, key.Path())
	if errors.Is(err, gitstore.ErrNotFound) {
		return facts.Fact{}, false, nil
	}
	if errors.Is(err, gitstore.ErrTooLarge) {
		return facts.Fact{}, false, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	if err != nil {
		return facts.Fact{}, false, err
	}
	f, err := parse(file)
	if err != nil {
		return facts.Fact{}, false, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	return f, true, nil
}

func (p *planner) byLineage(lineage string) (facts.Fact, error) {
	f, found, err := p.find(lookupQuery{lineage: lineage}, func(f facts.Fact) bool {
		state := f.StateAt(p.now)
		return f.Lineage == lineage && (state == facts.Current || state == facts.Scheduled)
	})
	if err == nil && !found {
		err = fmt.Errorf("%w: no open fact has the lineage %s", ErrNotFound, lineage)
	}
	return f, err
}

// find looks among what this commit writes and, for keys it leaves alone, on
// the branch.
func (p *planner) find(q lookupQuery, match func(facts.Fact) bool) (facts.Fact, bool, error) {
	for _, key := range p.written[q] {
		if f := p.pending[key]; match(f) {
			return f, true, nil
		}
	}
	candidates, err := p.look.find(q)
	if err != nil {
		return facts.Fact{}, false, err
	}
	for _, f := range candidates {
		if _, rewritten := p.pending[f.Key]; !rewritten && match(f) {
			return f, true, nil
		}
	}
	return facts.Fact{}, false, nil
}

// free reports whether no open fact stands at a key, nor anything that is no fact.
func (p *planner) free(key facts.Key) (bool, error) {
	at, found, err := p.at(key)
	if errors.Is(err, ErrUnreadable) {
		return false, nil
	}
	return !found || !open(at, p.now), err
}

// maxKeyAttempts bounds how many equal slugs are told apart by a number.
const maxKeyAttempts = 50

// freshKey makes a key out of kind, scope and claim that no open fact has.
func (p *planner) freshKey(f facts.Fact) (facts.Key, error) {
	slug := facts.Slug(f.Claim)
	if slug == "" { // no Latin letter or digit in it
		slug = facts.ContentHash(f.Claim)[:12]
	}
	key := facts.Key{Namespace: facts.KindNamespace(f.Kind), Category: facts.ScopeCategory(f.Scope)}
	for n := 1; n <= maxKeyAttempts; n++ {
		key.Identifier = slug
		if n > 1 {
			key.Identifier = fmt.Sprintf("%s-%d", slug, n)
		}
		free, err := p.free(key)
		if err == nil && free && f.Branch != "" {
			free, err = p.free(facts.Bind(key, f.Branch))
		}
		if err != nil || free {
			return key, err
		}
	}
	key.Identifier = slug + "-" + strings.ToLower(p.m.newID(p.now))
	return key, nil
}
