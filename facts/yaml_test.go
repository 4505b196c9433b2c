package facts_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"engram/facts"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

func full() facts.Fact {
	confidence := 0.85
	return facts.Fact{
		Key:        facts.Key{Namespace: "finding", Category: "payments.webhooks", Identifier: "RateLimit", Sub: "per-tenant"},
		ID:         "01KQ9Z5X3M8C4R7V2B6N1T0W9A",
		Lineage:    "01KQ9Z5X3M8C4R7V2B6N1T0W00",
		Claim:      `The webhook sender retries 5 times: 1 s apart, then "dead letter" (see #ops)`,
		Detail:     "Measured on staging:\n\n  retries: 5\n  pause:   1s\n\n# not a comment\nAfter that the event goes to the queue \u201cdead\u201d.",
		Kind:       facts.KindConstraint,
		Type:       facts.Inference,
		Scope:      "payments/webhooks",
		Reach:      facts.ReachProject,
		Confidence: &confidence,
		Tags:       []string{"retry", "2026", "on", "d\u00e9j\u00e0 vu"},
		Pointers: []facts.Pointer{
			{Ref: "repo:internal/webhook/send.go#L12-L40@0a1b2c3d4e5f60718293a4b5c6d7e8f901234567", Digest: "sha256:5d41402abc4b2a76b9719d911017c592"},
			{Ref: "test:internal/webhook/send_test.go#TestRetry/#01", Unknown: []facts.Unknown{{Name: "span", YAML: "L1-L9"}}},
		},
		ValidFrom:  at("2026-04-30T12:00:00.25Z"),
		ValidUntil: at("2026-05-30"),
		TTL:        "P30D",
		Durability: facts.Durable,
		Operation:  facts.OpUpdate,
		Supersedes: "01KQ9Z5X3M8C4R7V2B6N1T0W99",
		Provenance: facts.Provenance{
			Agent:     "reviewer-simulator",
			Engineer:  "Ada L\u00f8velace <ada@example.org>",
			Source:    facts.SourceTool,
			Evidence:  "go test ./internal/webhook: FAIL TestRetry",
			CreatedAt: at("2026-04-30T12:00:01Z"),
			Unknown:   []facts.Unknown{{Name: "shift", YAML: `"2026-04-30"`}},
		},
		Unknown: []facts.Unknown{
			{Name: "weights", YAML: "- 1\n- 2.5\n-\n  - true\n  -\n    a: null"},
			{Name: "yes", YAML: "[]"},
		},
	}
}

func minimal() facts.Fact {
	return facts.Fact{
		Key:       facts.Key{Namespace: "domain", Category: "general", Identifier: "tea"},
		ID:        "01KQ9Z5X3M8C4R7V2B6N1T0W9A",
		Lineage:   "01KQ9Z5X3M8C4R7V2B6N1T0W9A",
		Claim:     "The kettle is in room 12",
		ValidFrom: at("2026-04-30"),
	}
}

