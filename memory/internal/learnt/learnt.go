// Package learnt offers what sessions taught as facts: a few sentences of each, which people
// accept or reject. Nothing becomes a fact by itself.
package learnt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"engram/facts"
	"engram/gitstore"
	"engram/index"
	"engram/internal/hint"
	"engram/internal/lazyregexp"
	"engram/memory/internal/archive"
	"engram/memory/internal/clone"
	"engram/memory/internal/core"
	"engram/memory/internal/views"
	"engram/memory/internal/write"
	"engram/recall/passage"
	derived "engram/recall/views"
)

// Teacher offers what sessions taught. It is safe for concurrent use.
type Teacher struct {
	*core.Memory
	archive *archive.Archive
	views   *views.Keeper
	write   *write.Writer
}

// New returns the Teacher of a memory.
func New(m *core.Memory) *Teacher {
	return &Teacher{Memory: m, archive: archive.New(m), views: views.New(m), write: write.New(m)}
}

// Input says whose candidates to list.
type Input struct {
	Session string `json:"session_id,omitempty"` // "": of all sessions
	Limit   int    `json:"limit,omitempty" flag:"limit,n,N" min:"1" default:"20" help:"at most N candidates"`
	AskedBy string `json:"-"` // the agent that reads; "" whom the memory was opened for
}

// Candidate is a sentence of a session that may be worth a fact.
type Candidate struct {
	Pointer string             `json:"pointer"` // sam:SESSION@EVENT, where it was said
	Kind    derived.RecordKind `json:"kind"`    // decision or lesson
	Claim   string             `json:"claim"`
	Who     string             `json:"who"`
	Turn    int                `json:"turn"`
	At      time.Time          `json:"at,omitzero"`
}

// Result lists candidates, those of the newest sessions first.
type Result struct {
	SchemaVersion int         `json:"schema_version"`
	Candidates    []Candidate `json:"candidates"`
	Left          int         `json:"left"` // candidates beyond the limit
	// Behind are the sessions that have changed since they were read for candidates.
	Behind int `json:"behind"`
}

const (
	defaultLimit = 20
	// perSession bounds what one session offers, so that a long one does not fill the list.
	perSession = 5
	// minWorth is what worth has to give. It was chosen by reading what 43 real sessions offer
	// (docs/recall.md).
	minWorth = 3
)

// List returns the sentences that sessions offer as facts. It leaves out what was accepted
// or rejected before, and what a fact says in the same words.
func (t *Teacher) List(ctx context.Context, in Input) (Result, error) {
	result := Result{SchemaVersion: core.SchemaVersion, Candidates: []Candidate{}}
	shown, err := t.views.Show(ctx, views.ShowInput{Session: in.Session})
	if err != nil {
		return result, err
	}
	result.Behind = shown.Behind
	decided, err := t.decided()
	if err != nil {
		return result, err
	}
	list, err := t.unknown(ctx, best(shown.Records, decided))
	if err != nil {
		return result, err
	}
	if list, err = t.readable(ctx, list, in.AskedBy); err != nil {
		return result, err
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return b.At.Compare(a.At) })
	limit := cmp.Or(in.Limit, defaultLimit)
	result.Left = max(0, len(list)-limit)
	result.Candidates = append(result.Candidates, list[:min(len(list), limit)]...)
	return result, nil
}

// best picks from each session the records that are worth most. A sentence that several
// sessions have is offered once.
func best(records []derived.Record, decided map[string]bool) (list []Candidate) {
	type rated struct {
		Candidate
		worth int
	}
	sessions := make(map[string][]rated)
	seen := make(map[string]bool)
	for _, r := range records {
		hash, n := facts.ContentHash(r.Text), worth(r)
		if n < minWorth || decided[hash] || seen[hash] {
			continue
		}
		seen[hash] = true
		pointer := facts.Address{Type: facts.PointSAM, Path: r.Session, Version: r.Event}.Ref()
		sessions[r.Session] = append(sessions[r.Session], rated{Candidate{pointer, r.Kind, r.Text, r.Who, r.Turn, r.At}, n})
	}
	for _, of := range sessions {
		slices.SortStableFunc(of, func(a, b rated) int { return b.worth - a.worth })
		for _, r := range of[:min(len(of), perSession)] {
			list = append(list, r.Candidate)
		}
	}
	slices.SortFunc(list, func(a, b Candidate) int { return strings.Compare(a.Pointer+a.Claim, b.Pointer+b.Claim) })
	return list
}

