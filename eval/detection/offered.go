package detection

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"engram/eval/corpus"
	"engram/memory"
)

// suiteOffered is the prose pairs in a memory: the first claims of all pairs stand there, and
// each second claim is committed.
const suiteOffered = "offered"

func loadOffered(dir string) (pairSuite, error) {
	s, err := proseSuite(suiteOffered, rooted(heldFile))
	if err != nil {
		return s, err
	}
	public, err := proseSuite(suiteOffered, filepath.Join(dir, "nli", "prose_pairs.dev.jsonl"))
	s.pairs, s.offered = append(s.pairs, public.pairs...), true
	s.about = "Claims in plain prose, each committed into a memory that has the first claims of all pairs: is the partner among what the answer names?"
	return s, err
}

// OfferedRow says how often the answer of a commit names the partner of a positive pair.
type OfferedRow struct {
	Where string `json:"where"` // the partner: in the scope of the commit, or elsewhere in the memory
	Pairs int    `json:"pairs"`
	// How many of the partners are named as contradicted, as likely, and as related.
	Contradicts int     `json:"contradicts"`
	Likely      int     `json:"likely"`
	Related     int     `json:"related"`
	Share       float64 `json:"share"` // of the pairs, named at all
	// Others is how many related facts that are not the partner an answer names on average,
	// of all pairs.
	Others float64 `json:"others"`
}

// Where the partner of a committed claim stands.
const (
	inScope   = "same scope"
	elsewhere = "other scope"
)

// commitsPerMemory bounds what is committed into one memory: what was measured stays in its
// history, and would weigh in the next answers.
const commitsPerMemory = 60

// offeredRows commits the second claims, in the scope of the first and in another one.
func offeredRows(ctx context.Context, pairs []labelledPair, opts Options) ([]OfferedRow, error) {
	var standing []corpus.Fact
	for i, p := range pairs {
		f := corpus.NewFact(i, "first", p.a.Claim, "")
		f.Record.Key, f.Record.Scope = firstKey(p), p.a.Scope
		standing = append(standing, f)
	}
	rows := []OfferedRow{{Where: inScope}, {Where: elsewhere}}
	for r := range rows {
		row := &rows[r]
		for done := 0; done < len(pairs); done += commitsPerMemory {
			opts.Progress(suiteOffered+", "+row.Where, done, len(pairs))
			if err := row.measure(ctx, standing, pairs[done:min(done+commitsPerMemory, len(pairs))]); err != nil {
				return nil, err
			}
		}
		row.Share = share(row.Contradicts+row.Likely+row.Related, row.Pairs)
		row.Others /= float64(max(len(pairs), 1))
	}
	return rows, nil
}

func firstKey(p labelledPair) string { return "domain/first/" + p.id }

// measure commits the second claims of some pairs into a memory of their own, and ends each
// before the next.
func (r *OfferedRow) measure(ctx context.Context, standing []corpus.Fact, pairs []labelledPair) error {
	t, _, err := corpus.NewThrowaway(ctx, standing, corpus.Options{})
	if err != nil {
		return err
	}
	defer t.Close()
	for _, p := range pairs {
		in := memory.CommitInput{Key: "domain/second/" + p.id, Claim: p.b.Claim, Scope: p.a.Scope, Agent: "of-" + p.id}
		if r.Where == elsewhere {
			in.Scope = "elsewhere"
		}
		answer, err := t.Memory.Commit(ctx, in)
		if err != nil {
			return fmt.Errorf("commit %s: %w", p.id, err)
		}
		r.count(p, answer)
		if _, err := t.Memory.Retire(ctx, answer.Key, "measured", in.Agent); err != nil {
			return fmt.Errorf("retire %s: %w", p.id, err)
		}
	}
	return nil
}

func (r *OfferedRow) count(p labelledPair, answer memory.CommitResult) {
	named := func(list []memory.Met) bool {
		return slices.ContainsFunc(list, func(m memory.Met) bool { return m.Key == firstKey(p) })
	}
	r.Others += float64(len(answer.Related))
	if named(answer.Related) {
		r.Others--
	}
	if !p.positive() {
		return
	}
	r.Pairs++
	switch {
	case named(answer.Contradicts):
		r.Contradicts++
	case named(answer.Likely):
		r.Likely++
	case named(answer.Related):
		r.Related++
	}
}
