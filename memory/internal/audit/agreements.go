package audit

import (
	"context"

	"engram/facts"
	"engram/memory/internal/compare"
	"engram/memory/internal/core"
)

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
