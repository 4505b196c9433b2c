// Package deref reads what a pointer leads to: it completes short forms, resolves the
// address, and cuts the excerpt to the tokens that the agent has left.
package deref

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"engram/bus"
	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/internal/lazyregexp"
	"engram/memory/internal/archive"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// Reader reads what the pointers of a memory lead to. It is safe for concurrent use.
type Reader struct {
	*core.Memory
	archive *archive.Archive
	budget  *budget.Limiter
	proof   *proof.Verifier
}

// New returns the Reader of a memory.
func New(m *core.Memory) *Reader {
	return &Reader{Memory: m, archive: archive.New(m), budget: budget.New(m), proof: proof.New(m)}
}

// DefaultDerefTokens is the size of an excerpt by default, in tokens; the figure is that
// of the bus document, §6.2.
const DefaultDerefTokens = 400

// DerefInput names what to read.
type DerefInput struct {
	Ref string `json:"ref"` // a whole reference or, unless Strict is set, a short form (Complete)
	// Digest is the digest of the expected content, as a fact recorded it; "" is not
	// compared. Matches in the result reports whether the content has that digest.
	Digest    string `json:"digest,omitempty"`
	MaxTokens int    `json:"max_tokens,omitempty" min:"0" default:"400" help:"of the excerpt"`
	// Strict rejects a reference into the repository without a commit; the hint is the
	// completed form. It is set at the boundary between agents.
	Strict bool `json:"-"`
	// Agent is the agent that reads and whose turn is charged. "" is a person, who has no
	// budget, or, with a BudgetToken, the child of its grant.
	Agent       string `json:"-"`
	BudgetToken string `json:"budget_token,omitempty" help:"a grant of your parent's, which pays instead of your turn"`
}

// DerefResult is what a pointer leads to.
type DerefResult struct {
	core.Answer
	// Pointer is the exact pointer of the excerpt: it has a full commit and, if the
	// tokens did not suffice, fewer lines than requested. It can be used as a new input.
	Pointer       budget.EngramPointer `json:"pointer"`
	Excerpt       string               `json:"excerpt"`
	ContentDigest string               `json:"content_digest"` // of the bytes of the excerpt: sha256:hex
	Tokens        int                  `json:"tokens"`         // of the excerpt, estimated by facts.Tokens
	Truncated     bool                 `json:"truncated"`
	// LimitedBy is the limit that cut the excerpt: max_tokens, which can be raised, the
	// turn, or the grant; "" if nothing was cut. LimitLeft is then how many tokens the
	// turn or the grant has left.
	LimitedBy string `json:"limited_by"`
	LimitLeft int    `json:"-"`
	// Matches reports whether everything that was requested has the expected digest; null
	// if no digest was given.
	Matches *bool    `json:"matches"`
	GrantID string   `json:"grant_id,omitempty"` // the grant that was charged
	Turn    *Turn    `json:"turn,omitempty"`     // the agent's turn after this dereference
	Notes   []string `json:"notes,omitempty"`
}

// Turn is what an agent has read since its turn began.
type Turn = bus.Turn

// MaxDerefTokens is the largest excerpt, in tokens.
const MaxDerefTokens = 100_000

