package gateway

import (
	"context"
	"net/http"

	"engram/memory"
	"engram/web/internal/wire"
)

// listSessions is GET /sessions.
func listSessions(ctx context.Context, r *request) (any, error) {
	in, err := wire.Query[memory.SessionsInput](r.Request, "text", "agent", "branch", "path", "commit", "since", "limit")
	if err != nil {
		return nil, err
	}
	if in.AskedBy, err = r.agent(""); err != nil {
		return nil, err
	}
	return r.memory.Sessions(ctx, in)
}

// describeSession is GET /sessions/{id}.
func describeSession(ctx context.Context, r *request) (any, error) {
	if _, err := wire.Query[struct{}](r.Request); err != nil {
		return nil, err
	}
	if _, err := r.agent(""); err != nil {
		return nil, err
	}
	return r.memory.DescribeSession(ctx, r.PathValue("id"))
}

// sessionEvents is GET /sessions/{id}/events.
func sessionEvents(ctx context.Context, r *request) (any, error) {
	in, err := wire.Query[memory.SessionInput](r.Request, "around", "turn", "kinds", "limit")
	if err != nil {
		return nil, err
	}
	if in.AskedBy, err = r.agent(""); err != nil {
		return nil, err
	}
	in.ID = r.PathValue("id")
	if in.Limit == 0 {
		in.Limit = shownEvents
	}
	return r.memory.Session(ctx, in)
}

// shownEvents is how many events an answer has if the request does not say.
const shownEvents = 200

// appendEvents is POST /sessions/{id}/events. Only a parent's token speaks for other
// agents.
func appendEvents(ctx context.Context, r *request) (any, error) {
	in, err := wire.Body[memory.AppendEventsInput](r.Request)
	if err != nil {
		return nil, err
	}
	if in.Agent, err = r.agent(in.Agent); err != nil {
		return nil, err
	}
	if bound := wire.CallerOf(r.Context()).Agent; bound != "" && !r.memory.MayLead(bound) {
		for _, e := range in.Events {
			if e.Agent != "" && e.Agent != bound {
				return nil, notYou()
			}
		}
	}
	in.Session = r.PathValue("id")
	added, err := r.memory.AppendEvents(ctx, in)
	if err != nil || added.Added == 0 {
		return added, err
	}
	return created{http.StatusCreated, added}, nil
}
