package brief

import (
	"context"
	"slices"
	"strings"
	"time"

	"engram/detect"
	"engram/facts"
	"engram/index"
	"engram/memory/internal/ask"
	"engram/memory/internal/audit"
	"engram/memory/internal/core"
	"engram/memory/internal/proof"
)

// brief is one brief in the making.
type brief struct {
	m      *Briefer
	in     BriefInput
	reader *core.Reader
	tip    string
	now    time.Time

	open      int             // conflicts
	conflicts []core.Conflict // the most severe
	rules     []found         // constraints
	others    []found         // decisions, policies and risks
	relevant  []found
	withheld  map[string]bool
	audited   audit.Audited
	evidence  proof.PointersByKey
}

// found is a fact and the reason for including it.
type found struct {
	index.Hit
	why string
}

func (b *brief) reset() {
	b.open, b.conflicts, b.rules, b.others, b.relevant, b.withheld = 0, nil, nil, nil, nil, make(map[string]bool)
	b.evidence = make(proof.PointersByKey)
}

// find asks the index for:
//
//  1. open conflicts, the most severe first;
//  2. the newest constraints; if there are many, first those that share words with the
//     work;
//  3. facts whose evidence is in changed files;
//  4. facts that share words with the work;
//  5. the newest decisions, policies and risks;
//  6. the newest facts, if nothing concerns the work and About is empty.
//
// Each fact is included once, in the first list that finds it.
func (b *brief) find(ctx context.Context, view *index.View) (err error) {
	if err = b.findConflicts(ctx, view); err != nil {
		return err
	}
	if b.audited, err = b.m.audit.AuditedAt(ctx, view.Revision(), view); err != nil {
		return err
	}
	ranking := index.Ranking{Weights: b.m.Weights, Signals: []index.Signal{index.Words, index.Keys, index.Entities}}
	if ranking.Trust, err = b.audited.Trust(ctx, view); err != nil {
		return err
	}
	taken := make(map[facts.Key]bool)
	if b.rules, err = b.findKind(ctx, view, facts.KindConstraint, maxBriefRules, ranking, taken); err != nil {
		return err
	}
	if b.relevant, err = b.findRelevant(ctx, view, ranking, taken); err != nil {
		return err
	}
	for _, kind := range []facts.Kind{facts.KindDecision, facts.KindPolicy, facts.KindRisk} {
		more, err := b.findKind(ctx, view, kind, maxBriefOthers, ranking, taken)
		if err != nil {
			return err
		}
		b.others = append(b.others, more...)
	}
	if len(b.relevant) > 0 || b.in.About != "" {
		return nil
	}
	q := b.query()
	q.Limit, q.Kind = maxBriefRules, facts.KindFact
	newest, _, err := b.search(ctx, view, q)
	b.relevant = appendNew(nil, newest, WhyNewest, taken, maxBriefRelevant/2)
	return err
}

// query returns a query with the settings that all queries of a brief share.
func (b *brief) query() index.Query {
	return index.Query{Now: b.now, Branch: b.in.Branch, Access: b.reader.ScopeRules(), Without: core.InternalPrefixes(""), Ephemeral: b.in.Ephemeral}
}

// question returns the text that describes the work.
func (b *brief) question() string {
	return strings.TrimSpace(b.in.About + "\n" + question(b.in.Branch, b.in.Files))
}

func (b *brief) findKind(ctx context.Context, view *index.View, kind facts.Kind, most int, ranking index.Ranking, taken map[facts.Key]bool) ([]found, error) {
	q := b.query()
	q.Kind, q.Limit = kind, 2*most
	if kind != facts.KindConstraint {
		q.Scope = core.TrimWildcard(b.in.Scope)
	}
	newest, _, err := b.search(ctx, view, q)
	if err != nil || kind != facts.KindConstraint || len(newest) < q.Limit { // too few to choose from
		return appendNew(nil, newest, WhyRule, taken, most), err
	}
	q.Text = b.question()
	hits, err := b.rank(ctx, view, q, ranking)
	return appendNew(nil, append(hits, newest...), WhyRule, taken, most), err
}

