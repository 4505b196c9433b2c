package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"engram/bus"
	"engram/bus/ledger"
	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
)

func CheckOneOf[T ~string](name string, value T, allowed []T) error {
	if value == "" {
		return nil
	}
	for _, a := range allowed {
		if a == value {
			return nil
		}
	}
	return UsageErrorf(DidYouMean(string(value), allowed), "%s %.40q is none of %s", name, value, JoinOr(allowed))
}

// WithParentFolders are files and all folders above them.
func WithParentFolders(files []string) []string {
	seen := make(map[string]bool)
	var all []string
	for _, f := range files {
		for p := path.Clean(f); p != "." && p != "/" && !seen[p]; p = path.Dir(p) {
			seen[p] = true
			all = append(all, p)
		}
	}
	return all
}

// What agents exchange, as package bus has it.
type (
	Limits = bus.Limits
)

// BusOptions are the settings of what agents exchange; the zero value is the default.
type BusOptions struct {
	Limits Limits
	// Parents are the agents that may issue grants, let facts reach beyond the project,
	// and end facts of others over the bus. People always may.
	Parents []string
	// TurnTime ends a turn that nothing else ended; 0 is DefaultTurnTime.
	TurnTime time.Duration
}

// DefaultTurnTime is after how long a turn is over, counted from its first dereference.
const DefaultTurnTime = ledger.DefaultTurnTime

// Check is one thing that was examined.
type Check struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
	Hint    string `json:"hint,omitempty"`
	Fixable bool   `json:"fixable"` // Fix would mend it
	Fixed   bool   `json:"fixed"`
}

// Footprint is one thing that engram keeps, and how to be rid of it.
type Footprint struct {
	What   string `json:"what"`
	Where  string `json:"where"`
	Remove string `json:"remove"`
}

// Models are what an audit may ask beside the rules; the zero value is none.
type Models struct {
	Tagger detect.Tagger // finds names that the rules may miss
	NLI    detect.NLI    // tier 1
	NLIID  string        // names the model in what it finds
	LLM    detect.LLM    // tier 3
	LLMID  string
	// HighStakes are scopes whose likeliest pairs the language model judges even
	// where nothing else finds anything (seed 4, tier 3).
	HighStakes []string
}

func (m Models) Any() bool { return m.NLI != nil || m.LLM != nil }

// Scanner finds secrets in a text. rule names the pattern; it never repeats
// the secret. It is called from several goroutines.
type Scanner interface {
	Scan(text string) (rule string, found bool)
}

// DefaultBranch is the memory branch where nobody chose another.
const DefaultBranch = gitstore.DefaultBranch

// Options are the settings of a memory; the zero value is the default.
type Options struct {
	Branch string                 // "" means gitstore.DefaultBranch
	Now    func() time.Time       // the clock; nil means time.Now
	NewID  func(time.Time) string // ULIDs; nil means random ones, rising within a process
	// Progress is told of long work, by several goroutines; total is 0 where
	// unknown, nil is silent.
	Progress func(task string, done, total int)
	Logger   *slog.Logger // nil discards
	// Classify is set by package memory, whose callers leave it out.
	Classify func(error) (Code, hint.Hint)
	Embedder Embedder // nil: lexical mode
	// EmbedderProblem is why there is no Embedder although one was chosen.
	// Answers say it.
	EmbedderProblem string
	Weights         *Weights // of the parts of a score; nil: DefaultWeights
	Models          Models   // that an audit may ask
	// Agent is who reads where an input does not say, as permissions go; "" is a
	// person.
	Agent string
	// Prompt: somebody sits at the terminal, whom git may ask for a password when it
	// speaks with a remote.
	Prompt bool
	Trunk  string // the code branch that work is merged into; "" finds it
	Bus    BusOptions
	// EvidenceTime is how much longer an answer may take because its evidence is
	// checked; 0: what docs/evidence.md says; below 0: nothing is checked but by Verify.
	EvidenceTime time.Duration
}

// Weights are the weights of the parts of a score, relevance counting 1.
type Weights = index.Weights

