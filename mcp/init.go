package mcp

import (
	"context"
	"errors"
	"fmt"

	"engram/memory"
)

// The states that setting up leads through.
const (
	stateAwaiting    = "awaiting_privacy"
	stateInitialized = "initialized"
	stateJoined      = "joined"
)

type initInput struct {
	AnonymousMode *bool  `json:"anonymous_mode,omitempty" jsonschema:"true: names of people are left out before anything is stored"`
	AnonAgents    *bool  `json:"anon_agents,omitempty" jsonschema:"true: names of agents are random in each session"`
	Remote        string `json:"remote,omitempty" jsonschema:"share it with this remote: a name, or the address of a repository for the memory alone; default: the one that git would choose"`
	Invite        bool   `json:"invite,omitempty" jsonschema:"also make an invitation for colleagues, which is pushed to the remote"`
}

type initOutput struct {
	memory.InitResult
	State      string `json:"status"`
	InviteKey  string `json:"invite_key,omitempty" jsonschema:"the one string that colleagues need; nothing else keeps it"`
	NextPrompt string `json:"next_prompt" jsonschema:"say this to the user next"`
}

const initDescription = `Begin the team's memory in this repository: a branch of its own, with no history in common with the code. Work tree, index and other branches stay as they are. Where a remote has a memory already, that one is taken.

Only after engram_status said unconfigured and the user chose to set one up. Ask the user the two privacy questions BEFORE you call it and pass the answers; they are kept for the whole team and never asked again:
- anonymous_mode: should facts leave out which person wrote them?
- anon_agents: should names of agents be random in each session?
Called without them it writes nothing, and answers with the questions (status awaiting_privacy).

invite=true also makes an invitation key for colleagues and pushes it; only if the user wants that.

Then say next_prompt to the user. footprint lists what was put where, and how to be rid of it. visibility public means that anybody can read the remote: tell the user.`

func addInit(s *surface) {
	add(s, tool{
		name: "engram_init", title: "Begin the team's memory", description: initDescription, repeatable: true, network: true,
	}, initMemory)
}

// errAwaiting stops a beginning until the user has answered.
var errAwaiting = errors.New("privacy has not been decided")

const privacyQuestions = "Two questions, asked once and kept for the whole team: Should facts show who wrote them (otherwise your name is left out before anything is stored)? And should they show which agent wrote them (otherwise agents get random names in each session)?"

func initMemory(ctx context.Context, c *call, in initInput) (initOutput, error) {
	begin := memory.BeginInput{Remote: in.Remote, Ask: func() (memory.Privacy, error) { return memory.Privacy{}, errAwaiting }}
	if in.AnonymousMode != nil && in.AnonAgents != nil {
		begin.Privacy = &memory.Privacy{AnonymousMode: *in.AnonymousMode, AnonAgents: *in.AnonAgents}
	}
	result, err := c.Memory.Begin(ctx, begin)
	if errors.Is(err, errAwaiting) {
		out := initOutput{InitResult: result, State: stateAwaiting, NextPrompt: privacyQuestions}
		out.SchemaVersion = memory.SchemaVersion
		return out, nil
	}
	out := initOutput{InitResult: result, State: stateInitialized}
	if err != nil {
		return out, err
	}
	invited := ""
	switch {
	case in.Invite:
		made, err := c.Memory.Invite(ctx, memory.InviteInput{Uses: memory.DefaultInviteUses})
		if err != nil {
			_, hint := memory.Classify(err)
			out.Notes = append(out.Notes, fmt.Sprintf("no invitation was made: %s (%s)", err, hint))
			break
		}
		out.InviteKey = made.Key
		invited = " Give colleagues this invitation key; it is all they need: " + made.Key
	case out.Remote != "":
		invited = " Shall I make an invitation key for your colleagues (engram_init with invite=true)?"
	}
	out.NextPrompt = "Your team's memory is ready. I will ask it before each task and write down what we verify." + invited
	return out, nil
}
