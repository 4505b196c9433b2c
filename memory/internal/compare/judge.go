package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/memory/internal/core"
)

// Bounds of what models are asked in one audit.
const (
	// maxFailures is the number of consecutive questions without an answer after which the
	// language model is not asked again: the next question would take as long.
	maxFailures = 2
	// DefaultNLIBudget is how long the cross-encoder may take in one audit.
	DefaultNLIBudget = 30 * time.Second
	// maxAsked is how many pairs go to the language model; each takes seconds and
	// may cost money.
	maxAsked = 20
	// maxUndecided is how many pairs are kept for a later audit.
	maxUndecided = 10_000
)

// Reasons why no model has judged a pair.
const (
	outOfTime   = "the time budget for models was used up"
	noJudgement = "the cross-encoder failed"
	noAnswer    = "the language model gave no verdict"
	outOfTurns  = "the maximum number of questions to the language model was reached"
)

// Undecided is a pair that is to be judged by a later audit. Facts are named by
// version: a pair of which one has changed is forgotten, because the change is
// examined by itself.
type Undecided struct {
	KeyA   facts.Key `json:"key_a"`
	A      string    `json:"a"`
	KeyB   facts.Key `json:"key_b"`
	B      string    `json:"b"`
	Reason string    `json:"reason"`
}

// Unreached counts the pairs that there was no time for.
func Unreached(list []Undecided) (n int) {
	for _, u := range list {
		if u.Reason == outOfTime {
			n++
		}
	}
	return n
}

func (p Pairing) undecided(reason string) Undecided {
	return Undecided{p.First.Fact.Key, p.First.Fact.ID, p.Second.Fact.Key, p.Second.Fact.ID, reason}
}

// Judgement is what models said about an examination.
type Judgement struct {
	Judged       int // pairs that the cross-encoder was asked about
	Asked        int // pairs that the language model was asked about
	Corroborated []Pairing
	Undecided    []Undecided
	Cleared      []Pairing // in doubt before; the language model sees no contradiction
	Notes        []string
	failures     int // of the language model in a row, without an answer
	unreachable  error
}

func (j *Judgement) postpone(pairs []Pairing, reason string) {
	for _, p := range pairs {
		j.Undecided = append(j.Undecided, p.undecided(reason))
	}
}

// Judge asks the models: the cross-encoder about the pairs that the rules leave
// undecided, the likely contradictions first, until the time is used up; then the
// language model about what is in doubt.
func (e *Examiner) Judge(ctx context.Context, models core.Models, t detect.Thresholds, budget time.Duration) (j Judgement, err error) {
	slices.SortStableFunc(e.Unsettled, func(a, b Pairing) int { return cmp.Compare(b.priority, a.priority) })
	if models.NLI != nil {
		err = e.askNLI(ctx, models, t, budget, &j)
	}
	if err == nil && models.LLM != nil {
		err = e.askLLM(ctx, models, &j)
	}
	if over := len(j.Undecided) - maxUndecided; over > 0 {
		j.Undecided = j.Undecided[:maxUndecided]
		j.Notes = append(j.Notes, fmt.Sprintf("%d pairs were neither judged nor kept for a later audit: too many are undecided", over))
	}
	return j, err
}

func (e *Examiner) askNLI(ctx context.Context, models core.Models, t detect.Thresholds, budget time.Duration, j *Judgement) error {
	limited, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	basis := NLIBasis(models, t)
	for i, p := range e.Unsettled {
		e.m.Progress("asking the model", i, len(e.Unsettled))
		says, err := detect.Judge(limited, models.NLI, p.First.Claim, p.Second.Claim)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if limited.Err() != nil {
			j.postpone(e.Unsettled[i:], outOfTime)
			return nil
		}
		if err != nil {
			j.postpone(e.Unsettled[i:], noJudgement)
			j.Notes = append(j.Notes, fmt.Sprintf("tier 1 was skipped: %v", err))
			return nil
		}
		j.Judged++
		if says.Corroborates(t, p.First.Claim, p.Second.Claim) {
			j.Corroborated = append(j.Corroborated, p)
		}
		if f, found := says.Finding(t, p.First.Claim, p.Second.Claim); found {
			e.Clashes = append(e.Clashes, Clash{Pairing: p, Finding: f, Basis: basis})
		}
	}
	return nil
}

