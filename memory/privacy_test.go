package memory_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"engram/memory"
)

// written is every object that a range of the branch brought, as text.
func (b bench) written(from string) string {
	b.t.Helper()
	cmd := exec.Command("git", "cat-file", "--batch")
	cmd.Dir = b.dir
	list := gitIn(b.t, b.dir, "rev-list", "--objects", "--no-object-names", from+"..engram")
	cmd.Stdin = strings.NewReader(list + "\n")
	out, err := cmd.Output()
	if err != nil {
		b.t.Fatal(err)
	}
	return string(out)
}

// everyWrite carries out every kind of write there is, as an agent.
func (b bench) everyWrite(agent string) {
	b.t.Helper()
	ctx := b.t.Context()
	must := func(err error) {
		b.t.Helper()
		if err != nil {
			b.t.Fatal(err)
		}
	}
	b.commit(memory.CommitInput{Claim: "Amounts are decimals.", Key: "domain/pay/amount", Agent: agent}) // updates one of before
	b.commit(memory.CommitInput{Claim: "The site has a search.", Key: "domain/site/search", Agent: agent})
	b.commit(memory.CommitInput{Claim: "The site had a map.", Key: "domain/site/map", Agent: agent, Durability: "ephemeral"})
	_, err := b.Promote(ctx, "domain/site/map", agent)
	must(err)
	_, err = b.Promote(ctx, "domain/old/ephemeral", agent) // of before
	must(err)
	_, err = b.Retire(ctx, "domain/old/retired", "it went away", agent) // of before
	must(err)
	b.commit(memory.CommitInput{Claim: "Moved things move.", Key: "domain/new/moved", Lineage: b.get("domain/old/moved").LineageID, Operation: "update", Agent: agent})
	lines := `{"claim":"It rains.","key":"domain/weather/rain","agent_id":"` + agent + `","fact_id":"01HZZZZZZZZZZZZZZZZZZZZZZZ","lineage_id":"01HZZZZZZZZZZZZZZZZZZZZZZZ",` +
		`"engineer":"Ada <ada@example.com>","valid_from":"2026-01-01T00:00:00Z","committed_at":"2026-01-01T00:00:00Z"}`
	for i := range 2 {
		r, err := b.Import(ctx, strings.NewReader(lines), memory.ImportInput{Format: memory.JSONL, Agent: agent})
		must(err)
		if i == 1 && r.Duplicates != 1 {
			b.t.Errorf("an import that is repeated: %+v", r)
		}
	}
	b.commit(memory.CommitInput{Claim: "The gateway listens on port 8443.", Key: "domain/infra/a", Scope: "infra", Agent: agent})
	b.commit(memory.CommitInput{Claim: "The gateway listens on port 9443.", Key: "domain/infra/b", Scope: "infra", Agent: agent})
	audited, err := b.Audit(ctx, memory.AuditInput{All: true})
	must(err)
	if audited.Known != 1 {
		b.t.Fatalf("%+v", audited)
	}
	_, err = b.Resolve(ctx, memory.ResolveInput{ConflictID: b.only("open").ConflictID, How: "winner", Winner: "domain/infra/a", Reason: "seen", Agent: agent})
	must(err)
	policy, err := b.Policy(ctx)
	must(err)
	_, err = b.SetPolicy(ctx, memory.SetPolicyInput{Text: policy.Text + "gates: [lint]\n", Agent: agent})
	must(err)
}

// before are facts of the time before a team wanted privacy.
func (b bench) before(agent string) {
	for _, in := range []memory.CommitInput{
		{Claim: "Amounts are integers.", Key: "domain/pay/amount"},
		{Claim: "The cache is cold.", Key: "domain/old/ephemeral", Durability: "ephemeral"},
		{Claim: "The attic is full.", Key: "domain/old/retired"},
		{Claim: "Moved things rest.", Key: "domain/old/moved"},
	} {
		in.Agent = agent
		b.commit(in)
	}
}

