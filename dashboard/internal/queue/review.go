package queue

import (
	"errors"

	"engram/dashboard/internal/site"
	"engram/memory"
)

// review is the page of what waits for a decision.
type review struct {
	Proposals []proposal
	MayAccept bool
	Learnt    []memory.LearntCandidate
	Left      int
	Behind    int
	Notes     []string
}

type proposal struct {
	memory.Proposal
	Words []site.Word // against what stands at the key
}

// mostLearnt are how many sentences of sessions are offered.
const mostLearnt = 20

func readReview(r *site.Request) (site.View, error) {
	got, err := r.Memory.Proposals(r.Context(), memory.ProposalsInput{})
	if err != nil {
		return site.View{}, err
	}
	page := review{MayAccept: got.MayAccept, Notes: got.Notes}
	if r.Bound {
		got.Proposals, page.MayAccept = nil, false
		page.Notes = []string{"People review: with the token of an agent, proposals are neither shown nor decided."}
	}
	for _, p := range got.Proposals {
		one := proposal{Proposal: p}
		if p.Replaces != nil {
			one.Words = site.Diff(p.Replaces.Claim, p.Fact.Claim)
		}
		page.Proposals = append(page.Proposals, one)
	}
	learnt, err := r.Memory.Learnt(r.Context(), memory.LearntInput{Limit: mostLearnt, AskedBy: r.Agent})
	page.Learnt, page.Left, page.Behind = learnt.Candidates, learnt.Left, learnt.Behind
	return site.View{Title: "Review", Revision: got.Revision, Data: page}, err
}

// decide accepts or rejects one proposal, as it was seen.
func decide(r *site.Request) (site.Said, error) {
	if r.Bound {
		return site.Said{}, site.Forbidden("people review; this is the token of an agent")
	}
	in := memory.ReviewInput{
		Decisions: []memory.Decision{{Key: r.PostFormValue("key"), Version: r.PostFormValue("version")}}, Reason: r.PostFormValue("reason"),
	}
	said, do := site.Said{Path: "/review", Done: "rejected"}, r.Memory.Reject
	if r.PostFormValue("how") == "accept" {
		in.Reason, said.Done, do = "", "accepted", r.Memory.Accept
	}
	decided, err := do(r.Context(), in)
	if said.Done == "accepted" {
		said.Revision = decided.Revision
	}
	if errors.Is(err, memory.ErrUnseen) || errors.Is(err, memory.ErrNoProposal) {
		said.Done, err = "overtaken", nil // the page shows what waits now
	}
	return said, err
}

// decideLearnt makes a fact of a sentence that a session offers, or drops it.
func decideLearnt(r *site.Request) (site.Said, error) {
	in := memory.DecideLearntInput{Pointers: []string{r.PostFormValue("pointer")}, Agent: r.Agent}
	if r.PostFormValue("how") != "accept" {
		_, err := r.Memory.RejectLearnt(r.Context(), in)
		return site.Said{Path: "/review", Done: "dropped"}, err
	}
	in.Claim, in.Scope = r.PostFormValue("claim"), r.PostFormValue("scope")
	_, err := r.Memory.AcceptLearnt(r.Context(), in)
	return site.Said{Path: "/review", Done: "accepted"}, err
}
