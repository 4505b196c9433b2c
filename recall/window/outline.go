package window

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"engram/session"
)

const (
	// minSpan and maxSpan are how many items a span of an outline has: a new turn ends one
	// that has minSpan; a turn of an agent at work may have hundreds, so maxSpan ends one too.
	minSpan = 8
	maxSpan = 100
	// maxSpans is how many spans an outline keeps. More than DefaultMaxMarkers, so that what
	// distinguishes a span is known when markers are made of them.
	maxSpans = 2 * DefaultMaxMarkers
)

// Outline divides a session into spans while it goes on, for clients that compact their window
// themselves. It depends on the events alone and is bounded, however long the session is.
type Outline struct {
	// Spans are those that have ended, the oldest first. Gone of them stand before the last
	// compaction of the client.
	Spans []session.Marker `json:"spans"`
	Gone  int              `json:"gone"`
	// Open are the items of the span that goes on.
	Open []Item `json:"open"`
}

// Add adds an event.
func (o *Outline) Add(e *session.Event) {
	if e.Has(session.TagCompaction) {
		o.end()
		o.Gone = len(o.Spans)
		return
	}
	item, ok := itemOf(e)
	if !ok {
		return
	}
	if n := len(o.Open); n >= maxSpan || n >= minSpan && item.Turn != o.Open[n-1].Turn {
		o.end()
	}
	o.Open = append(o.Open, item)
}

// itemOf is an event as an item; ok is false if it says nothing about what was done. Texts of
// private events do not enter markers, which are shown without asking who reads.
func itemOf(e *session.Event) (item Item, ok bool) {
	item = Item{ID: e.ID, Turn: e.Turn, Class: ClassOf(e)}
	switch {
	case e.Has(session.TagThinking) || e.Has(session.TagSummary) || e.Has(session.TagMalformed) || e.Has(session.TagFrame), e.SubAgent != "":
		return item, false
	case e.Kind == session.SystemNote && !e.Has(session.TagCommit) && !e.Has(session.TagFact):
		return item, false
	case e.Label == session.Private:
		return item, true
	case e.Kind == session.ToolCall:
		item.Text = session.CallOf(e).Does()
	default:
		item.Text = e.Text
	}
	if len(item.Text) > maxHead+maxTail {
		item.Text = strings.ToValidUTF8(item.Text[:maxHead], "") + "\n" + strings.ToValidUTF8(item.Text[len(item.Text)-maxTail:], "")
	}
	return item, true
}

// ClassOf is the class of an event in a window.
func ClassOf(e *session.Event) Class {
	switch e.Kind {
	case session.ToolCall:
		return ToolCall
	case session.ToolResult:
		return ToolResult
	case session.Decision, session.SystemNote:
		return Decision
	}
	return Dialogue
}

// end ends the span that is open.
func (o *Outline) end() {
	if len(o.Open) == 0 {
		return
	}
	o.Spans = append(slices.Clone(o.Spans), o.span()) // copies of an outline stay as they are
	o.Open = nil
	if len(o.Spans) <= maxSpans {
		return
	}
	best := -1 // of the neighbours with the lowest level, the oldest, not across the last compaction
	for i := range len(o.Spans) - 1 {
		if i+1 != o.Gone && (best < 0 || o.level(i) < o.level(best)) {
			best = i
		}
	}
	o.Spans[best] = Merge(o.Spans[best], o.Spans[best+1])
	o.Spans = slices.Delete(o.Spans, best+1, best+2)
	if best < o.Gone {
		o.Gone--
	}
}

func (o *Outline) level(i int) int { return max(o.Spans[i].Level, o.Spans[i+1].Level) }

// span is the one that is open.
func (o *Outline) span() session.Marker {
	m := session.Marker{First: math.MaxInt, Topics: NewTopics(o.Open).Of(0, len(o.Open))}
	for _, item := range o.Open {
		m.First, m.Last = min(m.First, item.Turn), max(m.Last, item.Turn)
	}
	return m
}

// Markers stand for what left the window at the client's last compaction, or with all for all
// that there is: at most DefaultMaxMarkers.
func (o *Outline) Markers(all bool) []session.Marker {
	spans := slices.Clone(o.Spans[:min(o.Gone, len(o.Spans))])
	if all {
		if spans = slices.Clone(o.Spans); len(o.Open) > 0 {
			spans = append(spans, o.span())
		}
	}
	distinguish(spans)
	items := make([]Item, len(spans))
	for i, m := range spans {
		items[i] = markerItem(m)
	}
	items = mergeMarkers(items, DefaultMaxMarkers)
	markers := make([]session.Marker, len(items))
	for i, item := range items {
		markers[i] = *item.Marker
	}
	return markers
}

// distinguish puts the topics of each marker first that few other markers have.
func distinguish(markers []session.Marker) {
	having := make(map[string]int)
	for _, m := range markers {
		for _, topic := range m.Topics {
			having[strings.ToLower(topic)]++
		}
	}
	for i, m := range markers {
		ranked := make([]topic, len(m.Topics))
		for rank, text := range m.Topics {
			rarity := math.Log(1 + float64(len(markers))/float64(having[strings.ToLower(text)]))
			ranked[rank] = topic{text, rarity / float64(rank+2)}
		}
		slices.SortStableFunc(ranked, func(a, b topic) int { return cmp.Compare(b.weight, a.weight) })
		markers[i].Topics = make([]string, len(ranked))
		for rank, t := range ranked {
			markers[i].Topics[rank] = t.text
		}
	}
}
