package memory_test

import (
	"context"
	"testing"
	"time"

	"engram/memory"
)

// TestWatchTakesInWhatWasFetched: a colleague's fact is there a moment after a
// plain git fetch, without hooks.
func TestWatchTakesInWhatWasFetched(t *testing.T) {
	dir, remote := pairSharing(t)
	ada := openMemory(t, dir)
	ada.begin(memory.BeginInput{})
	ada.sync()
	bob := colleague(t, remote, "Bob")
	bob.begin(memory.BeginInput{})
	bob.commit(memory.CommitInput{Claim: "The gateway listens on port 9443.", Key: "domain/infra/gateway"})
	bob.sync()

	ctx, stop := context.WithCancel(t.Context())
	reports, ended := make(chan memory.WatchReport, 16), make(chan error)
	go func() {
		ended <- ada.Watch(ctx, memory.WatchOptions{Tick: time.Hour, Report: func(r memory.WatchReport) { reports <- r }})
	}()
	gitIn(t, dir, "fetch", "-q", "origin")
	for arrived := 0; arrived == 0; {
		select {
		case r := <-reports:
			arrived += r.Arrived
		case <-time.After(30 * time.Second):
			t.Fatal("nothing arrived")
		}
	}
	stop()
	<-ended
	if _, err := ada.Get(t.Context(), memory.GetInput{Key: "domain/infra/gateway"}); err != nil {
		t.Error(err)
	}
}

// TestSettleFetched takes in once what was fetched, and begins the branch where a
// fresh clone has none.
func TestSettleFetched(t *testing.T) {
	dir, remote := pairSharing(t)
	ada := openMemory(t, dir)
	ada.begin(memory.BeginInput{})
	ada.commit(memory.CommitInput{Claim: "The gateway listens on port 9443.", Key: "domain/infra/gateway"})
	ada.sync()
	bob := colleague(t, remote, "Bob")
	gitIn(t, bob.dir, "fetch", "-q", "origin", "engram:refs/remotes/origin/engram") // as a whole clone has it
	for i, want := range []string{"origin/engram", ""} {
		r, err := bob.SettleFetched(t.Context(), memory.SettleInput{})
		if err != nil || len(r.From) > 1 || len(r.From) == 1 != (want != "") {
			t.Errorf("look %d: %v, %v", i, r.From, err)
		}
	}
	bob.get("domain/infra/gateway")

	ada.commit(memory.CommitInput{Claim: "The queue holds 90 messages.", Key: "domain/infra/queue"})
	ada.sync()
	gitIn(t, bob.dir, "fetch", "-q", "origin", "engram:refs/remotes/origin/engram")
	if r, err := bob.SettleFetched(t.Context(), memory.SettleInput{}); err != nil || r.Arrived != 1 {
		t.Errorf("%d arrived, %v", r.Arrived, err)
	}
}
