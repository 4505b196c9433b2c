// Package survey lists and counts what an index holds: all that passes some filters, by
// key and in pages, how many of them each value of a facet has, and when anything began
// or ended. It ranks nothing.
package survey

import (
	"context"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/index/internal/query"
	"engram/index/internal/store"
)

// Query says what to list. Its text, signals and Limit take no part, and Past is not
// supported. With AsOf it is about the versions that held then, otherwise about those on
// the tip.
type Query struct {
	query.Query
	// State is the state of a fact at the moment of the query; "" is current and
	// scheduled, AnyState all of them.
	State facts.State
	// Freshness is one of the values in Verdicts, or Unknown.
	Freshness string
	// Verdicts are what is known of the evidence of versions, by KeyDigest; nil: nothing, and
	// there is no such facet.
	Verdicts map[uint64]Verdict
	Unknown  string // the verdict on all others
	// Conflict is InConflict, NoConflict or "".
	Conflict string
	// Disputed are the keys with an open conflict, by KeyDigest; nil: there is no such facet.
	Disputed map[uint64]bool
	// EndsBefore, if set, keeps only versions whose window ends before it.
	EndsBefore   time.Time
	Offset, Rows int
	// Doubted, if set, asks for Result.Scopes, which count the versions with one of these
	// verdicts.
	Doubted []string
}

// Verdict is a verdict on the evidence of one version of a key, by VersionDigest.
type Verdict struct {
	Version uint32
	Verdict string
}

// Values of the facet of conflicts.
const (
	InConflict = "open"
	NoConflict = "none"
)

// AnyState, as the State of a Query, finds facts in every state.
const AnyState facts.State = "all"

// The facets, in the order in which they are returned.
const (
	Scope = iota
	Kind
	Type
	Agent
	State
	Freshness
	Conflict
	facets
)

// Facet is how many facts have each value of a property, whatever the query demands of
// that property: with everything else that it demands.
type Facet struct {
	Name   string
	Values []Value // by value; the sub-scopes of a scope count as the scope, too
	// Omitted is how many values are missing because there are more than a reader can use:
	// those with the smallest counts.
	Omitted int
}

// maxValues is up to how many values a facet has.
const maxValues = 200

// Value is one value of a facet.
type Value struct {
	Value string
	Count int
}

// Result is what a survey found.
type Result struct {
	Hits     []query.Hit // the rows of the page, by key
	Total    int         // without Offset and Rows
	Withheld int         // that pass the filters and that the query's Access hides
	Facets   []Facet
	Scopes   []ScopeCount // by scope, if the query asks for them
	// First and Last are when anything that may be shown first began to hold, and when
	// anything last began or ended, up to the query's Now; zero if nothing did.
	First, Last time.Time
	// Until is when time alone next changes the result of the query; zero if never.
	Until time.Time
}

// ScopeCount counts what a scope holds, the scopes below it included.
type ScopeCount struct {
	Scope    string
	Facts    int // that pass the query
	Disputed int // of these: with an open conflict
	Doubted  int // of these: with a verdict that the query doubts
	Expired  int // that pass it apart from having expired
}

// states in the order of their numbers: the first is that of what holds.
var states = []facts.State{facts.Current, facts.Scheduled, facts.Retired, facts.Expired, facts.Superseded}

// Run surveys the segments of an index.
func Run(ctx context.Context, segments []store.Segment, cache *Cache, q Query) (Result, error) {
	all, names, err := cache.of(segments)
	if err != nil {
		return Result{}, err
	}
	s := newCounter(q, names)
	filter := q.Query
	filter.Scope, filter.Kind, filter.Type, filter.Agent, filter.Access = "", "", "", "", nil
	if filter, err = filter.OnBranch(segments); err != nil {
		return Result{}, err
	}
	found := make([][]uint32, len(segments))
	for i, seg := range segments {
		if ctx.Err() != nil {
			return Result{}, context.Cause(ctx)
		}
		f, err := query.NewFilter(seg, filter)
		if err != nil {
			return Result{}, err
		}
		s.span(seg, all[i])
		found[i] = s.count(f, all[i])
	}
	r := Result{Total: s.total, Withheld: s.withheld, Facets: s.facets(), First: moment(s.first), Last: moment(s.last), Until: moment(s.next)}
	if q.Doubted != nil {
		r.Scopes = s.byScope()
	}
	r.Hits, err = page(segments, found, q.Offset, q.Rows)
	return r, err
}

// counter goes through the documents of segments.
type counter struct {
	q      Query
	now    int64
	ends   int64 // of Query.EndsBefore; 0 without it
	past   bool
	shown  []bool // by the number of a scope: whether Access shows it
	wanted [facets][]bool
	counts [facets][]int
	names  [facets]dictionary

	known           int // how many facets are counted one by one: of the others, all documents have the first value
	total, withheld int
	verdicts        map[string]uint32
	first, last     int64
	next            int64        // when anything next begins or ends
	scopes          []ScopeCount // by number; nil unless the query asks for them
	doubted         []bool       // by the number of a verdict
}

