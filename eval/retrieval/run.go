package retrieval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"engram/eval/corpus"
)

// run fills a memory, asks every system every question and sums up.
func (s suite) run(ctx context.Context, opts corpus.Options) (SuiteReport, error) {
	s = s.cleared(opts)
	report := SuiteReport{
		Name: s.name, About: s.about, Facts: len(s.facts), Items: s.items(), Questions: len(s.questions),
		Notes: append([]string{}, s.notes...), Rows: []Row{}, Queries: make([]Query, len(s.questions)),
	}
	t, imported, err := corpus.NewThrowaway(ctx, s.facts, opts)
	if err != nil {
		return report, err
	}
	defer t.Close()
	if n := len(imported.Rejected); n > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d facts were refused, the first because: %s", n, imported.Rejected[0].Problem))
		report.Facts -= n
	}
	for i, q := range s.questions {
		report.Queries[i].ID = q.id
	}
	var rows []Row
	for _, system := range s.systems(t, opts) {
		if s.only != nil && !slices.Contains(s.only, system.name) {
			continue
		}
		outcomes, err := s.ask(ctx, system, opts)
		if err != nil {
			return report, fmt.Errorf("%s: %w", system.name, err)
		}
		report.Systems = append(report.Systems, system.name)
		for i, o := range outcomes {
			report.Queries[i].Ranks = append(report.Queries[i].Ranks, o.first)
		}
		rows = append(rows, s.summaries(system.name, outcomes)...)
	}
	for _, subset := range s.subsets() { // by subset first: systems are what is compared
		for _, r := range rows {
			if r.Subset == subset {
				report.Rows = append(report.Rows, r)
			}
		}
	}
	return report, nil
}

// cleared omits facts with a secret, which a memory would reject,
// and questions that nothing answers then.
func (s suite) cleared(opts corpus.Options) suite {
	if opts.Scanner == nil {
		return s
	}
	kept, items, dropped := []corpus.Fact{}, make(map[string]bool), 0
	for i, f := range s.facts {
		opts.Progress("looking for secrets in "+s.name, i, len(s.facts))
		if _, secret := opts.Scanner.Scan(f.Text()); secret {
			dropped++
			continue
		}
		kept = append(kept, f)
		items[f.Item] = true
	}
	if dropped == 0 {
		return s
	}
	s.facts = kept
	s.notes = append(slices.Clone(s.notes), fmt.Sprintf("%d facts were left out because they look like secrets", dropped))
	s.questions = slices.DeleteFunc(slices.Clone(s.questions), func(q question) bool {
		return !slices.ContainsFunc(q.relevant, func(item string) bool { return items[item] })
	})
	return s
}

// ask puts every question to a system and judges the answers.
func (s suite) ask(ctx context.Context, system system, opts corpus.Options) ([]outcome, error) {
	for i := range min(corpus.WarmUp, len(s.questions)) {
		if _, err := system.ask(ctx, s.questions[i]); err != nil {
			return nil, err
		}
	}
	outcomes := make([]outcome, len(s.questions))
	for i, q := range s.questions {
		opts.Progress(s.name+", "+system.name, i, len(s.questions))
		began := time.Now()
		a, err := system.ask(ctx, q)
		took := time.Since(began)
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", q.id, err)
		}
		outcomes[i] = judge(a.items, q.relevant)
		outcomes[i].tokens, outcomes[i].took = float64(a.tokens), took
	}
	return outcomes, nil
}

func (s suite) summaries(system string, outcomes []outcome) []Row {
	var rows []Row
	for _, subset := range s.subsets() {
		var chosen []outcome
		for i, q := range s.questions {
			if subset == corpus.SubsetAll || slices.Contains(q.subsets, subset) {
				chosen = append(chosen, outcomes[i])
			}
		}
		rows = append(rows, summary(system, subset, chosen))
	}
	return rows
}

// subsets lists the subsets in the order in which questions name them.
func (s suite) subsets() []string {
	list := []string{corpus.SubsetAll}
	for _, q := range s.questions {
		for _, subset := range q.subsets {
			if !slices.Contains(list, subset) {
				list = append(list, subset)
			}
		}
	}
	return list
}

func (s suite) items() int {
	items := make(map[string]bool)
	for _, f := range s.facts {
		items[f.Item] = true
	}
	return len(items)
}
