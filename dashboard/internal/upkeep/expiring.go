package upkeep

import (
	"context"
	"errors"
	"time"

	"engram/dashboard/internal/site"
	"engram/facts"
	"engram/memory"
)

const (
	mostListed = 20                  // facts of each list
	patience   = time.Minute         // of a person who waits for a page
	soon       = 30 * 24 * time.Hour // a fact that ends within it is about to end
)

// expiring is the page of facts that need a look.
type expiring struct {
	Checked time.Time // when all evidence was last compared; zero if never
	Lists   []list
	Fine    bool // nothing needs a look
}

// list is the facts that need a look for one reason.
type list struct {
	ID, Name, Why string
	Verdict       memory.Freshness // of the evidence; "" if the list is about time
	Facts         []memory.Fact
	Total         int
	All           string // the page that lists all of them; "" if there is none
}

func readExpiring(r *site.Request) (site.View, error) {
	until := r.Now.Truncate(time.Hour).Add(soon) // by the hour, so that answers can be kept
	lists := []struct {
		list
		in memory.SurveyInput
	}{
		{list{ID: "missing", Name: "Evidence is missing", Verdict: memory.Missing, Why: "The code that these facts rest on is gone. Correct or retire them."}, memory.SurveyInput{Freshness: string(memory.Missing)}},
		{list{ID: "drifted", Name: "Evidence has drifted", Verdict: memory.Drifted, Why: "The code has changed since these facts were stated. If a fact still holds, confirm it."}, memory.SurveyInput{Freshness: string(memory.Drifted)}},
		{list{ID: "moved", Name: "Evidence has moved", Verdict: memory.Moved, Why: "The same lines stand elsewhere now. Confirming a fact takes over the new place."}, memory.SurveyInput{Freshness: string(memory.Moved)}},
		{list{ID: "ending", Name: "About to end", Why: "These facts end within 30 days. Edit one to keep it, or let it end."}, memory.SurveyInput{EndsBefore: until}},
		{list{ID: "expired", Name: "Expired", Why: "Their time has passed: questions do not find them any more."}, memory.SurveyInput{State: string(facts.Expired)}},
	}
	page := expiring{Fine: true}
	view := site.View{Title: "Expiring and stale"}
	for _, l := range lists {
		if l.Verdict != "" && view.Revision != "" && page.Checked.IsZero() {
			continue // nothing is known of evidence
		}
		l.in.AskedBy, l.in.Limit = r.Agent, mostListed
		found, err := r.Memory.Survey(r.Context(), l.in)
		if err != nil {
			return view, err
		}
		view.Revision, page.Checked = found.Revision, found.Checked
		if l.Verdict != "" && found.Checked.IsZero() {
			continue
		}
		l.Facts, l.Total = found.Facts, found.Total
		switch {
		case l.Verdict != "":
			l.All = site.Root + "/facts?freshness=" + string(l.Verdict)
		case l.in.State != "":
			l.All = site.Root + "/facts?state=" + l.in.State
		}
		page.Fine = page.Fine && l.Total == 0
		page.Lists = append(page.Lists, l.list)
	}
	view.Data = page
	return view, nil
}

// verify compares the evidence of all facts with the checkout, for a minute at most. It writes
// nothing to the branch.
func verify(r *site.Request) (site.Said, error) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	_, err := r.Memory.Verify(ctx, memory.VerifyInput{AskedBy: r.Agent})
	if errors.Is(err, context.DeadlineExceeded) {
		return site.Said{Path: "/expiring", Done: "slow"}, nil
	}
	return site.Said{Path: "/expiring", Done: "verified"}, err
}

// reverify confirms one fact: its claim holds with what stands there now.
func reverify(r *site.Request) (site.Said, error) {
	key := r.PostFormValue("key")
	if key == "" { // without keys, every fact would be confirmed
		return site.Said{}, errors.New("the form names no fact")
	}
	was, err := r.Memory.Get(r.Context(), memory.GetInput{Key: key, AskedBy: r.Agent})
	if err != nil {
		return site.Said{}, err
	}
	if was.Fact.FactID != r.PostFormValue("seen") {
		return site.Said{}, site.Outdated("somebody changed " + key + " since you opened this page; look at the new version before you confirm it")
	}
	done, err := r.Memory.Reverify(r.Context(), memory.ReverifyInput{Keys: []string{key}, Agent: r.Agent})
	if err == nil && len(done.Left) > 0 {
		err = site.Outdated("the evidence of " + key + " is nowhere in this checkout; edit the fact or retire it")
	}
	return site.Said{Path: "/expiring", Done: "renewed"}, err
}
