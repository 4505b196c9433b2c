package mcp_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/internal/gittest"
)

// TestTools checks what clients ask of every tool.
func TestTools(t *testing.T) {
	c := overPipes(t, newServer(t, gittest.New(t), false))
	if n := len(c.InitializeResult().Instructions); n == 0 || n > 2048 {
		t.Errorf("the instructions have %d bytes", n)
	}
	tools := c.tools()
	names := make([]string, len(tools))
	for i, tool := range tools {
		names[i] = tool.Name
		if !regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(tool.Name) {
			t.Errorf("%s: some clients take no such name", tool.Name)
		}
		if n := len(tool.Description); n == 0 || n > 2048 {
			t.Errorf("%s: the description has %d bytes", tool.Name, n)
		}
		if tool.Title == "" {
			t.Errorf("%s has no title", tool.Name)
		}
		checkHints(t, tool)
		for _, schema := range []any{tool.InputSchema, tool.OutputSchema} {
			checkObject(t, tool.Name, schema)
		}
	}
	for range 3 {
		again := c.tools()
		if !slices.EqualFunc(names, again, func(name string, tool *sdk.Tool) bool { return tool.Name == name }) {
			t.Errorf("the order is %v, and then another", names)
		}
	}
	for _, core := range []string{"engram_status", "engram_query", "engram_commit", "engram_conflicts", "engram_resolve", "engram_judge", "engram_get", "engram_recall"} {
		if !slices.Contains(names, core) {
			t.Errorf("there is no %s", core)
		}
	}
}

// checkHints checks that all four hints are sent: what a client assumes without
// them is that a tool destroys and reaches beyond the machine.
func checkHints(t *testing.T, tool *sdk.Tool) {
	t.Helper()
	b, err := json.Marshal(tool.Annotations)
	if err != nil {
		t.Fatal(err)
	}
	a := tool.Annotations
	if a == nil || a.DestructiveHint == nil || a.OpenWorldHint == nil || a.Title == "" {
		t.Fatalf("%s: hints are missing: %s", tool.Name, b)
	}
	if a.ReadOnlyHint && *a.DestructiveHint {
		t.Errorf("%s: %s", tool.Name, b)
	}
}

// checkObject checks a schema: resolvable, of an object, every field with a type.
func checkObject(t *testing.T, name string, got any) {
	t.Helper()
	schema := resolved(t, got).Schema()
	if schema.Type != "object" {
		t.Errorf("%s: a schema is of %q", name, schema.Type)
	}
	for field, property := range schema.Properties {
		if property.Type == "" && len(property.Types) == 0 && property.Ref == "" {
			t.Errorf("%s: %s has no type", name, field)
		}
	}
}

// TestSession is a session from a repository without a memory to a contradiction
// that is settled, by each way of connecting.
func TestSession(t *testing.T) {
	for name, connect := range over {
		t.Run(name, func(t *testing.T) {
			c := connect(t, newServer(t, gittest.New(t), true))
			if s := c.call("engram_status", nil); s["status"] != "unconfigured" || !strings.Contains(s["next_prompt"].(string), "engram_init") {
				t.Fatalf("%v", s)
			}
			if r := c.call("engram_init", nil); r["status"] != "awaiting_privacy" {
				t.Fatalf("%v", r)
			}
			c.call("engram_init", object{"anonymous_mode": false, "anon_agents": false})
			first := c.call("engram_commit", object{
				"content": "The gateway listens on port 3000.", "scope": "gateway", "provenance": "gateway.go:12",
			})
			found := list(c.call("engram_query", object{"topic": "On which port does the gateway listen?"}), "results")
			if len(found) != 1 || found[0]["key"] != first["key"] || found[0]["agent_id"] != "test-client" {
				t.Fatalf("%v", found)
			}
			second := c.call("engram_commit", object{
				"content": "The gateway listens on port 9000.", "scope": "gateway", "provenance": "gateway_test.go:40",
			})
			c.call("engram_audit", object{})
			conflicts := list(c.call("engram_conflicts", nil), "conflicts")
			if len(conflicts) != 1 {
				t.Fatalf("%d conflicts", len(conflicts))
			}
			c.call("engram_resolve", object{
				"conflict_id": conflicts[0]["conflict_id"], "resolution_type": "winner", "winning_claim_id": second["fact_id"], "resolution": "The test shows 9000.",
			})
			found = list(c.call("engram_query", object{"topic": "On which port does the gateway listen?"}), "results")
			if len(found) != 1 || found[0]["key"] != second["key"] || found[0]["has_open_conflict"] == true {
				t.Fatalf("%v", found)
			}
			fact := c.call("engram_get", object{"key": second["key"], "history": 3})
			if len(list(fact, "versions")) == 0 {
				t.Errorf("%v", fact)
			}
			if s := c.call("engram_status", nil); s["status"] != "ready" || s["open_conflicts"] != 0.0 {
				t.Errorf("%v", s)
			}
		})
	}
}

