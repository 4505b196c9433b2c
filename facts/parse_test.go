package facts_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/facts"
)

const head = "key: tool/a/b\nclaim: x is y\n"

func TestParseRefuses(t *testing.T) {
	lines := func(s string, n int) string { return strings.Repeat(s, n) }
	for name, tt := range map[string]struct {
		text string
		line int
		fail string
	}{
		"nothing":               {"", 0, "is empty"},
		"blank":                 {"\n\n", 0, "is empty"},
		"comments only":         {"# a\n# b\n", 0, "is empty"},
		"no fields":             {"{}\n", 0, "states nothing"},
		"no values":             {"id:\ntags: []\nprovenance: {agent: ''}\n", 0, "states nothing"},
		"null":                  {"~", 1, "not a mapping"},
		"a text":                {"hello", 1, "not a mapping"},
		"a list":                {"- a\n", 1, "not a mapping"},
		"document mark only":    {"---\n", 1, "not a mapping"},
		"malformed":             {head + "kind: 'fact\n", 3, "unexpected end of stream"},
		"malformed, line known": {"a: 1\nb: 2\nc d\n", 3, "could not find expected ':'"},
		"two colons":            {"claim: a: b\n", 0, "mapping values are not allowed"},
		"tab as indent":         {"provenance:\n\tagent: a\n", 2, "cannot start any token"},
		"two documents":         {head + "---\n" + head, 0, "more than one YAML document"},
		"document, garbage":     {head + "...\n}", 0, "more than one YAML document"},
		"not UTF-8":             {"claim: \xff\n", 0, "not UTF-8"},
		"UTF-16":                {"\xff\xfek\x00", 0, "not UTF-8"},
		"NUL":                   {"claim: a\x00b\n", 0, "control characters"},
		"control character":     {"claim: a\x1bb\n", 0, "control characters"},
		"binary":                {"\x7fELF\x02\x01\x01", 0, "control characters"},
		"too large":             {"claim: " + lines("a", facts.MaxFile), 0, "more than the 65536"},
		"100 MB":                {lines("a", 100<<20), 0, "more than the 65536"},
		"large when canonical":  {"later: [" + lines("1,", 20_000) + "]\n", 0, "canonical form"},
		"100k brackets":         {"later: " + lines("[", 32_000) + lines("]", 32_000), 0, "max depth"},
		"open brackets":         {lines("[", 65_000), 0, "max depth"},
		"open braces":           {lines("{a: ", 16_000), 0, "max depth"},
		"dashes":                {lines("- ", 32_000), 0, "max depth"},
		"block nesting":         {nest(300), 17, "nests deeper"},
		"17 levels":             {"later: " + lines("[", 16) + "a" + lines("]", 16), 1, "nests deeper"},
		"alias":                 {"id: &a x\nlineage: *a\n", 1, "anchors and aliases"},
		"anchor alone":          {"claim: &a x\n", 1, "anchors and aliases"},
		"anchor on a list":      {"tags: &a [x]\n", 1, "anchors and aliases"},
		"anchor on null":        {"tags: &a\n", 1, "anchors and aliases"},
		"anchor on the root":    {"&a\nclaim: x\n", 1, "anchors and aliases"},
		"anchor on a name":      {"&a claim: x\n", 1, "anchors and aliases"},
		"alias in unknown":      {"x: &a [1]\ny: *a\n", 1, "anchors and aliases"},
		"alias of itself":       {"x: &a [*a]\n", 1, "anchors and aliases"},
		"unknown alias":         {"x: *a\n", 0, "unknown anchor"},
		"billion laughs":        {laughs(), 1, "anchors and aliases"},
		"merge key":             {head + "<<: {claim: z}\n", 3, "merge keys"},
		"merge key, tagged":     {"!!merge <<: {}\n", 1, "merge keys"},
		"merge tag":             {"claim: !!merge x\n", 1, "tag !!merge"},
		"merge key, unknown":    {"later:\n  <<: {a: b}\n", 2, "merge keys"},
		"repeated field":        {head + "claim: z\n", 3, `"claim" is repeated`},
		"repeated, quoted":      {"claim: a\n\"claim\": b\n", 2, "is repeated"},
		"repeated unknown":      {"x: 1\nx: 2\n", 2, "is repeated"},
		"repeated, nested":      {"x: {a: 1, a: 2}\n", 1, "is repeated"},
		"repeated in pointer":   {"pointers:\n  - ref: repo:a\n    ref: repo:b\n", 3, "is repeated"},
		"custom tag":            {"claim: !secret x\n", 1, "tag !secret"},
		"custom tag, list":      {"tags: !x [a]\n", 1, "tag !x"},
		"custom tag, mapping":   {"provenance: !x {agent: a}\n", 1, "tag !x"},
		"custom tag, root":      {"!x\nclaim: a\n", 1, "tag !x"},
		"custom tag, unknown":   {"later: {a: [!x b]}\n", 1, "tag !x"},
		"custom tag, name":      {"!x claim: a\n", 1, "tag !x"},
		"set":                   {"tags: !!set {a, b}\n", 1, "tag !!set"},
		"ordered mapping":       {"later: !!omap [a: 1]\n", 1, "tag !!omap"},
		"binary tag":            {"claim: !!binary aGVsbG8=\n", 1, "tag !!binary"},
		"tag that lies":         {"later: !!int x\n", 1, "tag !!int"},
		"null that is not":      {"claim: !!null x\n", 1, "tag !!null"},
		"claim is a list":       {"claim: [a]\n", 1, "single value is expected"},
		"claim is a mapping":    {"claim: {a: b}\n", 1, "single value is expected"},
		"tags is a text":        {"tags: a\n", 1, "a list is expected"},
		"tags is a mapping":     {"tags: {a: b}\n", 1, "a list is expected"},
		"tag is a list":         {"tags: [[a]]\n", 1, "single value is expected"},
		"pointers is a text":    {"pointers: repo:a\n", 1, "a list is expected"},
		"pointer is a list":     {"pointers: [[repo:a]]\n", 1, "a mapping of fields"},
		"pointer without ref":   {"pointers:\n  - digest: sha256:00000000\n", 2, "needs a ref"},
		"pointer is null":       {"pointers: [~]\n", 1, "needs a ref"},
		"provenance is a text":  {"provenance: me\n", 1, "a mapping of fields"},
		"provenance is a list":  {"provenance: [me]\n", 1, "a mapping of fields"},
		"name is a list":        {"? [a]\n: b\n", 1, "the name of a field"},
		"name is null":          {"~: b\n", 1, "the name of a field"},
		"name is empty":         {"'': b\n", 1, "the name of a field"},
		"name is long":          {lines("n", 101) + ": b\n", 1, "the name of a field"},
		"bad key":               {"key: a/b\n", 1, "has 2 segments"},
		"key with traversal":    {"claim: x\nkey: ../../x\n", 2, "has '.'"},
		"confidence is a word":  {"confidence: high\n", 1, "not a number"},
		"confidence is NaN":     {"confidence: NaN\n", 1, "not a number"},
		"confidence is .nan":    {"confidence: .nan\n", 1, "not a number"},
		"confidence is Inf":     {"confidence: -Inf\n", 1, "not a number"},
		"confidence too large":  {"confidence: 1e999\n", 1, "not a number"},
		"time":                  {"valid_from: today\n", 1, "not a time"},
		"time before 1900":      {"valid_until: 1899-12-31\n", 1, "not a time"},
		"time of creation":      {"provenance:\n  created_at: 10000-01-01T00:00:00Z\n", 2, "not a time"},
		"text behind a head":    {"tags: junk\n  - a\n", 1, "a list is expected"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := facts.Parse([]byte(tt.text))
			e, ok := errors.AsType[*facts.ParseError](err)
			if !ok {
				t.Fatalf("error %v is no ParseError; fact %+v", err, f)
			}
			if !strings.Contains(e.Problem, tt.fail) || e.Line != tt.line {
				t.Errorf("line %d, %q; want line %d and %q", e.Line, e.Problem, tt.line, tt.fail)
			}
			if len(err.Error()) > 500 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
			if diff := cmp.Diff(facts.Fact{}, f); diff != "" {
				t.Errorf("a fact beside an error: %s", diff)
			}
		})
	}
}

