package write

import (
	"maps"
	"slices"
	"time"

	"engram/facts"
	"engram/memory/internal/core"
)

// Record is one line of a JSONL import or export: a CommitInput and, if the fact was
// exported from a branch, its identity there.
type Record struct {
	CommitInput
	FactID     string    `json:"fact_id,omitempty"`
	Engineer   string    `json:"engineer,omitempty"`
	Committed  time.Time `json:"committed_at,omitzero"`
	Supersedes string    `json:"supersedes_fact_id,omitempty"`
	For        facts.Key `json:"for,omitzero"`
	// Unknown are fields of a later format, as YAML. Those inside pointers and
	// provenance travel in YAML exports alone.
	Unknown map[string]string `json:"unknown,omitempty"`
}

// inputOf states all of a fact that CommitInput can.
func inputOf(f facts.Fact) CommitInput {
	in := CommitInput{
		Claim: f.Claim, Detail: f.Detail, Key: f.Key.String(), Scope: f.Scope, Kind: string(f.Kind), Type: string(f.Type),
		Reach: string(f.Reach), Agent: f.Provenance.Agent, Source: string(f.Provenance.Source), Confidence: f.Confidence,
		Tags: f.Tags, Evidence: f.Provenance.Evidence, TTL: f.TTL, ValidFrom: f.ValidFrom, ValidUntil: f.ValidUntil,
		Durability: string(f.Durability), Operation: string(f.Operation), Lineage: f.Lineage, Branch: f.Branch,
	}
	for _, p := range f.Pointers {
		in.Pointers = append(in.Pointers, core.Pointer{Ref: p.Ref, Digest: p.Digest})
	}
	return in
}

// RecordOf is the record that a fact is exported as.
func RecordOf(f facts.Fact) Record {
	r := Record{
		CommitInput: inputOf(f),
		FactID:      f.ID, Engineer: f.Provenance.Engineer, Committed: f.Provenance.CreatedAt, Supersedes: f.Supersedes, For: f.For,
	}
	for _, u := range f.Unknown {
		if r.Unknown == nil {
			r.Unknown = make(map[string]string)
		}
		r.Unknown[u.Name] = u.YAML
	}
	return r
}

// DraftOfRecord makes a draft of a record. A record with a fact_id is restored as it
// was; any other is an input of Commit.
func (m *Writer) DraftOfRecord(r Record) (Draft, error) {
	if r.FactID == "" {
		if err := checkEnd(r.CommitInput); err != nil {
			return Draft{}, err
		}
		return m.DraftOf(r.CommitInput)
	}
	stored := facts.Operation(r.Operation)
	r.Operation = ""
	d, err := m.DraftOf(r.CommitInput)
	if err != nil {
		return d, err
	}
	d.Fact.ID, d.Fact.Operation, d.Fact.Supersedes, d.Fact.For = r.FactID, stored, r.Supersedes, r.For
	d.Fact.Provenance.Engineer, d.Fact.Provenance.CreatedAt = r.Engineer, r.Committed
	for _, name := range slices.Sorted(maps.Keys(r.Unknown)) {
		d.Fact.Unknown = append(d.Fact.Unknown, facts.Unknown{Name: name, YAML: r.Unknown[name]})
	}
	d.restored = true
	return d, nil
}

// DraftOfFact makes a draft of a fact of a YAML import.
func DraftOfFact(f facts.Fact) Draft {
	operation := facts.OpAdd
	if f.ID == "" && f.Operation != "" {
		operation, f.Operation = f.Operation, ""
	}
	return Draft{Fact: f, operation: operation, restored: f.ID != ""}
}
