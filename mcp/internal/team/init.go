package team

import (
	"context"
	"errors"
	"fmt"

	"engram/mcp/internal/core"
	"engram/mcp/internal/tool"
	"engram/memory"
)

// The states that setting up leads through.
const (
	stateAwaiting    = "awaiting_privacy"
	stateInitialized = "initialized"
	stateJoined      = "joined"
)

type initInput struct {
	AnonymousMode *bool  `json:"anonymous_mode,omitempty" help:"true: names of people are left out before anything is stored"`
	AnonAgents    *bool  `json:"anon_agents,omitempty" help:"true: names of agents are random in each session"`
	Remote        string `json:"remote,omitempty" help:"share it with this remote: a name, or the address of a repository for the memory alone; default: the one that git would choose"`
	Invite        bool   `json:"invite,omitempty" help:"also make an invitation for colleagues, which is pushed to the remote"`
}

type initOutput struct {
	memory.Answer
	State         string             `json:"status" jsonschema:"initialized; ready: there was a memory already; awaiting_privacy: nothing was done yet"`
	NextPrompt    string             `json:"next_prompt" jsonschema:"say this to the user next"`
	InviteKey     string             `json:"invite_key,omitempty" jsonschema:"the one string that colleagues need; nothing else keeps it"`
	Branch        string             `json:"branch,omitempty"`
	Adopted       string             `json:"adopted,omitempty" jsonschema:"the remote branch that it was taken from"`
	AnonymousMode *bool              `json:"anonymous_mode,omitempty" jsonschema:"as it is decided now"`
	AnonAgents    *bool              `json:"anon_agents,omitempty" jsonschema:"as it is decided now"`
	Remote        string             `json:"remote,omitempty" jsonschema:"that it is shared with"`
	Visibility    memory.Visibility  `json:"visibility,omitempty" jsonschema:"who can read that remote"`
	Footprint     []memory.Footprint `json:"footprint,omitempty" jsonschema:"what was put where, and how to be rid of it"`
	Notes         []string           `json:"notes,omitempty"`
}

const initDescription = `Begin the team's memory in this repository: a branch of its own, with no history in common with the code. Work tree, index and other branches stay as they are. If a remote has a memory already, that one is used.

Only after engram_status said unconfigured and the user chose to set one up. Ask the user the two privacy questions BEFORE you call it and pass the answers; they are kept for the whole team and never asked again:
- May facts show which person wrote them? Yes: anonymous_mode=false. No: true.
- May facts show which agent wrote them? Yes: anon_agents=false. No: true, they get random names in each session.
If one is missing it writes nothing, and answers with the question (status awaiting_privacy). If there is a memory already (status ready), its own answers stay.

invite=true also makes an invitation key for colleagues and pushes it; only if the user wants that.

Then say next_prompt to the user. footprint lists what was put where, and how to be rid of it. visibility public means that anybody can read the remote: tell the user.`

func addInit(s *tool.Server) {
	tool.Add(s, tool.Spec{
		Name: "engram_init", Title: "Begin the team's memory", Description: initDescription, Network: true,
	}, initMemory)
}

// errAwaiting stops a beginning until the user has answered.
var errAwaiting = errors.New("privacy has not been decided")

func initMemory(ctx context.Context, c *tool.Call, in initInput) (initOutput, error) {
	begin := memory.BeginInput{Remote: in.Remote, Ask: func() (memory.Privacy, error) { return memory.Privacy{}, errAwaiting }}
	if in.AnonymousMode != nil && in.AnonAgents != nil {
		begin.Privacy = &memory.Privacy{AnonymousMode: *in.AnonymousMode, AnonAgents: *in.AnonAgents}
	}
	result, err := c.Memory.Begin(ctx, begin)
	if errors.Is(err, errAwaiting) {
		return initOutput{Answer: memory.Answer{SchemaVersion: memory.SchemaVersion}, State: stateAwaiting, NextPrompt: "Before I set it up, once for the whole team: " + core.PrivacyQuestions(in.AnonymousMode, in.AnonAgents), Notes: []string{"yes is anonymous_mode=false or anon_agents=false, no is true"}}, nil
	}
	if err != nil {
		return initOutput{}, err
	}
	out := initOutput{
		Answer: result.Answer, State: stateInitialized, Branch: result.Branch, Adopted: result.Adopted,
		AnonymousMode: &result.AnonymousMode, AnonAgents: &result.AnonAgents, Remote: result.Remote, Visibility: result.Visibility,
		Footprint: result.Footprint, Notes: result.Notes,
	}
	out.NextPrompt = "Your team's memory is ready. I will ask it before each task and write down what we verify."
	if !result.Created {
		out.State, out.NextPrompt = core.StateReady, "Your team had a memory already; it is here. I will ask it before each task and write down what we verify."
	}
	switch {
	case in.Invite:
		out.invite(ctx, c)
	case result.Remote != "":
		out.NextPrompt += " Shall I make an invitation key for your colleagues (engram_init with invite=true)?"
	}
	return out, nil
}

// invite makes an invitation. That it cannot be made does not undo the memory.
func (out *initOutput) invite(ctx context.Context, c *tool.Call) {
	made, err := c.Memory.Invite(ctx, memory.InviteInput{Uses: memory.DefaultInviteUses})
	if err != nil {
		_, advice := memory.Classify(err)
		out.NextPrompt += fmt.Sprintf(" But no invitation could be made: %s. %s", err, advice.In(c.Server.Words(nil)))
		return
	}
	out.InviteKey = made.Key
	out.NextPrompt += " Give colleagues this invitation key; it is all they need: " + made.Key
}
