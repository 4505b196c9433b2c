// Package recall finds again what happened: over the events of sessions, what is in their
// artifacts, and facts, scored by the task that is at work and packed into a budget of tokens
// (source document 5, §5 and Annex A.2b, A.3). Package recall/score has the formulas.
package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/internal/hint"
	"engram/memory/internal/archive"
	"engram/memory/internal/ask"
	"engram/memory/internal/core"
	"engram/memory/internal/task"
	"engram/memory/internal/views"
	"engram/recall/passage"
	"engram/recall/score"
	"engram/session"
)

// Recaller answers recalls. It is safe for concurrent use.
type Recaller struct {
	*core.Memory
	archive *archive.Archive
	ask     *ask.Reader
	task    *task.Keeper
	views   *views.Keeper
}

// New returns the Recaller of a memory.
func New(m *core.Memory) *Recaller {
	return &Recaller{Memory: m, archive: archive.New(m), ask: ask.New(m), task: task.New(m), views: views.New(m)}
}

// Input says what to look for.
type Input struct {
	Queries []string  `json:"queries" help:"what you want to know, in words; exact strings such as paths, hashes, flags and errors are found letter by letter"`
	Session string    `json:"session_id,omitempty" flag:"session,,ID" help:"only in the session ID; by default in all of the repository"`
	Task    string    `json:"task,omitempty" flag:"task,,TASK" help:"weigh by the state of this TASK; by default that of the session which runs in this work tree"`
	Kinds   []string  `json:"kinds,omitempty" flag:"kind,k,KIND" help:"only events of this KIND"`
	Scope   string    `json:"scope,omitempty" flag:"scope,,SCOPE" enum:"run,project,org" default:"by the question" help:"look there alone: run is the session that runs in this work tree, project all of the repository, org also the facts of sources"`
	Since   time.Time `json:"since,omitzero" flag:"since,,TIME" help:"only what happened after this TIME"`
	Budget  int       `json:"budget,omitempty" flag:"budget,,TOKENS" min:"50" max:"32000" default:"2000" help:"at most so many TOKENS in the answer"`
	Hops    int       `json:"hops,omitempty" flag:"hops,,N" min:"1" max:"2" default:"1" help:"2: look once more with the names that the first look found"`
	// Seen are pointers that the caller has already; they are not returned.
	Seen       []string `json:"seen,omitempty" flag:"seen,,POINTER" help:"leave out this POINTER, which an earlier recall returned"`
	Historical bool     `json:"historical,omitempty" flag:"historical" help:"what was superseded counts in full"`
	Explain    bool     `json:"explain,omitempty" help:"show what each score is made of"`
	AskedBy    string   `json:"-"`
	// Omit leaves out factors of the score, to measure what each is worth.
	Omit score.Omit `json:"-"`
}

// Result is what a recall found, the best first.
type Result struct {
	SchemaVersion int    `json:"schema_version"`
	Items         []Item `json:"items"`
	Tokens        int    `json:"tokens"`
	Budget        int    `json:"budget"`
	// Scope is how far was looked: the first scope that answered well enough, or the last.
	Scope      score.Scope `json:"scope"`
	Candidates int         `json:"candidates"`
	Omitted    int         `json:"omitted"` // candidates that did not fit, or say what others say
	Hops       int         `json:"hops"`
	// Behind: the answer lacks events of sessions that are not indexed yet. The newest of those that
	// are not sealed are searched in the journals; Behind says that there are more.
	Behind bool `json:"behind"`
	// Pending is about how many events have no vector yet: the answer found them by words alone.
	Pending int `json:"pending_vectors,omitempty"`
	// Task is the task whose state weighed in; "" if there was none.
	Task  string   `json:"task,omitempty"`
	Notes []string `json:"notes,omitempty"`
}

// Item is a passage of something that happened, or a fact. Its text is quoted data.
type Item struct {
	Pointer    string     `json:"pointer"` // sam:SESSION@EVENT, or the key of a fact
	Type       score.Type `json:"type"`
	Who        string     `json:"who"`
	At         time.Time  `json:"at,omitzero"`
	Session    string     `json:"session_id,omitempty"`
	Turn       int        `json:"turn,omitempty"`
	Text       string     `json:"text"`
	Raw        string     `json:"-"`                  // Text with its control characters, for who makes them visible
	Caution    string     `json:"caution,omitempty"`  // Text reads like an instruction to who reads it
	Whole      bool       `json:"whole"`              // Text is all that there is
	Lines      [][2]int   `json:"lines,omitempty"`    // of the content, if it is not the whole
	Artifact   string     `json:"artifact,omitempty"` // pointer to the content, if it is stored by itself
	Archived   bool       `json:"archived,omitempty"` // its bytes are in cold storage: Text is the preview
	Exact      bool       `json:"exact,omitempty"`    // has every exact string of a query
	Hop        int        `json:"hop"`
	Tokens     int        `json:"tokens"`
	Superseded bool       `json:"superseded,omitempty"`
	Factors    *Factors   `json:"factors,omitempty"`
}

