// Package hooks makes git tell engram what happened: it puts lines into a
// repository's hooks, takes them out again to the byte, and does what a hook is
// for when git runs one.
//
// A hook only pokes. What there is to do is found by comparing what was settled
// last with what there is, so a hook that never ran costs time and nothing else.
// A hook never asks, never takes longer than its time box, and never stops git,
// except where a secret would be committed to the memory or the team set a gate.
//
// The hooks of coding agents (Agent) are held to the same, and more: they never
// stop anybody.
//
// It is not for what the memory does about it: that is package memory's.
package hooks

import "slices"

// The hooks that engram uses.
const (
	PreCommit            = "pre-commit"
	PostCommit           = "post-commit"
	PostMerge            = "post-merge"
	PostRewrite          = "post-rewrite"
	PostCheckout         = "post-checkout"
	PrePush              = "pre-push"
	ReferenceTransaction = "reference-transaction"
)

// Names lists every hook. The last one is installed only where asked for: git
// runs it for every reference that moves, and starting a shell for each makes a
// rebase three times as long (docs/hooks.md).
func Names() []string {
	return []string{PreCommit, PostCommit, PostMerge, PostRewrite, PostCheckout, PrePush, ReferenceTransaction}
}

// IsHook reports whether engram has something to do in a hook.
func IsHook(name string) bool { return slices.Contains(Names(), name) }

// SchemaVersion is the version of the JSON that Install, Status and Uninstall
// make.
const SchemaVersion = 1

// Refused is the exit status of a hook that stops git.
const Refused = 4

// Inside is the variable that engram sets for every git it runs, so that their
// hooks leave engram alone.
const Inside = "ENGRAM_INSIDE"
