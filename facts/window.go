package facts

import (
	"bytes"
	"cmp"
	"slices"
	"time"
)

// Window is the time [From, Until) in which a claim holds. A zero Until is open.
type Window struct {
	From, Until time.Time
}

// Contains reports whether the claim holds at t.
func (w Window) Contains(t time.Time) bool {
	return !t.Before(w.From) && (w.Until.IsZero() || t.Before(w.Until))
}

// Empty reports whether the claim never holds.
func (w Window) Empty() bool { return !w.Until.IsZero() && !w.Until.After(w.From) }

// State is the state of a fact at one time.
type State string

// The states. They depend on the window only.
const (
	Current    State = "current"
	Scheduled  State = "scheduled"  // begins later, as planned
	Retired    State = "retired"    // ended by somebody
	Expired    State = "expired"    // ended by its TTL
	Superseded State = "superseded" // ended by a newer version
)

// Window returns when the fact holds: from ValidFrom until ValidUntil or, if that is
// not stated, until the TTL has passed.
func (f Fact) Window() Window {
	w := Window{From: f.ValidFrom, Until: f.ValidUntil}
	if w.Until.IsZero() && f.TTL != "" {
		if p, err := ParseTTL(f.TTL); err == nil {
			w.Until = p.After(f.ValidFrom)
		}
	}
	return w
}

// Planned reports whether the fact was written to begin later. A ValidFrom that is
// only ahead of the reader's clock means that the writer's clock is ahead; such a
// fact holds already, or a colleague's newest facts would be missing from answers.
func (f Fact) Planned() bool { return f.ValidFrom.After(f.Provenance.CreatedAt) }

// StateAt returns the fact's state at t as far as this version alone tells: it does
// not know of a later version of the same key.
func (f Fact) StateAt(t time.Time) State {
	w := f.Window()
	switch {
	case f.Operation == OpDelete && !f.ValidUntil.IsZero():
		return Retired // even if the reader's clock is behind
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
	if c := cmp.Or(a.ValidFrom.Compare(b.ValidFrom), cmp.Compare(a.ID, b.ID), boolCompare(!a.ValidUntil.IsZero(), !b.ValidUntil.IsZero())); c != 0 {
		return c
	}
	return cmp.Or(bytes.Compare(Marshal(a.known()), Marshal(b.known())), bytes.Compare(Marshal(a), Marshal(b)))
}

// known returns the version without the fields that Merge merges one by one.
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