var (
	reasonRE = lazyregexp.New(`(?i)\b(because|since|so that|otherwise|root cause|turns? out|caused by|instead of|rather than)\b`)
	ruleRE   = lazyregexp.New(`(?i)\b(always|never|must( not)?|should( not|n't)|don'?t|only|do not)\b`)
	// momentRE is talk about the work at hand, which nobody needs tomorrow.
	momentRE = lazyregexp.New(`(?i)^(now|next|first|then|ok(ay)?|great|perfect|good|yes|no|sure|let me|let's (see|check|look|try|run)|i('ll| will| can| see|'m| am)|we('ll| can)|you('re| are) right|please|can you|could you|would you|do you|this|that|it|these|those|here|there)\b`)
	askRE    = lazyregexp.New(`[?:]$`)
)

// worth rates a record as a fact: a rule, a reason and something by its name count; what is
// about the moment, asks, or cannot be understood alone does not.
func worth(r derived.Record) int {
	if r.Kind != derived.Decision && r.Kind != derived.Lesson || askRE.MatchString(r.Text) || len(r.Text) > facts.MaxClaim {
		return 0
	}
	n := 1
	if r.Kind == derived.Decision {
		n++ // what was a problem is often fixed the same day, and a decision stays
	}
	if r.Model != "" {
		n++ // it read the conversation around it, too
	}
	if momentRE.MatchString(r.Text) {
		n -= 2
	}
	if reasonRE.MatchString(r.Text) {
		n += 2
	}
	if ruleRE.MatchString(r.Text) {
		n++
	}
	if len(passage.Exact(r.Text)) > 0 {
		n++
	}
	if words := len(strings.Fields(r.Text)); words < 7 || words > 50 {
		n--
	}
	return n
}

