package flags_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"engram/cmd/engram/internal/flags"
)

type input struct {
	Scope string    `json:"scope,omitempty" flag:"scope,s,PATH" help:"only facts below PATH"`
	Limit int       `json:"limit,omitempty" flag:"limit,n,N" env:"SOME_LIMIT" max:"50" default:"10" help:"at most N facts"`
	Tags  []string  `json:"tags,omitempty" flag:"tag,,TAG" help:"only facts with this TAG"`
	Reach string    `json:"reach,omitempty" enum:"reaches" help:"only this reach"`
	All   bool      `json:"include_all,omitempty" help:"all of them"`
	AsOf  time.Time `json:"as_of,omitzero" flag:"as-of,,TIME" help:"what held at this TIME"`
}

func TestBind(t *testing.T) {
	var in input
	var asOf string
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.Bind(set, &in, "scope", "limit", "tags", "reach", "include_all")
	flags.Text(set, &asOf, &in, "as_of", "or commit")
	if err := set.Parse([]string{"-s", "auth", "-n", "3", "--tag", "a,b", "--tag", "c", "--include-all", "--reach=org", "--as-of", "1h ago"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(input{Scope: "auth", Limit: 3, Tags: []string{"a,b", "c"}, Reach: "org", All: true}, in); diff != "" || asOf != "1h ago" {
		t.Error(diff, asOf)
	}
	usages := make(map[string]string)
	set.VisitAll(func(f *pflag.Flag) { usages[f.Name] = f.Usage })
	want := map[string]string{
		"scope": "only facts below `PATH`", "limit": "at most `N` facts (SOME_LIMIT; default 10, at most 50)",
		"tag": "only facts with this `TAG`; may be repeated", "reach": "only this reach: run, project, org, global",
		"include-all": "all of them", "as-of": "what held at this `TIME` or commit (see engram help times)",
	}
	if diff := cmp.Diff(want, usages); diff != "" {
		t.Error(diff)
	}
}