// DefaultWeights are those of seed 4's score.
func DefaultWeights() Weights { return index.DefaultWeights() }

// Embedder turns texts into vectors; package model has some.
type Embedder = index.Embedder

// Memory is the memory of one repository. It is safe for concurrent use, by
// goroutines and by any number of processes at once. Close it.
type Memory struct {
	Store           *gitstore.Store
	Index           *index.Index
	Scanner         Scanner
	now             func() time.Time
	NewID           func(time.Time) string
	Progress        func(task string, done, total int)
	Log             *slog.Logger
	Embedder        Embedder
	EmbedderProblem string // why there is no embedder although one was chosen
	Weights         Weights
	Models          Models
	Agent           string // who reads if an input does not say
	trunk           string
	Bus             BusOptions
	Ledger          *ledger.Ledger // of what agents exchange
	// EvidenceTime is that of Options.
	EvidenceTime time.Duration
	From         *gitstore.Source              // whose memory it is; nil: this repository's own
	others       others                        // memories that are asked beside it
	Classify     func(error) (Code, hint.Hint) // Options.Classify
	caches       sync.Map                      // of the packages above; kept
}

// CacheOf returns the one value of type T that belongs to a memory. It makes a zero
// value at the first call, and drops it with the memory. Each package that caches
// something of a memory has a type of its own for it, which guards itself.
func CacheOf[T any](m *Memory) *T {
	v, _ := m.caches.LoadOrStore(reflect.TypeFor[T](), new(T))
	return v.(*T)
}

// Open opens the memory of the repository that dir is in. The memory branch
// need not exist yet: Init makes it. The scanner is required; nothing is
// written that it has not seen.
func Open(ctx context.Context, dir string, scanner Scanner, opts *Options) (*Memory, error) {
	if scanner == nil {
		return nil, errors.New("open memory: no secret scanner")
	}
	if opts == nil {
		opts = &Options{}
	}
	m := &Memory{Scanner: scanner, now: opts.Now, NewID: opts.NewID, Progress: opts.Progress, Log: opts.Logger,
		Embedder: opts.Embedder, EmbedderProblem: opts.EmbedderProblem, Weights: DefaultWeights(), Models: opts.Models, Agent: opts.Agent, trunk: opts.Trunk, Bus: opts.Bus,
		EvidenceTime: opts.EvidenceTime, Classify: opts.Classify}
	if opts.Weights != nil {
		m.Weights = *opts.Weights
	}
	if m.now == nil {
		m.now = time.Now
	}
	if m.NewID == nil {
		m.NewID = randomIDs()
	}
	if m.Progress == nil {
		m.Progress = func(string, int, int) {}
	}
	if m.Log == nil {
		m.Log = slog.New(slog.DiscardHandler)
	}
	if err := m.Bus.Limits.Validate(); err != nil {
		return nil, UsageErrorf(hint.New("omit it to use the default"), "%v", err)
	}
	store, err := gitstore.Open(ctx, dir, &gitstore.Options{Branch: opts.Branch, Now: opts.Now, Logger: m.Log, Prompt: opts.Prompt})
	if err != nil {
		return nil, err
	}
	m.Store = store
	m.Index = m.newIndex("indexing")
	m.Ledger = ledger.New(filepath.Join(store.StateDir(), "bus"), &ledger.Options{Now: m.now, Logger: m.Log, TurnTime: m.Bus.TurnTime, Secret: func(text string) bool {
		_, found := m.Scanner.Scan(text)
		return found
	}})
	return m, nil
}

func (m *Memory) newIndex(task string) *index.Index {
	return index.New(filepath.Join(m.Store.StateDir(), "index", url.PathEscape(m.Store.Branch())), source{m.Store}, &index.Options{
		Progress:        func(done, total int) { m.Progress(task, done, total) },
		Embedding:       m.Progress,
		Logger:          m.Log,
		Embedder:        m.Embedder,
		Concepts:        Concepts,
		ConceptsVersion: detect.Version,
	})
}

