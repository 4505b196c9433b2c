package index

import (
	"engram/facts"
	"engram/index/internal/catchup"
	"engram/index/internal/embedding"
	"engram/index/internal/fusion"
	"engram/index/internal/query"
	"engram/index/internal/rank"
	"engram/index/internal/survey"
	"engram/index/internal/version"
	"engram/internal/terms"
)

// What the index reads the branch from.
type (
	Source   = version.Source
	State    = version.State
	Relation = version.Relation
)

// The relations of a revision "from" to a revision "to".
const (
	Ahead    = version.Ahead
	Behind   = version.Behind
	Diverged = version.Diverged
)

// What a search takes and returns.
type (
	View      = rank.View
	Query     = query.Query
	ScopeRule = query.ScopeRule
	Past      = query.Past
	Standing  = query.Standing
	Hit       = query.Hit
	Stand     = rank.Stand
	Ranking   = rank.Ranking
	Ranked    = rank.Ranked
	Answer    = rank.Answer
	Signal    = rank.Signal
	Placed    = rank.Placed
	Parts     = rank.Parts
	Weights   = rank.Weights
	Share     = rank.Share
)

// What a survey takes and returns.
type (
	SurveyQuery  = survey.Query
	SurveyResult = survey.Result
	Verdict      = survey.Verdict
	ScopeCount   = survey.ScopeCount
	Activity     = survey.Activity
	Traits       = version.Traits
)

// Values of a SurveyQuery.
const (
	AnyState   = survey.AnyState // finds facts in every state
	InConflict = survey.InConflict
	NoConflict = survey.NoConflict
)

// EveryBranch, as the Branch of a Query, finds the facts of every code branch.
const EveryBranch = query.EveryBranch

// The signals that find candidates.
const (
	Words    = rank.Words
	Keys     = rank.Keys
	Entities = rank.Entities
	Vectors  = rank.Vectors
)

// What the index says about itself.
type (
	Report       = catchup.Report
	Stats        = catchup.Stats
	Embedder     = embedding.Embedder
	VectorReport = embedding.Report
)

// NoIndex is the reason for a rebuild that was the first build.
const NoIndex = catchup.NoIndex

// Errors that callers ask for.
var (
	ErrNotReady   = catchup.ErrNotReady
	ErrNoEmbedder = embedding.ErrNoEmbedder
)

// Signals lists all signals.
func Signals() []Signal { return fusion.Signals() }

// DefaultWeights are the weights of the score if nobody chooses others.
func DefaultWeights() Weights { return rank.DefaultWeights() }

// Together makes the scores of the answers of several indexes to one question
// comparable, and sorts the hits of each again.
func Together(answers []*Answer, w Weights) { rank.Together(answers, w) }

// Shared reports whether a fact is meant for other repositories than its own.
func Shared(f facts.Fact) bool { return version.Shared(f) }

// Similarity is how much of their words two texts share, 0 to 1.
func Similarity(a, b string) float64 { return terms.Similarity(a, b) }

// HashKeys are the hash keys of a fact as a person reads them, the most telling
// first. concepts names what a text is about, as in Options.
func HashKeys(f facts.Fact, concepts func(text string) []string) []string {
	return terms.HashKeys(f, concepts)
}

// KeyDigest stands for a key in a SurveyQuery, for the life of the process.
func KeyDigest(key string) uint64 { return survey.KeyDigest(key) }

// VersionDigest tells a version of a key from its other versions in a SurveyQuery.
func VersionDigest(f facts.Fact) uint32 { return survey.VersionDigest(f) }
