package index_test

import (
	"slices"
	"strings"
	"testing"

	"engram/facts"
	"engram/index"
)

func TestHashKeysOfAFact(t *testing.T) {
	f := fact(t, "domain/auth/limit", "The rate limit of the auth service is strict", 1, func(f *facts.Fact) {
		f.Tags = []string{"Hot-Path"}
		f.Pointers = []facts.Pointer{{Ref: "repo:internal/auth/rate_limit.go#L3"}}
	})
	keys := index.FactKeys(f, []string{"service:auth"})
	for _, want := range []string{"c service:auth", "t hot path", "p limit rate", "p auth intern", "g limit rate", "g auth limit", "g auth limit servic", "g auth limit rate servic strict"} {
		if !slices.Contains(keys, want) {
			t.Errorf("no key %q in %q", want, keys)
		}
	}
	if keys[0] != "c service:auth" {
		t.Errorf("the first key is %q, not the concept", keys[0])
	}
	if again := index.FactKeys(f, []string{"service:auth"}); !slices.Equal(keys, again) {
		t.Error("the same fact has other keys the second time")
	}
}

func TestHashKeysAreBounded(t *testing.T) {
	f := fact(t, "domain/a/b", strings.Repeat("alpha beta gamma delta epsilon zeta eta theta ", 10), 1)
	for i := range 12 {
		f.Tags = append(f.Tags, strings.Repeat("t", i+1))
	}
	if n := len(index.FactKeys(f, nil)); n > 32 {
		t.Errorf("%d keys, seed 1 allows 32", n)
	}
}

// A run of words is found whatever order the question has them in.
func TestHashKeysOfAQuestionMeetThoseOfTheFact(t *testing.T) {
	f := fact(t, "domain/auth/limit", "AUTH_RATE_LIMIT is read from the environment", 1)
	of := index.FactKeys(f, nil)
	for _, question := range []string{"what is the auth rate limit", "the limit on the rate of auth"} {
		shared := 0
		for _, key := range index.QuestionKeys(question, nil) {
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
			term := index.HashTerm(kind, text)
			if other, ok := seen[term]; ok {
				t.Errorf("%c %q has the term of %q", kind, text, other)
			}
			if seen[term] = text; len(term) != 4 {
				t.Errorf("the term of %q has %d bytes", text, len(term))
			}
		}
	}
}