// Deref reads what a pointer leads to: a repo, artifact or test pointer at its commit, a
// sam pointer on the memory branch or in a session, an artifact of a session, a diff
// between its commits. It reads only git's
// objects, never a work tree, and never fetches a url. The error wraps ErrNotFound if
// the pointer leads to nothing, ErrUsage if the reference is not valid or there is no
// text to quote, and bus.ErrRefused if the agent's turn is used up and no grant permits
// the read.
func (m *Reader) Deref(ctx context.Context, in DerefInput) (DerefResult, error) {
	if err := m.NormalizeAgents(&in.Agent); err != nil {
		return DerefResult{}, err
	}
	wanted := cmp.Or(in.MaxTokens, DefaultDerefTokens)
	if wanted < 0 || wanted > MaxDerefTokens {
		return DerefResult{}, core.UsageErrorf(hint.New("%s is at most %d; omit it to use %d", hint.MaxTokens, MaxDerefTokens, DefaultDerefTokens), "%d tokens cannot be asked for", wanted)
	}
	if err := checkDigest(in.Digest); err != nil {
		return DerefResult{}, err
	}
	m.identifyBearer(&in)
	tip, err := m.Store.Tip(ctx)
	if err != nil {
		return DerefResult{}, err
	}
	address, notes, err := m.resolveAddress(ctx, tip, in)
	if err != nil {
		return DerefResult{}, err
	}
	payer := &reservation{m: m, in: in, address: address, wanted: wanted}
	if err := payer.reserve(ctx); err != nil {
		return DerefResult{}, err
	}
	result, err := m.excerpt(ctx, tip, address, in, payer)
	result.Notes = append(notes, result.Notes...)
	if err = cmp.Or(err, payer.settle(ctx, result.Tokens, &result)); err != nil {
		return DerefResult{}, err
	}
	return result, nil
}

// excerpt reads what is at an address, cut to the reserved tokens.
func (m *Reader) excerpt(ctx context.Context, tip string, a facts.Address, in DerefInput, payer *reservation) (DerefResult, error) {
	found, err := m.Locate(ctx, tip, a, Requester{in.Agent, in.Strict})
	payer.place.Reached = found.read || err == nil
	if err == nil {
		err = found.problem
	}
	if err != nil {
		return DerefResult{}, err
	}
	result := DerefResult{Answer: core.AnswerAt(tip), ContentDigest: found.digest}
	if found.fact != nil {
		var ok bool
		if result.Excerpt, result.Truncated, ok = factExcerpt(*found.fact, payer.tokens); !ok {
			return DerefResult{}, payer.tooLong()
		}
	} else {
		span, cut := evidence.Shorten(found.span, payer.tokens)
		if cut {
			if span.First == 0 {
				return DerefResult{}, payer.tooLong()
			}
			if result.ContentDigest = evidence.Digest(span.Text); found.address.InSession() { // it has no lines to name
				result.ContentDigest = found.digest
			} else {
				found.address = narrowed(found.address, span)
			}
		}
		result.Excerpt, result.Truncated = string(span.Text), cut
	}
	result.Notes = append(result.Notes, found.notes...)
	result.Pointer = budget.PointerOf(found.address.Ref(), result.ContentDigest)
	result.Tokens = facts.Tokens(result.Excerpt)
	if result.Truncated {
		result.LimitedBy, result.LimitLeft = payer.limitedBy(), max(payer.tokens-result.Tokens, 0)
	}
	result.Matches = sameDigest(in.Digest, found.digest)
	if in.Digest != "" && result.Matches == nil {
		result.Notes = append(result.Notes, "a digest other than sha256 cannot be compared")
	}
	return result, nil
}

// narrowed returns the address of fewer lines. A section, a test or a whole file becomes
// lines of the file, so that the digest is that of what the pointer names.
func narrowed(a facts.Address, s evidence.Span) facts.Address {
	if a.InRepository() {
		a.Type, a.Name = facts.PointRepo, ""
	}
	a.FirstLine, a.LastLine = s.First, s.Last
	return a
}

// resolveAddress returns the address of a reference or a short form, with a commit.
func (m *Reader) resolveAddress(ctx context.Context, tip string, in DerefInput) (facts.Address, []string, error) {
	a, err := parsePointer(in.Ref, in.Strict)
	if err != nil {
		return a, nil, err
	}
	if in.Strict {
		return a, nil, m.checkPinned(ctx, a, in.Agent)
	}
	if !a.InRepository() || a.Commit != "" {
		return a, nil, nil
	}
	head, err := m.Store.CodeHead(ctx)
	if err != nil {
		return a, nil, err
	}
	if commit := m.grantedCommit(in, a); commit != "" {
		return atCommit(a, commit), grantedCommitNotes(a, commit, head), nil
	}
	if key, ok := typedKey(in.Ref, a); ok {
		if fact, notes, err := m.preferFact(ctx, tip, head, a, key); err != nil || fact.Type != "" || len(notes) > 0 {
			return cmp.Or(fact, atCommit(a, head)), notes, err
		}
	}
	if head == "" {
		return a, nil, core.NotFoundErrorf(nothingCommittedHint, "no code is committed here, so %s does not exist", a.Path)
	}
	return atCommit(a, head), nil, nil
}

