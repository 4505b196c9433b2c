package core

import (
	"errors"

	"engram/facts"
	"engram/memory"
)

// fields are what a tool calls the fields of memory's that have another name
// there.
type fields map[string]string

// commitFields are those of engram_commit.
func commitFields() fields {
	return fields{
		"claim": "content", "reason": "content", "evidence": "provenance", "provenance.evidence": "provenance",
		"agent": "agent_id", "provenance.agent": "agent_id", "lineage": "corrects_lineage", "type": "fact_type", "ttl": "ttl_days",
	}
}

// resolveFields are those of engram_resolve.
func resolveFields() fields {
	return fields{
		"claim": "merged_claim", "reason": "resolution", "agent": "agent_id", "provenance.agent": "agent_id", "provenance.evidence": "evidence",
	}
}

// name is an error with the fields at fault as the tool calls them.
func (f fields) name(err error) error {
	var (
		validation *facts.ValidationError
		secret     *memory.SecretError
	)
	switch {
	case errors.As(err, &secret):
		renamed := *secret
		renamed.Field = f.of(secret.Field)
		return &renamed
	case errors.As(err, &validation):
		renamed := &facts.ValidationError{}
		for _, fault := range validation.Faults {
			renamed.Faults = append(renamed.Faults, facts.Fault{Field: f.of(fault.Field), Problem: fault.Problem})
		}
		return renamed
	}
	return err
}

func (f fields) of(field string) string {
	if name, ok := f[field]; ok {
		return name
	}
	return field
}
