package facts_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"engram/facts"
)

// TestDocumentedPolicy: the example of docs/policy.md means what its table says.
func TestDocumentedPolicy(t *testing.T) {
	b, err := os.ReadFile("../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	m, err := facts.ParseManifest([]byte(text))
	if unknown := facts.UnknownFields([]byte(text)); err != nil || unknown != nil {
		t.Fatalf("%v, unknown %v", err, unknown)
	}
	may := time.Date(2026, 5, 15, 0, 0, 0, 0, time.UTC)
	scopes := []string{"payments", "payments/webhooks", "docs/api", "ops"}
	for agent, want := range map[string][]string{
		"":           {"reads", "reads", "reads, writes", "reads, writes"},
		"claude":     {"reads", "reads", "reads, writes", "reads, writes"},
		"ci":         {"reads, writes", "reads, writes", "reads, writes", "reads, writes"},
		"sprint-bot": {"reads", "reads, writes", "reads, writes", "reads, writes"},
		"guest":      {"nothing", "nothing", "reads", "nothing"},
	} {
		for i, scope := range scopes {
			var got []string
			if m.Permissions.Allow(agent, scope, facts.Read, may) {
				got = append(got, "reads")
			}
			if m.Permissions.Allow(agent, scope, facts.Write, may) {
				got = append(got, "writes")
			}
			if len(got) == 0 {
				got = []string{"nothing"}
			}
			if is := strings.Join(got, ", "); is != want[i] {
				t.Errorf("%q in %s: %s, the document says %s", agent, scope, is, want[i])
			}
		}
	}
	if m.Permissions.Allow("sprint-bot", "payments/webhooks", facts.Write, may.AddDate(0, 1, 0)) {
		t.Error("the sprint has no end")
	}
}
