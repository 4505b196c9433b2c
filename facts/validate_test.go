package facts_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
)

func TestValidate(t *testing.T) {
	number := func(n float64) func(*facts.Fact) { return func(f *facts.Fact) { f.Confidence = &n } }
	pointer := func(p facts.Pointer) func(*facts.Fact) {
		return func(f *facts.Fact) { f.Pointers = []facts.Pointer{p} }
	}
	unknown := func(name, text string) func(*facts.Fact) {
		return func(f *facts.Fact) { f.Unknown = []facts.Unknown{{Name: name, YAML: text}} }
	}
	type change = func(*facts.Fact)
	for name, tt := range map[string]struct {
		change change
		want   string // "field: part of the problem", or ""
	}{
		"minimal":                    {func(*facts.Fact) {}, ""},
		"full":                       {func(f *facts.Fact) { *f = full() }, ""},
		"no key":                     {func(f *facts.Fact) { f.Key = facts.Key{} }, "key: is missing"},
		"half a key":                 {func(f *facts.Fact) { f.Key.Identifier = "" }, "key: is empty"},
		"key of another team":        {func(f *facts.Fact) { f.Key.Namespace = "random" }, `key: namespace "random" is not one of`},
		"key with a slash":           {func(f *facts.Fact) { f.Key.Category = "a/b" }, "key: slash inside a segment"},
		"key with traversal":         {func(f *facts.Fact) { f.Key.Identifier = ".." }, "key: has '.'"},
		"no id":                      {func(f *facts.Fact) { f.ID = "" }, "id: is missing"},
		"id is a UUID":               {func(f *facts.Fact) { f.ID = "0f8fad5b-d9cb-469f-a165-70867728950e" }, "id: not a ULID"},
		"id in lower case":           {func(f *facts.Fact) { f.ID = strings.ToLower(f.ID) }, "id: not a ULID"},
		"id beyond 128 bits":         {func(f *facts.Fact) { f.ID = "8" + f.ID[1:] }, "id: not a ULID"},
		"id with a line":             {func(f *facts.Fact) { f.ID += "\n" }, "id: not a ULID"},
		"no lineage":                 {func(f *facts.Fact) { f.Lineage = "" }, "lineage: is missing"},
		"supersedes":                 {func(f *facts.Fact) { f.Supersedes = "x" }, "supersedes: not a ULID"},
		"no claim":                   {func(f *facts.Fact) { f.Claim = "" }, "claim: is missing"},
		"claim of spaces":            {func(f *facts.Fact) { f.Claim = " \u00a0" }, "claim: is missing"},
		"claim of 500":               {func(f *facts.Fact) { f.Claim = strings.Repeat("\u00e9", 500) }, ""},
		"claim of 501":               {func(f *facts.Fact) { f.Claim = strings.Repeat("\u00e9", 501) }, "claim: has 501 characters; at most 500"},
		"claim of two lines":         {func(f *facts.Fact) { f.Claim = "a\nb" }, "claim: control character U+000A"},
		"claim with NUL":             {func(f *facts.Fact) { f.Claim = "a\x00b" }, "claim: control character U+0000"},
		"claim with C1":              {func(f *facts.Fact) { f.Claim = "a\u0085b" }, "claim: control character U+0085"},
		"claim not UTF-8":            {func(f *facts.Fact) { f.Claim = "a\xff" }, "claim: not UTF-8"},
		"detail of 8 KiB":            {func(f *facts.Fact) { f.Detail = strings.Repeat("x\n\ty ", 8<<10/6) }, ""},
		"detail beyond 8 KiB":        {func(f *facts.Fact) { f.Detail = strings.Repeat("x", 8<<10+1) }, "detail: has 8193 bytes; at most 8192"},
		"detail with escape":         {func(f *facts.Fact) { f.Detail = "\x1b[2J" }, "detail: control character U+001B"},
		"detail with CR":             {func(f *facts.Fact) { f.Detail = "a\r\nb" }, "detail: control character U+000D"},
		"detail not UTF-8":           {func(f *facts.Fact) { f.Detail = "a\n\xff" }, "detail: not UTF-8"},
		"kind":                       {func(f *facts.Fact) { f.Kind = "rumour" }, `kind: "rumour" is not one of fact, decision`},
		"type":                       {func(f *facts.Fact) { f.Type = "guess" }, "type: is not one of observation, inference, decision"},
		"reach":                      {func(f *facts.Fact) { f.Reach = "world" }, "reach: is not one of run"},
		"durability":                 {func(f *facts.Fact) { f.Durability = "x" }, "durability: is not one of durable, ephemeral"},
		"operation none":             {func(f *facts.Fact) { f.Operation = facts.OpNone }, `operation: "none" is not one of add, update, delete`},
		"source":                     {func(f *facts.Fact) { f.Provenance.Source = "x" }, "provenance.source: is not one of rag"},
		"scope":                      {func(f *facts.Fact) { f.Scope = "a/b.c/d_e-F" }, ""},
		"scope with a space":         {func(f *facts.Fact) { f.Scope = "a b" }, "scope: not a topic path"},
		"scope with traversal":       {func(f *facts.Fact) { f.Scope = "a/../b" }, "scope: not a topic path"},
		"scope with a slash at last": {func(f *facts.Fact) { f.Scope = "a/" }, "scope: not a topic path"},
		"scope with a line":          {func(f *facts.Fact) { f.Scope = "a\n" }, "scope: not a topic path"},
		"scope too long":             {func(f *facts.Fact) { f.Scope = strings.Repeat("a", 201) }, "scope: has 201 bytes; at most 200"},
		"confidence 0":               {number(0), ""},
		"confidence 1":               {number(1), ""},
		"confidence above":           {number(1.001), "confidence: 1.001 is not between 0 and 1"},
		"confidence below":           {number(-0.1), "confidence: is not between"},
		"confidence NaN":             {number(math.NaN()), "confidence: NaN is not between"},
		"12 tags":                    {func(f *facts.Fact) { f.Tags = strings.Split(strings.Repeat("a", 12), "") }, ""},
		"13 tags":                    {func(f *facts.Fact) { f.Tags = strings.Split(strings.Repeat("a", 13), "") }, "tags: are 13; at most 12"},
		"empty tag":                  {func(f *facts.Fact) { f.Tags = []string{"a", ""} }, "tags[1]: is empty"},
		"long tag":                   {func(f *facts.Fact) { f.Tags = []string{strings.Repeat("a", 41)} }, "tags[0]: has 41 characters; at most 40"},
		"tag with a tab":             {func(f *facts.Fact) { f.Tags = []string{"a\tb"} }, "tags[0]: control character U+0009"},
		"pointer":                    {pointer(facts.Pointer{Ref: "repo:../x"}), "pointers[0]: leaves the repository"},
		"pointer without ref":        {pointer(facts.Pointer{}), "pointers[0]: needs a type"},
		"digest":                     {pointer(facts.Pointer{Ref: "repo:x", Digest: "md5"}), "pointers[0].digest: algorithm:hex"},
		"13 pointers":                {func(f *facts.Fact) { f.Pointers = make13() }, "pointers: are 13; at most 12"},
		"agent":                      {func(f *facts.Fact) { f.Provenance.Agent = strings.Repeat("a", 201) }, "provenance.agent: has 201 characters; at most 200"},
		"engineer":                   {func(f *facts.Fact) { f.Provenance.Engineer = "a\x00" }, "provenance.engineer: control character"},
		"evidence":                   {func(f *facts.Fact) { f.Provenance.Evidence = strings.Repeat("a", 1001) }, "provenance.evidence: has 1001 characters; at most 1000"},
		"no beginning":               {func(f *facts.Fact) { f.ValidFrom = time.Time{} }, "valid_from: is missing"},
		"beginning in nanoseconds":   {func(f *facts.Fact) { f.ValidFrom = f.ValidFrom.Add(1) }, "valid_from: whole milliseconds"},
		"beginning elsewhere":        {func(f *facts.Fact) { f.ValidFrom = f.ValidFrom.In(time.FixedZone("", 3600)) }, ""},
		"beginning before 1900":      {func(f *facts.Fact) { f.ValidFrom = time.Date(1899, 1, 1, 0, 0, 0, 0, time.UTC) }, "valid_from: between the years"},
		"beginning after 9999":       {func(f *facts.Fact) { f.ValidFrom = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }, "valid_from: between the years"},
		"end in nanoseconds":         {func(f *facts.Fact) { f.ValidUntil = f.ValidFrom.Add(1e6 + 1) }, "valid_until: whole milliseconds"},
		"end at the beginning":       {func(f *facts.Fact) { f.ValidUntil = f.ValidFrom }, "valid_until: is not after valid_from"},
		"created in nanoseconds":     {func(f *facts.Fact) { f.Provenance.CreatedAt = f.ValidFrom.Add(1) }, "provenance.created_at: whole milliseconds"},
		"ttl":                        {func(f *facts.Fact) { f.TTL = "soon" }, "ttl: neither an ISO-8601 duration"},
		"too large in all":           {func(f *facts.Fact) { unknown("x", strings.Repeat("x", facts.MaxFile))(f) }, "fact: at most 65536"},
		"unknown that is known":      {unknown("claim", "x"), "fact: is repeated"},
		"unknown without name":       {unknown("", "x"), "fact: the name of a field"},
		"unknown, not canonical":     {unknown("x", "[a]"), "fact: does not round-trip"},
		"unknown, not YAML":          {unknown("x", "a: b: c"), "fact: cannot be read back"},
		"unknown, injecting":         {unknown("x", "y\nkind: z"), "fact: cannot be read back"},
		"unknown out of order":       {func(f *facts.Fact) { f.Unknown = []facts.Unknown{{"b", "1"}, {"a", "1"}} }, "fact: does not round-trip"},
	} {
		t.Run(name, func(t *testing.T) {
			f := minimal()
			tt.change(&f)
			err := facts.Validate(f, facts.Manifest{})
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e, ok := errors.AsType[*facts.ValidationError](err)
			if !ok || len(e.Faults) != 1 {
				t.Fatalf("want one fault, got %v", err)
			}
			field, problem, _ := strings.Cut(tt.want, ": ")
			if got := e.Faults[0]; got.Field != field || !strings.Contains(got.Problem, problem) {
				t.Errorf("fault %+v, want %s", got, tt.want)
			}
		})
	}
}