// unknown leaves out what facts say in the same words.
func (t *Teacher) unknown(ctx context.Context, list []Candidate) (left []Candidate, err error) {
	tip, _, err := t.Tip(ctx)
	if errors.Is(err, gitstore.ErrNoBranch) || len(list) == 0 {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	_, err = t.Index.View(ctx, tip, func(view *index.View) error {
		left = nil // the view may be read again
		for _, c := range list {
			n, err := view.Count(ctx, index.Query{Hash: facts.ContentHash(c.Claim), Now: t.Moment(), Ephemeral: true, Branch: core.EveryBranch})
			if err != nil {
				return err
			}
			if n == 0 {
				left = append(left, c)
			}
		}
		return nil
	})
	return left, err
}

// readable leaves out what the reader may not see of the sessions.
func (t *Teacher) readable(ctx context.Context, list []Candidate, reader string) (left []Candidate, err error) {
	err = t.archive.Finding(ctx, reader, func(f *archive.Finder) error {
		left = nil
		for _, c := range list {
			address, err := facts.ParseRef(c.Pointer)
			if err != nil {
				return err
			}
			if _, err := f.Event(address.Version); err == nil {
				left = append(left, c)
			} else if !errors.Is(err, core.ErrNotFound) {
				return err
			}
		}
		return nil
	})
	return left, err
}

// DecideInput says what becomes of candidates.
type DecideInput struct {
	Pointers []string `json:"pointers"`
	// Of one candidate that is accepted: the claim in better words, and where it belongs.
	Claim string `json:"claim,omitempty" flag:"claim,,TEXT" help:"state it as TEXT instead of as it was said"`
	Key   string `json:"key,omitempty" flag:"key,k,KEY" help:"KEY of the fact; omit it and one is made"`
	Scope string `json:"scope,omitempty" flag:"scope,s,PATH" help:"topic PATH of the fact"`
	Agent string `json:"agent_id,omitempty" flag:"agent,a,NAME" env:"ENGRAM_AGENT" help:"NAME of the agent that decides"`
}

// DecideResult says what was decided.
type DecideResult struct {
	SchemaVersion int                  `json:"schema_version"`
	Accepted      []write.CommitResult `json:"accepted,omitempty"`
	Rejected      []string             `json:"rejected,omitempty"` // pointers
}

// Accept commits candidates as facts whose origin is the event. The error wraps ErrNotFound
// if nothing is offered there.
func (t *Teacher) Accept(ctx context.Context, in DecideInput) (DecideResult, error) {
	result := DecideResult{SchemaVersion: core.SchemaVersion}
	chosen, err := t.chosen(ctx, in)
	if err != nil {
		return result, err
	}
	if len(chosen) > 1 && in.Claim+in.Key != "" {
		return result, core.UsageErrorf(hint.New("accept one at a time to change it"), "a claim or a key is of one fact, and %d are accepted", len(chosen))
	}
	for _, c := range chosen {
		kind, known := string(facts.KindFact), string(facts.Inference)
		if c.Kind == derived.Decision {
			kind, known = string(facts.KindDecision), string(facts.Decision)
		}
		done, err := t.write.Commit(ctx, write.CommitInput{
			Claim: cmp.Or(in.Claim, c.Claim), Key: in.Key, Scope: in.Scope, Kind: kind, Type: known, Agent: in.Agent, Session: c.Pointer,
		})
		if err != nil {
			return result, err
		}
		if err := t.decide(c.Claim); err != nil {
			return result, err
		}
		result.Accepted = append(result.Accepted, done)
	}
	return result, nil
}

// Reject remembers in this clone that candidates are no facts, so that they are not offered
// again.
func (t *Teacher) Reject(ctx context.Context, in DecideInput) (DecideResult, error) {
	result := DecideResult{SchemaVersion: core.SchemaVersion}
	chosen, err := t.chosen(ctx, in)
	for _, c := range chosen {
		if err := t.decide(c.Claim); err != nil {
			return result, err
		}
		result.Rejected = append(result.Rejected, c.Pointer)
	}
	return result, err
}

// chosen finds candidates by their pointers; the end of an event's id is enough.
func (t *Teacher) chosen(ctx context.Context, in DecideInput) (chosen []Candidate, err error) {
	all, err := t.List(ctx, Input{Limit: 1 << 20, AskedBy: in.Agent})
	if err != nil {
		return nil, err
	}
	if len(in.Pointers) == 0 {
		return nil, core.UsageErrorf(hint.New("%s lists them", hint.Do(hint.ListLearnt)), "no candidate is named")
	}
	for _, pointer := range in.Pointers {
		found := len(chosen)
		for _, c := range all.Candidates {
			if c.Pointer == pointer || len(pointer) >= 6 && strings.HasSuffix(c.Pointer, pointer) {
				chosen = append(chosen, c)
			}
		}
		switch len(chosen) - found {
		case 0:
			return nil, core.NotFoundErrorf(hint.New("%s lists what is offered", hint.Do(hint.ListLearnt)), "nothing is offered at %s", pointer)
		case 1:
		default:
			if in.Claim == "" && chosen[found].Pointer == chosen[len(chosen)-1].Pointer {
				continue // several sentences of one event
			}
			return nil, core.UsageErrorf(hint.New("%s shows the whole pointers", hint.Do(hint.ListLearnt)), "%s is several candidates", pointer)
		}
	}
	return chosen, nil
}

// file has the content hashes of what was decided, one to a line.
func (t *Teacher) file() string {
	return filepath.Join(t.Store.CommonDir(), "engram", "sessions", clone.DecidedFile)
}

func (t *Teacher) decided() (map[string]bool, error) {
	text, err := os.ReadFile(t.file())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read what was decided: %w", err)
	}
	list := make(map[string]bool)
	for hash := range strings.FieldsSeq(string(text)) {
		list[hash] = true
	}
	return list, nil
}

func (t *Teacher) decide(claim string) error {
	if err := os.MkdirAll(filepath.Dir(t.file()), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(t.file(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return fmt.Errorf("remember what was decided: %w", err)
	}
	_, err = f.WriteString(facts.ContentHash(claim) + "\n")
	return errors.Join(err, f.Close())
}
