package events

import (
	"math"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"engram/index/internal/store"
	"engram/index/internal/version"
	"engram/internal/terms"
)

// maxExpanded is how many words one beginning of a word stands for at most, in a segment.
const maxExpanded = 1000

// allowed are the documents of a segment that pass the filters of a query; nil: all.
func allowed(seg store.Segment, q Query) (*roaring.Bitmap, error) {
	f := &filter{seg: seg}
	f.any(bySession, q.Sessions)
	f.any(byKind, q.Kinds)
	f.any(byAgent, q.Agents)
	f.any(byTool, q.Tools)
	f.any(byClient, q.Clients)
	for _, tag := range q.Tags {
		f.any(byTag, []string{strings.ToLower(tag)})
	}
	if q.Path != "" {
		f.any(byPath, []string{cleanPath(q.Path)})
	}
	if q.Branch != "" {
		f.any(byBranch, []string{q.Branch})
	}
	if q.Commit != "" {
		f.require(f.beginning(version.FilterField, byCommit+strings.ToLower(q.Commit)))
	}
	for _, text := range q.Exact {
		f.exact(text, q.AtMost)
	}
	f.between(q.Since, q.Until)
	for _, label := range q.WithoutLabels {
		f.without(version.FilterTerm(byLabel, label), q.Reader)
	}
	return f.set, f.err
}

// filter narrows the documents of a segment down.
type filter struct {
	seg store.Segment
	set *roaring.Bitmap // nil: all
	err error
}

func (f *filter) documents(field, term string) *roaring.Bitmap {
	set, err := f.seg.Documents(field, term)
	if err != nil {
		f.err, set = err, roaring.New()
	}
	return set
}

// require excludes the documents that are not in a set, which it may change.
func (f *filter) require(set *roaring.Bitmap) {
	if f.set != nil {
		set.And(f.set)
	}
	f.set = set
}

func (f *filter) any(kind string, values []string) {
	if len(values) == 0 {
		return
	}
	union := roaring.New()
	for _, value := range values {
		union.Or(f.documents(version.FilterField, version.FilterTerm(kind, value)))
	}
	f.require(union)
}

// without leaves out the documents with a term, but not those of a reader.
func (f *filter) without(term, reader string) {
	set := f.documents(version.FilterField, term)
	if set.IsEmpty() {
		return
	}
	if reader != "" {
		set = roaring.AndNot(set, f.documents(version.FilterField, version.FilterTerm(byAgent, reader)))
	}
	if f.set == nil {
		f.set = f.seg.All()
	}
	f.set.AndNot(set)
}

// shortest is how many bytes of a word say which one is meant.
const shortest = 4

// exact requires all words of a text; a single word may be the beginning of one, which is not
// looked for if there are too many documents already (0: there never are).
func (f *filter) exact(text string, atMost int) {
	words := terms.OfQuestion(text)
	if len(words) == 0 {
		return
	}
	found := f.documents(version.TextField, words[0])
	for _, word := range words[1:] {
		found.And(f.documents(version.TextField, word))
	}
	if f.set != nil {
		found.And(f.set)
	}
	if atMost > 0 && found.GetCardinality() > uint64(atMost) {
		f.set = found
		return
	}
	if whole := terms.Whole(text); len(whole) >= shortest {
		found.Or(f.beginning(version.TextField, whole))
	}
	f.require(found)
}

// beginning are the documents with a term that begins with a text.
func (f *filter) beginning(field, prefix string) *roaring.Bitmap {
	return f.union(field, prefix, prefix+"\xff", maxExpanded)
}

// union are the documents with a term from first to before end.
func (f *filter) union(field, first, end string, limit int) *roaring.Bitmap {
	set, err := f.seg.Union(field, first, end, limit)
	if err != nil {
		f.err, set = err, roaring.New()
	}
	return set
}

// between requires that an event is of a time: by the days that lie wholly in it, the
// hours beside them, and, in the hours where it begins and ends, by reading.
func (f *filter) between(since, until time.Time) {
	if since.IsZero() && until.IsZero() {
		return
	}
	first, end := int64(minPeriod), int64(maxPeriod)
	var edges []int64
	if !since.IsZero() {
		first = period(since, hour)
		edges = append(edges, first)
		first++
	}
	if !until.IsZero() {
		end = period(until, hour)
		edges = append(edges, end)
	}
	found := roaring.New()
	firstDay, endDay := -floorDiv(-first, hours), floorDiv(end, hours)
	if firstDay < endDay {
		found.Or(f.periods(byDay, firstDay, endDay))
		found.Or(f.periods(byHour, first, firstDay*hours))
		found.Or(f.periods(byHour, endDay*hours, end))
	} else {
		found.Or(f.periods(byHour, first, end))
	}
	for _, edge := range edges {
		for it := f.periods(byHour, edge, edge+1).Iterator(); it.HasNext(); {
			doc := it.Next()
			at, err := timeOf(f.seg, doc)
			if err != nil {
				f.err = err
			}
			if at >= since.UnixMilli() && (until.IsZero() || at < until.UnixMilli()) {
				found.Add(doc)
			}
		}
	}
	f.require(found)
}

// periods are the documents of the days or hours from first to before end.
func (f *filter) periods(letter byte, first, end int64) *roaring.Bitmap {
	if first >= end {
		return roaring.New()
	}
	return f.union(version.FilterField, periodTerm(letter, first), periodTerm(letter, end), math.MaxInt)
}

// timeOf reads the moment of a document, in milliseconds.
func timeOf(seg store.Segment, doc uint32) (int64, error) {
	name, err := seg.DocID(uint64(doc))
	if err != nil {
		return 0, err
	}
	return decodeTime(name)
}
