package bus_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"engram/bus"
)

// TestMessagesReadBackAsTheSame: canonical YAML and JSON both say what was written.
func TestMessagesReadBackAsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyChild(t)
		back, err := bus.ParseChild([]byte(m.YAML()))
		if diff := cmp.Diff(m, back, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatalf("%v\n%s\n%s", err, m.YAML(), diff)
		}
		if back.YAML() != m.YAML() {
			t.Fatalf("the canonical form changed:\n%s\n%s", m.YAML(), back.YAML())
		}
		text, err := json.MarshalIndent(m, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		back, err = bus.ParseChild(text)
		if diff := cmp.Diff(m, back, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatalf("%v\n%s\n%s", err, text, diff)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		m := anyParent(t)
		back, err := parseParent(m.YAML())
		if diff := cmp.Diff(m, back, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatalf("%v\n%s\n%s", err, m.YAML(), diff)
		}
	})
}

// parseParent reads a message that must be a parent's.
func parseParent(text string) (bus.ParentMessage, error) {
	m, err := bus.Read([]byte(text))
	if err == nil && m.Form != bus.FromParent {
		err = fmt.Errorf("it reads as a message of form %s", m.Form)
	}
	if err != nil {
		return bus.ParentMessage{}, err
	}
	return *m.Parent, nil
}

const sound = `ROLE: programmer
TASK_STATUS: done
ENGRAMS:
  - kind: risk
    claim: Reservations are not released when a vendor times out.
    confidence: 0.72
    ttl: P7D
    scope: project
    pointers:
      - { type: repo, ref: "repo:services/gateway/client.py#L280-L360@0123abc" }
OUTPUT:
  summary: One risk found.
`

// TestCanonicalForm: what is written is what the templates of the source documents look like.
func TestCanonicalForm(t *testing.T) {
	m, err := bus.ParseChild([]byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sound, m.YAML()); diff != "" {
		t.Error(diff)
	}
}

// TestReadRefuses lists what no message is, each with the place that it names.
func TestReadRefuses(t *testing.T) {
	change := func(old, with string) string { return strings.Replace(sound, old, with, 1) }
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "the text is empty"},
		{"prose", "I have finished the task.", "line 1: this is not a message"},
		{"no message", "a: b\n", "none of the fields of a message"},
		{"not UTF-8", "ROLE: \xff\n", "not UTF-8"},
		{"two documents", sound + "---\na: b\n", "more than one YAML document"},
		{"an unknown field", change("    ttl:", "    tll: x\n    ttl:"), "line 7: ENGRAMS[0].tll is not a known field"},
		{"a field twice", change("    ttl:", "    kind: fact\n    ttl:"), "line 7: ENGRAMS[0].kind is given twice"},
		{"an anchor", change("claim: R", "claim: &a R"), "line 5: anchors and aliases"},
		{"an alias", change("claim: ", "claim: *a #"), "unknown anchor"},
		{"a tag", change("claim: R", "claim: !!str R"), "line 5: YAML tags"},
		{"a missing field", change("    ttl: P7D\n", ""), "line 4: ENGRAMS[0].ttl is missing"},
		{"an empty field", change("P7D", `""`), "line 7: ENGRAMS[0].ttl is empty"},
		{"null", change("P7D", "~"), "line 4: ENGRAMS[0].ttl is missing"},
		{"a number for a text", change("P7D", "7"), "line 7: ENGRAMS[0].ttl is a number; a string is expected: put it in quotes"},
		{"a text for a number", change("0.72", "high"), "line 6: ENGRAMS[0].confidence is a string; a number is expected"},
		{"a list for a mapping", change("OUTPUT:\n  summary: One risk found.", "OUTPUT: [a]"), "line 11: OUTPUT is a list; a mapping"},
		{"a mapping for a list", change("      - {", "      {"), "line 10: ENGRAMS[0].pointers is a mapping; a list"},
		{"of both forms", sound + "INSTRUCTIONS: [a]\n", "line 13: INSTRUCTIONS is not a known field"},
		{"too deep", "ENGRAMS: [[[[[[[[[[]]]]]]]]]]", "nests deeper"},
		{"too deep, JSON", `{"ENGRAMS": [[[[[[[[[[]]]]]]]]]]}`, "nests deeper"},
		{"too long", "ENGRAMS: " + strings.Repeat("x", bus.MaxMessage), "bytes; a message has at most"},
		{"a field twice, JSON", "{\"ROLE\": \"a\",\n\"ROLE\": \"b\", \"ENGRAMS\": []}", "line 2: ROLE is given twice"},
		{"a time", change("    ttl:", "    provenance: { created_at: yesterday, created_by: a, source: agent }\n    ttl:"), "provenance.created_at is not a time"},
		{"a budget", "ROLE: a\nSHARED_BRIEF_MICRO: []\nBUDGETS: { max_engrams: 1.5 }\n", "line 3: BUDGETS.max_engrams is 1.5; a whole number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := bus.Read([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestReadNamesEveryProblem: nobody has to mend them one at a time.
func TestReadNamesEveryProblem(t *testing.T) {
	_, err := bus.Read([]byte("ROLE: 3\nENGRAMS:\n  - claim: a\n    colour: red\n"))
	for _, want := range []string{"ROLE is a number", "ENGRAMS[0].colour", "ENGRAMS[0].kind is missing", "ENGRAMS[0].pointers is missing", "TASK_STATUS is missing", "OUTPUT is missing"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v lacks %q", err, want)
		}
	}
}

// TestJSONOfOtherLibraries: characters beyond the basic plane come as two escapes.
func TestJSONOfOtherLibraries(t *testing.T) {
	text := `{"ROLE": "p", "TASK_STATUS": "done \ud83d\ude00 \/", "ENGRAMS": [], "OUTPUT": {"summary": "s"}}`
	m, err := bus.ParseChild([]byte(text))
	if err != nil || m.TaskStatus != "done 😀 /" {
		t.Errorf("%+v, %v", m, err)
	}
}
