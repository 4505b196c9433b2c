package brief

import (
	"cmp"
	"context"

	"engram/detect"
	"engram/facts"
	"engram/memory/internal/core"
	"engram/memory/internal/judge"
	"engram/memory/internal/proof"
)

// pack makes the result, before it is cut to the budget.
func (b *brief) pack(ctx context.Context, revision string) (BriefResult, error) {
	r := b.newResult(revision)
	r.OpenConflicts, r.Withheld = b.open, len(b.withheld)
	for _, c := range b.conflicts {
		r.Conflicts = append(r.Conflicts, b.shortConflict(c))
	}
	constraints, err := b.readFacts(ctx, b.rules)
	if err != nil {
		return r, err
	}
	others, err := b.readFacts(ctx, b.others)
	if err != nil {
		return r, err
	}
	if r.Relevant, err = b.readFacts(ctx, b.relevant); err != nil {
		return r, err
	}
	r.Constraints = append(constraints, others...)
	r.Undecided, err = b.undecided(ctx)
	return r, err
}

// undecided returns pairs that nobody has judged.
func (b *brief) undecided(ctx context.Context) (list []BriefPair, err error) {
	found, err := b.m.judge.Undecided(ctx, judge.UndecidedInput{Limit: maxBriefPairs, AskedBy: b.in.AskedBy})
	for _, p := range found.Pairs {
		list = append(list, BriefPair{p.A.Key.String(), cutText(p.A.Claim, maxBriefPairClaim), p.B.Key.String(), cutText(p.B.Claim, maxBriefPairClaim)})
	}
	return list, err
}

func (b *brief) newResult(revision string) BriefResult {
	return BriefResult{Answer: core.AnswerAt(revision), Branch: b.in.Branch, Conflicts: []BriefConflict{}, Constraints: []BriefFact{}, Relevant: []BriefFact{}}
}

func (b *brief) shortConflict(c core.Conflict) BriefConflict {
	return BriefConflict{c.ConflictID, c.Severity, c.Verdict, cutClaim(c.Explanation), c.KeyA, c.KeyB, core.Age(c.Since, b.now)}
}

// readFacts reads the facts of a list.
func (b *brief) readFacts(ctx context.Context, list []found) ([]BriefFact, error) {
	shown := make([]BriefFact, 0, len(list))
	for _, hit := range list {
		f, err := b.m.FactOfBlob(ctx, hit.Blob)
		if err != nil {
			return nil, err
		}
		f = core.FillUnstated(f)
		b.evidence.Add(f)
		shown = append(shown, BriefFact{
			Key: f.Key, Claim: cutClaim(f.Claim), Scope: f.Scope, Kind: string(f.Kind), FactType: string(f.Type),
			AgentID: f.Provenance.Agent, Age: core.Age(f.Provenance.CreatedAt, b.now), Verified: f.Verified(), Freshness: core.Unchecked,
			HasConflict: b.audited.HasConflict(ctx, f.Key, hit.Blob), Why: hit.why,
		})
	}
	return shown, nil
}

// markFreshness sets the freshness of each fact.
func (b *brief) markFreshness(ctx context.Context, r *BriefResult) error {
	list := make([]*BriefFact, 0, len(r.Constraints)+len(r.Relevant))
	for _, part := range [][]BriefFact{r.Constraints, r.Relevant} {
		for i := range part {
			list = append(list, &part[i])
		}
	}
	notes, err := b.evidence.CheckEach(ctx, b.m.proof, b.tip, cmp.Or(b.in.FreshTime, proof.FreshTimeBrief), len(list),
		func(i int) facts.Key { return list[i].Key }, func(i int, f core.Freshness) { list[i].Freshness = f })
	r.Notes = append(r.Notes, notes...)
	return err
}

// maxReadConflicts is how many conflicts are read if there is no index.
const maxReadConflicts = 200

// withoutIndex returns the part of a brief that needs no index: the conflicts.
func (b *brief) withoutIndex(ctx context.Context) (BriefResult, error) {
	r := b.newResult(b.tip)
	r.Notes = append(r.Notes, "the index is not ready, so constraints and relevant facts are missing: `engram query` makes it")
	files, err := b.m.Store.Files(ctx, b.tip, detect.ConflictPrefix+"/")
	if err != nil {
		return r, err
	}
	if len(files) > maxReadConflicts {
		r.Notes = append(r.Notes, core.Plural(len(files), "conflict")+", open and settled, are too many to be read without it: `engram conflicts`")
		return r, nil
	}
	conflicts, err := b.m.audit.ConflictsAt(ctx, b.tip)
	if err != nil {
		return r, err
	}
	b.reset()
	for _, c := range sortedConflicts(conflicts) {
		if c.Status != detect.Open || c.Verdict == detect.Evolution {
			continue
		}
		_, _, over, err := b.m.audit.Ended(ctx, b.tip, c, b.now)
		if err != nil {
			return r, err
		}
		shown, err := b.m.audit.ShowConflict(ctx, b.tip, c)
		if err != nil {
			return r, err
		}
		if over {
			continue
		}
		if !b.reader.MayReadConflict(shown) {
			r.Withheld++
			continue
		}
		if r.OpenConflicts++; len(r.Conflicts) < maxBriefConflicts {
			r.Conflicts = append(r.Conflicts, b.shortConflict(shown))
		}
	}
	return r, nil
}

// cutTo cuts the brief to the budget. Conflicts take precedence, then constraints, pairs to
// judge, relevant facts, and decisions, policies and risks.
func (r BriefResult) cutTo(budget int) BriefResult {
	whole := r
	rules := 0
	for rules < len(whole.Constraints) && whole.Constraints[rules].Kind == "constraint" {
		rules++
	}
	// With n items there is room for the first n of this order.
	with := func(n int) BriefResult {
		r := whole
		part := func(length int) int {
			taken := min(n, length)
			n -= taken
			return taken
		}
		r.Conflicts = whole.Conflicts[:part(len(whole.Conflicts))]
		constraints := part(rules)
		r.Undecided = whole.Undecided[:part(len(whole.Undecided))]
		r.Relevant = whole.Relevant[:part(len(whole.Relevant))]
		others := part(len(whole.Constraints) - rules)
		r.Constraints = append(whole.Constraints[:constraints:constraints], whole.Constraints[rules:rules+others]...)
		r.Omitted = r.OpenConflicts - len(r.Conflicts) + len(whole.Relevant) - len(r.Relevant) + len(whole.Constraints) - len(r.Constraints)
		return r
	}
	low, high := 0, len(whole.Conflicts)+len(whole.Constraints)+len(whole.Undecided)+len(whole.Relevant)
	for low < high {
		middle := (low + high + 1) / 2
		if facts.Tokens(with(middle).Text()) <= budget {
			low = middle
		} else {
			high = middle - 1
		}
	}
	r = with(low)
	r.Tokens = facts.Tokens(r.Text())
	return r
}

func cutClaim(claim string) string { return cutText(claim, maxBriefClaim) }

// cutText returns at most so many characters of a text.
func cutText(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}
