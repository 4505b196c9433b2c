package core

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"engram/mcp/internal/tool"
	"engram/memory"
)

// The states of a memory, as an agent is told.
const (
	stateNowhere      = "no_repository"
	stateUnusable     = "unusable"
	stateUnconfigured = "unconfigured"
	StateReady        = "ready"
)

// statusOutput is a memory.StatusResult without what an agent has no use for.
type statusOutput struct {
	memory.StatusResult
	Ready             tool.Omit `json:"ready,omitzero"`
	LastCommit        tool.Omit `json:"last_commit,omitzero"`
	Indexed           tool.Omit `json:"indexed_revision,omitzero"`
	IndexBytes        tool.Omit `json:"index_bytes,omitzero"`
	Model             tool.Omit `json:"model,omitzero"`
	StateDir          tool.Omit `json:"state_dir,omitzero"`
	Sessions          tool.Omit `json:"sessions,omitzero"`
	LiveSessions      tool.Omit `json:"live_sessions,omitzero"`
	UnindexedSessions tool.Omit `json:"unindexed_sessions,omitzero"`
	NextCommand       tool.Omit `json:"next_command,omitzero"`
	State             string    `json:"status" jsonschema:"ready; unconfigured: no memory yet; no_repository; unusable: see problem"`
	NextPrompt        string    `json:"next_prompt" jsonschema:"say this to the user next; empty when there is nothing to say"`
	Problem           string    `json:"problem,omitempty"`
	Hint              string    `json:"hint,omitempty"`
	NoVector          int       `json:"pending_vectors,omitempty"`
	Pending           int       `json:"pending,omitempty"`
	Undecided         []pair    `json:"undecided,omitempty" jsonschema:"at most three pairs of claims that nobody has judged: hint has the call that judges them"`
	MoreUndecided     int       `json:"more_undecided,omitempty" jsonschema:"further pairs of this clone that nobody has judged, some of which may be settled"`
	Agent             string    `json:"agent_id" jsonschema:"under which name you read and write; empty: none"`
	Profiles          []string  `json:"profiles" jsonschema:"tools beside the core ones that this server was started with"`
}

const statusDescription = `How the team's memory stands, and what to say to the user next.

Call it ONCE at the start of a session, before any other engram tool, and again after setup steps. It never fails: if there is no repository or no memory yet, it says so.

Read next_prompt. If it is not empty, say it to the user in your own words and follow the answer; that is how setup is done. Do not set anything up without the user's answer.

Returns: status (ready, unconfigured, no_repository, unusable), next_prompt, files (number of facts), open_conflicts, open_updates, unaudited, proposed (facts that wait for review), undecided (up to three pairs of claims to judge; hint has the engram_judge call), unshared and behind (commits that the remote, or you, lack), revision and mode (hybrid, or lexical: search by words alone).`

func addStatus(s *tool.Server) {
	tool.Register(s, tool.Spec{
		Name: "engram_status", Title: "Status of the team's memory", Description: statusDescription, Reads: true,
	}, func(ctx context.Context, client tool.Client, _ struct{}) (statusOutput, error) {
		return status(ctx, s, client)
	})
}

// status answers also if there is no memory or no repository.
func status(ctx context.Context, s *tool.Server, client tool.Client) (statusOutput, error) {
	out, err := tool.Use(ctx, s, client, func(c *tool.Call) (statusOutput, error) {
		c.News() // the count below has them
		r, err := c.Memory.Status(ctx, memory.StatusInput{AskedBy: c.Caller})
		out := statusOf(c, r)
		if err == nil && r.Ready {
			out.Undecided, out.MoreUndecided, err = undecided(ctx, c)
			out.Hint = askToJudge(keysOfPairs(out.Undecided))
		}
		return out, err
	})
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	_, advice := memory.Classify(err)
	out = statusOutput{State: stateUnusable, Problem: err.Error(), Hint: advice.In(s.Words(nil)), Profiles: s.Profiles, Agent: s.AgentOf(client.Info, "")}
	out.SchemaVersion = memory.SchemaVersion
	out.NextPrompt = "The team's memory cannot be used at the moment. Shall I show you why (problem), and do what the hint says?"
	if errors.Is(err, memory.ErrNotRepository) {
		out.State = stateNowhere
		out.NextPrompt = "engram keeps the team's memory in the git repository that it is about, and this folder is in none. Shall I make one here with `git init`, or which folder is the repository? (The server takes it from --repo or ENGRAM_REPO.)"
	}
	return out, nil
}

