package memory

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"engram/facts"
)

// Record is one line of a JSONL import or export: what CommitInput states and,
// where the fact stood on a branch before, who it was there.
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

// UnmarshalJSON also takes a bare string, which is a reference.
func (p *Pointer) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &p.Ref)
	}
	type plain Pointer
	return json.Unmarshal(b, (*plain)(p))
}

func recordOf(f facts.Fact) Record {
	r := Record{
		CommitInput: CommitInput{
			Claim: f.Claim, Detail: f.Detail, Key: f.Key.String(), Scope: f.Scope, Kind: string(f.Kind), Type: string(f.Type),
			Reach: string(f.Reach), Agent: f.Provenance.Agent, Source: string(f.Provenance.Source), Confidence: f.Confidence,
			Tags: f.Tags, Evidence: f.Provenance.Evidence, TTL: f.TTL, ValidFrom: f.ValidFrom, ValidUntil: f.ValidUntil,
			Durability: string(f.Durability), Operation: string(f.Operation), Lineage: f.Lineage, Branch: f.Branch,
		},
		FactID: f.ID, Engineer: f.Provenance.Engineer, Committed: f.Provenance.CreatedAt, Supersedes: f.Supersedes, For: f.For,
	}
	for _, p := range f.Pointers {
		r.Pointers = append(r.Pointers, Pointer{Ref: p.Ref, Digest: p.Digest})
	}
	for _, u := range f.Unknown {
		if r.Unknown == nil {
			r.Unknown = make(map[string]string)
		}
		r.Unknown[u.Name] = u.YAML
	}
	return r
}

// draftOfRecord makes a draft of a record. One that names its fact_id is put
// back as it was; any other is a commit like those of Commit.
func (m *Memory) draftOfRecord(r Record) (draft, error) {
	if r.FactID == "" {
		if err := checkEnd(r.CommitInput); err != nil {
			return draft{}, err
		}
		return m.draftOf(r.CommitInput)
	}
	stored := facts.Operation(r.Operation)
	r.Operation = ""
	d, err := m.draftOf(r.CommitInput)
	if err != nil {
		return d, err
	}
	d.fact.ID, d.fact.Operation, d.fact.Supersedes, d.fact.For = r.FactID, stored, r.Supersedes, r.For
	d.fact.Provenance.Engineer, d.fact.Provenance.CreatedAt = r.Engineer, r.Committed
	for _, name := range slices.Sorted(maps.Keys(r.Unknown)) {
		d.fact.Unknown = append(d.fact.Unknown, facts.Unknown{Name: name, YAML: r.Unknown[name]})
	}
	d.restored = true
	return d, nil
}

// draftOfFact makes a draft of a whole fact out of a YAML import.
func draftOfFact(f facts.Fact) draft {
	operation := facts.OpAdd
	if f.ID == "" && f.Operation != "" {
		operation, f.Operation = f.Operation, ""
	}
	return draft{fact: f, operation: operation, restored: f.ID != ""}
}