func TestGolden(t *testing.T) {
	for name, f := range map[string]facts.Fact{"full.yml": full(), "minimal.yml": minimal()} {
		t.Run(name, func(t *testing.T) {
			if err := facts.Validate(f, facts.Manifest{}); err != nil {
				t.Fatal(err)
			}
			got, file := facts.Marshal(f), filepath.Join("testdata", name)
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Error(diff)
			}
			back, err := facts.Parse(want)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(f, back); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCloneSharesNothing(t *testing.T) {
	f := full()
	c := f.Clone()
	if diff := cmp.Diff(f, c); diff != "" {
		t.Fatal(diff)
	}
	*c.Confidence, c.Tags[0], c.Pointers[0].Ref, c.Pointers[1].Unknown[0].Name = 0, "x", "x", "x"
	c.Unknown[0].Name, c.Provenance.Unknown[0].Name = "x", "x"
	if diff := cmp.Diff(full(), f); diff != "" {
		t.Error(diff)
	}
}

// A fact that may be written reads back as it was, both ways of reading agree,
// and its bytes are the canonical ones.
func TestRoundTrip(t *testing.T) {
	fast := 0
	rapid.Check(t, func(t *rapid.T) {
		f := genFact(t)
		b := facts.Marshal(f)
		if err := facts.Validate(f, facts.Manifest{}); err != nil {
			if len(b) > facts.MaxFile {
				t.Skip("too large")
			}
			t.Fatalf("the generator is wrong: %v", err)
		}
		back, err := facts.Parse(b)
		if err != nil {
			t.Fatalf("%v in\n%s", err, b)
		}
		if diff := cmp.Diff(f, back, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s in\n%s", diff, b)
		}
		if again := facts.Marshal(back); !bytes.Equal(b, again) {
			t.Fatal(cmp.Diff(string(b), string(again)))
		}
		if checkReadersAgree(t, b) {
			fast++
		} else if !hasUnknown(f) {
			t.Fatalf("the fast reader does not take\n%s", b)
		}
	})
	if fast == 0 {
		t.Error("the fast reader never read")
	}
}

func hasUnknown(f facts.Fact) bool {
	for _, p := range f.Pointers {
		if len(p.Unknown) > 0 {
			return true
		}
	}
	return len(f.Unknown)+len(f.Provenance.Unknown) > 0
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkReadersAgree fails where the fast reader takes what Marshal would not
// write, or what the reference takes otherwise or not at all. It reports
// whether the fast reader took it.
func checkReadersAgree(t fataler, b []byte) bool {
	t.Helper()
	fast, ok := facts.ParseCanonical(b)
	if !ok {
		return false
	}
	slow, err := facts.ParseYAML(b)
	if err != nil {
		t.Fatalf("the fast reader takes what the reference refuses, %v:\n%q", err, b)
	}
	if diff := cmp.Diff(slow, fast); diff != "" {
		t.Fatalf("the readers differ: %s in\n%q", diff, b)
	}
	if again := facts.Marshal(fast); !bytes.Equal(again, b) {
		t.Fatalf("the fast reader takes\n%q, which is written\n%q", b, again)
	}
	return true
}

// checkStable fails unless what parses is written in a form that parses as the
// same and is written the same again.
func checkStable(t fataler, b []byte) {
	t.Helper()
	f, err := facts.Parse(b)
	if err != nil {
		return
	}
	once := facts.Marshal(f)
	back, err := facts.Parse(once)
	if err != nil {
		t.Fatalf("%q\nparses, but not its canonical form, %v:\n%s", b, err, once)
	}
	if diff := cmp.Diff(f, back); diff != "" {
		t.Fatalf("%q\nchanges: %s", b, diff)
	}
	if twice := facts.Marshal(back); !bytes.Equal(once, twice) {
		t.Fatalf("%q\nis not stable: %s", b, cmp.Diff(string(once), string(twice)))
	}
	checkReadersAgree(t, once)
}

// What is almost canonical is the reference's to read.
func TestFastReaderIsStrict(t *testing.T) {
	for _, text := range []string{
		"", "\n", "claim: x", "claim:  x\n", "claim: x \n", "claim: x\r\n", "claim: \"x\"\n", "claim: 'x: y'\n", "claim: \"\"\n", "claim: \n",
		"claim: \"a\\u0085\"\n", "claim: \"a\\x7f\"\n", "claim: \"a: \xff\"\n", "claim: \"a: b\" \n", "claim: a\ud7ff\u202e\n", "claim: a\n\n",
		"claim: x\nkey: tool/a/b\n", "claim: x\nclaim: x\n", "claim: x\nlater: 1\n", "claim: 5\n", "key: a/b\n", "key: \"a/b/c\"\n",
		"tags:\n", "tags: []\n", "tags: x\n  - a\n", "tags: \n  - a\n", "tags:\n- a\n", "tags:\n  - a\n    b\n", "tags:\n  - \"\"\n", "tags:\r\n  - a\n",
		"pointers:\n", "pointers: x\n  - ref: repo:a\n", "pointers:\n  - repo:a\n", "pointers:\n  - digest: sha256:00000000\n", "pointers:\n  - ref: repo:a\n    span: x\n",
		"provenance:\n", "provenance: x\n  agent: a\n", "provenance:\n  source: rag\n  agent: a\n", "provenance:\n  agent: a\n  later: b\n",
		"detail: |-\n  a\n", "detail: |-\n\n  a\n", "detail: |-\n  a\n  \n  b\n", "detail: |-\n   a\n  b\n", "detail: |-\n  a\n  b\n\n", "detail: |\n  a\n  b\n",
		"detail: |-\n  a\n b\n", "detail: |-\n  a\n   \n  b\n", "detail: |- \n  a\n  b\n", "detail: |-\n  a\xff\n  b\n", "detail: |-\n", "detail: \"a\\nb\"\n",
		"confidence: 0.50\n", "confidence: 5e-1\n", "confidence: .5\n", "confidence: NaN\n", "confidence: +Inf\n", "confidence: \"0.5\"\n", "confidence: \n",
		"valid_from: 2026-04-30\n", "valid_from: 2026-04-30T12:00:00.50Z\n", "valid_from: 2026-04-30T12:00:00.1234Z\n", "valid_from: 2026-04-30T12:00:00,5Z\n",
		"valid_from: 2026-04-30T12:00:00+00:00\n", "valid_from: 1899-12-31T00:00:00Z\n", "valid_from: \"2026-04-30T12:00:00Z\"\n",
	} {
		if f, ok := facts.ParseCanonical([]byte(text)); ok {
			t.Errorf("%q is taken as %+v", text, f)
		}
		checkStable(t, []byte(text))
	}
}

// A person or another tool may write the same fact in other styles.
func TestOtherStylesAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var doc yaml.Node
		if err := yaml.Unmarshal(facts.Marshal(genFact(t)), &doc); err != nil {
			t.Fatal(err)
		}
		restyle(t, &doc)
		b, err := yaml.Marshal(&doc)
		if err != nil {
			t.Skip(err)
		}
		checkReadersAgree(t, b)
		checkStable(t, b)
	})
}

func restyle(t *rapid.T, n *yaml.Node) {
	styles := []yaml.Style{0, n.Style, yaml.FlowStyle}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		styles = []yaml.Style{n.Style, yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle, yaml.LiteralStyle, yaml.FoldedStyle}
	}
	n.Style = rapid.SampledFrom(styles).Draw(t, "style")
	for _, child := range n.Content {
		restyle(t, child)
	}
}

