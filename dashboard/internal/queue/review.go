package queue

import (
	"errors"

	"engram/dashboard/internal/site"
	"engram/memory"
)

// review is the page of proposals.
type review struct {
	Proposals []proposal
	MayAccept bool
	Left      int // proposals that are not listed
	Damaged   int
	Notes     []string
}

// proposal is a proposal, with what it changes.
type proposal struct {
	memory.Proposal
	Words []site.Word // of the claim, compared with the one that it would replace
}

// mostProposals bounds the list of proposals.
const mostProposals = 100

func readReview(r *site.Request) (site.View, error) {
	found, err := r.Memory.Proposals(r.Context(), memory.ProposalsInput{Scope: r.URL.Query().Get("scope")})
	if err != nil {
		return site.View{}, err
	}
	page := review{MayAccept: found.MayAccept, Damaged: found.Damaged, Notes: found.Notes}
	listed := found.Proposals[:min(len(found.Proposals), mostProposals)]
	page.Left = len(found.Proposals) - len(listed)
	for _, p := range listed {
		one := proposal{p, []site.Word{{Text: p.Fact.Claim}}}
		if p.Replaces != nil {
			one.Words = site.Diff(p.Replaces.Claim, p.Fact.Claim)
		}
		page.Proposals = append(page.Proposals, one)
	}
	return site.View{Title: "Review", Revision: found.Revision, Data: page}, nil
}

// decide accepts or rejects one proposal in the version that the form shows. If the proposal has
// changed or was decided since, nothing is done, and the page shows what waits now.
func decide(r *site.Request) (site.Said, error) {
	in := memory.ReviewInput{
		Decisions: []memory.Decision{{Key: r.PostFormValue("key"), Version: r.PostFormValue("version")}}, Reason: r.PostFormValue("reason"),
	}
	said, do := site.Said{Path: "/review", Done: "accepted"}, r.Memory.Accept
	if r.PostFormValue("decision") != "accept" {
		said.Done, do = "rejected", r.Memory.Reject
	} else {
		in.Reason = "" // only a rejection has one
	}
	_, err := do(r.Context(), in)
	if errors.Is(err, memory.ErrUnseen) || errors.Is(err, memory.ErrNoProposal) {
		said.Done, err = "overtaken", nil
	}
	return said, err
}
