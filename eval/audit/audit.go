// Package audit measures an audit of a merge of real facts: how long it takes, how many
// alarms it raises, and how many planted contradictions it finds.
package audit

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"engram/eval/corpus"
	"engram/eval/detection"
	"engram/facts"
	"engram/fixtures"
	"engram/memory"
)

// Report is what an audit of a merge made of real facts; its JSON is a
// contract like package memory's.
type Report struct {
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

// Options are the settings of Audit; the zero value is the default.
type Options struct {
	corpus.Options
	Merged int  // facts that the merge brings; 0 means 1,000
	Show   bool // keep the alarms
}

// Run fills a memory with real facts, merges more of them in, with one side of
// each open positive pair of fixtures before and one after, and audits what
// came. LimitFacts bounds the facts in all.
func Run(ctx context.Context, data string, opts *Options) (Report, error) {
	o := *cmp.Or(opts, &Options{})
	if o.Progress == nil {
		o.Progress = corpus.Silent
	}
	if o.Merged == 0 {
		o.Merged = 1000
	}
	report := Report{SchemaVersion: memory.SchemaVersion, Tiers: []Count{}}
	sentences, _, err := corpus.Sentences(data, o.LimitFacts)
	if err != nil {
		return report, err
	}
	if len(sentences) <= o.Merged {
		return report, fmt.Errorf("%w: %d facts are too few for a merge of %d", corpus.ErrNoData, len(sentences), o.Merged)
	}
	before, merged := auditedFacts(sentences, o)
	planted := plantedPairs()
	for _, p := range planted {
		before, merged = append(before, p.a), append(merged, p.b)
	}
	report.Facts, report.Merged, report.Planted = len(before), len(merged)-len(planted), len(planted)
	t, _, err := corpus.NewThrowaway(ctx, before, o.Options)
	if err != nil {
		return report, err
	}
	defer t.Close()
	return report, report.run(ctx, t, merged, planted, o.Show)
}

// auditedFacts omits facts that the scanner takes for secrets.
func auditedFacts(sentences []corpus.Sentence, o Options) (before, merged []corpus.Fact) {
	for i, f := range sentences {
		made := f.Fact(i)
		if o.Scanner != nil {
			if _, found := o.Scanner.Scan(made.Record.Claim); found {
				continue
			}
		}
		made.Record.Agent = fmt.Sprintf("agent-%d", i%7)
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
	a, b       corpus.Fact
	comparable bool
}

func plantedPairs() []plantedPair {
	var list []plantedPair
	for _, p := range fixtures.Pairs() {
		if p.Half != fixtures.Open || !detection.Positive(string(p.Label)) {
			continue
		}
		_, found := memory.Compare(p.A, p.B)
		list = append(list, plantedPair{planted(len(list), "a", p.A), planted(len(list), "b", p.B), found})
	}
	return list
}

const plantedCategory = "planted"

func planted(n int, side string, f facts.Fact) corpus.Fact {
	made := corpus.NewFact(1_000_000+2*n+len(side), plantedCategory, f.Claim, "")
	if side == "b" {
		corpus.Identify(&made.Record, 2_000_000+n)
	}
	made.Record.Key = fmt.Sprintf("domain/%s/%d-%s", plantedCategory, n, side)
	made.Record.Scope, made.Record.Agent = f.Scope, f.Provenance.Agent
	made.Record.ValidFrom, made.Record.Committed = f.ValidFrom, f.ValidFrom
	return made
}

func (r *Report) run(ctx context.Context, t *corpus.Throwaway, merged []corpus.Fact, planted []plantedPair, show bool) error {
	status, err := t.Memory.Status(ctx, memory.StatusInput{})
	if err != nil {
		return err
	}
	lines, err := corpus.JSONLines(merged)
	if err != nil {
		return err
	}
	if _, err = t.Memory.Import(ctx, lines, memory.ImportInput{Format: memory.JSONL, SkipInvalid: true}); err != nil {
		return err
	}
	// The first question of a day brings the index up to date; that is not the
	// audit's to pay for.
	if _, err := t.Memory.Query(ctx, memory.QueryInput{Question: "warm"}); err != nil {
		return err
	}
	audit, err := t.Memory.Audit(ctx, memory.AuditInput{From: status.Revision})
	if err != nil {
		return err
	}
	r.Pairs, r.Seconds, r.PerFact = audit.Pairs, audit.Took, 1000*audit.Took/float64(max(audit.Facts, 1))
	r.count(audit.Opened, planted, show)
	return nil
}

func (r *Report) count(opened []memory.Conflict, planted []plantedPair, show bool) {
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
		if c.Verdict != detection.LabelContradiction {
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
