// Package hooks installs git hooks that keep the memory in sync, removes them to the byte,
// and runs them. It also runs the hooks of coding agents.
//
// A hook only triggers work. What to do is found by comparing the settled state with the
// present one, so a hook that never ran costs time and nothing else. A hook never asks,
// never exceeds its time limit, and never stops git, unless a secret would be committed to
// the memory or the team set a gate. Hooks of agents (Agent) never stop anybody.
//
// What the memory does is up to package memory.
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

// Names lists every hook. The last one is installed only on request: git runs it for every
// reference that moves, and starting a shell each time makes a rebase three times as long
// (docs/hooks.md).
func Names() []string {
	return []string{PreCommit, PostCommit, PostMerge, PostRewrite, PostCheckout, PrePush, ReferenceTransaction}
}

// IsHook reports whether engram uses a hook.
func IsHook(name string) bool { return slices.Contains(Names(), name) }

// SchemaVersion is the version of the JSON form of a Report.
const SchemaVersion = 1

// Refused is the exit status of a hook that stops git.
const Refused = 4

// Inside is the variable that engram sets for every git process it runs, so that their
// hooks do nothing.
const Inside = "ENGRAM_INSIDE"
