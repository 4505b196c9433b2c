// Package window manages what a model sees: which part of a full context window is evicted and
// which sentence stands in its place (source document 5, §6 and Annex A.4), and what is put into
// a window at each turn (Annex A.2). It is pure.
package window

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"engram/facts"
	"engram/session"
)

// Class says what an item is, for the order of eviction.
type Class string

// The classes. The last four are never evicted.
const (
	ToolResult Class = "tool_result"
	ToolCall   Class = "tool_call"
	Dialogue   Class = "dialogue"
	Decision   Class = "decision"
	Constraint Class = "constraint"
	System     Class = "system"
	TaskState  Class = "task_state"
	Marker     Class = "marker"
)

// Classes lists every class.
func Classes() []Class {
	return []Class{ToolResult, ToolCall, Dialogue, Decision, Constraint, System, TaskState, Marker}
}

// weight is how readily a class is evicted (Annex A.4, line 2). Results of tools go first: they
// are the largest, and the easiest to find again.
var weight = map[Class]float64{ToolResult: 1, ToolCall: 0.8, Dialogue: 0.5, Decision: 0.2}

// Item is a piece of a window.
type Item struct {
	ID     string          `json:"id,omitempty"` // of the event; an item without one is never evicted
	Turn   int             `json:"turn"`
	Class  Class           `json:"class"`
	Text   string          `json:"text,omitempty"`
	Tokens int             `json:"tokens,omitempty"` // 0: estimated from Text
	Marker *session.Marker `json:"marker,omitempty"` // of class marker
}

// Options are what a compaction needs to know.
type Options struct {
	Window   int // tokens that the model takes; required
	Headroom int // tokens to leave for the answer and for tools
	// Target is how many tokens may be left once something has to be evicted; 0 is
	// Window - Headroom. A lower one makes compactions rarer.
	Target int
	// KeepTurns are the last turns, which are never evicted; 0 is DefaultKeepTurns. A turn of
	// an agent at work may be larger than its window, so of the last turns, only the last
	// item and the last KeepTokens tokens are safe; 0 is half of Window - Headroom.
	KeepTurns, KeepTokens int
	// MaxMarkers is K_max of §6.4; 0 is DefaultMaxMarkers.
	MaxMarkers int
	Task       session.TaskState
	// Stored reports whether an event is stored and can be found. What it denies is not
	// evicted. Required.
	Stored func(id string) bool
}

const (
	// DefaultKeepTurns is k of the hot tail (§4.5).
	DefaultKeepTurns = 4
	// DefaultMaxMarkers is K_max (§6.4).
	DefaultMaxMarkers = 20
)

// Result is a window after a compaction.
type Result struct {
	Items   []Item           `json:"items"`
	Evicted []string         `json:"evicted"` // ids of events, in their order
	Markers []session.Marker `json:"markers"` // all that the window has now
	Before  int              `json:"tokens_before"`
	After   int              `json:"tokens_after"`
	Target  int              `json:"target"`
	// Fits: the window and its headroom have room for what is left.
	Fits bool `json:"fits"`
	// Held are the tokens that could not be evicted, by the reason.
	Held map[Reason]int `json:"held,omitempty"`
}

// Reason says why an item was not evicted.
type Reason string

// The reasons.
const (
	Pinned    Reason = "never evicted"       // constraints, task state, system blocks, markers
	Recent    Reason = "of the last turns"   //
	Unstored  Reason = "not stored"          // or not indexed
	Anonymous Reason = "without an event id" //
	TooSmall  Reason = "smaller than a marker"
)

var errWindow = errors.New("the size of the window is missing: say how many tokens the model takes")