// Concepts names what a text is about, in the keys that detect gives entities.
func Concepts(text string) []string {
	var keys []string
	for _, e := range detect.Entities(text) {
		if key := e.Key(); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Close releases what the memory holds.
func (m *Memory) Close() error {
	return errors.Join(m.others.close(), m.Index.Close(), m.Store.Close())
}

// ModelProblem is why there is no model although one was chosen, "" otherwise.
func (m *Memory) ModelProblem() string { return m.EmbedderProblem }

// WorkTree is the top folder of the work tree, or "" where there is none.
func (m *Memory) WorkTree() string { return m.Store.WorkTree() }

// randomIDs makes ULIDs that rise within a process even inside a millisecond.
func randomIDs() func(time.Time) string {
	var mu sync.Mutex
	entropy := ulid.Monotonic(ulid.DefaultEntropy(), 0)
	return func(t time.Time) string {
		mu.Lock()
		defer mu.Unlock()
		return ulid.MustNew(ulid.Timestamp(t), entropy).String()
	}
}

// Moment is the present in the precision that facts are stored in.
func (m *Memory) Moment() time.Time { return m.now().UTC().Truncate(time.Millisecond) }

// Manifest reads what the team agreed on. The error wraps ErrNotMemory where
// the branch exists but engram never made it.
func (m *Memory) Manifest(ctx context.Context, revision string) (facts.Manifest, error) {
	file, err := m.Store.Get(ctx, revision, facts.ManifestPath)
	if errors.Is(err, gitstore.ErrNotFound) {
		return facts.Manifest{}, fmt.Errorf("%w: %s has no %s", ErrNotMemory, m.Store.Branch(), facts.ManifestPath)
	}
	if err != nil {
		return facts.Manifest{}, err
	}
	manifest, err := facts.ParseManifest(file.Data)
	if err != nil {
		return manifest, fmt.Errorf("%w: %w", ErrNotMemory, err)
	}
	return manifest, nil
}

// Tip is the newest revision, of a branch that is known to be a memory.
func (m *Memory) Tip(ctx context.Context) (string, facts.Manifest, error) {
	revision, err := m.Store.Tip(ctx)
	if err != nil {
		return "", facts.Manifest{}, err
	}
	manifest, err := m.Manifest(ctx, revision)
	return revision, manifest, err
}

// Parse reads a fact and insists that it stands where its key says.
func Parse(file gitstore.File) (facts.Fact, error) {
	if file.Err != nil {
		return facts.Fact{}, file.Err
	}
	key, ok := facts.KeyOfPath(file.Path)
	if !ok {
		return facts.Fact{}, fmt.Errorf("%s: no key has this path", file.Path)
	}
	f, err := facts.ParseAt(key, file.Data)
	if err != nil {
		return facts.Fact{}, fmt.Errorf("%s: %w", file.Path, err)
	}
	return f, nil
}

// Earliest is the beginning of time where any will do.
var Earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// ScanTexts refuses texts of which one holds a secret, with a *SecretError.
func (m *Memory) ScanTexts(texts []bus.Text) error {
	for _, t := range texts {
		if t.Value == "" {
			continue
		}
		if rule, found := m.Scanner.Scan(t.Value); found {
			return &SecretError{Field: t.Path, Rule: rule}
		}
	}
	return nil
}

func ShortCommit(commit string) string { return commit[:min(len(commit), 12)] }

// CountTokens is what a value takes as JSON.
func CountTokens(value any) (int, error) {
	b, err := json.Marshal(value)
	if err != nil {
		return 0, fmt.Errorf("count tokens: %w", err)
	}
	return facts.Tokens(string(b)), nil
}

// FitBudget is how many of a list, from its beginning, a budget of tokens holds; at
// least one, lest the same question never get further. A budget of 0 holds all.
func FitBudget[T any](list []T, budget int) (int, error) {
	if budget < 0 {
		return 0, UsageErrorf(BudgetHint, "a budget of %d tokens holds nothing", budget)
	}
	for i, taken := 0, 0; budget > 0 && i < len(list); i++ {
		cost, err := CountTokens(list[i])
		if err != nil {
			return 0, err
		}
		if taken += cost; taken > budget && i > 0 {
			return i, nil
		}
	}
	return len(list), nil
}
