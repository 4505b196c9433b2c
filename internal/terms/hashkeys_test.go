package terms_test

import (
	"slices"
	"strings"
	"testing"

	"engram/facts"
	"engram/internal/terms"
)

func fact(claim string, change ...func(*facts.Fact)) facts.Fact {
	f := facts.Fact{Claim: claim}
	for _, c := range change {
		c(&f)
	}
	return f
}

// factKeys lists the hash keys of a fact, each with the letter of its kind.
func factKeys(f facts.Fact, concepts []string) []string {
	return keyTexts((&terms.Analyzer{}).FactKeys(f, concepts))
}

func questionKeys(text string, concepts []string) []string {
	return keyTexts((&terms.Analyzer{}).QuestionKeys(text, concepts))
}

func keyTexts(keys []terms.Key) []string {
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = string(k.Kind) + " " + k.Text
	}
	return texts
}

func TestHashKeysOfAFact(t *testing.T) {
	f := fact("The rate limit of the auth service is strict", func(f *facts.Fact) {
		f.Tags = []string{"Hot-Path"}
		f.Pointers = []facts.Pointer{{Ref: "repo:internal/auth/rate_limit.go#L3"}}
	})
	keys := factKeys(f, []string{"service:auth"})
	for _, want := range []string{"c service:auth", "t hot path", "p limit rate", "p auth intern", "g limit rate", "g auth limit", "g auth limit servic", "g auth limit rate servic strict"} {
		if !slices.Contains(keys, want) {
			t.Errorf("no key %q in %q", want, keys)
		}
	}
	if keys[0] != "c service:auth" {
		t.Errorf("the first key is %q, not the concept", keys[0])
	}
	if again := factKeys(f, []string{"service:auth"}); !slices.Equal(keys, again) {
		t.Error("the same fact has other keys the second time")
	}
}

func TestHashKeysAreBounded(t *testing.T) {
	f := fact(strings.Repeat("alpha beta gamma delta epsilon zeta eta theta ", 10))
	for i := range 12 {
		f.Tags = append(f.Tags, strings.Repeat("t", i+1))
	}
	if n := len(factKeys(f, nil)); n > 32 {
		t.Errorf("%d keys, more than 32", n)
	}
}

// A run of words is found whatever order the question has them in.
func TestHashKeysOfAQuestionMeetThoseOfTheFact(t *testing.T) {
	f := fact("AUTH_RATE_LIMIT is read from the environment")
	of := factKeys(f, nil)
	for _, question := range []string{"what is the auth rate limit", "the limit on the rate of auth"} {
		shared := 0
		for _, key := range questionKeys(question, nil) {
			if slices.Contains(of, key) {
				shared++
			}
		}
		if shared == 0 {
			t.Errorf("%q shares no key with %q", question, f.Claim)
		}
	}
}

func TestHashKeysTermsDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, text := range []string{"a b", "a c", "b a c", "rate limit", "limit", "service:auth", "service:gateway"} {
		for _, kind := range []byte("ctpg") {
			term := terms.Key{Kind: kind, Text: text}.Term()
			if other, ok := seen[term]; ok {
				t.Errorf("%c %q has the term of %q", kind, text, other)
			}
			if seen[term] = text; len(term) != 4 {
				t.Errorf("the term of %q has %d bytes", text, len(term))
			}
		}
	}
}
