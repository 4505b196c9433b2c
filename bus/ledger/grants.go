package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"engram/bus"
)

const grantsName = "grants.json"

// Bounds of grants: how many that are not derived are kept, how many can be derived from
// one in all, and how long a grant is kept after its end.
const (
	MaxGrants   = 1_000
	MaxDerived  = 32
	grantMemory = 7 * 24 * time.Hour
)

var (
	// ErrNoGrant reports that no grant has an id, or that the grant was pruned.
	ErrNoGrant = errors.New("grant not found")
	// ErrNotTheirs reports that another agent issued the grant.
	ErrNotTheirs = errors.New("only the agent that issued a grant, or a person, can revoke it")
	// ErrManyGrants reports that no more grants can be kept.
	ErrManyGrants = fmt.Errorf("%d grants are open, which is the limit", MaxGrants)
	// ErrManyDerived reports that no more grants can be derived from one.
	ErrManyDerived = fmt.Errorf("%d grants were already derived from that one, which is the limit", MaxDerived)
)

// book is the content of grants.json: grants by id.
type book map[string]bus.Standing

func (b *book) put(s bus.Standing) {
	if *b == nil {
		*b = make(book)
	}
	(*b)[s.ID] = s
}

// updateGrants is update for the grants. Expired ones are first marked as ended, even if
// change fails.
func (l *Ledger) updateGrants(ctx context.Context, change func(*book) error) error {
	var failed error
	err := update(ctx, l, grantsName, true, func(b *book) error {
		marked := b.markEnded(l.moment())
		before := maps.Clone(*b)
		if failed = change(b); failed == nil {
			return nil
		}
		if *b = before; !marked {
			return failed
		}
		return nil
	})
	return cmp.Or(failed, err)
}

// markEnded marks expired grants, and reports whether there were any.
func (b book) markEnded(now time.Time) (marked bool) {
	for id, s := range b {
		if s.Ended.IsZero() && !now.Before(s.Expires) {
			s.Ended = now
			b[id], marked = s, true
		}
	}
	return marked
}

func (b book) find(id string) (bus.Grant, bool) {
	s, ok := b[id]
	return s.Grant, ok
}

// prune removes grants that ended long ago and, if there are too many, those that ended
// first. A grant stays as long as the grants derived from it, so that it can be revoked
// with them.
func (b book) prune(now time.Time) {
	for id, s := range b {
		if now.Sub(s.Expires) > grantMemory {
			delete(b, id)
		}
	}
	if b.originals() < MaxGrants {
		return
	}
	needed := make(map[string]bool)
	for _, s := range b {
		for from := s.From; s.State(now) == bus.GrantOpen && from != "" && !needed[from]; from = b[from].From {
			needed[from] = true
		}
	}
	ended := slices.DeleteFunc(slices.Collect(maps.Values(b)), func(s bus.Standing) bool {
		return s.From != "" || s.State(now) == bus.GrantOpen || needed[s.ID]
	})
	slices.SortFunc(ended, func(x, y bus.Standing) int {
		return cmp.Or(x.Expires.Compare(y.Expires), strings.Compare(x.ID, y.ID))
	})
	for _, s := range ended[:min(len(ended), b.originals()-MaxGrants+1)] {
		for id := range b {
			if b.original(id) == s.ID && id != s.ID {
				delete(b, id)
			}
		}
		delete(b, s.ID)
	}
}

// originals counts the grants that are not derived: grants derived by children must not
// keep a parent from issuing one.
func (b book) originals() (n int) {
	for _, s := range b {
		if s.From == "" {
			n++
		}
	}
	return n
}

// original returns the id of the grant that a grant is derived from, through all steps.
func (b book) original(id string) string {
	line := b.line(id)
	if len(line) == 0 {
		return id
	}
	return line[len(line)-1].ID
}

// derived counts the grants that are derived from the same original.
func (b book) derived(id string) (n int) {
	original := b.original(id)
	for other, s := range b {
		if s.From != "" && b.original(other) == original {
			n++
		}
	}
	return n
}

