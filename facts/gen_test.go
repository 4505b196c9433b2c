package facts_test

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"engram/facts"
)

// oddStrings are texts that YAML readers like to take for something else.
var oddStrings = []string{
	"true", "False", "YES", "no", "On", "off", "y", "N", "null", "Null", "~", "NaN", ".nan", ".inf", "-.Inf",
	"0", "-0", "007", "0x1F", "0o17", "0b101", "1_000", "1e5", "1.5e+3", "+1", "-1", ".5", "5.", "12:30:45", "190:20:30",
	"2026-04-30", "2026-04-30T12:00:00Z", "2001-12-14 21:59:43.10 -5", "1,000", "<<", "=", "!", "!!int 3", "&a", "*a",
	"-", "- a", "? a", ": a", "a: b", "a:", "a :b", "a #b", "#a", "a#", "[a]", "{a: b}", "|", ">-", "%YAML 1.1", "@a", "`a`",
	"'a'", `"a"`, `a\nb`, `\`, "a  b", " a", "a ", "---", "...", "--- a", "key: value # comment",
	"caf\u00e9", "\u00fcber", "\u65e5\u672c\u8a9e", "\U0001F600 smile", "a\u00a0b", "a\u2028b", "a\u202eb", "\ufeffa", "a\ufffd", "\u0660\u0661", "a\U0010ffff",
}

// oddNames are the odd strings that yaml.Marshal, unlike this package, writes
// well as names.
var oddNames = slices.DeleteFunc(slices.Clone(oddStrings), func(s string) bool { return s == "<<" })

func genText(t *rapid.T, name string, max int) string {
	s := rapid.OneOf(
		rapid.SampledFrom(oddStrings),
		rapid.StringMatching(`[0-9a-fxobtTzZ_:+. -]{1,12}`),
		rapid.StringOfN(rapid.Rune(), 1, max, -1),
		rapid.StringMatching(`[A-Za-z]+( [a-z0-9:#'"&*-]+){0,8}`),
	).Draw(t, name)
	return truncate(strings.Map(dropControl, s), max)
}

func dropControl(r rune) rune {
	if unicode.IsControl(r) {
		return -1
	}
	return r
}

func truncate(s string, max int) string {
	if r := []rune(s); len(r) > max {
		return string(r[:max])
	}
	return s
}

func genDetail(t *rapid.T) string {
	line := rapid.OneOf(rapid.SampledFrom(append([]string{"", " ", "  indented", "\ttab", "\t", "\u3000"}, oddStrings...)), rapid.StringN(0, 40, -1))
	lines := rapid.SliceOfN(line, 0, 6).Draw(t, "detail")
	for i := range lines {
		lines[i] = strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return dropControl(r)
		}, lines[i])
	}
	return strings.Join(lines, "\n")
}

func genTime(t *rapid.T, name string) time.Time {
	const year = 365 * 24 * 3600 * 1000
	return time.UnixMilli(rapid.Int64Range(-69*year, 8000*year).Draw(t, name)).UTC()
}

func genKey(t *rapid.T) facts.Key {
	for {
		ns := rapid.SampledFrom((facts.Manifest{}).AllNamespaces()).Draw(t, "namespace")
		id := `[a-z0-9][a-z0-9._-]{0,20}`
		if ns == "paper" || ns == "finding" {
			id = `[A-Za-z0-9][A-Za-z0-9._-]{0,20}`
		}
		text := ns + "/" + rapid.StringMatching(`[a-z0-9][a-z0-9._-]{0,20}`).Draw(t, "category") + "/" + rapid.StringMatching(id).Draw(t, "identifier")
		if rapid.Bool().Draw(t, "hasSub") {
			text += "/" + rapid.StringMatching(id).Draw(t, "sub")
		}
		if k, err := facts.ParseKey(text); err == nil {
			return k
		}
	}
}

func genULID(t *rapid.T) string {
	return rapid.StringMatching(`[0-7][0-9A-HJKMNP-TV-Z]{25}`).Draw(t, "ulid")
}

// genUnknown draws fields that this version does not know, in the form in
// which Parse hands them out.
func genUnknown(t *rapid.T) []facts.Unknown {
	if rapid.IntRange(0, 2).Draw(t, "known only") > 0 {
		return nil
	}
	fields := rapid.MapOfN(rapid.SampledFrom(append([]string{"later", "x-1", "a b"}, oddNames...)), genValue(3), 1, 4).Draw(t, "unknown")
	b, err := yaml.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	if yaml.Unmarshal(b, new(yaml.Node)) != nil {
		return nil // the library writes some texts so that it cannot read them
	}
	f, err := facts.Parse(b)
	if err != nil {
		t.Fatalf("%v in\n%s", err, b)
	}
	return f.Unknown
}

