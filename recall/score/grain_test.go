package score_test

import (
	"testing"

	"engram/recall/score"
)

func TestGrain(t *testing.T) {
	for question, want := range map[string]score.Grain{
		"why is the cache so small":                  score.Strategic,
		"what was the motivation for the new queue?": score.Strategic,
		"what have we done about flaky tests so far": score.Thematic,
		"overview of the release":                    score.Thematic,
		"which port has the gateway":                 score.Local,
		"in which file is the retry loop":            score.Local,
		"what is left to do for the tax":             score.Local,
	} {
		if got := score.GrainOf(question, false); got != want {
			t.Errorf("%q is %s, want %s", question, got, want)
		}
	}
	if score.GrainOf("why a7f3b2c9e1d8", true) != score.ExactGrain {
		t.Error("an exact string does not make a question exact")
	}
}

func TestMeet(t *testing.T) {
	texts := []string{
		"we chose Kafka over RabbitMQ because logs can be replayed",
		"we chose Valkey over Memcached because of sorted sets",
		"we should rename the button",
	}
	for question, want := range map[string]int{
		"Why this broker?":                         0,
		"What was the reason for the cache?":       1,
		"Why did the button get another name?":     2,
		"what made us select that message stream?": 0,
	} {
		meets := score.Meet(question, texts)
		for i := range texts {
			if i != want && meets[i] >= meets[want] {
				t.Errorf("%q: %v, want number %d first", question, meets, want)
			}
		}
	}
}
