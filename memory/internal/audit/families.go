package audit

import (
	"context"
	"slices"

	"engram/detect"
	"engram/index"
	"engram/memory/internal/core"
)

// FamiliesResult says how often each family of findings was right in this memory.
type FamiliesResult struct {
	core.Answer
	Families []FamilyStats `json:"families"`
	// Unnamed counts the conflicts without a family, which adjust nothing: those that models
	// or merges found, and those of earlier versions.
	Unnamed int `json:"unnamed"`
	// Below Tolerable, with a confidence of 95 % and feedback of at least the weight Enough, a
	// family opens no conflicts.
	Tolerable float64 `json:"tolerable"`
	Enough    float64 `json:"enough"`
}

// FamilyStats are the findings of one family, and what was decided about them.
type FamilyStats struct {
	Family    string      `json:"family"`
	Found     int         `json:"found"` // conflicts, and pairs that were judged
	Open      int         `json:"open"`
	Settled   int         `json:"settled"` // as real
	Dismissed int         `json:"dismissed"`
	Corrected int         `json:"corrected"` // ended because a side was retired or changed
	Judged    JudgedCount `json:"judged"`
	Feedback  float64     `json:"feedback"`  // the weight of the decisions that count
	Precision *float64    `json:"precision"` // null without feedback
	Highest   float64     `json:"highest"`   // what the precision may be, with a confidence of 95 %
	Likely    bool        `json:"likely"`    // wrong too often to open conflicts
}

// JudgedCount counts verdicts on pairs.
type JudgedCount struct {
	Contradicts int `json:"contradicts"`
	Evolves     int `json:"evolves"`
	Same        int `json:"same"`
	Compatible  int `json:"compatible"`
}

// Families returns the statistics of each family of findings, by name.
func (m *Auditor) Families(ctx context.Context) (FamiliesResult, error) {
	result := FamiliesResult{Families: []FamilyStats{}, Tolerable: detect.TolerablePrecision, Enough: detect.EnoughFeedback}
	tip, _, err := m.Tip(ctx)
	if err != nil {
		return result, err
	}
	result.Answer = core.AnswerAt(tip)
	d, trust, err := m.feedbackAt(ctx, tip, nil, func(detect.Family) bool { return true })
	if err != nil {
		return result, err
	}
	for _, f := range d.Families {
		if f.Name == "" {
			result.Unnamed = f.Found
			continue
		}
		r := f.Rate(trust)
		s := FamilyStats{
			Family: f.Name, Found: f.Found, Open: f.Open, Settled: f.Settled, Dismissed: f.Dismissed, Corrected: f.Corrected,
			Judged:   JudgedCount{f.Judged[detect.SaysContradicts], f.Judged[detect.SaysEvolves], f.Judged[detect.SaysSame], f.Judged[detect.SaysCompatible]},
			Feedback: r.Weight, Highest: r.Highest, Likely: r.Doubted,
		}
		if r.Weight > 0 {
			s.Precision = &r.Precision
		}
		result.Families = append(result.Families, s)
	}
	return result, nil
}

// Doubted returns the families that are wrong too often at a revision to open conflicts. It
// depends on the branch alone. Within a view of the index, pass it; otherwise view is nil.
func (m *Auditor) Doubted(ctx context.Context, revision string, view *index.View) (map[string]bool, error) {
	d, trust, err := m.feedbackAt(ctx, revision, view, detect.Family.MayBeDoubted)
	if err != nil {
		return nil, err
	}
	doubted := make(map[string]bool)
	for _, f := range d.Families {
		if f.Rate(trust).Doubted {
			doubted[f.Name] = true
		}
	}
	return doubted, nil
}

// feedbackAt returns the families at a revision, and the trust of the agents that decided
// about those of them for which it counts. It asks the index only for that.
func (m *Auditor) feedbackAt(ctx context.Context, revision string, view *index.View, counts func(detect.Family) bool) (*Disputes, func(string) float64, error) {
	d, err := m.DisputesAt(ctx, revision, nil)
	if err != nil {
		return nil, nil, err
	}
	var agents []string
	for _, f := range d.Families {
		if !counts(f) {
			continue
		}
		for _, p := range f.Latest {
			if p.Agent != "" && !slices.Contains(agents, p.Agent) {
				agents = append(agents, p.Agent)
			}
		}
	}
	trust, err := m.trustOf(ctx, revision, view, agents)
	return d, trust, err
}

// TrustOf returns how far an agent is trusted as a judge, 0 to 1.
func (m *Auditor) TrustOf(ctx context.Context, revision, agent string) (float64, error) {
	trust, err := m.trustOf(ctx, revision, nil, []string{agent})
	if err != nil {
		return 0, err
	}
	return trust(agent), nil
}

// trustOf returns the trust of agents as judges: what readers see of them, and 1 for others.
func (m *Auditor) trustOf(ctx context.Context, revision string, view *index.View, agents []string) (func(string) float64, error) {
	trust := make(map[string]float64)
	of := func(agent string) float64 {
		if t, known := trust[agent]; known {
			return t
		}
		return 1
	}
	if len(agents) == 0 {
		return of, nil
	}
	read := func(view *index.View) error {
		seen, err := m.AuditedAt(ctx, revision, view)
		if err != nil {
			return err
		}
		by, err := seen.Trust(ctx, view)
		if err != nil {
			return err
		}
		for _, agent := range agents {
			rating, err := seen.RatingBy(ctx, view, agent, by)
			if err != nil {
				return err
			}
			if rating != nil {
				trust[agent] = *rating
			}
		}
		return nil
	}
	if view != nil {
		return of, read(view)
	}
	_, err := m.Index.View(ctx, revision, read)
	return of, err
}