// Compact evicts items until the rest fits. A window that fits is returned as it is. It never
// fails for want of something to evict: the result says whether it fits and what was held.
func Compact(items []Item, o Options) (Result, error) {
	if o.Window <= 0 {
		return Result{}, errWindow
	}
	if o.Headroom < 0 || o.Headroom >= o.Window {
		return Result{}, fmt.Errorf("a headroom of %d tokens leaves nothing of a window of %d", o.Headroom, o.Window)
	}
	if o.Stored == nil {
		return Result{}, errors.New("nothing says which events are stored")
	}
	limit := o.Window - o.Headroom
	if o.Target <= 0 || o.Target > limit {
		o.Target = limit
	}
	o.KeepTurns = cmp.Or(o.KeepTurns, DefaultKeepTurns)
	o.KeepTokens = cmp.Or(o.KeepTokens, limit/2)
	o.MaxMarkers = cmp.Or(o.MaxMarkers, DefaultMaxMarkers)

	c := &compaction{Options: o, items: slices.Clone(items)}
	r := Result{Target: o.Target}
	for i := range c.items {
		if c.items[i].Tokens == 0 {
			c.items[i].Tokens = facts.Tokens(c.items[i].Text)
		}
		r.Before += c.items[i].Tokens
	}
	r.Items, r.After = c.items, r.Before
	if r.Before > limit {
		c.topics = NewTopics(c.items)
		r.Held = c.choose(r.Before)
		r.Items, r.Evicted = c.replace()
		r.Items = mergeMarkers(r.Items, o.MaxMarkers)
		r.After = 0
		r.After = sum(r.Items)
	}
	for _, item := range r.Items {
		if item.Marker != nil {
			r.Markers = append(r.Markers, *item.Marker)
		}
	}
	r.Fits = r.After <= limit
	return r, nil
}

type compaction struct {
	Options
	items   []Item
	topics  *Topics
	victims []bool
}

// choose marks the items to evict: those with the highest weight × age × (1 - need) first,
// until what is left has room for the markers as well.
func (c *compaction) choose(total int) map[Reason]int {
	last, newer := 0, 0
	for _, item := range c.items {
		last = max(last, item.Turn)
		newer += item.Tokens
	}
	need := c.topics.need(c.Task)
	held := make(map[Reason]int)
	type victim struct {
		at    int
		score float64
	}
	var order []victim
	for i := range c.items {
		item := &c.items[i]
		recent := i == len(c.items)-1 || item.Turn > last-c.KeepTurns && newer <= c.KeepTokens
		newer -= item.Tokens
		if reason := c.reason(item, recent); reason != "" {
			held[reason] += item.Tokens
			continue
		}
		age := float64(1 + last - item.Turn)
		order = append(order, victim{i, weight[item.Class] * age * (1 - need.of(item.ID, c.topics.texts[i]))})
	}
	slices.SortStableFunc(order, func(a, b victim) int { return cmp.Compare(b.score, a.score) })
	c.victims = make([]bool, len(c.items))
	for _, v := range order {
		if total <= c.Target && c.left() <= c.Target {
			break
		}
		c.victims[v.at] = true
		total -= c.items[v.at].Tokens
	}
	for _, s := range c.spans() {
		if s.small {
			held[TooSmall] += s.tokens
			for i := s.first; i < s.end; i++ {
				c.victims[i] = false
			}
		}
	}
	return held
}

// span is a run of victims.
type span struct {
	first, end, tokens int
	beside             bool // a marker stands next to it, which can take it in
	small              bool // it stays, since a marker would be as large
}

func (c *compaction) spans() (list []span) {
	for i := 0; i < len(c.items); i++ {
		if !c.victims[i] {
			continue
		}
		s := span{first: i}
		for ; i < len(c.items) && c.victims[i]; i++ {
			s.tokens += c.items[i].Tokens
		}
		s.end = i
		s.beside = s.first > 0 && c.items[s.first-1].Marker != nil
		s.small = s.tokens <= session.MaxMarker && !s.beside
		list = append(list, s)
	}
	return list
}