func atCommit(a facts.Address, commit string) facts.Address {
	a.Commit = commit
	return a
}

// parsePointer parses a reference or, unless it must be whole, a short form.
func parsePointer(text string, whole bool) (facts.Address, error) {
	text = strings.TrimSpace(text)
	a, err := facts.ParseShort(text)
	if whole {
		a, err = facts.ParseRef(text)
	}
	if err != nil {
		return a, core.UsageErrorf(formsHint, "%w", err)
	}
	return a, nil
}

// checkPinned rejects a pointer that can change its meaning: at the boundary between
// agents, a pointer must name its commit.
func (m *Reader) checkPinned(ctx context.Context, a facts.Address, agent string) error {
	loose := a.InRepository() && a.Commit == "" || a.Type == facts.PointDiff && !(hexName.MatchString(a.From) && hexName.MatchString(a.To))
	if !loose {
		return nil
	}
	example := facts.Address{Type: a.Type, Path: a.Path, Name: a.Name, FirstLine: a.FirstLine, LastLine: a.LastLine, Commit: "4f2a9c1"}
	pin := hint.New("end it with @ and the commit, such as %s", example.Ref())
	if a.Type == facts.PointDiff {
		pin = hint.New("name both commits by their digits")
	}
	if whole, err := m.CompleteFor(ctx, agent, a.Ref()); err == nil && whole.Ref != a.Ref() {
		pin = hint.New("whole, it is %s", whole.Ref)
	}
	return core.UsageErrorf(pin, "the pointer %s names no commit", a.Ref())
}

// typedKey reports whether the text may be the key of a fact.
func typedKey(text string, a facts.Address) (facts.Key, bool) {
	if facts.IsRef(text) || a.Type != facts.PointRepo || a.FirstLine > 0 || a.Commit != "" {
		return facts.Key{}, false
	}
	key, err := facts.ParseKey(a.Path)
	return key, err == nil
}

// preferFact returns the address of the fact at a key unless a file or folder has the
// same path. If both exist it returns a note instead.
func (m *Reader) preferFact(ctx context.Context, tip, head string, a facts.Address, key facts.Key) (facts.Address, []string, error) {
	_, found, err := m.FactAt(ctx, tip, key)
	if err != nil || !found {
		return facts.Address{}, nil, err
	}
	fact := facts.Address{Type: facts.PointSAM, Path: key.String()}
	if head == "" {
		return fact, nil, nil
	}
	code, err := m.Store.CodeAt(ctx, head, a.Path)
	if err != nil || code.Kind == gitstore.CodeNone {
		return fact, nil, err
	}
	return facts.Address{}, []string{fmt.Sprintf("there is a fact of that name as well: %s", fact.Ref())}, nil
}

var hexName = lazyregexp.New(`^[0-9a-f]{7,40}$`)

func checkDigest(digest string) error {
	if digest != "" && !facts.IsDigest(digest) {
		return core.UsageErrorf(hint.New("a pointer's digest is sha256: and 64 hexadecimal digits"), "digest %.40q is not valid", digest)
	}
	return nil
}

// sameDigest compares a stated digest, which may be shortened, with the one that was
// found. It returns nil if the stated digest cannot be compared.
func sameDigest(stated, found string) *bool {
	if !strings.HasPrefix(stated, "sha256:") {
		return nil
	}
	same := strings.HasPrefix(found, stated)
	return &same
}
