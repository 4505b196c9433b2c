package mcp_test

import (
	"strings"
	"testing"
)

// TestFieldNames: errors name arguments as the tool has them.
func TestFieldNames(t *testing.T) {
	c := overPipes(t, newServer(t, newMemory(t), false))
	for _, tt := range []struct {
		tool string
		in   object
		want string
	}{
		{"engram_commit", object{"content": strings.Repeat("x", 501)}, "content has 501 characters"},
		{"engram_commit", object{"content": "Yes.", "provenance": strings.Repeat("x", 1001)}, "provenance has 1001 characters"},
		{"engram_commit", object{"content": "Yes.", "corrects_lineage": "nonsense", "operation": "update"}, "nonsense"},
		{"engram_commit", object{"content": "It is gone.", "operation": "delete"}, "hint: a query shows the key"},
		{"engram_resolve", object{"conflict_id": "ab", "resolution_type": "winer", "resolution": "Because."}, "did you mean winner?"},
		{"engram_query", object{"topic": " "}, "the question is empty\nhint: "},
	} {
		if said := c.refused(tt.tool, tt.in); !strings.Contains(said, tt.want) || strings.Contains(said, "wrong usage") || strings.Contains(said, "docs/") {
			t.Errorf("%s %v: %s", tt.tool, tt.in, said)
		}
	}
}
