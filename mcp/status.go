package mcp

import (
	"context"
	"errors"
	"fmt"

	"engram/memory"
)

// The states of a memory, as an agent is told.
const (
	stateNowhere      = "no_repository"
	stateUnusable     = "unusable"
	stateUnconfigured = "unconfigured"
	stateReady        = "ready"
)

type statusInput struct{}

type statusOutput struct {
	memory.StatusResult
	State string `json:"status" jsonschema:"ready; unconfigured: no memory yet; no_repository; unusable: see problem"`
	// NextPrompt is seed 4's: what the agent is to say to the user next.
	NextPrompt string   `json:"next_prompt" jsonschema:"say this to the user next; empty when there is nothing to say"`
	Problem    string   `json:"problem,omitempty"`
	Hint       string   `json:"hint,omitempty"`
	Agent      string   `json:"agent_id" jsonschema:"under which name you read and write; empty: none"`
	Profiles   []string `json:"profiles" jsonschema:"tools beside the core ones that this server was started with"`
}

const statusDescription = `How the team's memory stands, and what to say to the user next.

Call it ONCE at the start of a session, before any other engram tool, and again after setup steps. It never fails: where there is no repository or no memory yet it says so.

Read next_prompt. If it is not empty, say it to the user in your own words and follow the answer; that is how setup is done. Do not set anything up without the user's answer.

Returns: status (ready, unconfigured, no_repository, unusable), next_prompt, files (number of facts), open_conflicts, unaudited (facts nobody compared yet), proposed (facts that wait for review), unshared and behind (commits that the remote, or you, lack), revision and mode (hybrid, or lexical: search by words alone).`

func addStatus(s *surface) {
	add(s, tool{
		name: "engram_status", title: "Status of the team's memory", description: statusDescription,
		reads: true, anywhere: true,
	}, status)
}

func status(ctx context.Context, c *call, _ statusInput) (statusOutput, error) {
	out := statusOutput{Agent: c.agent, Profiles: append([]string{}, c.surface.profiles...)}
	out.SchemaVersion = memory.SchemaVersion
	if c.problem == nil {
		out.StatusResult, c.problem = c.Memory.Status(ctx)
	}
	if err := c.problem; err != nil {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		_, out.Hint = memory.Classify(err)
		out.State, out.Problem = stateUnusable, err.Error()
		out.NextPrompt = fmt.Sprintf("The team's memory cannot be used: %s. %s", err, out.Hint)
		if errors.Is(err, memory.ErrNotRepository) {
			out.State = stateNowhere
			out.NextPrompt = "engram keeps the team's memory in the git repository that it is about, and this folder is in none. Shall I make one here with `git init`, or which folder is the repository? (The server takes it from --repo or ENGRAM_REPO.)"
		}
		return out, nil
	}
	out.State = stateReady
	if !out.Ready {
		out.State = stateUnconfigured
	}
	out.NextPrompt = nextPrompt(out.StatusResult, c.surface.has("team"))
	return out, nil
}

// nextPrompt is the most urgent thing that the user has to decide:
//
//  1. There is no memory: join one or begin one.
//  2. It is checked out somewhere, so that nothing can be written.
//  3. Claims contradict each other.
//  4. Facts wait for a review.
//  5. The remote and this clone differ.
func nextPrompt(s memory.StatusResult, canSetUp bool) string {
	switch {
	case !s.Ready && canSetUp:
		return "This repository has no team memory yet. Do you have an invitation key to join one (engram_join), or shall I set up a new one (engram_init)?"
	case !s.Ready:
		return "This repository has no team memory yet. Do you have an invitation key to join one (`engram join KEY`), or shall I set up a new one (`engram init`)?"
	case s.CheckedOut != "":
		return fmt.Sprintf("The memory branch %s is checked out in %s, so nothing can be written to it. Shall that work tree switch to another branch?", s.Branch, s.CheckedOut)
	case s.Conflicts > 0:
		return fmt.Sprintf("%s in the team's memory. Shall we look at them (engram_conflicts)?", counted(s.Conflicts, "open conflict is", "open conflicts are"))
	case s.Proposed > 0:
		return fmt.Sprintf("%s for somebody to accept it (`engram review`).", counted(s.Proposed, "proposed fact waits", "proposed facts wait"))
	case s.Behind > 0 || s.Unshared > 0:
		return fmt.Sprintf("The memory here and at %s differ: %d commits to send, %d to take in. Shall I run `engram sync`?", s.Remote, s.Unshared, s.Behind)
	}
	return ""
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