func newCounter(q Query, n names) *counter {
	s := &counter{q: q, now: q.Moment().UnixMilli(), past: !q.AsOf.IsZero(), first: open, last: -open, next: open}
	if !q.EndsBefore.IsZero() {
		s.ends = q.EndsBefore.UnixMilli()
	}
	var stateNames, verdictNames dictionary
	for _, state := range states {
		stateNames.number(string(state))
	}
	verdictNames.number(q.Unknown)
	for _, v := range q.Verdicts {
		verdictNames.number(v.Verdict)
	}
	conflicts := dictionary{texts: []string{NoConflict, InConflict}}
	s.verdicts = verdictNames.numbers
	s.names = [facets]dictionary{Scope: n.scopes, Kind: n.kinds, Type: n.types, Agent: n.agents, State: stateNames.copy(), Freshness: verdictNames.copy(), Conflict: conflicts.copy()}
	s.known = facets
	if q.Verdicts == nil && q.Freshness == "" && len(q.Disputed) == 0 && q.Conflict == "" {
		s.known = Freshness
	}
	path := q.ScopePath()
	wants := [facets]func(text string) bool{
		Scope:     func(text string) bool { return path == "" || under(text, path) },
		Kind:      func(text string) bool { return q.Kind == "" || text == string(q.Kind) },
		Type:      func(text string) bool { return q.Type == "" || text == string(q.Type) },
		Agent:     func(text string) bool { return q.Agent == "" || text == q.Agent },
		State:     func(text string) bool { return q.wantsState(facts.State(text)) },
		Freshness: func(text string) bool { return q.Freshness == "" || text == q.Freshness },
		Conflict:  func(text string) bool { return q.Conflict == "" || text == q.Conflict },
	}
	for facet, names := range s.names {
		s.counts[facet], s.wanted[facet] = make([]int, len(names.texts)), make([]bool, len(names.texts))
		for i, text := range names.texts {
			s.wanted[facet][i] = wants[facet](text)
		}
	}
	s.shown = make([]bool, len(n.scopes.texts))
	for i, scope := range n.scopes.texts {
		s.shown[i] = shows(q.Access, scope)
	}
	if q.Doubted != nil {
		s.scopes = make([]ScopeCount, len(n.scopes.texts))
		for _, text := range s.names[Freshness].texts {
			s.doubted = append(s.doubted, slices.Contains(q.Doubted, text))
		}
	}
	return s
}

func (q Query) wantsState(state facts.State) bool {
	switch q.State {
	case AnyState:
		return true
	case "":
		return state == facts.Current || state == facts.Scheduled
	}
	return state == q.State
}

// under reports whether a scope is another or below it.
func under(scope, path string) bool {
	return strings.HasPrefix(scope, path) && (len(scope) == len(path) || scope[len(path)] == '/')
}

// shows reports whether rules show a scope; a later one overrides an earlier one.
func shows(rules []query.ScopeRule, scope string) bool {
	shown := true
	for _, r := range rules {
		if r.Scope == "" || under(scope, r.Scope) {
			shown = r.Show
		}
	}
	return shown
}

// count counts the documents that a filter allows, and returns those that pass.
func (s *counter) count(f *query.Filter, c *columns) (passed []uint32) {
	documents := f.Documents()
	passed = make([]uint32, 0, documents.GetCardinality())
	var some [256]uint32
	for it := documents.ManyIterator(); ; {
		n := it.NextMany(some[:])
		if n == 0 {
			break
		}
		for _, doc := range some[:n] {
			if s.countOne(c, doc) {
				passed = append(passed, doc)
			}
		}
	}
	return inOrder(passed, c)
}

// inOrder returns documents by key.
func inOrder(documents []uint32, c *columns) []uint32 {
	if len(documents) == 0 {
		return nil
	}
	has := make(store.DenseSet, len(c.byKey)/64+1)
	for _, doc := range documents {
		has[doc/64] |= 1 << (doc % 64)
	}
	documents = documents[:0]
	for _, doc := range c.byKey {
		if has.Has(doc) {
			documents = append(documents, doc)
		}
	}
	return documents
}

// countOne counts a document in every facet whose other facets it passes, and reports
// whether it passes all.
func (s *counter) countOne(c *columns, doc uint32) bool {
	state, ok := s.state(c, doc)
	if !ok || s.ends != 0 && c.until[doc] >= s.ends {
		return false
	}
	numbers := [facets]uint32{c.scope[doc], c.kind[doc], c.factType[doc], c.agent[doc], state, s.verdict(c, doc), s.disputed(c, doc)}
	missed, last := 0, 0
	for facet, number := range numbers[:s.known] {
		if !s.wanted[facet][number] {
			missed, last = missed+1, facet
		}
	}
	switch {
	case missed > 1:
	case !s.shown[numbers[Scope]]:
		if missed == 0 {
			s.withheld++
		}
		return false
	case missed == 1:
		s.counts[last][numbers[last]]++
		if s.scopes != nil && last == State && states[state] == facts.Expired {
			s.scopes[numbers[Scope]].Expired++
		}
	default:
		s.total++
		if s.scopes != nil {
			s.addTo(&s.scopes[numbers[Scope]], numbers)
		}
		for facet, number := range numbers[:s.known] {
			s.counts[facet][number]++
		}
	}
	return missed == 0
}

