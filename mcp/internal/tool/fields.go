package tool

import (
	"errors"

	"engram/facts"
	"engram/memory"
)

// Fields name the fields of memory that a tool calls by another name: the tool's name
// by memory's.
type Fields map[string]string

// name is an error with the fields at fault as the tool calls them.
func (f Fields) name(err error) error {
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

func (f Fields) of(field string) string {
	if name, ok := f[field]; ok {
		return name
	}
	return field
}