// left is how many tokens are left if the victims are evicted: each span costs a marker, but
// there are no more than so many markers.
func (c *compaction) left() int {
	tokens, markers := 0, 0
	for i := range c.items {
		switch {
		case c.victims[i]:
		case c.items[i].Marker != nil:
			markers++
		default:
			tokens += c.items[i].Tokens
		}
	}
	for _, s := range c.spans() {
		if s.small {
			tokens += s.tokens
		} else if s.tokens > session.MaxMarker || !s.beside {
			markers++
		}
	}
	return tokens + min(markers, c.MaxMarkers)*session.MaxMarker
}

// reason says why an item may not be evicted; "" if it may.
func (c *compaction) reason(item *Item, recent bool) Reason {
	switch {
	case weight[item.Class] == 0:
		return Pinned
	case item.ID == "":
		return Anonymous
	case recent:
		return Recent
	case !c.Stored(item.ID):
		return Unstored
	}
	return ""
}

// replace puts a marker in the place of each span of evicted items. A span that is smaller than a
// marker is taken in by the marker that stands before it.
func (c *compaction) replace() (rest []Item, evicted []string) {
	at := 0
	for _, s := range c.spans() {
		rest = append(rest, c.items[at:s.first]...)
		at = s.end
		m := session.Marker{First: math.MaxInt, Topics: c.topics.Of(s.first, s.end)}
		for _, item := range c.items[s.first:s.end] {
			evicted = append(evicted, item.ID)
			m.First, m.Last = min(m.First, item.Turn), max(m.Last, item.Turn)
		}
		if s.beside && s.tokens <= session.MaxMarker {
			before := rest[len(rest)-1].Marker
			m = Merge(*before, m)
			m.Level = before.Level
			rest = rest[:len(rest)-1]
		}
		rest = append(rest, markerItem(m))
	}
	return append(rest, c.items[at:]...), evicted
}

func markerItem(m session.Marker) Item {
	text := m.String()
	return Item{Turn: m.First, Class: Marker, Text: text, Tokens: facts.Tokens(text), Marker: &m}
}

// mergeMarkers merges neighbours until there are at most so many: first those of the lowest
// level, the oldest first, so that what is long ago is covered by few and coarse markers and
// what was just now by fine ones (§6.4).
func mergeMarkers(items []Item, most int) []Item {
	var at []int // where the markers stand
	for i := range items {
		if items[i].Marker != nil {
			at = append(at, i)
		}
	}
	if len(at) <= max(1, most) {
		return items
	}
	grown, merged := make(map[int]bool), make(map[int]bool) // items; those that are merged go
	for len(at) > max(1, most) {
		best := 0
		for k := 1; k+1 < len(at); k++ {
			if level(items, at, k) < level(items, at, best) {
				best = k
			}
		}
		i, j := at[best], at[best+1]
		m := Merge(*items[i].Marker, *items[j].Marker)
		items[i].Marker = &m
		grown[i], merged[j] = true, true
		at = slices.Delete(at, best+1, best+2)
	}
	rest := items[:0]
	for i, item := range items {
		if merged[i] {
			continue
		}
		if grown[i] {
			item = markerItem(*item.Marker)
		}
		rest = append(rest, item)
	}
	return rest
}

func level(items []Item, at []int, k int) int {
	return max(items[at[k]].Marker.Level, items[at[k+1]].Marker.Level)
}

// Merge makes one marker of two: it covers both, and names the topics of both in turn, since
// those of each are in the order of their weight.
func Merge(a, b session.Marker) session.Marker {
	m := session.Marker{First: min(a.First, b.First), Last: max(a.Last, b.Last), Level: 1 + max(a.Level, b.Level)}
	for i := range max(len(a.Topics), len(b.Topics)) {
		for _, list := range [][]string{a.Topics, b.Topics} {
			if i < len(list) && len(m.Topics) < maxTopics && !slices.Contains(m.Topics, list[i]) {
				m.Topics = append(m.Topics, list[i])
			}
		}
	}
	return m
}
