package web_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/internal/fields"
	"engram/memory"
)

// described is what the document says of a parameter, or of a field of a body.
type described struct {
	Description      string
	Enum             []string
	Minimum, Maximum *float64
}

// TestOpenAPIFields: the document says of parameters and bodies what the inputs that they
// are read into say, which is what tools and flags show as well.
func TestOpenAPIFields(t *testing.T) {
	var d struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name, Description string
				Schema            described
			}
		}
		Components struct {
			Schemas map[string]struct{ Properties map[string]described }
		}
	}
	text, err := os.ReadFile("openapi.json")
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	for path, input := range map[string]any{
		"/engram/query": memory.EngramQuery{}, "/engram/query_by_embedding": memory.EngramQuery{}, "/facts/since": memory.SinceInput{},
		"/undecided":           memory.UndecidedInput{},
		"/hooks/on_rag_result": memory.RetrievedInput{}, "/delegation/findings": memory.FindingsInput{},
	} {
		for _, operation := range d.Paths[path] {
			for _, p := range operation.Parameters {
				if p.Name != "" { // else it is a reference
					p.Schema.Description = p.Description
					agree(t, path, input, p.Name, p.Schema)
				}
			}
		}
	}
	for name, input := range map[string]any{
		"PutRequest": memory.PutInput{}, "DerefRequest": memory.DerefInput{}, "GrantRequest": memory.GrantInput{},
		"BroadcastRequest": memory.BroadcastInput{}, "SAMRequest": memory.EntriesInput{},
		"CompactRequest": memory.CompactInput{}, "PackRequest": memory.PackInput{},
		"JudgeRequest": memory.JudgeInput{}, "PairVerdict": memory.PairVerdict{},
		"RecallRequest": memory.RecallInput{}, "TaskRequest": memory.SetTaskStateInput{},
		"DelegationRequest": memory.TaskInput{}, "ResultRequest": memory.ReportInput{}, "Finding": memory.TaskFinding{},
	} {
		for field, property := range d.Components.Schemas[name].Properties {
			agree(t, name, input, field, property)
		}
	}
}

// agree compares what is documented of a field with its tags, as far as they say
// anything.
func agree(t *testing.T, where string, input any, name string, documented described) {
	t.Helper()
	for _, f := range fields.Of(reflect.TypeOf(input)) {
		if f.Query != name && f.Name != name || f.Help == "" {
			continue
		}
		want := described{Description: f.Help, Enum: f.Enum, Minimum: f.Min, Maximum: f.Max}
		if strings.HasPrefix(documented.Description, f.Help+"; ") { // how it is written in a URL
			want.Description = documented.Description
		}
		if f.Min == nil && f.Max == nil {
			want.Minimum, want.Maximum = documented.Minimum, documented.Maximum
		}
		if diff := cmp.Diff(want, documented); diff != "" {
			t.Errorf("%s %s: -tags +document:\n%s", where, name, diff)
		}
	}
}