func statusOf(c *tool.Call, r memory.StatusResult) statusOutput {
	out := statusOutput{
		StatusResult: r, State: StateReady, NextPrompt: nextPrompt(r, c.Server.Has("team")),
		NoVector: r.NoVector, Pending: r.Pending, Agent: c.Caller, Profiles: c.Server.Profiles,
	}
	if !r.Ready {
		out.State = stateUnconfigured
	}
	return out
}

// PrivacyQuestions asks what has not been answered.
func PrivacyQuestions(anonymous, anonAgents *bool) string {
	var questions []string
	if anonymous == nil {
		questions = append(questions, "May facts show who wrote them? (No: your name is left out before anything is stored.)")
	}
	if anonAgents == nil {
		questions = append(questions, "May facts show which agent wrote them? (No: agents get random names in each session.)")
	}
	return strings.Join(questions, " ")
}

// nextPrompt is the most urgent thing that the user has to decide:
//
//  1. There is no memory: join one or begin one.
//  2. It is checked out somewhere, so that nothing can be written.
//  3. Claims contradict each other, or look like updates of others.
//  4. Facts wait for a review.
//  5. The remote and this clone differ.
func nextPrompt(s memory.StatusResult, canSetUp bool) string {
	switch {
	case !s.Ready && canSetUp:
		return "This repository has no team memory yet. Do you have an invitation key to join one (engram_join), or shall I set up a new one (engram_init)?"
	case !s.Ready:
		return "This repository has no team memory yet. Do you have an invitation key to join one (`engram join KEY`), or shall I set up a new one? Then, once for the whole team: " + PrivacyQuestions(nil, nil) + " (`engram init --anonymous=BOOL --anon-agents=BOOL`; yes is false.)"
	case s.CheckedOut != "":
		return fmt.Sprintf("The memory branch %s is checked out in %s, so nothing can be written to it. Shall that work tree switch to another branch?", s.Branch, s.CheckedOut)
	case s.Conflicts > 0:
		return fmt.Sprintf("%s in the team's memory. Shall we look at them (engram_conflicts)?", Counted(s.Conflicts, "open conflict is", "open conflicts are"))
	case s.Updates > 0:
		return fmt.Sprintf("%s newer than another in the team's memory. Shall we confirm which holds (engram_conflicts)?", Counted(s.Updates, "claim looks", "claims look"))
	case s.Proposed > 0:
		return fmt.Sprintf("%s for somebody to accept it (`engram review`).", Counted(s.Proposed, "proposed fact waits", "proposed facts wait"))
	case s.Behind > 0 || s.Unshared > 0:
		return fmt.Sprintf("The memory here and at %s differ: %d commits to send, %d to take in. Shall I run `engram sync`?", cmp.Or(s.Remote, "the remote"), s.Unshared, s.Behind)
	}
	return ""
}

// Counted is a number with its noun and verb.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// FoundNews tells the user how many conflicts were found; "" if there are none.
func FoundNews(n int) string {
	if n == 0 {
		return ""
	}
	return Counted(n, "new contradiction was", "new contradictions were") + " found in the team's memory. Shall we look at them (engram_conflicts)?"
}

// toldNews tells the user of conflicts found in the background, once.
func toldNews(c *tool.Call) string {
	return FoundNews(c.News())
}
