package paraphrase_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"engram/eval/paraphrase"
)

// examples are made up; each has words with synonyms.
var examples = []struct{ id, subject, text string }{
	{"f-01", "Warehouse robots / Failure handling", "The scheduler deletes stale jobs when a worker stops and reports an error to `jobQueue.Close`."},
	{"f-02", "Mail gateway / Configuration", "Every configuration change requires a new version, and deprecated options are ignored after two releases."},
	{"f-03", "Session cache / Limits", "When maxSessions is reached, the server rejects additional requests and increases the timeout of existing ones."},
	{"f-04", "Upload service / Storage", "Large files are split into several parts, which are validated separately before they are merged."},
}

func TestQuestionsDoNotQuote(t *testing.T) {
	for _, e := range examples {
		questions := paraphrase.Questions(e.id, e.subject, e.text)
		if len(questions) != 3 {
			t.Errorf("%s: questions are %v", e.id, questions)
		}
		for level, q := range questions {
			if paraphrase.HasGramOf(q, e.text) || strings.Contains(e.text, q) {
				t.Errorf("%s, %s: %q quotes the fact", e.id, level, q)
			}
			if diff := cmp.Diff(questions, paraphrase.Questions(e.id, e.subject, e.text)); diff != "" {
				t.Errorf("%s: other questions the second time:\n%s", e.id, diff)
			}
		}
	}
}

// TestHardQuestionsKeepNoWord but those of the subject and of identifiers, and
// the words that make a question.
func TestHardQuestionsKeepNoWord(t *testing.T) {
	form := []string{"know", "deal", "said", "regarding", "comes"}
	for _, e := range examples {
		allowed := paraphrase.PlainWords(e.subject)
		for _, field := range strings.Fields(e.text) {
			if field = strings.Trim(field, "`.,"); paraphrase.IsIdentifier(field) {
				allowed = append(allowed, paraphrase.PlainWords(field+" "+paraphrase.SplitIdentifier(field))...)
			}
		}
		var roots []string
		for _, word := range paraphrase.PlainWords(e.text) {
			roots = append(roots, paraphrase.Root(word))
		}
		for _, word := range paraphrase.PlainWords(paraphrase.Questions(e.id, e.subject, e.text)["hard"]) {
			if !paraphrase.IsFunctionWord(word) && !slices.Contains(form, word) && !slices.Contains(allowed, word) && slices.Contains(roots, paraphrase.Root(word)) {
				t.Errorf("%s: the hard question keeps %q", e.id, word)
			}
		}
	}
}

func TestFactsWithoutSynonymsAreNotAskedFor(t *testing.T) {
	if got := paraphrase.Questions("f-09", "Fruit / Apples", "Apples, pears and plums."); got != nil {
		t.Errorf("questions are %v", got)
	}
}

func TestInflect(t *testing.T) {
	tests := []struct{ word, base, form, again string }{
		{"deletes", "delete", "s", "deletes"},
		{"dropped", "drop", "ed", "dropped"},
		{"copies", "copy", "s", "copies"},
		{"copied", "copy", "ed", "copied"},
		{"caching", "cache", "ing", "caching"},
		{"fixes", "fix", "s", "fixes"},
		{"freeing", "free", "ing", "freeing"},
	}
	for _, tt := range tests {
		found := false
		for _, l := range paraphrase.Lemmas(tt.word) {
			if base, form := paraphrase.Parts(l); base == tt.base && form == tt.form {
				found = true
				if got := paraphrase.Inflect(tt.base, paraphrase.FormOf(l)); got != tt.again {
					t.Errorf("%s + %s is %q, want %q", tt.base, tt.form, got, tt.again)
				}
			}
		}
		if !found {
			t.Errorf("%s is no form of %s: %v", tt.word, tt.base, paraphrase.Lemmas(tt.word))
		}
	}
}

func TestSynonymsGoBothWays(t *testing.T) {
	table := paraphrase.Synonyms()
	if len(table) < 200 {
		t.Fatalf("the table has %d words", len(table))
	}
	for word, others := range table {
		for _, other := range others {
			if word == other || !slices.Contains(table[other], word) {
				t.Errorf("%s stands for %s, but not the other way round", word, other)
			}
		}
	}
}