func nest(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func laughs() string {
	b := "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
	for i := range 20 {
		b += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 8), i)
	}
	return b
}

// Other ways to write the same fact than the canonical one.
func TestParseTakes(t *testing.T) {
	half := 0.5
	base := facts.Fact{Key: facts.Key{Namespace: "tool", Category: "a", Identifier: "b"}, Claim: "x is y"}
	with := func(change func(*facts.Fact)) facts.Fact {
		f := base.Clone()
		change(&f)
		return f
	}
	for name, tt := range map[string]struct {
		text string
		want facts.Fact
	}{
		"canonical":        {head, base},
		"no last newline":  {"key: tool/a/b\nclaim: x is y", base},
		"other order":      {"claim: x is y\nkey: tool/a/b\n", base},
		"flow style":       {"{key: tool/a/b, claim: x is y}", base},
		"JSON":             {`{"key": "tool/a/b", "claim": "x is y"}`, base},
		"quotes":           {"key: 'tool/a/b'\n\"claim\": \"x \\u0069s y\"\n", base},
		"comments":         {"# a\nkey: tool/a/b # b\n\nclaim: x is y\n# c\n", base},
		"document marks":   {"%YAML 1.1\n---\n" + head + "...\n", base},
		"folded":           {"key: tool/a/b\nclaim: x\n  is\n  y\n", base},
		"BOM":              {"\ufeff" + head, base},
		"CRLF":             {"key: tool/a/b\r\nclaim: x is y\r\n", base},
		"CR":               {"key: tool/a/b\rclaim: x is y\r", base},
		"BOM and CRLF":     {"\ufeffkey: tool/a/b\r\nclaim: x is y\r\n", base},
		"plain tags":       {"!!map\nkey: !!str tool/a/b\nclaim: !!str x is y\n", base},
		"nothing stated":   {head + "id:\nkind: ~\ntags:\npointers: null\nprovenance:\nconfidence:\nvalid_from: ''\n", base},
		"empty lists":      {head + "tags: []\npointers: []\nprovenance: {}\n", base},
		"CRLF in a block":  {head + "detail: |-\r\n  a\r\n\r\n   b\r\n", with(func(f *facts.Fact) { f.Detail = "a\n\n b" })},
		"CRLF in tags":     {head + "tags:\r\n  - a\r\n  - b\r\n", with(func(f *facts.Fact) { f.Tags = []string{"a", "b"} })},
		"block with end":   {head + "detail: |\n  a\n  b\n", with(func(f *facts.Fact) { f.Detail = "a\nb\n" })},
		"tags as numbers":  {head + "tags: [2026, on, 1.0, 2026-04-30, ~]\n", with(func(f *facts.Fact) { f.Tags = []string{"2026", "on", "1.0", "2026-04-30", ""} })},
		"bare pointers":    {head + "pointers: [repo:a, {ref: repo:b}]\n", with(func(f *facts.Fact) { f.Pointers = []facts.Pointer{{Ref: "repo:a"}, {Ref: "repo:b"}} })},
		"ttl in days":      {head + "ttl: 7\n", with(func(f *facts.Fact) { f.TTL = "7" })},
		"quoted number":    {head + "confidence: '0.50'\n", with(func(f *facts.Fact) { f.Confidence = &half })},
		"date":             {head + "valid_from: 2026-04-30\n", with(func(f *facts.Fact) { f.ValidFrom = at("2026-04-30") })},
		"time with offset": {head + "valid_from: 2026-04-30T01:00:00.12345+01:00\n", with(func(f *facts.Fact) { f.ValidFrom = at("2026-04-30T00:00:00.123Z") })},
		"16 levels":        {head + "later: " + strings.Repeat("[", 15) + strings.Repeat("]", 15), with(func(f *facts.Fact) { f.Unknown = []facts.Unknown{{Name: "later", YAML: nestedLists(15)}} })},
		"only unknown":     {"later: 1\n", facts.Fact{Unknown: []facts.Unknown{{Name: "later", YAML: "1"}}}},
		"case matters":     {"Claim: x\n", facts.Fact{Unknown: []facts.Unknown{{Name: "Claim", YAML: "x"}}}},
		"merge as a text":  {"claim: <<\n", facts.Fact{Claim: "<<"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := facts.Parse([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			checkStable(t, []byte(tt.text))
		})
	}
}

func nestedLists(n int) string {
	s := "[]"
	for range n - 1 {
		s = "-\n  " + strings.ReplaceAll(s, "\n", "\n  ")
		if s == "-\n  []" {
			s = "- []"
		}
	}
	return s
}