// Factors say how the score of an item came about.
type Factors struct {
	score.Factors
	Lists      map[score.List]Place `json:"lists"`
	Similarity float64              `json:"similarity"` // to what stands before it
}

// Place is where a candidate stood on a list.
type Place struct {
	Rank     int     `json:"rank"`
	Strength float64 `json:"strength"`
}

// Bounds and defaults of a recall.
const (
	maxQueries    = 8
	maxQuery      = 4 << 10 // bytes of a query that count
	defaultBudget = 2000
	minBudget     = 50
	maxBudget     = 32000
	maxHops       = 2
	// perList is how many candidates a list gives.
	perList = 50
	// perExact is how many events with an exact string are candidates. One that so many have counts
	// commonExact: it tells none from the others.
	perExact    = 25
	commonExact = 0.05
	perFacts    = 10
	perViews    = 12
	// perDecisions are the newest decisions that are compared with a question for one, and
	// bestDecisions of them are candidates, at least as strong as decisionStrength.
	perDecisions     = 300
	bestDecisions    = 16
	decisionStrength = 0.4
	// saidPassage is how many tokens of a message a decision has.
	saidPassage = 100
	// maxRead bounds how many events are read, and maxArtifacts how many artifacts.
	maxRead      = 48
	maxArtifacts = 48
	// maxPicked is K_max of Annex A.2b.
	maxPicked = 24
	// headTokens are what stands around a text: pointer, who, when.
	headTokens = 30
	minPassage = 60
	maxPassage = 500
	// hopDecay weighs what only a second hop found.
	hopDecay = 0.8
)

// Recall finds what answers the queries. What it returns fits into the budget and is quoted as it
// was said; it changes nothing but the log of recalls.
func (r *Recaller) Recall(ctx context.Context, in Input) (Result, error) {
	began := time.Now()
	result := Result{SchemaVersion: core.SchemaVersion, Items: []Item{}, Budget: cmp.Or(in.Budget, defaultBudget), Hops: cmp.Or(in.Hops, 1)}
	l, err := r.newLook(ctx, in, &result)
	if err != nil {
		return result, err
	}
	stages, err := l.stages(ctx)
	if err != nil {
		return result, err
	}
	err = r.archive.Finding(ctx, in.AskedBy, func(f *archive.Finder) error {
		l.finder, l.stage = f, stage{}
		for i, s := range stages {
			if err := l.next(ctx, s); err != nil {
				return err
			}
			if i+1 < len(stages) && l.answered() {
				break
			}
		}
		if result.Hops > 1 {
			if names := l.names(); len(names) > 0 {
				if err := l.gather(ctx, []string{strings.Join(names, " ")}, 2); err != nil {
					return err
				}
			}
		}
		result.Behind, result.Pending = f.Behind, f.Pending
		return nil
	})
	if err != nil {
		return result, err
	}
	if result.Pending > 0 {
		result.Notes = append(result.Notes, core.Plural(result.Pending, "event")+" without a vector yet, found by words alone; `engram watch` and `engram session consolidate` make them")
	}
	l.answer(&result)
	r.log(in, result, time.Since(began))
	return result, nil
}

// look is the work of one recall.
type look struct {
	r         *Recaller
	in        Input
	id        string // of the session that the caller names; ""
	stage     stage  // that is searched
	query     *passage.Query
	exact     []string
	task      score.Task
	state     session.TaskState
	finder    *archive.Finder
	found     map[string]*candidate // by pointer
	seen      map[string]bool
	common    map[string]bool // exact strings, in lower case, that very many events have
	artifacts int
	result    *Result
}

// candidate is a candidate with what an item says of it.
type candidate struct {
	score.Candidate
	found archive.Found // of an event
	item  Item
	hop   int
	read  bool
	// derived is what a view says that the event is; "" if none does.
	derived score.Type
	// said is what a message says of a decision, if that is why it is a candidate.
	said string
}

