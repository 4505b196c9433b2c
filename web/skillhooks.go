package web

import (
	"context"
	"io"
	"net/http"
	"strings"

	"engram/memory"
)

// childResponse is the body of POST /hooks/on_child_response: what a child's model
// answered, and whose it is.
type childResponse struct {
	Response     string   `json:"response"`
	Agent        string   `json:"agent_id,omitempty"` // the child; a parent may name one
	BudgetTokens []string `json:"budget_tokens,omitempty"`
}

// onChildResponse takes a child's answer as its model wrote it (seed 2 §4.2). The
// message may stand in one fence of Markdown, as models like to write it. Whatever
// stands beside the fence is part of the message, and so refused by its form: text
// beside it would be context that no budget counts.
func onChildResponse(ctx context.Context, r *request) (int, any, error) {
	in, err := decode[childResponse](r)
	if err != nil {
		return 0, nil, err
	}
	if strings.TrimSpace(in.Response) == "" {
		return 0, nil, badRequest("response is missing", "send what the child answered, as it is")
	}
	agent, err := r.whoseResponse(in.Agent)
	if err != nil {
		return 0, nil, err
	}
	return r.submit(ctx, memory.MessageInput{Text: []byte(unfenced(in.Response)), Agent: agent, BudgetTokens: in.BudgetTokens})
}

// whoseResponse is the agent whose answer is handed in. Here alone somebody speaks for
// another: an orchestrator that has the token of a parent hands in what its children
// answered, which is theirs. Nothing but a token proves that it is one.
func (r *request) whoseResponse(child string) (string, error) {
	speaker := AgentOf(r.Context())
	if child == "" || speaker == "" || child == speaker || !r.memory.MayLead(speaker) {
		return r.agent(child)
	}
	if _, err := r.agent(""); err != nil { // a header that names somebody else
		return "", err
	}
	return child, nil
}

// unfenced is the text inside a fence that begins and ends a text; any other as it is.
func unfenced(text string) string {
	trimmed := strings.TrimSpace(text)
	first, rest, found := strings.Cut(trimmed, "\n")
	inner, closed := strings.CutSuffix(rest, "\n```")
	language := strings.TrimSpace(strings.TrimPrefix(first, "```"))
	if !found || !closed || !strings.HasPrefix(first, "```") || strings.Contains(inner, "\n```") || strings.ContainsAny(language, " `") {
		return text
	}
	return inner + "\n"
}

// broadcastRequest is the body of POST /hooks/on_parent_broadcast.
type broadcastRequest struct {
	Parent       string         `json:"parent,omitempty"`
	ParentRole   string         `json:"parent_role,omitempty"`
	Child        string         `json:"child,omitempty"`
	Role         string         `json:"role,omitempty"`
	Goal         string         `json:"goal,omitempty"`
	Instructions []string       `json:"instructions,omitempty"`
	Scope        string         `json:"scope,omitempty"`
	Branch       string         `json:"branch,omitempty"`
	Files        []string       `json:"files,omitempty"`
	Grants       []grantRequest `json:"grants,omitempty"`
}

// onParentBroadcast composes what a parent tells a child: brief, pointers, budgets,
// grants.
func onParentBroadcast(ctx context.Context, r *request) (int, any, error) {
	asked, err := decode[broadcastRequest](r)
	if err != nil {
		return 0, nil, err
	}
	in := memory.BroadcastInput{
		ParentRole: asked.ParentRole, Child: asked.Child, Role: asked.Role, Goal: asked.Goal, Instructions: asked.Instructions,
		Scope: asked.Scope, Branch: asked.Branch, Files: asked.Files,
	}
	if in.Parent, err = r.agent(asked.Parent); err != nil {
		return 0, nil, err
	}
	for _, g := range asked.Grants {
		if g.Parent != "" && g.Parent != in.Parent || g.Child != "" && g.Child != asked.Child {
			return 0, nil, notYou()
		}
		grant, err := g.input()
		if err != nil {
			return 0, nil, err
		}
		in.Grants = append(in.Grants, grant)
	}
	result, err := r.memory.Broadcast(ctx, in)
	return http.StatusOK, result, err
}

// onRAGResult turns what LightRAG found into pointers. The body is LightRAG's answer
// as it is; what is asked of engram stands in the query.
func onRAGResult(ctx context.Context, r *request) (int, any, error) {
	p, err := r.params("question", "excerpts")
	if err != nil {
		return 0, nil, err
	}
	if err := wantType(r, "application/json"); err != nil {
		return 0, nil, err
	}
	in := memory.RetrievedInput{Question: p["question"]}
	if in.Excerpts, err = p.flag("excerpts"); err != nil {
		return 0, nil, err
	}
	if in.Agent, err = r.agent(""); err != nil {
		return 0, nil, err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, nil, err
	}
	if in.Passages, err = passages(body); err != nil {
		return 0, nil, err
	}
	result, err := r.memory.PointersOf(ctx, in)
	return http.StatusOK, result, err
}

// samRequest is the body of POST /hooks/on_sam_read.
type samRequest struct {
	Question string   `json:"question,omitempty"`
	Keys     []string `json:"keys,omitempty"`
	K        int      `json:"k,omitempty"`
	Scope    string   `json:"scope,omitempty"`
	Excerpts bool     `json:"excerpts,omitempty"`
	Agent    string   `json:"agent_id,omitempty"`
}

// onSAMRead reads the episodic plane pointer-first (seed 2 §8.2): a pointer and the
// short claim, and the whole entry only as far as the turn has room.
func onSAMRead(ctx context.Context, r *request) (int, any, error) {
	asked, err := decode[samRequest](r)
	if err != nil {
		return 0, nil, err
	}
	agent, err := r.agent(asked.Agent)
	if err != nil {
		return 0, nil, err
	}
	result, err := r.memory.ReadEntries(ctx, memory.EntriesInput{
		Text: asked.Question, Keys: asked.Keys, K: asked.K, Scope: asked.Scope, Excerpts: asked.Excerpts, Agent: agent,
	})
	return http.StatusOK, result, err
}