func make13() []facts.Pointer {
	pointers := make([]facts.Pointer, 13)
	for i := range pointers {
		pointers[i].Ref = "repo:a"
	}
	return pointers
}

func TestValidateListsEveryFault(t *testing.T) {
	n := 2.0
	f := facts.Fact{
		Kind: "x", Type: "x", Reach: "x", Durability: "x", Operation: "x", Scope: "/", Confidence: &n, TTL: "x",
		Detail: "\x00", Tags: []string{""}, Pointers: []facts.Pointer{{Ref: "x", Digest: "x"}}, Supersedes: "x",
		ValidUntil: time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC),
		Provenance: facts.Provenance{Agent: "\x00", Engineer: "\x00", Source: "x", Evidence: "\x00", CreatedAt: time.Unix(0, 1)},
	}
	e, ok := errors.AsType[*facts.ValidationError](facts.Validate(f, facts.Manifest{}))
	if !ok {
		t.Fatal("no ValidationError")
	}
	var fields []string
	for _, fault := range e.Faults {
		fields = append(fields, fault.Field)
		if !strings.Contains(e.Error(), fault.Field+" "+fault.Problem) {
			t.Errorf("the error does not say %v", fault)
		}
	}
	want := []string{
		"key", "id", "lineage", "supersedes", "claim", "detail", "tags[0]", "kind", "type", "reach", "durability", "operation",
		"provenance.source", "scope", "confidence", "pointers[0]", "pointers[0].digest", "provenance.agent", "provenance.engineer",
		"provenance.evidence", "valid_from", "valid_until", "provenance.created_at", "ttl",
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Error(diff)
	}
}