func (r *Recaller) newLook(ctx context.Context, in Input, result *Result) (*look, error) {
	if len(in.Queries) == 0 || strings.TrimSpace(strings.Join(in.Queries, "")) == "" {
		return nil, core.UsageErrorf(hint.New("say in words what you want to know"), "there is nothing to recall")
	}
	if len(in.Queries) > maxQueries {
		return nil, core.UsageErrorf(hint.New("ask at most %d at once", maxQueries), "%d queries are too many for one recall", len(in.Queries))
	}
	if in.Budget != 0 && (in.Budget < minBudget || in.Budget > maxBudget) {
		return nil, core.UsageErrorf(hint.New("it is %d to %d tokens, by default %d", minBudget, maxBudget, defaultBudget), "a recall cannot have a budget of %d", in.Budget)
	}
	if in.Hops < 0 || in.Hops > maxHops {
		return nil, core.UsageErrorf(hint.New("it is 1 or %d; what a recall returned can be asked with again", maxHops), "a recall cannot have %d hops", in.Hops)
	}
	for _, kind := range in.Kinds {
		if err := core.CheckOneOf("kind", session.Kind(kind), session.Kinds()); err != nil {
			return nil, err
		}
	}
	l := &look{r: r, in: in, seen: make(map[string]bool), result: result}
	for i, q := range in.Queries {
		if len(q) > maxQuery {
			l.in.Queries = slices.Clone(l.in.Queries)
			l.in.Queries[i] = strings.ToValidUTF8(q[:maxQuery], "")
			result.Notes = append(result.Notes, fmt.Sprintf("query %d has %d bytes; the first %d were used", i+1, len(q), maxQuery))
		}
		for _, s := range passage.Exact(l.in.Queries[i]) {
			if !slices.Contains(l.exact, s) {
				l.exact = append(l.exact, s)
			}
		}
	}
	l.query = passage.NewQuery(strings.Join(l.in.Queries, "\n"))
	for _, pointer := range in.Seen {
		l.seen[pointer] = true
	}
	if in.Session != "" {
		id, err := r.archive.Resolve(ctx, in.Session)
		if err != nil {
			return nil, err
		}
		l.id = id
	}
	return l, l.readTask(ctx)
}

// begin begins the search, maybe again.
func (l *look) begin() {
	l.found, l.common, l.artifacts = make(map[string]*candidate), make(map[string]bool), 0
}

// readTask reads the state of the task that asks, if there is one.
func (l *look) readTask(ctx context.Context) error {
	l.task.Historical = l.in.Historical
	state, err := l.r.task.Find(ctx, task.Input{Task: l.in.Task, Session: l.id, AskedBy: l.in.AskedBy})
	if err != nil || !state.Found {
		return err
	}
	l.state = state.Current.State
	l.result.Task = state.Task
	l.task = score.Task{
		ID: state.Task, Phase: score.Phase(l.state.Phase()), Premises: l.state.Premises(),
		SelfAssessment: l.state.SelfAssessment(), Historical: l.in.Historical || l.state.Historical(),
	}
	return nil
}

// names are the exact strings of what the first look found and the queries do not have: what a
// second look is made with. The best items give theirs first.
func (l *look) names() (list []string) {
	const most, perItem = 8, 3
	asked := strings.ToLower(strings.Join(l.in.Queries, " "))
	best := l.ranked()
	for _, s := range best[:min(len(best), 5)] {
		n := 0
		for _, name := range passage.Exact(s.Text) {
			if n < perItem && len(list) < most && !strings.Contains(asked, strings.ToLower(name)) && !slices.Contains(list, name) {
				list = append(list, name)
				n++
			}
		}
	}
	return list
}

func (l *look) ranked() []score.Scored {
	var list []score.Candidate
	for _, c := range l.found {
		if c.read {
			list = append(list, c.Candidate)
		}
	}
	return score.Rank(list, l.task, l.in.Omit, maxPicked)
}

// answer picks what is returned.
func (l *look) answer(result *Result) {
	packed := score.Pack(l.ranked(), result.Budget, score.QuotasOf(slices.ContainsFunc(l.in.Queries, score.AsksForReason)))
	for _, s := range packed {
		c := l.found[s.ID]
		item := c.item
		item.Tokens, item.Caution = s.Tokens, facts.Caution(item.Text)
		result.Tokens += s.Tokens
		if l.in.Explain {
			f := &Factors{Factors: s.Factors, Lists: make(map[score.List]Place), Similarity: s.Similarity}
			for list, strength := range s.Strength {
				f.Lists[list] = Place{s.Rank[list], strength}
			}
			item.Factors = f
		}
		result.Items = append(result.Items, item)
	}
	result.Candidates = len(l.found)
	result.Omitted = len(l.found) - len(result.Items)
}

// pointerOf is the pointer to an event.
func pointerOf(id, event string) string {
	return facts.Address{Type: facts.PointSAM, Path: id, Version: event}.Ref()
}
