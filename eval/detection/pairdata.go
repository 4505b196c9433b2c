package detection

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"engram/eval/corpus"
	"engram/facts"
	"engram/fixtures"
)

// handWritten loads a half of the pairs of package fixtures; the held one only by name.
func handWritten(name string, half fixtures.Half) corpus.Loader[pairSuite] {
	return corpus.Loader[pairSuite]{Name: name, Asked: half == fixtures.Held, Load: corpus.One(func(string) (pairSuite, error) {
		s := pairSuite{name: name, about: "Facts as engineers and agents write them down, made for this project: the " + string(half) + " half."}
		for _, p := range fixtures.Pairs() {
			if p.Half == half {
				s.pairs = append(s.pairs, labelledPair{
					id: p.ID, label: string(p.Label), subsets: []string{"(" + p.Part + ")", p.About}, a: p.A, b: p.B,
				})
			}
		}
		return s, nil
	})}
}

func loadStructured(dir string) (pairSuite, error) {
	return pairSuite{name: "structured", about: "Sentences made of the fields of real records, such as versions in go.mod; what is wrong is mostly superseded."}.
		read(dir, "structured_fact_pairs.jsonl")
}

func loadEdits(dir string) (pairSuite, error) {
	return pairSuite{name: "edits", about: "Sentences of documents before and after an edit, which changed the meaning or did not."}.
		read(dir, "git_edit_contradictions.reviewed.jsonl", "git_edit_equivalent.auto.jsonl")
}

func loadRulePairs(dir string) (pairSuite, error) {
	return pairSuite{name: "memorycode", about: "Rules that a mentor gives to a newcomer, in pairs."}.read(dir, "memorycode_pairs.jsonl")
}

// pairRecord is a line of the sets of pairs. Each set has some of the fields.
type pairRecord struct {
	ID     string    `json:"id"`
	Label  string    `json:"label"`
	TextA  string    `json:"text_a"`
	Old    string    `json:"old"` // is text_a of edits
	TextB  string    `json:"text_b"`
	New    string    `json:"new"`
	Kind   string    `json:"kind"`
	Change string    `json:"change"` // is kind of edits
	DateB  time.Time `json:"date_b"`
	Date   time.Time `json:"date"` // is date_b of edits
}

// read adds the pairs of files. Labels that are neither positive nor negative
// are omitted, which becomes a note.
func (s pairSuite) read(dir string, files ...string) (pairSuite, error) {
	others := make(map[string]int)
	for _, file := range files {
		var records []pairRecord
		if err := corpus.ReadJSONLines(filepath.Join(dir, "nli", file), &records); err != nil {
			return s, err
		}
		for _, r := range records {
			if p, ok := r.pair(); ok {
				s.pairs = append(s.pairs, p)
			} else {
				others[r.Label]++
			}
		}
	}
	for label, n := range others {
		s.notes = append(s.notes, fmt.Sprintf("pairs left out because their label is %q: %d", label, n))
	}
	slices.Sort(s.notes)
	return s, nil
}

func (r pairRecord) pair() (p labelledPair, ok bool) {
	label := r.Label
	if label == "equivalent" {
		label = labelParaphrase
	}
	if !slices.Contains(labels(), label) {
		return labelledPair{}, false
	}
	p = newPair(r.ID, label, cmp.Or(r.TextA, r.Old), cmp.Or(r.TextB, r.New), publicScope)
	if kind := cmp.Or(r.Kind, r.Change); kind != "" {
		p.subsets = []string{kind}
	}
	if at := cmp.Or(r.DateB, r.Date); !at.IsZero() {
		p.a.ValidFrom, p.b.ValidFrom = at.UTC().Add(-heldBefore), at.UTC()
	}
	return p, true
}

// publicScope is the scope of public pairs, which say nothing of theirs.
const publicScope = "measured"

// heldBefore is how long a was known when b came, where the data has the date
// of b alone.
const heldBefore = 30 * 24 * time.Hour

// newPair makes a pair of what two agents stated at the same moment.
func newPair(id, label, a, b, scope string) labelledPair {
	state := func(side, claim string) facts.Fact {
		name := id + "/" + side
		at := corpus.Now().Add(-heldBefore)
		return facts.Fact{
			ID: name, Lineage: name, Claim: facts.FoldSpace(corpus.Cleaned(claim)), Scope: scope, ValidFrom: at,
			Provenance: facts.Provenance{Agent: "agent-" + side, CreatedAt: at},
		}
	}
	return labelledPair{id: id, label: label, a: state("a", a), b: state("b", b)}
}
