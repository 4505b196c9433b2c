package facts

import (
	"bytes"
	"cmp"
	"slices"
	"time"
)

// Window is [From, Until): when a claim holds. A zero Until is open.
type Window struct {
	From, Until time.Time
}

// Contains reports whether the claim holds at t.
func (w Window) Contains(t time.Time) bool {
	return !t.Before(w.From) && (w.Until.IsZero() || t.Before(w.Until))
}

// Empty reports whether the claim holds at no time at all.
func (w Window) Empty() bool { return !w.Until.IsZero() && !w.Until.After(w.From) }

// State is what a window says about a fact at one moment.
type State string

// The states, read off the window and nothing else.
const (
	Current    State = "current"
	Scheduled  State = "scheduled"  // begins later, as somebody planned
	Retired    State = "retired"    // ended by somebody
	Expired    State = "expired"    // ended by its TTL
	Superseded State = "superseded" // ended by a newer version
)

// Window is when the fact holds: from ValidFrom until ValidUntil or, where
// that is not stated, until the TTL has passed.
func (f Fact) Window() Window {
	w := Window{From: f.ValidFrom, Until: f.ValidUntil}
	if w.Until.IsZero() && f.TTL != "" {
		if p, err := ParseTTL(f.TTL); err == nil {
			w.Until = p.After(f.ValidFrom)
		}
	}
	return w
}

// Planned reports whether somebody meant the fact to begin later than it was
// written. Any other beginning that lies ahead of a reader's clock only says
// that the writer's clock is ahead of it: such a fact holds already, or a
// colleague's newest facts would be missing from every answer.
func (f Fact) Planned() bool { return f.ValidFrom.After(f.Provenance.CreatedAt) }

// StateAt is the fact's state at t, as far as this one version can tell: a
// version that a later one of the same key replaced does not know it.
func (f Fact) StateAt(t time.Time) State {
	w := f.Window()
	switch {
	case f.Operation == OpDelete && !f.ValidUntil.IsZero():
		return Retired // also by a clock that is behind the one that retired it
	case w.Contains(t):
		return Current
	case t.Before(w.From) && f.Planned():
		return Scheduled
	case t.Before(w.From):
		return Current
	case f.ValidUntil.IsZero():
		return Expired
	default:
		return Superseded
	}
}

// Timeline returns, for each of the versions of one key, the window in which
// it held as far as all of them together tell: a later version ends an earlier
// one. The order of the argument does not matter. tip is the index of the
// version that stands on the branch, or -1; it has the last word whatever the
// others' dates say, so that a reverted file reads as it stands. A version that
// never held has an empty window, which begins and ends at its ValidFrom; so
// has a retirement, where the version it ended is known, at its ValidUntil.
func Timeline(versions []Fact, tip int) []Window {
	order := make([]int, len(versions))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if a == tip || b == tip {
			return boolCompare(a == tip, b == tip)
		}
		return Compare(versions[a], versions[b])
	})
	windows := make([]Window, len(versions))
	var next time.Time // the earliest beginning among all later versions
	for _, i := range slices.Backward(order) {
		w, begins := versions[i].Window(), versions[i].ValidFrom
		if retires(versions[i], versions) {
			w.From, begins = w.Until, w.Until
		}
		if !next.IsZero() && (w.Until.IsZero() || next.Before(w.Until)) {
			w.Until = next
		}
		if w.Empty() {
			w.Until = w.From
		}
		windows[i] = w
		if next.IsZero() || begins.Before(next) {
			next = begins
		}
	}
	return windows
}

// retires reports whether f does nothing but end one of the versions: the claim
// held as that one, until then.
func retires(f Fact, versions []Fact) bool {
	return f.Operation == OpDelete && !f.ValidUntil.IsZero() &&
		slices.ContainsFunc(versions, func(v Fact) bool { return v.ID != "" && v.ID == f.Supersedes })
}

// Compare orders two versions of one key by which has the last word: later
// ValidFrom, then larger ID, then a closed window over an open one, then bytes,
// those of fields this format does not know last of all. It is a total order,
// so every clone picks the same version; 0 means that the bytes are the same.
func Compare(a, b Fact) int {
	if c := a.ValidFrom.Compare(b.ValidFrom); c != 0 {
		return c
	}
	if c := cmp.Compare(a.ID, b.ID); c != 0 {
		return c
	}
	if c := boolCompare(!a.ValidUntil.IsZero(), !b.ValidUntil.IsZero()); c != 0 {
		return c
	}
	if c := bytes.Compare(Marshal(a.known()), Marshal(b.known())); c != 0 {
		return c
	}
	return bytes.Compare(Marshal(a), Marshal(b))
}

// known is the version without the fields that Merge joins by themselves.
func (f Fact) known() Fact {
	f.Unknown, f.Provenance.Unknown = nil, nil
	return f
}

func boolCompare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}
