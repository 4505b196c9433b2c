// Package memory is the one door: every use case of engram, for every surface.
// The command line, and later the MCP server, the HTTP API and the hooks, call
// it and never reach past it into git or the index.
//
// Its input and output structs are the JSON contract of all of them. It holds
// no policy of how things are shown; that is the surfaces'.
package memory

import (
	"context"
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

	"engram/bus/ledger"
	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
)

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
	store    *gitstore.Store
	index    *index.Index
	scanner  Scanner
	now      func() time.Time
	newID    func(time.Time) string
	progress func(task string, done, total int)
	log      *slog.Logger
	embedder Embedder
	noModel  string // why there is no embedder although one was chosen
	weights  Weights
	models   Models
	agent    string // who reads if an input does not say
	trunk    string
	bus      BusOptions
	ledger   *ledger.Ledger // of what agents exchange
	// evidenceTime is that of Options.
	evidenceTime time.Duration
	from         *gitstore.Source              // whose memory it is; nil: this repository's own
	others       others                        // memories that are asked beside it
	classify     func(error) (Code, hint.Hint) // Options.Classify
	caches       sync.Map                      // of the packages above; kept
}

// kept returns the one value of type T that belongs to a memory. It makes a zero
// value at the first call, and drops it with the memory. Each package that caches
// something of a memory has a type of its own for it, which guards itself.
func kept[T any](m *Memory) *T {
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
	m := &Memory{scanner: scanner, now: opts.Now, newID: opts.NewID, progress: opts.Progress, log: opts.Logger,
		embedder: opts.Embedder, noModel: opts.EmbedderProblem, weights: DefaultWeights(), models: opts.Models, agent: opts.Agent, trunk: opts.Trunk, bus: opts.Bus,
		evidenceTime: opts.EvidenceTime, classify: opts.Classify}
	if opts.Weights != nil {
		m.weights = *opts.Weights
	}
	if m.now == nil {
		m.now = time.Now
	}
	if m.newID == nil {
		m.newID = randomIDs()
	}
	if m.progress == nil {
		m.progress = func(string, int, int) {}
	}
	if m.log == nil {
		m.log = slog.New(slog.DiscardHandler)
	}
	if err := m.bus.Limits.Validate(); err != nil {
		return nil, wrong(hint.New("omit it to use the default"), "%v", err)
	}
	store, err := gitstore.Open(ctx, dir, &gitstore.Options{Branch: opts.Branch, Now: opts.Now, Logger: m.log, Prompt: opts.Prompt})
	if err != nil {
		return nil, err
	}
	m.store = store
	m.index = m.newIndex("indexing")
	m.ledger = ledger.New(filepath.Join(store.StateDir(), "bus"), &ledger.Options{Now: m.now, Logger: m.log, TurnTime: m.bus.TurnTime, Secret: func(text string) bool {
		_, found := m.scanner.Scan(text)
		return found
	}})
	return m, nil
}

func (m *Memory) newIndex(task string) *index.Index {
	return index.New(filepath.Join(m.store.StateDir(), "index", url.PathEscape(m.store.Branch())), source{m.store}, &index.Options{
		Progress:        func(done, total int) { m.progress(task, done, total) },
		Embedding:       m.progress,
		Logger:          m.log,
		Embedder:        m.embedder,
		Concepts:        concepts,
		ConceptsVersion: detect.Version,
	})
}

// concepts names what a text is about, in the keys that detect gives entities.
func concepts(text string) []string {
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
	return errors.Join(m.others.close(), m.index.Close(), m.store.Close())
}

// ModelProblem is why there is no model although one was chosen, "" otherwise.
func (m *Memory) ModelProblem() string { return m.noModel }

// WorkTree is the top folder of the work tree, or "" where there is none.
func (m *Memory) WorkTree() string { return m.store.WorkTree() }

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

// moment is the present in the precision that facts are stored in.
func (m *Memory) moment() time.Time { return m.now().UTC().Truncate(time.Millisecond) }

// manifest reads what the team agreed on. The error wraps ErrNotMemory where
// the branch exists but engram never made it.
func (m *Memory) manifest(ctx context.Context, revision string) (facts.Manifest, error) {
	file, err := m.store.Get(ctx, revision, facts.ManifestPath)
	if errors.Is(err, gitstore.ErrNotFound) {
		return facts.Manifest{}, fmt.Errorf("%w: %s has no %s", ErrNotMemory, m.store.Branch(), facts.ManifestPath)
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

// tip is the newest revision, of a branch that is known to be a memory.
func (m *Memory) tip(ctx context.Context) (string, facts.Manifest, error) {
	revision, err := m.store.Tip(ctx)
	if err != nil {
		return "", facts.Manifest{}, err
	}
	manifest, err := m.manifest(ctx, revision)
	return revision, manifest, err
}

// parse reads a fact and insists that it stands where its key says.
func parse(file gitstore.File) (facts.Fact, error) {
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

// earliest is the beginning of time where any will do.
var earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