// Changing one line of a canonical file is how people edit and how the fast
// reader could be led astray.
func TestEditedFilesAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := bytes.SplitAfter(facts.Marshal(genFact(t)), []byte("\n"))
		insert := rapid.SampledFrom([]string{
			"", " ", "\n", "  \n", "#", " # comment\n", "  more\n", "- a\n", "  - a\n", "junk", ": ", "tags: x\n", "tags: [a]\n",
			"provenance: null\n", "detail: |-\n  a\n  b\n", "confidence: NaN\n", "...\n", "---\n", "\t", "\r", "\"", "claim: x\n", "pointers: \n",
		})
		for range rapid.IntRange(1, 3).Draw(t, "edits") {
			i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
			at := rapid.IntRange(0, len(lines[i])).Draw(t, "column")
			line := append([]byte(nil), lines[i][:at]...)
			line = append(line, insert.Draw(t, "insert")...)
			lines[i] = append(line, lines[i][at:]...)
		}
		b := bytes.Join(lines, nil)
		checkReadersAgree(t, b)
		checkStable(t, b)
	})
}

// yaml11 are the forms that the YAML 1.1 type repository gives a meaning
// other than that of a string.
var yaml11 = regexp.MustCompile(`^(?:` +
	`y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF` +
	`|~|null|Null|NULL|` +
	`|<<|=` +
	`|[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+` +
	`|[-+]?(?:[0-9][0-9_]*)?\.[0-9.]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*` +
	`|[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?[eE][-+]?[0-9]+` +
	`|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)` +
	`|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)?` +
	`)$`)

