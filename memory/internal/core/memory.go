// Package core opens a memory: its repository, tip, manifest, clock and secret scanner, and
// what a caller may read. It holds what several use cases share; the use cases themselves
// are in the packages beside it.
package core

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
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
	Sessions     SessionOptions
	From         *gitstore.Source              // whose memory it is; nil: this repository's own
	others       others                        // memories that are asked beside it
	Classify     func(error) (Code, hint.Hint) // Options.Classify
	caches       sync.Map                      // of the packages above; kept
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
		EvidenceTime: opts.EvidenceTime, Sessions: opts.Sessions, Classify: opts.Classify}
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
	if opts.Branch != "" && opts.Branch != DefaultBranch { // the name of a reference is in every clone
		if err := m.ScanText("the name of the memory branch", opts.Branch); err != nil {
			return nil, err
		}
	}
	store, err := gitstore.Open(ctx, dir, &gitstore.Options{Branch: opts.Branch, Now: opts.Now, Logger: m.Log, Prompt: opts.Prompt,
		Guard: gitstore.Guard{Message: cleanMessage(scanner), Name: m.scanSecret}})
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

// Close releases what the memory holds.
func (m *Memory) Close() error {
	return errors.Join(m.others.close(), m.Index.Close(), m.Store.Close())
}

// CacheOf returns the one value of type T that belongs to a memory. The first call makes
// a zero value, which is dropped with the memory. Each package that caches something of
// a memory has a type of its own for this; the type guards its own fields.
func CacheOf[T any](m *Memory) *T {
	v, _ := m.caches.LoadOrStore(reflect.TypeFor[T](), new(T))
	return v.(*T)
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

// Concepts are the entities that a text is about, by their keys.
func Concepts(text string) []string {
	var keys []string
	for _, e := range detect.Entities(text) {
		if key := e.Key(); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// ModelProblem is why there is no model although one was chosen, "" otherwise.
func (m *Memory) ModelProblem() string { return m.EmbedderProblem }

// WorkTree is the top folder of the work tree; "" if there is none.
func (m *Memory) WorkTree() string { return m.Store.WorkTree() }

// randomIDs makes ULIDs that rise within a process even inside a millisecond.
func randomIDs() func(time.Time) string {
	var mu sync.Mutex
	entropy := ulid.Monotonic(rand.Reader, 0) // ulid.DefaultEntropy is not safe beneath several of these
	return func(t time.Time) string {
		mu.Lock()
		defer mu.Unlock()
		return ulid.MustNew(ulid.Timestamp(t), entropy).String()
	}
}

// Moment is the present in the precision that facts are stored in.
func (m *Memory) Moment() time.Time { return m.now().UTC().Truncate(time.Millisecond) }

// Manifest reads what the team agreed on. The error wraps ErrNotMemory if the branch was
// not made by engram.
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

// Tip is the newest revision and its manifest.
func (m *Memory) Tip(ctx context.Context) (string, facts.Manifest, error) {
	revision, err := m.Store.Tip(ctx)
	if err != nil {
		return "", facts.Manifest{}, err
	}
	manifest, err := m.Manifest(ctx, revision)
	return revision, manifest, err
}

// DefaultBranch is the memory branch unless another was chosen.
const DefaultBranch = gitstore.DefaultBranch

// DefaultTurnTime is how long a turn lasts, counted from its first dereference.
const DefaultTurnTime = ledger.DefaultTurnTime

// Options are the settings of a memory; the zero value is the default.
type Options struct {
	Branch string                 // "" means gitstore.DefaultBranch
	Now    func() time.Time       // the clock; nil means time.Now
	NewID  func(time.Time) string // ULIDs; nil means random ones, rising within a process
	// Progress is told of long work, by several goroutines; total is 0 if
	// unknown, nil is silent.
	Progress func(task string, done, total int)
	Logger   *slog.Logger // nil discards
	// Classify is set by package memory, whose callers omit it.
	Classify func(error) (Code, hint.Hint)
	Embedder Embedder // nil: lexical mode
	// EmbedderProblem is why there is no Embedder although one was chosen.
	// Answers say it.
	EmbedderProblem string
	Weights         *Weights // of the parts of a score; nil: DefaultWeights
	Models          Models   // that an audit may ask
	// Agent is the reader whose permissions apply if an input names none; "" is a
	// person.
	Agent string
	// Prompt lets git ask for a password at the terminal when it contacts a remote.
	Prompt bool
	Trunk  string // the code branch that work is merged into; "" finds it
	Bus    BusOptions
	// EvidenceTime bounds the time that an answer spends on checking evidence; 0 is the
	// default of docs/evidence.md; below 0, only Verify checks evidence.
	EvidenceTime time.Duration
	Sessions     SessionOptions
}

// SessionOptions are the settings of sessions; the zero value is the default.
type SessionOptions struct {
	ArtifactAbove int    // bytes of a tool result above which it becomes an artifact; 0 is 4 KiB
	KeepDays      int    // after which artifacts are archived; 0: never by age
	MaxSize       int64  // bytes of all artifacts above which the oldest are archived; 0: no bound
	Cold          string // folder for the bytes of archived artifacts; "" drops them
	TaskTurns     int    // after which the state of a task is called old; 0 is 30
}

// StaleTurns is after how many turns the state of a task is called old.
func (o SessionOptions) StaleTurns() int {
	const byDefault = 30
	return cmp.Or(o.TaskTurns, byDefault)
}

// BusOptions are the settings of what agents exchange; the zero value is the default.
type BusOptions struct {
	Limits Limits
	// Parents are the agents that may issue grants, let facts reach beyond the project,
	// and end facts of others over the bus. People always may.
	Parents []string
	// TurnTime ends a turn that nothing else ended; 0 is DefaultTurnTime.
	TurnTime time.Duration
}

// Limits are the limits of what agents exchange.
type Limits = bus.Limits

// Models are the models that may be asked besides the rules; the zero value has none.
type Models struct {
	Tagger detect.Tagger // finds names that the rules may miss
	NLI    detect.NLI    // tier 1
	NLIID  string        // names the model in what it finds
	LLM    detect.LLM    // tier 3
	LLMID  string
	// Reader is LLM if it may read the conversations of sessions, to find decisions and lessons.
	Reader detect.LLM
	// HighStakes are scopes whose likeliest pairs the language model judges even if
	// nothing else finds a conflict (the consistency plan, tier 3).
	HighStakes []string
}

// Any reports whether a model judges pairs.
func (m Models) Any() bool { return m.NLI != nil || m.LLM != nil }

// Weights are the weights of the parts of a score, relevance counting 1.
type Weights = index.Weights

// DefaultWeights are the weights of the score in the retrieval plan.
func DefaultWeights() Weights { return index.DefaultWeights() }

// Embedder turns texts into vectors; package model has some.
type Embedder = index.Embedder
