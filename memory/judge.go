package memory

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
)

// Models are what an audit may ask beside the rules; the zero value is none.
type Models struct {
	Tagger detect.Tagger // finds names that the rules may miss
	NLI    detect.NLI    // tier 1
	NLIID  string        // names the model in what it finds
	LLM    detect.LLM    // tier 3
	LLMID  string
	// HighStakes are scopes whose likeliest pairs the language model judges even
	// where nothing else finds anything (seed 4, tier 3).
	HighStakes []string
}

func (m Models) any() bool { return m.NLI != nil || m.LLM != nil }

// Bounds of what models are asked in one audit.
const (
	// maxFailures is after how many questions in a row without an answer the
	// language model is not asked any more: the next would wait as long.
	maxFailures      = 2
	DefaultNLIBudget = 30 * time.Second
	// maxAsked is how many pairs go to the language model; each takes seconds and
	// may cost money.
	maxAsked = 20
	// maxUndecided is how many pairs are kept for a later audit.
	maxUndecided = 10_000
)

// Undecided says of pairs why no model has judged them.
const (
	outOfTime   = "the time for models was used up"
	noJudgement = "the cross-encoder does not work"
	noAnswer    = "the language model gave no verdict"
	outOfTurns  = "the language model is asked about so many pairs at most"
)

// undecided is a pair that is to be judged by a later audit. Facts are named by
// version: a pair of which one has changed is forgotten, because the change is
// examined by itself.
type undecided struct {
	KeyA   facts.Key `json:"key_a"`
	A      string    `json:"a"`
	KeyB   facts.Key `json:"key_b"`
	B      string    `json:"b"`
	Reason string    `json:"reason"`
}

// unreached counts the pairs that there was no time for.
func unreached(list []undecided) (n int) {
	for _, u := range list {
		if u.Reason == outOfTime {
			n++
		}
	}
	return n
}

func (p pairing) undecided(reason string) undecided {
	return undecided{p.a.fact.Key, p.a.fact.ID, p.b.fact.Key, p.b.fact.ID, reason}
}

// judgement is what models made of an examination.
type judgement struct {
	judged       int // pairs that the cross-encoder was asked about
	asked        int // pairs that the language model was asked about
	corroborated []pairing
	undecided    []undecided
	cleared      []pairing // in doubt before; the language model sees no contradiction
	notes        []string
	failures     int // of the language model in a row, without an answer
	unreachable  error
}

func (j *judgement) leave(pairs []pairing, reason string) {
	for _, p := range pairs {
		j.undecided = append(j.undecided, p.undecided(reason))
	}
}

// judge asks the models: the cross-encoder about the pairs that the rules say
// nothing about, best first, until the time is used up; then the language model
// about what is in doubt.
func (e *examiner) judge(models Models, t detect.Thresholds, budget time.Duration) (j judgement, err error) {
	slices.SortStableFunc(e.unsettled, func(a, b pairing) int { return cmp.Compare(b.priority, a.priority) })
	if models.NLI != nil {
		err = e.infer(models, t, budget, &j)
	}
	if err == nil && models.LLM != nil {
		err = e.ask(models, &j)
	}
	if over := len(j.undecided) - maxUndecided; over > 0 {
		j.undecided = j.undecided[:maxUndecided]
		j.notes = append(j.notes, fmt.Sprintf("%d pairs more than are kept for later were not judged", over))
	}
	return j, err
}

func (e *examiner) infer(models Models, t detect.Thresholds, budget time.Duration, j *judgement) error {
	ctx, cancel := context.WithTimeout(e.ctx, budget)
	defer cancel()
	basis := nliBasis(models, t)
	for i, p := range e.unsettled {
		e.m.progress("asking the model", i, len(e.unsettled))
		says, err := detect.Judge(ctx, models.NLI, p.a.claim, p.b.claim)
		if e.ctx.Err() != nil {
			return context.Cause(e.ctx)
		}
		if ctx.Err() != nil {
			j.leave(e.unsettled[i:], outOfTime)
			return nil
		}
		if err != nil {
			j.leave(e.unsettled[i:], noJudgement)
			j.notes = append(j.notes, fmt.Sprintf("tier 1 is absent: %v", err))
			return nil
		}
		j.judged++
		if says.Corroborates(t, p.a.claim, p.b.claim) {
			j.corroborated = append(j.corroborated, p)
		}
		if f, found := says.Finding(t, p.a.claim, p.b.claim); found {
			e.clashes = append(e.clashes, clash{p, f, basis})
		}
	}
	return nil
}

// ask puts to the language model what is in doubt, and the likeliest pairs of
// scopes of high stakes. What it gives no verdict on stays as it was.
func (e *examiner) ask(models Models, j *judgement) error {
	var kept []clash
	for _, c := range e.clashes {
		if c.Verdict != detect.Ambiguous || e.wasJudged(c.pairing) {
			kept = append(kept, c)
			continue
		}
		decided, found, err := e.opinion(models, c, j)
		switch {
		case e.ctx.Err() != nil:
			return context.Cause(e.ctx)
		case err != nil:
			j.undecided = append(j.undecided, c.undecided(err.Error()))
			kept = append(kept, c)
		case found:
			kept = append(kept, decided)
		default:
			j.cleared = append(j.cleared, c.pairing)
		}
	}
	e.clashes = kept
	flagged := make(map[[2]string]bool)
	for _, c := range e.clashes {
		flagged[[2]string{c.a.blob, c.b.blob}] = true
	}
	for _, p := range e.unsettled {
		if flagged[[2]string{p.a.blob, p.b.blob}] || !highStakes(models.HighStakes, p) {
			continue
		}
		decided, found, err := e.opinion(models, clash{pairing: p}, j)
		switch {
		case e.ctx.Err() != nil:
			return context.Cause(e.ctx)
		case err != nil:
			j.undecided = append(j.undecided, p.undecided(err.Error()))
		case found:
			e.clashes = append(e.clashes, decided)
		}
	}
	return nil
}

// opinion asks the language model about one pair. The error says why there is
// no verdict.
func (e *examiner) opinion(models Models, c clash, j *judgement) (decided clash, found bool, err error) {
	switch {
	case j.unreachable != nil:
		return c, false, j.unreachable
	case j.asked == maxAsked:
		return c, false, errors.New(outOfTurns)
	}
	score := -1.0 // none
	if c.Tier == detect.TierNLI {
		score = c.Score
	}
	e.m.progress("asking the language model", j.asked, 0)
	j.asked++
	a, b := c.a.fact.Provenance.CreatedAt, c.b.fact.Provenance.CreatedAt
	o, err := detect.AskLLM(e.ctx, models.LLM, c.a.claim, c.b.claim, a, b, score)
	if err != nil {
		e.m.log.Warn("the language model gave no verdict", "error", err)
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
	if rule, secret := e.m.scanner.Scan(o.Explanation); secret {
		return c, false, fmt.Errorf("%s: its explanation looks like a secret (pattern: %s)", noAnswer, rule)
	}
	c.Finding, found = detect.Confirm(c.Finding, o, c.a.claim, c.b.claim)
	c.basis = "llm " + models.LLMID
	return c, found, nil
}

func highStakes(scopes []string, p pairing) bool {
	return slices.ContainsFunc(scopes, func(s string) bool {
		return strings.Trim(s, "/") != "" && (underScope(p.a.fact.Scope, s) || underScope(p.b.fact.Scope, s))
	})
}
