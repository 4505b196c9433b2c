// Package memory is the one door to a team's memory: every use case of engram, for
// every surface. The command line, the MCP server, the HTTP API and the hooks call it,
// and never reach past it into git, the index or detection.
//
// Its input and output structs are the JSON contract of all surfaces. It only
// delegates: the work is done by the packages under memory/internal, one idea each,
// and each file here lists what one of them offers. It does not decide how things are
// shown; that is up to the surfaces.
package memory

import (
	"context"
	"errors"

	"engram/memory/internal/archive"
	"engram/memory/internal/ask"
	"engram/memory/internal/audit"
	"engram/memory/internal/branches"
	"engram/memory/internal/brief"
	"engram/memory/internal/budget"
	"engram/memory/internal/capture"
	"engram/memory/internal/core"
	"engram/memory/internal/deref"
	"engram/memory/internal/exchange"
	"engram/memory/internal/health"
	"engram/memory/internal/judge"
	"engram/memory/internal/learnt"
	"engram/memory/internal/proof"
	"engram/memory/internal/purge"
	"engram/memory/internal/recall"
	"engram/memory/internal/resolve"
	"engram/memory/internal/review"
	"engram/memory/internal/share"
	"engram/memory/internal/source"
	"engram/memory/internal/survey"
	"engram/memory/internal/task"
	"engram/memory/internal/transfer"
	"engram/memory/internal/undo"
	"engram/memory/internal/views"
	"engram/memory/internal/window"
	"engram/memory/internal/write"
)

// Memory is the memory of one repository. It is safe for concurrent use by goroutines
// and by any number of processes. Close it after use.
type Memory struct {
	core     *core.Memory
	archive  *archive.Archive
	ask      *ask.Reader
	audit    *audit.Auditor
	branches *branches.Settler
	brief    *brief.Briefer
	budget   *budget.Limiter
	capture  *capture.Recorder
	deref    *deref.Reader
	exchange *exchange.Bus
	health   *health.Doctor
	proof    *proof.Verifier
	purge    *purge.Purger
	judge    *judge.Judge
	learnt   *learnt.Teacher
	resolve  *resolve.Resolver
	review   *review.Reviewer
	share    *share.Sharer
	source   *source.Sources
	survey   *survey.Surveyor
	views    *views.Keeper
	recall   *recall.Recaller
	task     *task.Keeper
	transfer *transfer.Porter
	undo     *undo.Undoer
	window   *window.Manager
	write    *write.Writer
}

// Open opens the memory of the repository that contains dir. The memory branch need
// not exist yet: Init creates it. The scanner is required; nothing is written that it
// has not seen.
func Open(ctx context.Context, dir string, scanner Scanner, opts *Options) (*Memory, error) {
	settings := Options{Classify: Classify}
	if opts != nil {
		settings = *opts
		settings.Classify = Classify
	}
	m, err := core.Open(ctx, dir, scanner, &settings)
	if err != nil {
		return nil, err
	}
	return &Memory{
		core: m, archive: archive.New(m), capture: capture.New(m), ask: ask.New(m), audit: audit.New(m), branches: branches.New(m), brief: brief.New(m), budget: budget.New(m),
		deref: deref.New(m), exchange: exchange.New(m), health: health.New(m), proof: proof.New(m), purge: purge.New(m),
		judge: judge.New(m), learnt: learnt.New(m), resolve: resolve.New(m), review: review.New(m), share: share.New(m), source: source.New(m), survey: survey.New(m), recall: recall.New(m), views: views.New(m), task: task.New(m), transfer: transfer.New(m), undo: undo.New(m), window: window.New(m), write: write.New(m),
	}, nil
}

type (
	// Options are the settings of a memory; the zero value is the default.
	Options = core.Options
	// Scanner finds secrets in a text; rule names the pattern, never the secret.
	Scanner = core.Scanner
	// Embedder turns texts into vectors; package model has implementations.
	Embedder = core.Embedder
	// Weights are the weights of the parts of a score; the weight of relevance is 1.
	Weights = core.Weights
	// Answer is the part that all answers have in common.
	Answer = core.Answer
)

const (
	DefaultBranch = core.DefaultBranch // the memory branch by default
	SchemaVersion = core.SchemaVersion // the version of the JSON contract
)

// DefaultWeights returns the weights that hold unless others are configured.
func DefaultWeights() Weights { return core.DefaultWeights() }

// Close releases what the memory holds.
func (m *Memory) Close() error {
	return errors.Join(m.views.Close(), m.archive.Close(), m.core.Close())
}

// ModelProblem returns why the configured model is missing, or "".
func (m *Memory) ModelProblem() string { return m.core.ModelProblem() }

// WorkTree returns the top folder of the work tree, or "" in a bare repository.
func (m *Memory) WorkTree() string { return m.core.WorkTree() }
