package memory

import "context"

// DefaultDerefTokens is how many tokens an excerpt has at most (seed 1 §6.2).
const DefaultDerefTokens = 400

// DerefInput names what is to be read.
type DerefInput struct {
	Ref string `json:"ref"` // a whole reference; where Strict is not set, also a short form (Complete)
	// Digest is what is expected to stand there, as a fact recorded it; "" is not
	// compared. Where something else stands there, the answer says so in Matches.
	Digest    string `json:"digest,omitempty"`
	MaxTokens int    `json:"max_tokens,omitempty"` // 0 means DefaultDerefTokens
	// Strict refuses a reference into the repository that names no commit, with the
	// completed form as hint: at the boundary between agents.
	Strict bool `json:"-"`
	// Agent is who pulls, and whose turn pays for it; "" is a person, who has no budget.
	Agent       string `json:"-"`
	BudgetToken string `json:"budget_token,omitempty"` // a grant that pays instead
}

// DerefResult is what stands behind a pointer.
type DerefResult struct {
	Answer
	// Pointer is the exact pointer of the excerpt: with a full commit, and with fewer
	// lines than were asked for where the tokens ended.
	Pointer       Pointer `json:"pointer"`
	Excerpt       string  `json:"excerpt"`
	ContentDigest string  `json:"content_digest"` // of the bytes of the excerpt: sha256:hex
	Tokens        int     `json:"tokens"`         // of the excerpt, estimated by facts.Tokens
	Truncated     bool    `json:"truncated"`
	// Matches is whether the whole of what was asked for has the digest that was
	// expected; null where none was.
	Matches *bool    `json:"matches"`
	GrantID string   `json:"grant_id,omitempty"` // the grant that paid
	Turn    *Turn    `json:"turn,omitempty"`     // of the agent, after this
	Notes   []string `json:"notes,omitempty"`
}

// Turn is what an agent pulled since its turn began.
type Turn struct {
	RepoSpans        int `json:"repo_spans"`
	ArtifactSections int `json:"artifact_sections"`
	SAMItems         int `json:"sam_items"`
	Tokens           int `json:"tokens"`
}

// Deref reads what stands behind a pointer: of a repo, artifact or test pointer at its
// commit, of a sam pointer on the memory branch, of a diff between its commits. It
// reads git's objects alone and never a work tree; a url is never fetched. The error
// wraps ErrNotFound where nothing stands there, ErrUsage where the reference makes no
// sense or there is no text to quote, and bus.ErrRefused where the agent's turn has no
// room left and no grant pays.
func (m *Memory) Deref(ctx context.Context, in DerefInput) (DerefResult, error) {
	return DerefResult{}, errNotBuilt
}

// Completed is a pointer that was completed from a short form.
type Completed struct {
	Pointer
	Notes []string `json:"notes,omitempty"`
}

// Complete makes a whole pointer, with commit and digest, of what a person types, for
// the commit that this work tree is at:
//
//	internal/auth.go          the file
//	internal/auth.go:12       a line
//	internal/auth.go:12-40    lines
//	docs/spec.md#Budget rules a section
//	repo:path#L12-L40         a reference without a commit
//	domain/auth/session       a fact, as it is now
//
// A whole reference gets the digest that it lacks. Lines that are not committed yet as
// the work tree has them get a digest and no commit, with a note. The error wraps
// ErrUsage, with a hint that names what is near, where there is nothing of the kind.
func (m *Memory) Complete(ctx context.Context, text string) (Completed, error) {
	return Completed{}, errNotBuilt
}