// TestAnonymousMode: neither name nor email of the engineer is in any object that
// is written from the commit on that sets the mode.
func TestAnonymousMode(t *testing.T) {
	b := newMemory(t)
	b.before("claude")
	if !strings.Contains(b.written("engram~1"), "Ada") {
		t.Fatal("this test cannot fail")
	}
	last := b.tip()
	b.agree("anonymous_mode: true")
	b.everyWrite("claude")
	objects := b.written(last)
	for _, name := range []string{"Ada", "ada@example.com", "engineer:"} {
		if i := strings.Index(objects, name); i >= 0 {
			t.Errorf("%s is there: …%s…", name, objects[max(0, i-200):i+50])
		}
	}
	if !strings.Contains(objects, "agent: claude") {
		t.Error("the agent is gone as well")
	}
	if who := gitIn(t, b.dir, "log", "--format=%an <%ae> %cn <%ce> %ai", last+"..engram"); strings.Count(who, "anonymous <anonymous@engram.invalid> anonymous <anonymous@engram.invalid>") !=
		strings.Count(who, "\n")+1 || strings.Count(who, "+0000") != strings.Count(who, "\n")+1 {
		t.Errorf("authors:\n%s", who)
	}
	gitIn(t, b.dir, "config", "--unset", "user.name") // git need not know who it is
	gitIn(t, b.dir, "config", "--unset", "user.email")
	gitIn(t, b.dir, "config", "user.useConfigOnly", "true")
	b.commit(memory.CommitInput{Claim: "Nobody said so."})
	// The commit that ends the mode is still a part of it.
	gitIn(t, b.dir, "config", "user.name", "Ada")
	gitIn(t, b.dir, "config", "user.email", "ada@example.com")
	last = b.tip()
	b.agree("rate_limit: 3")
	if strings.Contains(b.written(last), "Ada") {
		t.Error("the commit that ended the mode names Ada")
	}
	b.commit(memory.CommitInput{Claim: "Ada said so."})
	if !strings.Contains(b.written(last), "Ada <ada@example.com>") {
		t.Error("the mode did not end")
	}
}

// TestAnonAgents: an agent has one random name a session, and never its own.
func TestAnonAgents(t *testing.T) {
	b := newMemory(t)
	b.before("harold")
	last := b.tip()
	b.agree("anon_agents: true", "rate_limit: 100")
	b.everyWrite("claude")
	objects := b.written(last)
	if i := strings.Index(objects, "claude"); i >= 0 {
		t.Errorf("claude is there: …%s…", objects[max(0, i-200):i+50])
	}
	alias := b.get("domain/site/search").AgentID
	if !regexp.MustCompile(`^agent-[0-9a-f]{8}$`).MatchString(alias) || b.get("domain/new/moved").AgentID != alias || b.get("domain/weather/rain").AgentID != alias {
		t.Errorf("aliases %q, %q, %q", alias, b.get("domain/new/moved").AgentID, b.get("domain/weather/rain").AgentID)
	}
	if !strings.Contains(objects, "(by "+alias+")") {
		t.Error("the retirement does not name the alias")
	}
	b.commit(memory.CommitInput{Claim: "People have no name here.", Key: "domain/people/none"})
	b.commit(memory.CommitInput{Claim: "Codex has another.", Key: "domain/codex/one", Agent: "codex"})
	if got := b.get("domain/people/none").AgentID; got != "" {
		t.Errorf("a person is %q", got)
	}
	if got := b.get("domain/codex/one").AgentID; got == alias || got == "" {
		t.Errorf("codex is %q", got)
	}
	other := openMemory(t, b.dir)
	other.commit(memory.CommitInput{Claim: "The next session began.", Key: "domain/next/session", Agent: "claude"})
	if got := b.get("domain/next/session").AgentID; got == alias {
		t.Error("two sessions have the same name")
	}
	// A backup comes back under the names that it has.
	var backup bytes.Buffer
	if _, err := b.Export(t.Context(), &backup, memory.ExportInput{Format: memory.YAML, All: true}); err != nil {
		t.Fatal(err)
	}
	tip := b.tip()
	r, err := other.Import(t.Context(), &backup, memory.ImportInput{Format: memory.YAML})
	if err != nil || r.Added+r.Updated+r.Retired != 0 || b.tip() != tip {
		t.Errorf("%+v, %v", r, err)
	}
	// The rate counts the true name, which stays on this machine.
	ledger, err := os.ReadFile(filepath.Join(b.dir, ".git", "engram", "rate", "engram.json"))
	if err != nil || !strings.Contains(string(ledger), `"claude"`) {
		t.Errorf("%s, %v", ledger, err)
	}
}

// TestRateIsOfTheTrueName: a new session is no new agent.
func TestRateIsOfTheTrueName(t *testing.T) {
	b := newMemory(t)
	b.agree("anon_agents: true", "rate_limit: 2")
	for i := range 3 {
		_, err := openMemory(t, b.dir).Commit(t.Context(), memory.CommitInput{Claim: fmt.Sprintf("Session %d.", i), Agent: "claude"})
		if (err != nil) != (i == 2) {
			t.Errorf("session %d: %v", i, err)
		}
	}
}