func (b *brief) findRelevant(ctx context.Context, view *index.View, ranking index.Ranking, taken map[facts.Key]bool) (list []found, err error) {
	if len(b.in.Files) > 0 {
		q := b.query()
		q.Pointing, q.Scope, q.Limit = core.WithParentFolders(b.in.Files), core.TrimWildcard(b.in.Scope), 2*maxBriefRelevant
		hits, _, err := b.search(ctx, view, q)
		if err != nil {
			return nil, err
		}
		// Half of the room, so that a file with many facts leaves some for others.
		list = appendNew(list, hits, WhyEvidence, taken, maxBriefRelevant/2)
	}
	q := b.query()
	q.Text, q.Scope, q.Limit = b.question(), core.TrimWildcard(b.in.Scope), 2*maxBriefRelevant
	hits, err := b.rank(ctx, view, q, ranking)
	return appendNew(list, hits, WhyWords, taken, maxBriefRelevant), err
}

// appendNew adds hits that are not in taken, until the list has most facts.
func appendNew(list []found, hits []index.Hit, why string, taken map[facts.Key]bool, most int) []found {
	for _, hit := range hits {
		if len(list) < most && !taken[hit.Key] {
			taken[hit.Key] = true
			list = append(list, found{hit, why})
		}
	}
	return list
}

func (b *brief) rank(ctx context.Context, view *index.View, q index.Query, ranking index.Ranking) ([]index.Hit, error) {
	if q.Text == "" {
		return nil, nil
	}
	hits, _, err := b.noteWithheld(q, func(q index.Query) (hits []index.Hit, total int, err error) {
		answer, err := view.Rank(ctx, q, ranking)
		for _, h := range answer.Hits {
			hits = append(hits, h.Hit)
		}
		return hits, answer.Matched, err
	})
	return hits, err
}

// search finds facts, newest first, and says how many there are without the limit.
func (b *brief) search(ctx context.Context, view *index.View, q index.Query) ([]index.Hit, int, error) {
	return b.noteWithheld(q, func(q index.Query) ([]index.Hit, int, error) { return view.Search(ctx, q) })
}

// noteWithheld searches, and searches again to count what the reader may not see.
func (b *brief) noteWithheld(q index.Query, search func(index.Query) ([]index.Hit, int, error)) ([]index.Hit, int, error) {
	hits, total, err := search(q)
	if err != nil || b.reader == nil {
		return hits, total, err
	}
	q.Access, q.Limit = b.reader.WithheldRules(), ask.MaxLimit
	hidden, _, err := search(q)
	for _, h := range hidden {
		b.withheld[h.Key.String()] = true
	}
	return hits, total, err
}

// findConflicts counts open conflicts and reads the most severe.
func (b *brief) findConflicts(ctx context.Context, view *index.View) error {
	open := b.query()
	open.Without, open.KeyPrefix, open.Limit = nil, detect.ConflictPrefix, ask.MaxLimit
	open.Tags, open.Access = []string{"status:" + string(detect.Open)}, nil
	if hits, _, err := view.Search(ctx, open); err != nil || len(hits) == 0 {
		return err
	}
	for _, severity := range detect.Severities() {
		q := open
		q.Access = b.reader.ScopeRules()
		q.Tags = []string{"status:" + string(detect.Open), "severity:" + string(severity)}
		hits, total, err := b.search(ctx, view, q)
		if err != nil {
			return err
		}
		updates := q
		updates.Tags, updates.Limit = append(slices.Clone(q.Tags), "verdict:"+string(detect.Evolution)), 1
		_, notCounted, err := view.Search(ctx, updates)
		if err != nil {
			return err
		}
		b.open += total - notCounted
		for _, hit := range hits {
			if len(b.conflicts) == maxBriefConflicts {
				break
			}
			if err := b.addConflict(ctx, view.Revision(), hit.Blob); err != nil {
				return err
			}
		}
	}
	return nil
}

// addConflict adds a conflict if it still exists and the reader may see it.
func (b *brief) addConflict(ctx context.Context, revision, blob string) error {
	f, err := b.m.FactOfBlob(ctx, blob)
	if err != nil {
		return err
	}
	c, ok := detect.ConflictOf(f)
	if !ok || c.Verdict == detect.Evolution {
		return nil
	}
	_, _, over, err := b.m.audit.Ended(ctx, revision, c, b.now)
	if err != nil {
		return err
	}
	shown, err := b.m.audit.ShowConflict(ctx, revision, c)
	switch {
	case err != nil:
		return err
	case over:
		b.open--
	case !b.reader.MayReadConflict(shown):
		b.open--
		b.withheld[shown.Key.String()] = true
	default:
		b.conflicts = append(b.conflicts, shown)
	}
	return nil
}
