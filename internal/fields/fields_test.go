package fields_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/internal/fields"
)

type question struct {
	Text   string    `json:"text" tool:"topic" query:"q" help:"what to find"`
	Limit  int       `json:"limit,omitempty" flag:"limit,n,N" env:"SOME_LIMIT" min:"1" max:"50" default:"10" help:"at most N facts"`
	Kind   string    `json:"kind,omitempty" enum:"reaches"`
	AsOf   time.Time `json:"as_of,omitzero"`
	Hidden string    `json:"-"`
}

type narrowed struct {
	question
	Limit  int    `json:"limit,omitempty" max:"5"`
	Status string `json:"status,omitempty" enum:"open,all"`
}

func TestOf(t *testing.T) {
	all := fields.Of(reflect.TypeFor[narrowed]())
	byName := make(map[string]fields.Field)
	var names []string
	for _, f := range all {
		names = append(names, f.Name)
		byName[f.Name] = f
	}
	if diff := cmp.Diff([]string{"text", "kind", "as_of", "limit", "status"}, names); diff != "" {
		t.Error(diff)
	}
	if f := byName["text"]; !f.Required || f.Tool != "topic" || f.Query != "q" || f.Flag != "text" || f.Help != "what to find" {
		t.Errorf("%+v", f)
	}
	if f := byName["limit"]; f.Required || f.Min != nil || *f.Max != 5 {
		t.Errorf("the embedded field is taken: %+v", f)
	}
	if f := byName["as_of"]; f.Flag != "as-of" || f.Required || f.Type != fields.Time {
		t.Errorf("%+v", f)
	}
	if diff := cmp.Diff([]string{"run", "project", "org", "global"}, byName["kind"].Enum); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"open", "all"}, byName["status"].Enum); diff != "" {
		t.Error(diff)
	}
	in := narrowed{question: question{Text: "how long"}}
	if got := byName["text"].In(reflect.ValueOf(&in)).String(); got != "how long" {
		t.Errorf("it is %q", got)
	}
}

func TestOfNames(t *testing.T) {
	chosen := fields.Of(reflect.TypeFor[question](), "limit", "text")
	if len(chosen) != 2 || chosen[0].Name != "limit" || chosen[0].Short != "n" || chosen[0].Word != "N" || chosen[0].Env != "SOME_LIMIT" {
		t.Errorf("%+v", chosen)
	}
	defer func() {
		if recover() == nil {
			t.Error("a field that is not there is taken")
		}
	}()
	fields.Of(reflect.TypeFor[question](), "nothing")
}
