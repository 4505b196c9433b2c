package audit

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"engram/detect"
	"engram/facts"
	"engram/gitstore"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

// ThresholdsResult says what the scores of an NLI model mean in this repository.
type ThresholdsResult struct {
	core.Answer
	Model     string  `json:"model"`    // "" if there is none
	Default   float64 `json:"default"`  // of the consistency plan
	High      float64 `json:"high"`     // contradiction above: a conflict
	Low       float64 `json:"low"`      // contradiction above: in doubt
	Entail    float64 `json:"entail"`   // entailment above, both ways: corroboration
	Feedback  int     `json:"feedback"` // findings of the model that people settled or dismissed
	Dismissed int     `json:"dismissed"`
	Step      int     `json:"step"` // so many of them move the threshold once
}

// Thresholds computes the thresholds from how people settled earlier findings.
func (m *Auditor) Thresholds(ctx context.Context) (ThresholdsResult, error) {
	tip, _, err := m.Tip(ctx)
	if err != nil {
		return ThresholdsResult{}, err
	}
	conflicts, err := m.ConflictsAt(ctx, tip)
	if err != nil {
		return ThresholdsResult{}, err
	}
	t, feedback := calibrated(conflicts)
	result := ThresholdsResult{
		Answer: core.AnswerAt(tip), Model: m.Models.NLIID, Default: detect.DefaultThresholds().High, High: t.High, Low: t.Low, Entail: t.Entail,
		Feedback: len(feedback), Step: detect.FeedbackStep,
	}
	for _, f := range feedback {
		if f.Status == detect.Dismissed {
			result.Dismissed++
		}
	}
	return result, nil
}

// calibrated returns the thresholds, and the feedback that they rest on, oldest
// first: the conflicts that the NLI found and people settled or dismissed.
func calibrated(conflicts map[string]detect.Conflict) (detect.Thresholds, []detect.Conflict) {
	var feedback []detect.Conflict
	for _, c := range conflicts {
		if c.Tier == detect.TierNLI && c.By != detect.Auditor && (c.Status == detect.Resolved || c.Status == detect.Dismissed) {
			feedback = append(feedback, c)
		}
	}
	slices.SortFunc(feedback, func(a, b detect.Conflict) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	dismissed := make([]bool, len(feedback))
	for i, c := range feedback {
		dismissed[i] = c.Status == detect.Dismissed
	}
	return detect.DefaultThresholds().Calibrate(dismissed), feedback
}

// writeThreshold writes the threshold to the branch each time feedback has moved it. That
// fact is for people; audits always compute the threshold from the feedback.
func (w *auditWriter) writeThreshold(ctx context.Context) error {
	t, feedback := calibrated(w.before)
	whole := len(feedback) / detect.FeedbackStep * detect.FeedbackStep
	if whole == 0 {
		return nil
	}
	next := detect.ThresholdFact(t, whole, feedback[whole-1].At)
	old, found, err := w.m.FactAt(ctx, w.tip, next.Key)
	if err != nil || found && (bytes.Equal(facts.Marshal(old), facts.Marshal(next)) || !next.ValidFrom.After(old.ValidFrom)) {
		return err
	}
	if found {
		next.Operation, next.Supersedes = facts.OpUpdate, old.ID
	}
	w.writes = append(w.writes, gitstore.Write{Path: next.Key.Path(), Data: facts.Marshal(next)})
	w.lines = append(w.lines, core.MessageLine("calibrate", next.Key, next.Claim))
	return nil
}

// agreement is a pair of facts by two agents. According to a cross-encoder, each of them
// follows from the other (tier 1 of the consistency plan). It corroborates both as long as
// neither changes. Agreements are local metadata.
type agreement struct {
	A party `json:"a"`
	B party `json:"b"`
}

type party struct {
	Key   facts.Key `json:"key"`
	Blob  string    `json:"blob"`
	Agent string    `json:"agent"`
}

// The file of agreements, and its bound.
const (
	AgreementsFile = ".agreements.json"
	maxAgreements  = 10_000
)

// keepAgreements stores the agreements that an audit found, newest first.
func (m *Auditor) keepAgreements(found []compare.Pairing) error {
	if len(found) == 0 {
		return nil
	}
	var list, old []agreement
	for _, p := range found {
		list = append(list, agreement{partyOf(p.First), partyOf(p.Second)})
	}
	m.compare.ReadState(AgreementsFile, &old)
	known := make(map[agreement]bool)
	for _, a := range list {
		known[a] = true
	}
	for _, a := range old {
		if !known[a] {
			list = append(list, a)
		}
	}
	return m.compare.WriteState(AgreementsFile, list[:min(len(list), maxAgreements)])
}

func partyOf(s *core.AnalyzedFact) party { return party{s.Fact.Key, s.Blob, s.Fact.Provenance.Agent} }

// Agreeing returns a function that names the agents that agree with the version in a blob.
// It returns nil if no agreements are known.
func (m *Auditor) Agreeing(ctx context.Context, tip string) func(blob string) []string {
	var list []agreement
	if !m.compare.ReadState(AgreementsFile, &list) || len(list) == 0 {
		return nil
	}
	others := make(map[string][]party)
	for _, a := range list {
		others[a.A.Blob] = append(others[a.A.Blob], a.B)
		others[a.B.Blob] = append(others[a.B.Blob], a.A)
	}
	return func(blob string) (agents []string) {
		for _, p := range others[blob] {
			if stands, err := m.Store.BlobAt(ctx, tip, p.Key.Path()); err == nil && stands == p.Blob && p.Agent != "" {
				agents = append(agents, p.Agent)
			}
		}
		return agents
	}
}

// Corroborated counts, by agent, the facts that stand and that another agent states as well,
// as far as the reader may read both.
func (m *Auditor) Corroborated(ctx context.Context, tip string, reader *core.Reader) (map[string]int, error) {
	var list []agreement
	m.compare.ReadState(AgreementsFile, &list)
	counts, counted := make(map[string]int), make(map[facts.Key]bool)
	for _, a := range list {
		if a.A.Agent == a.B.Agent || counted[a.A.Key] && counted[a.B.Key] {
			continue
		}
		both := true
		for _, p := range []party{a.A, a.B} {
			stands, err := m.mayRead(ctx, tip, p, reader)
			if err != nil {
				return nil, err
			}
			both = both && stands
		}
		for _, p := range []party{a.A, a.B} {
			if both && !counted[p.Key] {
				counted[p.Key] = true
				counts[p.Agent]++
			}
		}
	}
	return counts, nil
}

// mayRead reports whether the version of a party stands and may be read.
func (m *Auditor) mayRead(ctx context.Context, tip string, p party, reader *core.Reader) (bool, error) {
	stands, err := m.Store.BlobAt(ctx, tip, p.Key.Path())
	if err != nil || stands != p.Blob {
		return false, err
	}
	if reader == nil {
		return true, nil
	}
	f, err := m.FactOfBlob(ctx, p.Blob)
	if err != nil {
		return false, err
	}
	return reader.MayRead(ctx, tip, f)
}
