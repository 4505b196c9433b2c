package gateway

import (
	"context"
	"io"
	"strings"

	"engram/memory"
	"engram/web/internal/wire"
)

// childResponse is the body of POST /hooks/on_child_response: what a child's model
// answered, and whose it is.
type childResponse struct {
	Response     string   `json:"response"`
	Agent        string   `json:"agent_id,omitempty"` // the child; a parent may name one
	BudgetTokens []string `json:"budget_tokens,omitempty"`
}

// onChildResponse takes a child's answer as its model wrote it. The
// message may stand in one fence of Markdown, as models like to write it. Whatever
// stands beside the fence is part of the message, and so rejected for its form: no
// budget would count text beside it.
func onChildResponse(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[childResponse](r.Request)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Response) == "" {
		return nil, wire.BadRequest("response is missing", "send what the child answered, as it is")
	}
	agent, err := r.whoseResponse(in.Agent)
	if err != nil {
		return nil, err
	}
	return r.submit(ctx, memory.MessageInput{Text: []byte(unfenced(in.Response)), Agent: agent, BudgetTokens: in.BudgetTokens})
}

// whoseResponse is the agent whose answer is handed in. Only here may one agent speak for
// another: an orchestrator with a parent's token hands in the answers of its children.
// Nothing but a token proves that it is a parent.
func (r *request) whoseResponse(child string) (string, error) {
	speaker := wire.CallerOf(r.Context()).Agent
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
	memory.BroadcastInput
	Grants []grantRequest `json:"grants,omitempty"`
}

// onParentBroadcast composes what a parent tells a child: brief, pointers, budgets,
// grants.
func onParentBroadcast(ctx context.Context, r *request) (any, error) {
	asked, err := wire.Body[broadcastRequest](r.Request)
	if err != nil {
		return nil, err
	}
	in := asked.BroadcastInput
	if in.Parent, err = r.agent(asked.Parent); err != nil {
		return nil, err
	}
	for _, g := range asked.Grants {
		if g.Parent != "" && g.Parent != in.Parent || g.Child != "" && g.Child != asked.Child {
			return nil, notYou()
		}
		grant, err := g.input()
		if err != nil {
			return nil, err
		}
		in.Grants = append(in.Grants, grant)
	}
	return r.memory.Broadcast(ctx, in)
}

// onRAGResult turns what LightRAG found into pointers. The body is LightRAG's answer
// as it is; what is asked of engram stands in the query.
func onRAGResult(ctx context.Context, r *request) (any, error) {
	in, err := wire.Query[memory.RetrievedInput](r.Request, "question", "excerpts")
	if err != nil {
		return nil, err
	}
	if err := wire.WantType(r.Request, "application/json"); err != nil {
		return nil, err
	}
	if in.Agent, err = r.agent(""); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if in.Passages, err = Passages(body); err != nil {
		return nil, err
	}
	return r.memory.PointersOf(ctx, in)
}

// onSAMRead reads the episodic plane pointer-first: a pointer and the
// short claim, and the whole entry only as far as the turn has room.
func onSAMRead(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[memory.EntriesInput](r.Request)
	if err != nil {
		return nil, err
	}
	if in.Agent, err = r.agent(in.Agent); err != nil {
		return nil, err
	}
	return r.memory.ReadEntries(ctx, in)
}
