package memory_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"engram/facts"
	"engram/memory"
)

// agree sets engram.yml, as a person does.
func (b bench) agree(lines ...string) memory.SetPolicyResult {
	b.t.Helper()
	r, err := b.SetPolicy(b.t.Context(), memory.SetPolicyInput{Text: "format: 1\n" + strings.Join(lines, "\n") + "\n"})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// refuses checks that an error is the refusal of an access.
func refuses(t testing.TB, err error, agent, scope string, access facts.Access) {
	t.Helper()
	var refused *memory.PermissionError
	if !errors.As(err, &refused) || refused.Agent != agent || refused.Scope != scope || refused.Access != access {
		t.Errorf("got %v, want a refusal of %q in %q", err, agent, scope)
		return
	}
	if code, hint := classified(err); code != memory.CodeRefused || !strings.Contains(hint, "engram.yml") {
		t.Errorf("code %s, hint %q", code, hint)
	}
}

const paymentsPolicy = `permissions:
  - {scope: payments, write: false}
  - {agent: ci, scope: payments, write: true}
  - {agent: ci, scope: payments/keys, write: false}
  - {agent: temp, scope: payments, write: true, valid_until: 2026-04-30T12:30:00Z}
  - {agent: guest, read: false}
  - {agent: guest, scope: docs, read: true}
`

func TestWritePermissions(t *testing.T) {
	b := newMemory(t)
	ctx := t.Context()
	b.commit(memory.CommitInput{Claim: "Amounts are integers.", Key: "domain/pay/amount", Scope: "payments", Agent: "claude"})
	b.commit(memory.CommitInput{Claim: "Rounding is half even.", Key: "domain/pay/rounding", Scope: "payments", Durability: "ephemeral"})
	b.commit(memory.CommitInput{Claim: "The site is static.", Key: "domain/site/static", Scope: "site", Agent: "claude"})
	b.agree(paymentsPolicy)
	tip := b.tip()
	commit := func(in memory.CommitInput) error { _, err := b.Commit(ctx, in); return err }
	for name, c := range map[string]struct {
		err          error
		agent, scope string
	}{
		"a new fact":              {commit(memory.CommitInput{Claim: "Refunds take a day.", Scope: "payments", Agent: "claude"}), "claude", "payments"},
		"a scope below":           {commit(memory.CommitInput{Claim: "Refunds take a day.", Scope: "payments/refunds", Agent: "claude"}), "claude", "payments/refunds"},
		"a person":                {commit(memory.CommitInput{Claim: "Refunds take a day.", Scope: "payments"}), "", "payments"},
		"the narrower permission": {commit(memory.CommitInput{Claim: "Keys rotate.", Scope: "payments/keys", Agent: "ci"}), "ci", "payments/keys"},
		"an update that keeps the scope": {commit(memory.CommitInput{Claim: "Amounts are decimals.", Key: "domain/pay/amount", Agent: "claude"}),
			"claude", "payments"},
		"an update out of it": {commit(memory.CommitInput{Claim: "Amounts are decimals.", Key: "domain/pay/amount", Scope: "site", Agent: "claude"}),
			"claude", "payments"},
		"an update into it": {commit(memory.CommitInput{Claim: "The site is dynamic.", Key: "domain/site/static", Scope: "payments", Agent: "claude"}),
			"claude", "payments"},
		"an update by lineage": {commit(memory.CommitInput{Claim: "Amounts are decimals.", Key: "domain/x/y", Scope: "site", Agent: "claude",
			Lineage: b.get("domain/pay/amount").LineageID, Operation: "update"}), "claude", "payments"},
		"a retirement": {func() error { _, err := b.Retire(ctx, "domain/pay/amount", "no", "claude"); return err }(), "claude", "payments"},
		"a promotion":  {func() error { _, err := b.Promote(ctx, "domain/pay/rounding", "claude"); return err }(), "claude", "payments"},
		"an import": {func() error {
			_, err := b.Import(ctx, strings.NewReader(`{"claim":"Refunds take a day.","scope":"payments","agent_id":"ci"}`), memory.ImportInput{Format: memory.JSONL, Agent: "claude"})
			return err
		}(), "claude", "payments"},
		"an import of what somebody else stated": {func() error {
			_, err := b.Import(ctx, strings.NewReader(`{"claim":"Refunds take a day.","scope":"payments","agent_id":"claude"}`), memory.ImportInput{Format: memory.JSONL, Agent: "ci"})
			return err
		}(), "claude", "payments"},
	} {
		t.Run(name, func(t *testing.T) { refuses(t, c.err, c.agent, c.scope, facts.Write) })
	}
	if b.tip() != tip {
		t.Error("something was written")
	}
	for _, in := range []memory.CommitInput{
		{Claim: "Refunds take two days.", Scope: "payments/refunds", Agent: "ci"},
		{Claim: "Chargebacks are manual.", Scope: "payments", Agent: "temp"},
		{Claim: "The site has a search.", Scope: "site", Agent: "claude"},
		{Claim: "The paymentsx module is another.", Scope: "paymentsx", Agent: "claude"},
	} {
		if err := commit(in); err != nil {
			t.Errorf("%s in %s: %v", in.Agent, in.Scope, err)
		}
	}
	b.clock.add(time.Hour)
	refuses(t, commit(memory.CommitInput{Claim: "Chargebacks are automatic.", Scope: "payments", Agent: "temp"}), "temp", "payments", facts.Write)
}

// TestRestorePermissions: what comes back is judged by when it was stated, and by
// who brings it now.
func TestRestorePermissions(t *testing.T) {
	b := newMemory(t)
	b.agree(paymentsPolicy)
	record := func(minute string) string {
		return `{"claim":"Chargebacks are manual.","key":"domain/pay/m` + minute + `","scope":"payments","agent_id":"temp","fact_id":"01HZZZZZZZZZZZZZZZZZZZZZ` + minute +
			`","lineage_id":"01HZZZZZZZZZZZZZZZZZZZZZ` + minute + `","valid_from":"2026-04-30T12:` + minute + `:00Z","committed_at":"2026-04-30T12:` + minute + `:00Z"}`
	}
	b.clock.add(24 * time.Hour)
	restore := func(minute, importer string) error {
		_, err := b.Import(t.Context(), strings.NewReader(record(minute)), memory.ImportInput{Format: memory.JSONL, Agent: importer})
		return err
	}
	if err := restore("20", "ci"); err != nil {
		t.Error(err)
	}
	refuses(t, restore("40", "ci"), "temp", "payments", facts.Write)
	refuses(t, restore("21", "claude"), "claude", "payments", facts.Write)
	refuses(t, restore("21", ""), "", "payments", facts.Write)
}

// TestResolvePermissions: who settles a conflict decides about both sides.
func TestResolvePermissions(t *testing.T) {
	b := newMemory(t)
	ctx := t.Context()
	b.commit(memory.CommitInput{Claim: "The gateway listens on port 8443.", Key: "domain/infra/a", Scope: "payments/gateway", Agent: "ci"})
	b.commit(memory.CommitInput{Claim: "The gateway listens on port 9443.", Key: "domain/infra/b", Scope: "payments/gateway", Agent: "ci"})
	audited, err := b.Audit(ctx, memory.AuditInput{})
	if err != nil || audited.Known != 1 {
		t.Fatalf("%+v, %v", audited, err)
	}
	open := b.only("open").ConflictID
	b.agree(paymentsPolicy)
	for _, how := range []memory.ResolveInput{{How: "winner", Winner: "a"}, {How: "dismissed"}, {How: "merge", MergedClaim: "The gateway listens on 443."}} {
		how.ConflictID, how.Reason, how.Agent = open, "because", "claude"
		_, err := b.Resolve(ctx, how)
		refuses(t, err, "claude", "payments/gateway", facts.Write)
	}
	if _, err := b.Resolve(ctx, memory.ResolveInput{ConflictID: open, How: "winner", Winner: "a", Reason: "seen", Agent: "ci"}); err != nil {
		t.Error(err)
	}
}

func openAs(t testing.TB, dir, agent string) bench {
	t.Helper()
	c := newClock()
	m, err := memory.Open(t.Context(), dir, markerScanner{}, &memory.Options{Now: c.Now, NewID: numbered, Agent: agent})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return bench{m, t, dir, c}
}

func TestReadPermissions(t *testing.T) {
	b := newMemory(t)
	ctx := t.Context()
	var ins []memory.CommitInput
	for i := range 15 {
		ins = append(ins, memory.CommitInput{Claim: fmt.Sprintf("The gateway gateway gateway secretly likes word%c.", 'a'+i),
			Key: fmt.Sprintf("domain/hidden/n%02d", i), Scope: "ops"})
	}
	ins = append(ins,
		memory.CommitInput{Claim: "The gateway is documented.", Key: "domain/docs/gateway", Scope: "docs/api"},
		memory.CommitInput{Claim: "The gateway docs have pictures of port 8443.", Key: "domain/docs/pictures", Scope: "docs"},
		memory.CommitInput{Claim: "The payments gateway moved.", Key: "domain/docs/moved", Scope: "ops"})
	if _, err := b.CommitAll(ctx, ins); err != nil {
		t.Fatal(err)
	}
	b.commit(memory.CommitInput{Claim: "The payments gateway is public.", Key: "domain/docs/moved", Scope: "docs"})
	b.agree(paymentsPolicy)
	guest := openAs(t, b.dir, "guest")

	t.Run("query", func(t *testing.T) {
		for name, ask := range map[string]func(memory.QueryInput) (memory.QueryResult, error){
			"as whom it was opened for": func(in memory.QueryInput) (memory.QueryResult, error) { return guest.Query(ctx, in) },
			"as who asks":               func(in memory.QueryInput) (memory.QueryResult, error) { in.AskedBy = "guest"; return b.Query(ctx, in) },
		} {
			r, err := ask(memory.QueryInput{Question: "gateway", Limit: 3, WhyNot: []string{"domain/hidden/n03"}})
			if err != nil || len(r.Results) != 3 || r.Withheld != 15 || r.Matched != 3 {
				t.Errorf("%s: %d results, %d withheld, %d matched, %v", name, len(r.Results), r.Withheld, r.Matched, err)
			}
			for _, hit := range r.Results {
				if !strings.HasPrefix(hit.Scope, "docs") {
					t.Errorf("%s: got %s of %s", name, hit.Key, hit.Scope)
				}
			}
			if len(r.WhyNot) != 1 || !strings.Contains(r.WhyNot[0].Reason, "may not read") {
				t.Errorf("%s: why not: %+v", name, r.WhyNot)
			}
		}
		r, err := b.Query(ctx, memory.QueryInput{Question: "gateway", Limit: 50})
		if err != nil || len(r.Results) != 18 || r.Withheld != 0 {
			t.Errorf("a person: %d results, %d withheld, %v", len(r.Results), r.Withheld, err)
		}
	})
	t.Run("get", func(t *testing.T) {
		_, err := guest.Get(ctx, memory.GetInput{Key: "domain/hidden/n01"})
		refuses(t, err, "guest", "ops", facts.Read)
		_, err = b.Get(ctx, memory.GetInput{Key: "domain/hidden/n01", AskedBy: "guest"})
		refuses(t, err, "guest", "ops", facts.Read)
		if _, err := guest.Get(ctx, memory.GetInput{Key: "domain/docs/gateway"}); err != nil {
			t.Error(err)
		}
		_, err = guest.Get(ctx, memory.GetInput{Key: "domain/docs/moved", AsOf: b.get("domain/docs/moved").ValidFrom.Add(-time.Millisecond)})
		refuses(t, err, "guest", "ops", facts.Read)
	})
	t.Run("list", func(t *testing.T) {
		r, err := guest.List(ctx, memory.ListInput{Limit: 2})
		if err != nil || len(r.Facts) != 2 || r.Omitted != 1 || r.Withheld != 15 {
			t.Errorf("%d facts, %d omitted, %d withheld, %v", len(r.Facts), r.Omitted, r.Withheld, err)
		}
	})
	t.Run("history", func(t *testing.T) {
		r, err := guest.History(ctx, memory.HistoryInput{Key: "domain/docs/moved"})
		refuses(t, err, "guest", "ops", facts.Read) // its one open version shows what it was before
		if len(r.Versions) != 0 {
			t.Errorf("%+v", r)
		}
		_, err = guest.History(ctx, memory.HistoryInput{Key: "domain/hidden/n01"})
		refuses(t, err, "guest", "ops", facts.Read)
		b.commit(memory.CommitInput{Claim: "The payments gateway is open to all.", Key: "domain/docs/moved"})
		r, err = guest.History(ctx, memory.HistoryInput{Key: "domain/docs/moved"})
		if err != nil || len(r.Versions) != 1 || r.Withheld != 2 {
			t.Errorf("%d versions, %d withheld, %v", len(r.Versions), r.Withheld, err)
		}
		r, err = b.History(ctx, memory.HistoryInput{Key: "domain/docs/moved", AskedBy: "guest"})
		if err != nil || len(r.Versions) != 1 || r.Withheld != 2 {
			t.Errorf("as who asks: %d versions, %d withheld, %v", len(r.Versions), r.Withheld, err)
		}
		_, err = b.History(ctx, memory.HistoryInput{Key: "domain/hidden/n01", AskedBy: "guest"})
		refuses(t, err, "guest", "ops", facts.Read)
		if r, err = b.History(ctx, memory.HistoryInput{Key: "domain/docs/moved"}); err != nil || len(r.Versions) != 3 || r.Withheld != 0 {
			t.Errorf("a person: %d versions, %d withheld, %v", len(r.Versions), r.Withheld, err)
		}
	})
	t.Run("export", func(t *testing.T) {
		for _, format := range []memory.Format{memory.JSONL, memory.YAML} {
			var out bytes.Buffer
			r, err := guest.Export(ctx, &out, memory.ExportInput{Format: format, All: true})
			if err != nil || r.Facts != 3 || r.Withheld != 15 || strings.Contains(out.String(), "secretly") {
				t.Errorf("%s: %+v, %v", format, r, err)
			}
		}
	})
	t.Run("conflicts", func(t *testing.T) {
		b.commit(memory.CommitInput{Claim: "The gateway docs have pictures of port 9443.", Key: "domain/ops/pictures", Scope: "docs/ops"})
		opened := b.conflicts(memory.ConflictsInput{})
		if len(opened) == 0 {
			t.Fatal("the commit wrote no conflict")
		}
		key := opened[0].Key.String()
		before, err := guest.Conflicts(ctx, memory.ConflictsInput{})
		if err != nil || len(before.Conflicts) != len(opened) || before.Withheld != 0 {
			t.Errorf("%d conflicts, %d withheld, %v", len(before.Conflicts), before.Withheld, err)
		}
		b.agree(paymentsPolicy+"  - {agent: guest, scope: docs/ops, read: false}\n", "rate_limit: 7")
		r, err := guest.Conflicts(ctx, memory.ConflictsInput{})
		if err != nil || len(r.Conflicts) != len(before.Conflicts)-1 || r.Withheld != 1 {
			t.Errorf("%d conflicts, %d withheld, %v", len(r.Conflicts), r.Withheld, err)
		}
		_, err = guest.Get(ctx, memory.GetInput{Key: key})
		refuses(t, err, "guest", "docs", facts.Read)
		found, err := guest.Query(ctx, memory.QueryInput{Question: "gateway docs pictures", KeyPrefix: "risk/conflict"})
		if err != nil || len(found.Results) != len(before.Conflicts)-1 || found.Withheld == 0 {
			t.Errorf("found %+v, %v", found, err)
		}
		detect := memory.DetectInput{Claim: "The gateway docs have pictures of port 1443.", Scope: "docs"}
		person, err := b.Detect(ctx, detect)
		if err != nil {
			t.Fatal(err)
		}
		asked := detect
		asked.AskedBy = "guest"
		for name, ask := range map[string]func() (memory.DetectResult, error){
			"as whom it was opened for": func() (memory.DetectResult, error) { return guest.Detect(ctx, detect) },
			"as who asks":               func() (memory.DetectResult, error) { return b.Detect(ctx, asked) },
		} {
			clash, err := ask()
			for _, c := range clash.Clashes {
				if c.Fact.Scope == "docs/ops" {
					t.Errorf("%s: shows %s", name, c.Fact.Claim)
				}
			}
			if err != nil || len(clash.Clashes) == 0 || len(clash.Clashes) >= len(person.Clashes) {
				t.Errorf("%s: %d clashes, a person sees %d, %v", name, len(clash.Clashes), len(person.Clashes), err)
			}
		}
	})
}

// TestPermissionsOfOthers: a permission for one agent is none of the
// others'.
func TestPermissionsOfOthers(t *testing.T) {
	b := newMemory(t)
	b.commit(memory.CommitInput{Claim: "The gateway listens.", Scope: "ops"})
	b.agree("permissions:", "  - {agent: guest, read: false, write: false}")
	r, err := b.Query(t.Context(), memory.QueryInput{Question: "gateway", AskedBy: "claude"})
	if err != nil || len(r.Results) != 1 || r.Withheld != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
