package memory_test

import (
	"testing"

	"engram/facts"
	"engram/memory"
)

// TestNoWayRoundPermissions: who may not write a fact may neither bind another to its
// key, which promotion would put there, nor purge it.
func TestNoWayRoundPermissions(t *testing.T) {
	b := newMemory(t)
	b.commit(memory.CommitInput{Claim: "The limit is 5.", Key: "domain/pay/limit", Scope: "payments", Kind: "decision", Tags: []string{"money"}})
	gitIn(t, b.dir, "branch", "topic")
	b.agree("permissions:", "  - {agent: bot, scope: payments, write: false}")
	_, err := b.Commit(t.Context(), memory.CommitInput{Claim: "The limit is 7.", Key: "domain/pay/limit", Branch: "topic", Agent: "bot"})
	refuses(t, err, "bot", "payments", facts.Write)
	bot := openAs(t, b.dir, "bot")
	before := b.tip()
	if _, err := bot.Purge(t.Context(), memory.PurgeInput{Keys: []string{"domain/pay/limit"}, Apply: true}); err == nil || b.tip() != before {
		t.Errorf("purged: %v", err)
	}
	if code, _ := memory.Classify(err); code != memory.CodeRefused {
		t.Errorf("code %s", code)
	}
	// A fact that takes another's place on a branch keeps what it says of the topic.
	r := b.commit(memory.CommitInput{Claim: "The limit is 6.", Key: "domain/pay/limit", Branch: "topic", Agent: "ann"})
	got, err := b.Get(t.Context(), memory.GetInput{Key: r.Key, Branch: "topic"})
	if f := got.Fact; err != nil || f.Scope != "payments" || f.Kind != "decision" || len(f.Tags) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestPromotionIsReviewed: what has to be reviewed does not come to hold for all by a
// merge of its code branch.
func TestPromotionIsReviewed(t *testing.T) {
	b := onTopic(t)
	b.agree("review: {namespaces: [domain]}")
	gitIn(t, b.dir, "merge", "-q", "--no-edit", "topic")
	r, err := b.SettleBranches(t.Context())
	if err != nil || len(r.Promoted) != 0 || len(r.Waiting) != 1 || !r.Waiting[0].Undecided {
		t.Errorf("%+v, %v", r, err)
	}
	if f := b.get(portKey); f.Claim != port {
		t.Errorf("holds for all: %s", f.Claim)
	}
}
