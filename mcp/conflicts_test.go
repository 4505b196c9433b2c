package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// disputed is a memory with a contradiction of two agents about the gateway, and an
// update by one about billing, which an audit has written down.
func disputed(t *testing.T) client {
	c := overPipes(t, newServer(t, newMemory(t), false))
	for _, subject := range []string{"gateway", "billing"} {
		for _, port := range []int{3000, 9000} {
			c.call("engram_commit", object{
				"content": fmt.Sprintf("The %s API listens on port %d.", subject, port),
				"scope":   "limits/" + subject, "provenance": strings.Repeat("evidence ", 60), "agent_id": writer(subject, port),
			})
		}
	}
	c.call("engram_audit", object{})
	return c
}

func writer(subject string, port int) string {
	if subject == "gateway" {
		return fmt.Sprintf("agent-%d", port)
	}
	return "agent"
}

func TestConflicts(t *testing.T) {
	c := disputed(t)
	out := c.call("engram_conflicts", nil)
	found := list(out, "conflicts")
	prompt := out["next_prompt"].(string)
	if len(found) != 2 || !strings.HasPrefix(prompt, "One pair of claims contradicts") || !strings.Contains(prompt, "One looks like an update") {
		t.Fatalf("%v", out)
	}
	for _, conflict := range found {
		if b, _ := json.Marshal(conflict); len(b) > 1500 {
			t.Errorf("one takes %d bytes: %s", len(b), b)
		}
		for _, name := range []string{"a", "b"} {
			side := conflict[name].(map[string]any)
			if side["claim"] == nil || side["fact_id"] == nil || side["state"] != nil || len([]rune(side["evidence"].(string))) > 200 {
				t.Errorf("%s is %v", name, side)
			}
		}
	}
	scoped := c.call("engram_conflicts", object{"scope": "limits/gateway"})
	if n := len(list(scoped, "conflicts")); n != 1 || !strings.HasPrefix(scoped["next_prompt"].(string), "One pair") {
		t.Errorf("%d in the scope: %v", n, scoped["next_prompt"])
	}
	// However small the budget, one is shown, and the rest counted.
	for _, in := range []object{{"budget": 1}, {"limit": 1}} {
		if out := c.call("engram_conflicts", in); len(list(out, "conflicts")) != 1 || out["omitted"] != 1.0 {
			t.Errorf("%v: %v", in, out)
		}
	}
}

func TestConflictsThatMoved(t *testing.T) {
	c := disputed(t)
	conflict := list(c.call("engram_conflicts", object{"scope": "limits/gateway"}), "conflicts")[0]
	c.call("engram_resolve", object{
		"conflict_id": conflict["conflict_id"], "resolution_type": "winner", "winning_claim_id": "a", "resolution": "The test shows it.",
	})
	out := c.call("engram_conflicts", object{"scope": "limits/gateway", "status": "resolved"})
	settled := list(out, "conflicts")
	if len(settled) != 1 || settled[0]["resolution"] != "The test shows it." || settled[0]["resolved_by"] != "test-client" || out["next_prompt"] != nil {
		t.Fatalf("%v", out)
	}
	if loser := settled[0]["b"].(map[string]any); loser["state"] == nil {
		t.Errorf("what lost is shown as %v", loser)
	}
}

func TestVersions(t *testing.T) {
	c := overPipes(t, newServer(t, newMemory(t), false))
	for _, claim := range []string{"Logs go to stderr.", "Logs go to stdout since May."} {
		c.call("engram_commit", object{"content": claim, "key": "domain/logs/where", "agent_id": "ada-agent"})
	}
	versions := list(c.call("engram_get", object{"key": "domain/logs/where", "history": 5}), "versions")
	if len(versions) != 2 {
		t.Fatalf("%v", versions)
	}
	v := versions[0]
	if len(v["commit"].(string)) != 12 || len(v["committed_at"].(string)) != len("2006-01-02T15:04:05Z") || v["agent_id"] != "ada-agent" || v["claim"] != "Logs go to stdout since May." {
		t.Errorf("%v", v)
	}
	if v["subject"] != nil || versions[1]["memory_op"] != "add" {
		t.Errorf("%v", versions)
	}
}