// TestScratch uses the tools that TestSession does not.
func TestScratch(t *testing.T) {
	c := overHTTP(t, newServer(t, newMemory(t), false))
	scratch := c.call("engram_commit", object{"content": "Port 8443 is taken on the build machine.", "scope": "ci", "durability": "ephemeral"})
	if n := len(list(c.call("engram_query", object{"topic": "port 8443"}), "results")); n != 0 {
		t.Errorf("a scratch note is among %d results", n)
	}
	c.call("engram_promote", object{"key": scratch["key"]})
	if n := len(list(c.call("engram_query", object{"topic": "port 8443"}), "results")); n != 1 {
		t.Errorf("%d results", n)
	}
	c.call("engram_commit", object{"content": "The machine is gone.", "operation": "delete", "corrects_lineage": scratch["lineage_id"]})
	if n := len(list(c.call("engram_query", object{"topic": "port 8443"}), "results")); n != 0 {
		t.Errorf("%d results of what was retired", n)
	}
	if text := c.refused("engram_join", object{"invite_key": "ek_nonsense"}); !strings.Contains(text, "hint:") {
		t.Errorf("it says %q", text)
	}
}

// TestOutsideRepository: a server starts anywhere, and says what to do.
func TestOutsideRepository(t *testing.T) {
	c := overPipes(t, newServer(t, t.TempDir(), true))
	s := c.call("engram_status", nil)
	if s["status"] != "no_repository" || !strings.Contains(s["next_prompt"].(string), "git init") {
		t.Errorf("%v", s)
	}
	for _, tool := range []string{"engram_query", "engram_commit", "engram_get"} {
		args := map[string]object{"engram_query": {"topic": "x"}, "engram_commit": {"content": "x"}, "engram_get": {"key": "a/b/c"}}[tool]
		if text := c.refused(tool, args); !strings.Contains(text, "error (unusable)") || !strings.Contains(text, "engram_status") {
			t.Errorf("%s says %q", tool, text)
		}
	}
}

// TestNewsOfConflicts: what the background finds is said to whoever calls next, once.
func TestNewsOfConflicts(t *testing.T) {
	c := overPipes(t, newServer(t, newMemory(t), true))
	for i, port := range []int{8443, 9443} {
		c.call("engram_commit", object{"content": fmt.Sprintf("The gateway listens on port %d.", port), "scope": "infra", "agent_id": fmt.Sprintf("agent-%d", i)})
	}
	said := func() any {
		return c.call("engram_query", object{"topic": "port of the gateway"})["next_prompt"]
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if text, _ := said().(string); strings.Contains(text, "1 new contradiction was found") {
			break
		} else if text != "" || time.Now().After(end) {
			t.Fatalf("it says %q", text)
		}
	}
	if again := said(); again != nil {
		t.Errorf("again: %v", again)
	}
}