func TestWithDefaults(t *testing.T) {
	f := minimal().WithDefaults()
	want := minimal()
	want.Kind, want.Type, want.Reach, want.Durability, want.Operation = facts.KindFact, facts.Observation, facts.ReachProject, facts.Durable, facts.OpAdd
	if diff := cmp.Diff(want, f); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(full(), full().WithDefaults()); diff != "" {
		t.Errorf("what was stated changed: %s", diff)
	}
}

func TestContentHash(t *testing.T) {
	// printf 'the limit is 5' | sha256sum
	const want = "70ab7e54e4300b2847e7190a6d2df61be123746feda64d7c410c848c26b2ccd1"
	for _, claim := range []string{"the limit is 5", "The LIMIT is 5", "  the\tlimit \n is\u00a05 "} {
		if got := facts.ContentHash(claim); got != want {
			t.Errorf("ContentHash(%q) = %s", claim, got)
		}
	}
	for _, claim := range []string{"the limit is 6", "thelimit is 5", "the limit is 5."} {
		if facts.ContentHash(claim) == want {
			t.Errorf("%q has the same hash", claim)
		}
	}
	if facts.ContentHash("\u00c9t\u00c9") != facts.ContentHash("\u00e9t\u00e9") {
		t.Error("case of accented letters counts")
	}
}
