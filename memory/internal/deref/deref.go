// Package deref reads what stands behind a pointer: it completes short forms, finds the
// place, and cuts the excerpt to the tokens that were paid for.
package deref

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"engram/evidence"
	"engram/facts"
	"engram/gitstore"
	"engram/internal/hint"
	"engram/internal/lazyregexp"
	"engram/memory/internal/budget"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// Reader reads what pointers of a memory point at.
type Reader struct {
	*core.Memory
	budget *budget.Limiter
	proof  *proof.Verifier
}

// New returns the Reader of a memory.
func New(m *core.Memory) *Reader {
	return &Reader{Memory: m, budget: budget.New(m), proof: proof.New(m)}
}

// DefaultDerefTokens is how many tokens an excerpt has at most (seed 1 §6.2).
const DefaultDerefTokens = 400

// DerefInput names what is to be read.
type DerefInput struct {
	Ref string `json:"ref"` // a whole reference; where Strict is not set, also a short form (Complete)
	// Digest is what is expected to stand there, as a fact recorded it; "" is not
	// compared. Where something else stands there, the answer says so in Matches.
	Digest    string `json:"digest,omitempty"`
	MaxTokens int    `json:"max_tokens,omitempty" min:"0" default:"400" help:"of the excerpt"`
	// Strict refuses a reference into the repository that names no commit, with the
	// completed form as hint: at the boundary between agents.
	Strict bool `json:"-"`
	// Agent is who pulls, and whose turn pays for it; "" is a person, who has no budget,
	// or with a BudgetToken the child that its grant is for.
	Agent       string `json:"-"`
	BudgetToken string `json:"budget_token,omitempty" help:"a grant of your parent's, which pays instead of your turn"`
}

// DerefResult is what stands behind a pointer.
type DerefResult struct {
	core.Answer
	// Pointer is the exact pointer of the excerpt: with a full commit, and with fewer
	// lines than were asked for where the tokens ended. It can be handed in again as it is.
	Pointer       budget.EngramPointer `json:"pointer"`
	Excerpt       string               `json:"excerpt"`
	ContentDigest string               `json:"content_digest"` // of the bytes of the excerpt: sha256:hex
	Tokens        int                  `json:"tokens"`         // of the excerpt, estimated by facts.Tokens
	Truncated     bool                 `json:"truncated"`
	// LimitedBy is what an excerpt was cut for: max_tokens, of which more can be asked
	// for, the turn, or the grant; "" where it was not. LimitLeft is how many tokens
	// the turn or the grant has left then.
	LimitedBy string `json:"limited_by"`
	LimitLeft int    `json:"-"`
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

// MaxDerefTokens is the most that can be asked for at once.
const MaxDerefTokens = 100_000

// Deref reads what stands behind a pointer: of a repo, artifact or test pointer at its
// commit, of a sam pointer on the memory branch, of a diff between its commits. It
// reads git's objects alone and never a work tree; a url is never fetched. The error
// wraps ErrNotFound where nothing stands there, ErrUsage where the reference makes no
// sense or there is no text to quote, and bus.ErrRefused where the agent's turn has no
// room left and no grant pays.
func (m *Reader) Deref(ctx context.Context, in DerefInput) (DerefResult, error) {
	if err := core.NameAgents(&in.Agent); err != nil {
		return DerefResult{}, err
	}
	wanted := cmp.Or(in.MaxTokens, DefaultDerefTokens)
	if wanted < 0 || wanted > MaxDerefTokens {
		return DerefResult{}, core.Wrong(hint.New("%s is at most %d; omit it to use %d", hint.MaxTokens, MaxDerefTokens, DefaultDerefTokens), "%d tokens cannot be asked for", wanted)
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
	payer := m.newReservation(in, address, wanted)
	if err := payer.reserve(ctx); err != nil {
		return DerefResult{}, err
	}
	result, err := m.excerpt(ctx, tip, address, in, payer)
	result.Notes = append(notes, result.Notes...)
	if paid := payer.settle(ctx, result.Tokens, &result); err == nil {
		err = paid
	}
	if err != nil {
		return DerefResult{}, err
	}
	return result, nil
}

// excerpt is what stands at an address, as far as there are tokens for it.
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
			found.address = narrowed(found.address, span)
			result.ContentDigest = evidence.Digest(span.Text)
		}
		result.Excerpt, result.Truncated = string(span.Text), cut
	}
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

// narrowed is the address of fewer lines. A section, a test and a whole file become
// lines of the file, so that the digest is of what the pointer says.
func narrowed(a facts.Address, s evidence.Span) facts.Address {
	if a.InRepository() {
		a.Type, a.Name = facts.PointRepo, ""
	}
	a.FirstLine, a.LastLine = s.First, s.Last
	return a
}

// resolveAddress is the address that a reference or a short form means, with a commit.
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
			return orAddress(fact, atCommit(a, head)), notes, err
		}
	}
	if head == "" {
		return a, nil, core.Absent(nothingCommittedHint, "no code is committed here, so that %s stands nowhere", a.Path)
	}
	return atCommit(a, head), nil, nil
}

func orAddress(a, otherwise facts.Address) facts.Address {
	if a.Type == "" {
		return otherwise
	}
	return a
}

func atCommit(a facts.Address, commit string) facts.Address {
	a.Commit = commit
	return a
}

// parsePointer takes a reference apart or, where it need not be whole, a short form.
func parsePointer(text string, whole bool) (facts.Address, error) {
	text = strings.TrimSpace(text)
	a, err := facts.ParseShort(text)
	if whole {
		a, err = facts.ParseRef(text)
	}
	if err != nil {
		return a, core.Wrong(formsHint, "%w", err)
	}
	return a, nil
}

// checkPinned refuses what can come to mean something else: at the boundary between
// agents, a pointer says of which commit it is.
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
	return core.Wrong(pin, "the pointer %s names no commit", a.Ref())
}

// typedKey reports whether what was typed may be the key of a fact.
func typedKey(text string, a facts.Address) (facts.Key, bool) {
	if facts.IsRef(text) || a.Type != facts.PointRepo || a.FirstLine > 0 || a.Commit != "" {
		return facts.Key{}, false
	}
	key, err := facts.ParseKey(a.Path)
	return key, err == nil
}

// preferFact is the address of the fact at a key, where no file or folder stands at the
// path that reads the same; where both do, it is a note.
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
		return core.Wrong(hint.New("a pointer's digest is sha256: and 64 hexadecimal digits"), "digest %.40q makes no sense", digest)
	}
	return nil
}

// sameDigest compares what was stated with what is there, of which the former may be
// shortened; nil where nothing comparable was stated.
func sameDigest(stated, found string) *bool {
	if !strings.HasPrefix(stated, "sha256:") {
		return nil
	}
	same := strings.HasPrefix(found, stated)
	return &same
}
