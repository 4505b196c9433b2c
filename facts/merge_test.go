package facts_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"engram/facts"
)

func TestMerge(t *testing.T) {
	base := minimal()
	change := func(changes ...func(*facts.Fact)) facts.Fact {
		f := base.Clone()
		for _, c := range changes {
			c(&f)
		}
		return f
	}
	update := func(day, id, claim string) func(*facts.Fact) {
		return func(f *facts.Fact) { f.ValidFrom, f.ID, f.Claim = at(day), id, claim }
	}
	unknown := func(fields ...string) func(*facts.Fact) {
		return func(f *facts.Fact) {
			f.Unknown = nil
			for i := 0; i < len(fields); i += 2 {
				f.Unknown = append(f.Unknown, facts.Unknown{Name: fields[i], YAML: fields[i+1]})
			}
		}
	}
	retire := func(f *facts.Fact) { f.Operation, f.ValidUntil = facts.OpDelete, at("2026-05-05") }
	tag := func(f *facts.Fact) { f.Tags = []string{"t"} }
	newer := func(f *facts.Fact) { f.Tags, f.ID = []string{"t"}, "Z" }
	for name, tt := range map[string]struct {
		base         *facts.Fact
		ours, theirs facts.Fact
		want         facts.Fact
		lost         string // claim
	}{
		"1 the same":               {&base, change(tag), change(tag), change(tag), ""},
		"2 one side updated":       {&base, base, change(update("2026-05-01", "B", "Room 13")), change(update("2026-05-01", "B", "Room 13")), ""},
		"2 one side retired":       {&base, change(retire), base, change(retire), ""},
		"2 earlier date taken":     {&base, base, change(update("2026-01-01", "A", "Room 11")), change(update("2026-01-01", "A", "Room 11")), ""},
		"3 later begins":           {&base, change(update("2026-05-01", "Z", "Room 13")), change(update("2026-05-02", "A", "Room 14")), change(update("2026-05-02", "A", "Room 14")), "Room 13"},
		"3 tie by id":              {nil, change(update("2026-05-01", "A", "Room 13")), change(update("2026-05-01", "B", "Room 14")), change(update("2026-05-01", "B", "Room 14")), "Room 13"},
		"3 the same claim":         {&base, change(update("2026-05-01", "A", "Room  13")), change(update("2026-05-02", "B", "room 13")), change(update("2026-05-02", "B", "room 13")), ""},
		"3 retirement beats a tag": {&base, change(retire), change(tag), change(retire), ""},
		"3 retirement beats an edit of the same version":      {&base, change(retire), change(func(f *facts.Fact) { f.Claim = "You wish" }), change(retire), "You wish"},
		"3 update beats retirement, whose claim was replaced": {&base, change(retire), change(update("2026-05-01", "B", "Room 13")), change(update("2026-05-01", "B", "Room 13")), ""},
		"3 no base":       {nil, base, change(newer), change(newer), ""},
		"unknown of both": {nil, change(unknown("a", "1")), change(unknown("b", "2")), change(unknown("a", "1", "b", "2")), ""},
		"unknown changed by one": {
			ptr(change(unknown("a", "9", "b", "9"))), change(unknown("a", "1", "b", "9"), newer), change(unknown("a", "9", "b", "2")),
			change(unknown("a", "1", "b", "2"), newer), "",
		},
		"unknown removed by one": {
			ptr(change(unknown("a", "9", "b", "9"))), change(unknown("a", "9"), newer), change(unknown("a", "9", "b", "9", "c", "1")),
			change(unknown("a", "9", "c", "1"), newer), "",
		},
		"unknown changed by both": {nil, change(unknown("a", "1"), newer), change(unknown("a", "2")), change(unknown("a", "2"), newer), ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, m := range []facts.Merged{facts.Merge(tt.base, tt.ours, tt.theirs), facts.Merge(tt.base, tt.theirs, tt.ours)} {
				if diff := cmp.Diff(tt.want, m.Fact); diff != "" {
					t.Error(diff)
				}
				if (m.Lost == nil) != (tt.lost == "") || m.Lost != nil && m.Lost.Claim != tt.lost {
					t.Errorf("lost %+v, want %q", m.Lost, tt.lost)
				}
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

// Unknown fields that fit each side but not both leave a fact that can be read.
func TestMergeStaysReadable(t *testing.T) {
	big := func(name string) facts.Fact {
		f := minimal()
		f.Unknown = []facts.Unknown{{Name: name, YAML: strings.Repeat("x", 40_000)}}
		return f
	}
	m := facts.Merge(nil, big("a"), big("b"))
	if _, err := facts.Parse(facts.Marshal(m.Fact)); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(big("b"), m.Fact); diff != "" {
		t.Error(diff)
	}
}

func mergedBytes(base *facts.Fact, ours, theirs facts.Fact) []byte {
	return facts.Marshal(facts.Merge(base, ours, theirs).Fact)
}

func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var base *facts.Fact
		if rapid.Bool().Draw(t, "has base") {
			base = ptr(genVersion(t))
		}
		a, b := genVersion(t), genVersion(t)
		before := string(facts.Marshal(a)) + string(facts.Marshal(b))
		m := facts.Merge(base, a, b)
		merged := facts.Marshal(m.Fact)

		if !bytes.Equal(merged, mergedBytes(base, b, a)) {
			t.Fatal("not commutative")
		}
		if !bytes.Equal(facts.Marshal(a), mergedBytes(base, a, a)) {
			t.Fatal("not idempotent")
		}
		if base != nil && (!bytes.Equal(facts.Marshal(b), mergedBytes(base, *base, b)) || facts.Merge(base, *base, b).Lost != nil) {
			t.Fatal("a change of one side is not taken")
		}
		if _, err := facts.Parse(merged); err != nil {
			t.Fatal(err)
		}
		if string(facts.Marshal(a))+string(facts.Marshal(b)) != before {
			t.Fatal("the arguments changed")
		}
		oneSided := base != nil && (facts.Compare(*base, a) == 0 || facts.Compare(*base, b) == 0)
		differ := facts.ContentHash(a.Claim) != facts.ContentHash(b.Claim)
		loser := a
		if facts.ContentHash(m.Fact.Claim) == facts.ContentHash(a.Claim) {
			loser = b
		}
		new := base == nil || facts.ContentHash(loser.Claim) != facts.ContentHash(base.Claim)
		claims := loser.Operation != facts.OpDelete
		if (m.Lost != nil) != (differ && !oneSided && new && claims) {
			t.Fatalf("lost is %v", m.Lost)
		}
		if m.Lost != nil && facts.ContentHash(m.Lost.Claim) == facts.ContentHash(m.Fact.Claim) {
			t.Fatal("the winner is reported as lost")
		}
		if base == nil {
			checkUnknownKept(t, m.Fact, a)
			checkUnknownKept(t, m.Fact, b)
		}
	})
}

func checkUnknownKept(t *rapid.T, merged, side facts.Fact) {
	has := func(fields []facts.Unknown, name string) bool {
		for _, u := range fields {
			if u.Name == name {
				return true
			}
		}
		return false
	}
	for _, u := range side.Unknown {
		if !has(merged.Unknown, u.Name) {
			t.Fatalf("the unknown field %q is lost", u.Name)
		}
	}
	for _, u := range side.Provenance.Unknown {
		if !has(merged.Provenance.Unknown, u.Name) {
			t.Fatalf("the unknown field %q of provenance is lost", u.Name)
		}
	}
}

// A field that only one side knows must not decide who wins: the winner would
// depend on what was merged before.
func TestMergeIgnoresUnknownFieldsInChoosing(t *testing.T) {
	p, q, agent := minimal(), minimal(), minimal()
	p.Unknown = []facts.Unknown{{Name: "p", YAML: "1"}}
	q.Unknown = []facts.Unknown{{Name: "q", YAML: "1"}}
	agent.Provenance.Agent = "b"
	want := agent
	want.Unknown = []facts.Unknown{p.Unknown[0], q.Unknown[0]}
	for _, order := range [][3]facts.Fact{{p, q, agent}, {q, agent, p}, {agent, p, q}} {
		first := facts.Merge(nil, order[0], order[1]).Fact
		if diff := cmp.Diff(want, facts.Merge(nil, first, order[2]).Fact); diff != "" {
			t.Error(diff)
		}
	}
}

// Several versions give the same fact in whatever order and grouping they are
// merged, so clones that have seen the same versions agree.
func TestMergeIsAssociative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		versions := rapid.SliceOfN(rapid.Custom(genVersion), 3, 6).Draw(t, "versions")
		join := func() []byte {
			rest := append([]facts.Fact(nil), versions...)
			for len(rest) > 1 {
				i := rapid.IntRange(0, len(rest)-2).Draw(t, "left")
				j := rapid.IntRange(i+1, len(rest)-1).Draw(t, "right")
				rest[i] = facts.Merge(nil, rest[i], rest[j]).Fact
				rest = append(rest[:j], rest[j+1:]...)
			}
			return facts.Marshal(rest[0])
		}
		if one, other := join(), join(); !bytes.Equal(one, other) {
			t.Fatal(cmp.Diff(string(one), string(other)))
		}
	})
}