func genValue(depth int) *rapid.Generator[any] {
	scalars := []*rapid.Generator[any]{
		rapid.SampledFrom(oddStrings).AsAny(), rapid.String().AsAny(), rapid.Int().AsAny(), rapid.Bool().AsAny(),
		rapid.Float64().AsAny(), rapid.Just[any](nil), rapid.Just[any](time.Date(2026, 4, 30, 0, 0, 0, 0, time.UTC)),
		rapid.Just[any]("two\n lines\n"),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	inner := rapid.Deferred(func() *rapid.Generator[any] { return genValue(depth - 1) })
	return rapid.OneOf(append(scalars,
		rapid.SliceOfN(inner, 0, 3).AsAny(),
		rapid.MapOfN(rapid.SampledFrom(oddNames), inner, 0, 3).AsAny(),
	)...)
}

func genPointer(t *rapid.T) facts.Pointer {
	commit := rapid.SampledFrom([]string{"", "@0a1b2c3", "@" + strings.Repeat("0", 40)}).Draw(t, "commit")
	return facts.Pointer{
		Ref: rapid.SampledFrom([]string{
			"repo:a/b.go#L1-L20" + commit, "repo:c#/@x y: z.go" + commit, "artifact:docs/plan.md#sec=A: b" + commit,
			"test:a_test.go#TestX/#01" + commit, "sam:risk/conflict/1@2", "diff:a..b#c #d", "url:https://example.org/#L1",
		}).Draw(t, "ref"),
		Digest:  rapid.SampledFrom([]string{"", "sha256:0123456789abcdef", "0:00000000"}).Draw(t, "digest"),
		Unknown: genUnknown(t),
	}
}

// genFact draws facts that pass Validate.
func genFact(t *rapid.T) facts.Fact {
	some := func(name string) bool { return rapid.Bool().Draw(t, name) }
	f := facts.Fact{
		Key: genKey(t), ID: genULID(t), Lineage: genULID(t),
		Claim:      "a" + genText(t, "claim", 499),
		Detail:     genDetail(t),
		Kind:       rapid.SampledFrom(append(facts.Kinds(), "")).Draw(t, "kind"),
		Type:       rapid.SampledFrom(append(facts.Types(), "")).Draw(t, "type"),
		Scope:      rapid.SampledFrom([]string{"", "a", "1", "true", "payments/webhooks", "0x1/2.0"}).Draw(t, "scope"),
		Reach:      rapid.SampledFrom(append(facts.Reaches(), "")).Draw(t, "reach"),
		ValidFrom:  genTime(t, "from"),
		TTL:        rapid.SampledFrom([]string{"", "7", "P7D", "P1Y2M3DT4H5M6S"}).Draw(t, "ttl"),
		Durability: rapid.SampledFrom(append(facts.Durabilities(), "")).Draw(t, "durability"),
		Operation:  rapid.SampledFrom([]facts.Operation{"", facts.OpAdd, facts.OpUpdate, facts.OpDelete}).Draw(t, "operation"),
		Unknown:    genUnknown(t),
		Provenance: facts.Provenance{
			Agent:    genText(t, "agent", facts.MaxName),
			Engineer: genText(t, "engineer", facts.MaxName),
			Source:   rapid.SampledFrom(append(facts.Sources(), "")).Draw(t, "source"),
			Evidence: genText(t, "evidence", facts.MaxEvidence),
			Unknown:  genUnknown(t),
		},
	}
	if rapid.Bool().Draw(t, "odd claim") {
		f.Claim = rapid.SampledFrom(oddStrings).Draw(t, "claim")
	}
	if some("confidence") {
		c := rapid.Float64Range(0, 1).Draw(t, "confidence")
		f.Confidence = &c
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "tags") {
		f.Tags = append(f.Tags, fmt.Sprint(genText(t, "tag", facts.MaxTag-1), i))
	}
	for range rapid.IntRange(0, 3).Draw(t, "pointers") {
		f.Pointers = append(f.Pointers, genPointer(t))
	}
	if some("closed") {
		f.ValidUntil = f.ValidFrom.Add(time.Duration(rapid.Int64Range(1, 1e12).Draw(t, "length")) * time.Millisecond)
	}
	if some("branch") {
		f.Branch = rapid.SampledFrom([]string{"main", "feature/x", "1.0", "true", "a#b"}).Draw(t, "branch")
	}
	if some("for") {
		f.For = genKey(t)
	}
	if some("supersedes") {
		f.Supersedes = genULID(t)
	}
	if some("created") {
		f.Provenance.CreatedAt = genTime(t, "created")
	}
	return f
}

// genVersion draws versions of one key from so small a set that ties in every
// field are common.
func genVersion(t *rapid.T) facts.Fact {
	unknown := func(name string) (fields []facts.Unknown) {
		for _, field := range []string{"p", "q"} {
			if text := rapid.SampledFrom([]string{"", "", "1", "2", "10"}).Draw(t, name+field); text != "" {
				fields = append(fields, facts.Unknown{Name: field, YAML: text})
			}
		}
		return fields
	}
	f := facts.Fact{
		Key:       facts.Key{Namespace: "tool", Category: "a", Identifier: "b"},
		ID:        rapid.SampledFrom([]string{"01ARZ3NDEKTSV4RRFFQ69G5FAA", "01ARZ3NDEKTSV4RRFFQ69G5FAB"}).Draw(t, "id"),
		Lineage:   "01ARZ3NDEKTSV4RRFFQ69G5FAA",
		Claim:     rapid.SampledFrom([]string{"The limit is 5", "the  LIMIT is 5", "The limit is 6"}).Draw(t, "claim"),
		ValidFrom: at(rapid.SampledFrom([]string{day1, day2, day3}).Draw(t, "from")),
		Unknown:   unknown("fact"),
	}
	if rapid.Bool().Draw(t, "retired") {
		f.Operation, f.ValidUntil = facts.OpDelete, f.ValidFrom.AddDate(0, 0, rapid.IntRange(1, 3).Draw(t, "days"))
	}
	if rapid.Bool().Draw(t, "tagged") {
		f.Tags = []string{"t"}
	}
	f.Provenance.Agent = rapid.SampledFrom([]string{"", "b"}).Draw(t, "agent")
	f.Provenance.Unknown = unknown("provenance")
	if rapid.Bool().Draw(t, "pointed") {
		f.Pointers = []facts.Pointer{{Ref: "repo:a", Unknown: unknown("pointer")}}
	}
	return f
}
