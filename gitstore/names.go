package gitstore

import (
	"engram/gitstore/internal/code"
	"engram/gitstore/internal/commit"
	"engram/gitstore/internal/gitcmd"
	"engram/gitstore/internal/history"
	"engram/gitstore/internal/remote"
	"engram/gitstore/internal/repo"
	"engram/gitstore/internal/rewrite"
	"engram/gitstore/internal/source"
	"engram/gitstore/internal/thread"
	"engram/gitstore/internal/treemerge"
)

// Types of the packages below that callers use.
type (
	Write = commit.Write // a file as it is to be
	Meta  = commit.Meta  // what a commit says of itself
	Guard = commit.Guard

	File      = repo.File
	Change    = history.Change
	Entry     = history.Entry
	Relation  = history.Relation
	Signature = history.Signature

	Joiner    = treemerge.Joiner
	Contest   = treemerge.Contest
	Rewrite   = rewrite.Rewrite
	Rewritten = rewrite.Rewritten

	Code       = code.Code
	BlameLine  = code.Line
	CodeMove   = code.CodeMove
	Conversion = code.Conversion
	Trunk      = code.Trunk
	Landing    = code.Landing

	RemoteBranch = remote.RemoteBranch
	Looked       = remote.Looked
	Visibility   = remote.Visibility
	Source       = source.Source

	OwnershipError = gitcmd.OwnershipError

	ThreadEntry = thread.Entry
	ThreadFile  = thread.TreeFile
)

// Constants of the packages below that callers use; each is described there.
const (
	DefaultBranch   = repo.DefaultBranch
	MinimumGit      = repo.MinimumGit
	MaxSignatures   = history.MaxSignatures
	MaxCodeFile     = code.MaxCodeFile
	ThreadPrefix    = thread.Prefix
	ThreadRemoved   = thread.Removed
	ArtifactsPrefix = thread.Artifacts

	Ahead    = history.Ahead
	Behind   = history.Behind
	Diverged = history.Diverged

	CodeNone      = code.CodeNone
	CodeFile      = code.CodeFile
	CodeLink      = code.CodeLink
	CodeSubmodule = code.CodeSubmodule
	CodeFolder    = code.CodeFolder

	NotLanded     = code.NotLanded
	MayHaveLanded = code.MayHaveLanded
	HasLanded     = code.HasLanded

	Public  = remote.Public
	Private = remote.Private
	Local   = remote.Local
	Unknown = remote.Unknown
)

// Errors of this package wrap one of these if a caller can react to it.
var (
	ErrUnsupported   = gitcmd.ErrUnsupported
	ErrFormat        = repo.ErrFormat
	ErrNotFound      = gitcmd.ErrNotFound
	ErrTooLarge      = gitcmd.ErrTooLarge
	ErrDamaged       = gitcmd.ErrDamaged
	ErrLocked        = gitcmd.ErrLocked
	ErrNotRepository = repo.ErrNotRepository
	ErrBranchName    = repo.ErrBranchName
	ErrNoBranch      = repo.ErrNoBranch
	ErrMoved         = repo.ErrMoved
	ErrShallow       = repo.ErrShallow
	ErrClash         = commit.ErrClash
	ErrNoIdentity    = commit.ErrNoIdentity
	ErrDate          = commit.ErrDate
	ErrSigning       = commit.ErrSigning
	ErrOwnSigning    = commit.ErrOwnSigning
	ErrIncomplete    = rewrite.ErrIncomplete
	ErrMemoryCommit  = code.ErrMemoryCommit
	ErrNoRemote      = remote.ErrNoRemote
	ErrEmptyRemote   = remote.ErrEmptyRemote
	ErrRejected      = remote.ErrRejected
	ErrRefused       = remote.ErrRefused
	ErrUnreachable   = remote.ErrUnreachable
	ErrDenied        = remote.ErrDenied
	ErrNoSource      = source.ErrNoSource
	ErrSourceExists  = source.ErrSourceExists
	ErrSourceName    = source.ErrSourceName
	ErrAddress       = source.ErrAddress
	ErrOurs          = source.ErrOurs
	ErrScope         = source.ErrScope
	ErrThreadExists  = thread.ErrExists
	ErrRedactedHere  = thread.ErrRedactedHere
	ErrRedactedThere = thread.ErrRedactedThere
	ErrRedactedTwice = thread.ErrRedactedTwice
)

// CheckSourceName rejects a name that a source cannot have, with ErrSourceName.
func CheckSourceName(name string) error { return source.CheckSourceName(name) }

// SourceScope is the scope that a pattern means: "" for every scope.
func SourceScope(pattern string) (string, error) { return source.SourceScope(pattern) }

// WithoutSecrets is the address of a remote without what only one person may use.
func WithoutSecrets(address string) string { return remote.WithoutSecrets(address) }

// SameAddress reports whether two addresses of remotes lead to one repository.
func SameAddress(a, b string) bool { return remote.SameAddress(a, b) }
