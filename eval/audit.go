package eval

import (
	"context"
	"fmt"
	"strings"

	"engram/facts"
	"engram/fixtures"
	"engram/memory"
)

// AuditReport is what an audit of a merge made of real facts; its JSON is a
// contract like package memory's.
type AuditReport struct {
	SchemaVersion int `json:"schema_version"`
	Facts         int `json:"facts"`  // in the memory before the merge
	Merged        int `json:"merged"` // real facts that the merge brought
	// Alarms are the conflicts between real facts that the audit opened. Few of
	// these facts contradict each other, so most of the alarms are false.
	// Suggested are the evolutions and doubtful cases among them.
	Alarms     int     `json:"alarms"`
	Suggested  int     `json:"suggested"`
	PerHundred float64 `json:"alarms_per_100_facts"` // without those suggested
	Tiers      []Count `json:"tiers"`                // of the alarms, those suggested included
	// Planted are the pairs that were written to contradict each other, one side
	// of which was there before and one came with the merge; Comparable those
	// that the rules find when they are given the pair; Found those that the audit
	// opened, which has to find the pair first.
	Planted    int     `json:"planted"`
	Comparable int     `json:"comparable"`
	Found      int     `json:"found"`
	Pairs      int     `json:"pairs"` // that were compared
	Seconds    float64 `json:"seconds"`
	PerFact    float64 `json:"ms_per_fact"`
	// Opened are the alarms themselves, where they were asked for.
	Opened []memory.Conflict `json:"opened,omitempty"`
}

// Count is how many of something there are.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// AuditOptions are the settings of Audit; the zero value is the default.
type AuditOptions struct {
	Options
	Merged int  // facts that the merge brings; 0 means 1,000
	Show   bool // keep the alarms
}

// Audit fills a memory with real facts, merges more of them in, with one side of
// each open positive pair of fixtures before and one after, and audits what
// came. LimitFacts bounds the facts in all.
func Audit(ctx context.Context, data string, opts *AuditOptions) (AuditReport, error) {
	o := AuditOptions{}
	if opts != nil {
		o = *opts
	}
	if o.Progress == nil {
		o.Progress = silent
	}
	if o.Merged == 0 {
		o.Merged = 1000
	}
	report := AuditReport{SchemaVersion: memory.SchemaVersion, Tiers: []Count{}}
	corpus, _, err := readCorpus(data, o.LimitFacts)
	if err != nil {
		return report, err
	}
	if len(corpus) <= o.Merged {
		return report, fmt.Errorf("%w: %d facts are too few for a merge of %d", ErrNoData, len(corpus), o.Merged)
	}
	before, merged := auditedFacts(corpus, o)
	planted := plantedPairs()
	for _, p := range planted {
		before, merged = append(before, p.a), append(merged, p.b)
	}
	report.Facts, report.Merged, report.Planted = len(before), len(merged)-len(planted), len(planted)
	t, _, err := newThrowaway(ctx, before, o.Options)
	if err != nil {
		return report, err
	}
	defer t.close()
	return report, report.run(ctx, t, merged, planted, o.Show)
}

// auditedFacts leaves out what the scanner takes for a secret.
func auditedFacts(corpus []shared, o AuditOptions) (before, merged []fact) {
	for i, f := range corpus {
		made := f.fact(i)
		if o.Scanner != nil {
			if _, found := o.Scanner.Scan(made.record.Claim); found {
				continue
			}
		}
		made.record.Agent = fmt.Sprintf("agent-%d", i%7)
		if len(merged) < o.Merged {
			merged = append(merged, made)
		} else {
			before = append(before, made)
		}
	}
	return before, merged
}

// plantedPair is a positive pair, as it goes into the memory.
type plantedPair struct {
	a, b       fact
	comparable bool
}

func plantedPairs() []plantedPair {
	var list []plantedPair
	for _, p := range fixtures.Pairs() {
		if p.Half != fixtures.Open || !positive(string(p.Label)) {
			continue
		}
		_, found := memory.Compare(p.A, p.B)
		list = append(list, plantedPair{planted(len(list), "a", p.A), planted(len(list), "b", p.B), found})
	}
	return list
}

const plantedCategory = "planted"

func planted(n int, side string, f facts.Fact) fact {
	made := newFact(1_000_000+2*n+len(side), plantedCategory, f.Claim, "")
	if side == "b" {
		identify(&made.record, 2_000_000+n)
	}
	made.record.Key = fmt.Sprintf("domain/%s/%d-%s", plantedCategory, n, side)
	made.record.Scope, made.record.Agent = f.Scope, f.Provenance.Agent
	made.record.ValidFrom, made.record.Committed = f.ValidFrom, f.ValidFrom
	return made
}

func (r *AuditReport) run(ctx context.Context, t *throwaway, merged []fact, planted []plantedPair, show bool) error {
	status, err := t.memory.Status(ctx)
	if err != nil {
		return err
	}
	lines, err := jsonLines(merged)
	if err != nil {
		return err
	}
	if _, err = t.memory.Import(ctx, lines, memory.ImportInput{Format: memory.JSONL, SkipInvalid: true}); err != nil {
		return err
	}
	// The first question of a day brings the index up to date; that is not the
	// audit's to pay for.
	if _, err := t.memory.Query(ctx, memory.QueryInput{Question: "warm"}); err != nil {
		return err
	}
	audit, err := t.memory.Audit(ctx, memory.AuditInput{From: status.Revision})
	if err != nil {
		return err
	}
	r.Pairs, r.Seconds, r.PerFact = audit.Pairs, audit.Took, 1000*audit.Took/float64(max(audit.Facts, 1))
	r.count(audit.Opened, planted, show)
	return nil
}

func (r *AuditReport) count(opened []memory.Conflict, planted []plantedPair, show bool) {
	found, tiers := make(map[string]bool), make(map[string]int)
	for _, c := range opened {
		pair, ofA := plantedOf(c.KeyA)
		other, ofB := plantedOf(c.KeyB)
		switch {
		case ofA && ofB && pair == other:
			found[pair] = true
			continue
		case ofA || ofB:
			continue // with a real fact, or with a side of another pair
		}
		r.Alarms++
		if c.Verdict != labelContradiction {
			r.Suggested++
		}
		tiers[c.Tier]++
		if show {
			r.Opened = append(r.Opened, c)
		}
	}
	for _, tier := range memory.Tiers() {
		if tiers[tier] > 0 {
			r.Tiers = append(r.Tiers, Count{tier, tiers[tier]})
		}
	}
	for _, p := range planted {
		if p.comparable {
			r.Comparable++
		}
	}
	r.Found = len(found)
	r.PerHundred = 100 * float64(r.Alarms-r.Suggested) / float64(max(r.Merged, 1))
}

// plantedOf is the number of the pair that a key belongs to.
func plantedOf(key string) (pair string, ok bool) {
	rest, ok := strings.CutPrefix(key, "domain/"+plantedCategory+"/")
	pair, _, _ = strings.Cut(rest, "-")
	return pair, ok
}