// askLLM puts to the language model what is in doubt, and the likeliest pairs of
// scopes of high stakes. What it gives no verdict on stays as it was.
func (e *Examiner) askLLM(ctx context.Context, models core.Models, j *Judgement) error {
	var kept []Clash
	flagged := make(map[[2]string]bool)
	keep := func(c Clash) { kept, flagged[[2]string{c.First.Blob, c.Second.Blob}] = append(kept, c), true }
	for _, c := range e.Clashes {
		if c.Verdict != detect.Ambiguous || e.wasJudged(c.Pairing) {
			keep(c)
			continue
		}
		decided, found, err := e.askAbout(ctx, models, c, j)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil || found: // decided is c as it was if there is no verdict
			keep(decided)
		default:
			j.Cleared = append(j.Cleared, c.Pairing)
		}
	}
	for _, p := range e.Unsettled {
		if flagged[[2]string{p.First.Blob, p.Second.Blob}] || !highStakes(models.HighStakes, p) {
			continue
		}
		decided, found, err := e.askAbout(ctx, models, Clash{Pairing: p}, j)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil && found {
			kept = append(kept, decided)
		}
	}
	e.Clashes = kept
	return nil
}

// askAbout asks the language model about one pair. If there is no verdict, the error says why,
// the pair is undecided, and decided is c.
func (e *Examiner) askAbout(ctx context.Context, models core.Models, c Clash, j *Judgement) (decided Clash, found bool, err error) {
	defer func() {
		if err != nil {
			j.Undecided = append(j.Undecided, c.undecided(err.Error()))
		}
	}()
	switch {
	case j.unreachable != nil:
		return c, false, j.unreachable
	case j.Asked == maxAsked:
		return c, false, errors.New(outOfTurns)
	}
	score := -1.0 // none
	if c.Tier == detect.TierNLI {
		score = c.Score
	}
	e.m.Progress("asking the language model", j.Asked, 0)
	j.Asked++
	a, b := c.First.Fact.Provenance.CreatedAt, c.Second.Fact.Provenance.CreatedAt
	o, err := detect.AskLLM(ctx, models.LLM, c.First.Claim, c.Second.Claim, a, b, score)
	if err != nil {
		e.m.Log.Warn("the language model gave no verdict", "error", err)
		err = fmt.Errorf("%s: %w", noAnswer, err)
		if j.failures++; errors.Is(err, detect.ErrNoVerdict) {
			j.failures = 0
		}
		if j.failures == maxFailures {
			j.unreachable = err
		}
		return c, false, err
	}
	j.failures = 0
	if rule, secret := e.m.Scanner.Scan(o.Explanation); secret {
		return c, false, fmt.Errorf("%s: its explanation looks like a secret (pattern: %s)", noAnswer, rule)
	}
	c.Finding, found = detect.Confirm(c.Finding, o, c.First.Claim, c.Second.Claim)
	c.Basis = "llm " + models.LLMID
	return c, found, nil
}

func highStakes(scopes []string, p Pairing) bool {
	return slices.ContainsFunc(scopes, func(s string) bool {
		return strings.Trim(s, "/") != "" && (core.UnderScope(p.First.Fact.Scope, s) || core.UnderScope(p.Second.Fact.Scope, s))
	})
}

// NLIBasis names the cross-encoder and the threshold that a conflict is based on.
func NLIBasis(models core.Models, t detect.Thresholds) string {
	return fmt.Sprintf("nli %s, threshold %.3f", models.NLIID, t.High)
}