func (s *counter) addTo(scope *ScopeCount, numbers [facets]uint32) {
	scope.Facts++
	scope.Disputed += int(numbers[Conflict])
	if s.doubted[numbers[Freshness]] {
		scope.Doubted++
	}
}

// state is the number of the state of a document, as facts.Fact.StateAt has it. Of the past,
// only what held takes part.
func (s *counter) state(c *columns, doc uint32) (number uint32, ok bool) {
	from, until, flags := c.from[doc], c.until[doc], c.flags[doc]
	if s.past {
		return 0, from <= s.now && s.now < until
	}
	switch {
	case flags&isRetirement != 0:
		return 2, true
	case from <= s.now && s.now < until:
		return 0, true
	case s.now < from && flags&isPlanned != 0:
		return 1, true
	case s.now < from:
		return 0, true
	case flags&isLimited != 0:
		return 3, true
	}
	return 4, true
}

func (s *counter) verdict(c *columns, doc uint32) uint32 {
	if s.q.Verdicts == nil {
		return 0
	}
	if v, known := s.q.Verdicts[c.key[doc]]; known && v.Version == c.version[doc] {
		return s.verdicts[v.Verdict]
	}
	return 0
}

func (s *counter) disputed(c *columns, doc uint32) uint32 {
	if len(s.q.Disputed) > 0 && s.q.Disputed[c.key[doc]] {
		return 1
	}
	return 0
}

// span notes when the versions of a segment begin and end, as far as they ever held, and
// when the next one does.
func (s *counter) span(seg store.Segment, c *columns) {
	gone := make(store.DenseSet, 0)
	if deleted := seg.Deleted(); deleted != nil {
		gone = append(gone, deleted.ToDense()...)
	}
	now := s.q.Now.UnixMilli()
	for doc, from := range c.from {
		until := c.until[doc]
		if from > now {
			s.next = min(s.next, from)
		} else if until > now {
			s.next = min(s.next, until)
		}
		if from >= until || from > now || gone.Has(uint32(doc)) || !s.shown[c.scope[doc]] {
			continue
		}
		s.first = min(s.first, from)
		s.last = max(s.last, from)
		if until <= now {
			s.last = max(s.last, until)
		}
	}
}

func moment(milliseconds int64) time.Time {
	if milliseconds == open || milliseconds == -open {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds).UTC()
}

// facets are the counts by the names of what was counted.
func (s *counter) facets() (list []Facet) {
	for facet := s.known; facet < facets; facet++ {
		s.counts[facet][0] = s.total
	}
	sums := s.counts[Scope]
	for n, parent := range slices.Backward(s.names[Scope].parents) {
		if parent != top {
			sums[parent] += sums[n]
		}
	}
	for facet, name := range []string{"scope", "kind", "fact_type", "agent_id", "state", "freshness", "conflict"} {
		if facet < Freshness || facet == Freshness && s.q.Verdicts != nil || facet == Conflict && s.q.Disputed != nil {
			list = append(list, s.facet(name, facet))
		}
	}
	return list
}

func (s *counter) facet(name string, facet int) Facet {
	f, counts := Facet{Name: name, Values: []Value{}}, s.counts[facet]
	least := 1
	if many := slices.DeleteFunc(slices.Clone(counts), func(n int) bool { return n == 0 }); len(many) > maxValues {
		slices.Sort(many)
		least = many[len(many)-maxValues]
		f.Omitted = len(many) - maxValues
	}
	equal := maxValues // how many of the values with the least count find room
	for _, n := range counts {
		if n > least {
			equal--
		}
	}
	for _, number := range s.names[facet].sorted {
		n := counts[number]
		if n == least {
			equal--
		}
		if n > least || n == least && equal >= 0 {
			f.Values = append(f.Values, Value{s.names[facet].texts[number], n})
		}
	}
	return f
}

// byScope are the counts of scopes by name, each with those below it.
func (s *counter) byScope() []ScopeCount {
	names := s.names[Scope]
	for n, parent := range slices.Backward(names.parents) {
		if parent != top {
			of, below := &s.scopes[parent], s.scopes[n]
			of.Facts, of.Disputed, of.Doubted, of.Expired = of.Facts+below.Facts, of.Disputed+below.Disputed, of.Doubted+below.Doubted, of.Expired+below.Expired
		}
	}
	list := []ScopeCount{}
	for _, n := range names.sorted {
		if c := s.scopes[n]; c != (ScopeCount{}) {
			c.Scope = names.texts[n]
			list = append(list, c)
		}
	}
	return list
}
