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

// How many grants are kept, beside those that were made out of them; how many can be
// made out of one, by whomever; and how long they are kept after they ended.
const (
	MaxGrants   = 1_000
	MaxDerived  = 32
	grantMemory = 7 * 24 * time.Hour
)

var (
	// ErrNoGrant: no grant has that id, or it is forgotten.
	ErrNoGrant = errors.New("grant not found")
	// ErrNotTheirs: somebody else issued the grant.
	ErrNotTheirs = errors.New("only the agent that issued a grant, or a person, can revoke it")
	// ErrManyGrants: so many are open that no more can be kept.
	ErrManyGrants = fmt.Errorf("%d grants are open, which is the limit", MaxGrants)
	// ErrManyDerived: so many were made out of one that no more can be.
	ErrManyDerived = fmt.Errorf("%d grants were already derived from that one, which is the limit", MaxDerived)
)

// book is what grants.json holds: grants by id.
type book map[string]bus.Standing

func (b *book) put(s bus.Standing) {
	if *b == nil {
		*b = make(book)
	}
	(*b)[s.ID] = s
}

// updateGrants is update of the book of grants, whose expired ones are marked as ended
// first, also where change fails.
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

// markEnded marks what has expired, and reports whether there was any.
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

// prune forgets what ended long ago, and the longest ended of what is too many. A grant
// that others were made out of stays as long as those, so that it can be revoked with
// them.
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

// originals are how many grants were made out of no other: what children make out of
// theirs is not to keep a parent from granting.
func (b book) originals() (n int) {
	for _, s := range b {
		if s.From == "" {
			n++
		}
	}
	return n
}

// original is the id of the grant that all of a line come of.
func (b book) original(id string) string {
	line := b.line(id)
	if len(line) == 0 {
		return id
	}
	return line[len(line)-1].ID
}

// derived is how many grants came of the one that a grant comes of.
func (b book) derived(id string) (n int) {
	original := b.original(id)
	for other, s := range b {
		if s.From != "" && b.original(other) == original {
			n++
		}
	}
	return n
}

// Issue keeps a grant and signs it. Where from is a budget token, the grant is made out
// of the one that it stands for, which loses what the new one has. What it does not say
// (cap, uses, end, purpose) it has as of OrDefault. The error wraps bus.ErrForged or
// bus.ErrUnknownGrant, or says what is wrong with the grant (a *bus.Refusal where the
// one it is made out of is not good any more).
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

// passOn makes a grant out of another.
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

// Grants lists what was issued, the newest first: for a child, where it is not "".
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

// Revoke ends a grant and all that were made out of it. agent is who asks: one who
// issued it or one that it was made out of, or "" for a person. The error wraps
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

// line is a grant and those that it was made out of, the first last.
func (b book) line(id string) []bus.Standing {
	var line []bus.Standing
	for s, ok := b[id]; ok && len(line) <= len(b); s, ok = b[s.From] {
		line = append(line, s)
	}
	return line
}