// Every plain scalar that stands for a text is one to readers of YAML 1.1 and
// 1.2 alike.
func TestPlainScalarsAreStrings(t *testing.T) {
	check := func(t fataler, f facts.Fact) {
		var doc yaml.Node
		if err := yaml.Unmarshal(facts.Marshal(f), &doc); err != nil {
			t.Fatalf("%v", err)
		}
		root := doc.Content[0]
		for i := 0; i < len(root.Content); i += 2 {
			if name := root.Content[i].Value; name != "confidence" && name != "valid_from" && name != "valid_until" {
				checkPlain(t, root.Content[i+1])
			}
		}
	}
	for _, s := range oddStrings {
		check(t, facts.Fact{Claim: s, Tags: []string{s}, Provenance: facts.Provenance{Agent: s}, Unknown: []facts.Unknown{{Name: s, YAML: "x"}}})
	}
	rapid.Check(t, func(t *rapid.T) {
		f := genFact(t)
		f.Unknown, f.Provenance.Unknown, f.Pointers = nil, nil, nil
		f.Provenance.CreatedAt = time.Time{}
		check(t, f)
	})
}

// Nothing in a file reads to a person as what it is not.
func TestInvisibleCharactersAreEscaped(t *testing.T) {
	for _, r := range "\u00a0\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\ufffd" {
		f := minimal()
		f.Claim, f.Detail, f.Tags = "a"+string(r)+"b", "a\n"+string(r)+"b", []string{string(r)}
		b := facts.Marshal(f)
		if bytes.ContainsRune(b, r) {
			t.Errorf("%U stands as it is in\n%s", r, b)
		}
		if back, err := facts.Parse(b); err != nil || cmp.Diff(f, back) != "" {
			t.Errorf("%U does not read back: %v", r, err)
		}
	}
}

func checkPlain(t fataler, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Style == 0 && (n.ShortTag() != "!!str" || yaml11.MatchString(n.Value)) {
		t.Fatalf("%q is written plain", n.Value)
	}
	for _, child := range n.Content {
		checkPlain(t, child)
	}
}

// Unknown fields survive, byte for byte once they are canonical, and a later
// version's values keep their types.
func TestUnknownFieldsSurvive(t *testing.T) {
	const head = "key: tool/a/b\nclaim: x is y\n"
	for text, want := range map[string]string{
		"later: {b: 1, a: [x, {c: null}, []]}": "later:\n  b: 1\n  a:\n    - x\n    -\n      c: null\n    - []\n",
		"later: [[1, 2], [[]], {}]":            "later:\n  -\n    - 1\n    - 2\n  -\n    - []\n  - {}\n",
		"later: '2026'":                        "later: \"2026\"\n",
		"later: 2026-04-30":                    "later: 2026-04-30\n",
		"later: 0x1F":                          "later: 0x1F\n",
		"later: -.inf":                         "later: -.inf\n",
		"later: yes":                           "later: \"yes\"\n",
		"later: True":                          "later: True\n",
		"later: ~":                             "later: null\n",
		"later:":                               "later: null\n",
		"later: !!str 5":                       "later: \"5\"\n",
		"later: <<":                            "later: \"<<\"\n",
		"later: |\n  two\n  lines\n":           "later: \"two\\nlines\\n\"\n",
		"later: 'a: b'":                        "later: \"a: b\"\n",
		"later: '- a'":                         "later: \"- a\"\n",
		"later: {'a: b': c}":                   "later:\n  \"a: b\": c\n",
		"later: ['say \"x\": y']":              "later:\n  - \"say \\\"x\\\": y\"\n",
		"? 'b: \"c'\n: {d: e}":                 "\"b: \\\"c\":\n  d: e\n",
		"zz: 1\naa: 2":                         "aa: 2\nzz: 1\n",
	} {
		f, err := facts.Parse([]byte(head + text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff(head+want, string(facts.Marshal(f))); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		checkStable(t, []byte(head+text))
	}
	nested := head + "pointers:\n  - ref: repo:a\n    later:\n      - 1\n      -\n        x: \"y\"\nprovenance:\n  later:\n    a:\n      - b\n"
	f, err := facts.Parse([]byte(nested))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(nested, string(facts.Marshal(f))); diff != "" {
		t.Error(diff)
	}
}
