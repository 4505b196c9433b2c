package retrieval_test

import (
	"strings"
	"testing"

	"engram/eval/retrieval"
)

func TestTopicsHideTheAnswer(t *testing.T) {
	rules := map[string]string{
		"always start variable names with 'x_'": "x_", "always end method names with '_md'": "_md", "use Zoom for video calls": "Zoom",
		"always take a break every 50 minutes": "50", "never use a linter": "never", "use VSCode as preferred IDE": "VSCode",
	}
	for rule, answer := range rules {
		asked := 0
		for _, topic := range retrieval.Topics() {
			question, ok := retrieval.Ask(topic, rule)
			if !ok {
				continue
			}
			asked++
			if strings.Contains(question, answer) || strings.Contains(question, "$") {
				t.Errorf("%q is asked as %q", rule, question)
			}
		}
		if asked != 1 {
			t.Errorf("%q is asked in %d ways", rule, asked)
		}
	}
}
