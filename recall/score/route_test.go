package score_test

import (
	"testing"

	"engram/recall/score"
)

func TestRouteOf(t *testing.T) {
	for question, want := range map[string]score.Scope{
		"which port did I just say":              score.Run,
		"what did we just now try for the build": score.Run,
		"the error of the last command":          score.Run,
		"what have we already tried":             score.Run,
		"how are refunds retried":                score.Project,
		"ECONNREFUSED 10.0.3.7":                  score.Project,
		"how do other teams sign their images":   score.Org,
		"the company's rule for passwords":       score.Org,
	} {
		if got := score.RouteOf(question); got != want {
			t.Errorf("%q is asked in %s first, not in %s", question, got, want)
		}
	}
}