// Issue stores a grant and signs it. If from is a budget token, the grant is derived from
// that token's grant, which loses what the new one gets. Omitted fields (cap, uses, end,
// purpose) are those of OrDefault. The error wraps bus.ErrForged or bus.ErrUnknownGrant, or
// says what is wrong with the grant (a *bus.Refusal if the other grant is no longer valid).
func (l *Ledger) Issue(ctx context.Context, g bus.Grant, from string) (token string, issued bus.Grant, err error) {
	key, err := l.key(ctx)
	if err != nil {
		return "", g, err
	}
	err = l.updateGrants(ctx, func(b *book) error {
		now := l.moment()
		b.prune(now)
		if from == "" {
			if b.originals() >= MaxGrants {
				return ErrManyGrants
			}
			g = g.OrDefault(nil)
			g.From = ""
			err := g.Check()
			if err == nil {
				b.put(bus.Standing{Grant: g})
			}
			return err
		}
		return b.passOn(&g, from, key, now)
	})
	if err != nil {
		return "", g, err
	}
	return g.Sign(key), g, nil
}

// passOn derives a grant from another.
func (b *book) passOn(g *bus.Grant, from string, key []byte, now time.Time) error {
	parent, err := bus.OpenToken(from, key, b.find)
	if err != nil {
		return err
	}
	s := (*b)[parent.ID]
	*g = g.OrDefault(&s)
	g.From = parent.ID
	if err := s.Serves(g.Parent, g.Purpose, now); err != nil {
		return err
	}
	if err := g.Check(); err != nil {
		return err
	}
	if err := g.Narrows(parent, s.Left()); err != nil {
		return err
	}
	if b.derived(parent.ID) >= MaxDerived {
		return ErrManyDerived
	}
	s.Used, s.Spent = s.Used+g.Uses, s.Spent+g.Cap
	b.put(s)
	b.put(bus.Standing{Grant: *g})
	return nil
}

// Grants lists the grants of a child, or all for "", the newest first.
func (l *Ledger) Grants(child string) ([]bus.Standing, error) {
	b, err := read[book](l, grantsName)
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Collect(maps.Values(b)), func(s bus.Standing) bool { return child != "" && s.Child != child })
	slices.SortFunc(list, func(x, y bus.Standing) int {
		return cmp.Or(y.Issued.Compare(x.Issued), strings.Compare(y.ID, x.ID))
	})
	return list, nil
}

// Revoke ends a grant and all that are derived from it. agent is the caller: the issuer of
// the grant or of one that it is derived from, or "" for a person. The error wraps
// ErrNoGrant or ErrNotTheirs.
func (l *Ledger) Revoke(ctx context.Context, id, agent string) (ended []bus.Standing, err error) {
	err = l.updateGrants(ctx, func(b *book) error {
		if _, ok := (*b)[id]; !ok {
			return fmt.Errorf("revoke %.40q: %w", id, ErrNoGrant)
		}
		if agent != "" && !slices.ContainsFunc(b.line(id), func(s bus.Standing) bool { return s.Parent == agent }) {
			return fmt.Errorf("revoke %s: %w", id, ErrNotTheirs)
		}
		for _, s := range *b {
			if !slices.ContainsFunc(b.line(s.ID), func(above bus.Standing) bool { return above.ID == id }) {
				continue
			}
			if s.Revoked.IsZero() {
				s.Revoked = l.moment()
				b.put(s)
			}
			ended = append(ended, s)
		}
		return nil
	})
	slices.SortFunc(ended, func(x, y bus.Standing) int { return strings.Compare(x.ID, y.ID) })
	return ended, err
}

// line returns a grant and those that it is derived from, the original last.
func (b book) line(id string) []bus.Standing {
	var line []bus.Standing
	for s, ok := b[id]; ok && len(line) <= len(b); s, ok = b[s.From] {
		line = append(line, s)
	}
	return line
}
