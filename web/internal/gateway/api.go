// Package gateway is the gateway between agents: engrams, pointers, messages and grants
// under budgets, over HTTP. docs/api.md and openapi.json describe it. Which requests are
// let in is package web's business.
package gateway

import (
	"cmp"
	"context"
	"io"
	"io/fs"
	"net/http"

	"engram/memory"
	"engram/web/internal/wire"
)

// Lend lends the memory for one request; giveBack is told how that ended. Several
// requests have it at once.
type Lend func(context.Context) (l Lent, giveBack func(error), err error)

// Lent is a memory and whom it is configured for.
type Lent struct {
	Memory *memory.Memory
	Agent  string // the agent that speaks if the request names none; "" is a person
}

// Options are the settings of the API; the zero value is the default.
type Options struct {
	// Schemas are the files that /schemas/{name} shows; nil if there are none.
	Schemas fs.FS
	// OpenAPI is the file that /openapi.json shows.
	OpenAPI []byte
}

// AgentHeader names the agent that speaks, if no token does. Nothing proves it.
const AgentHeader = "Engram-Agent"

// Handlers are the handlers of the gateway, by pattern.
func Handlers(lend Lend, opts *Options) map[string]http.Handler {
	a := &api{lend: lend}
	if opts != nil {
		a.opts = *opts
	}
	routes := make(map[string]http.Handler)
	for pattern, run := range a.endpoints() {
		routes[pattern] = a.handler(run)
	}
	routes["GET /openapi.json"] = http.HandlerFunc(a.openAPI)
	routes["GET /schemas/{name}"] = http.HandlerFunc(a.schema)
	routes["GET /metrics"] = http.HandlerFunc(a.metrics)
	return routes
}

type api struct {
	lend Lend
	opts Options
}

// endpoint answers a request with an object, or with created.
type endpoint func(context.Context, *request) (answer any, err error)

func (a *api) endpoints() map[string]endpoint {
	return map[string]endpoint{
		"POST /engram":                    putEngram,
		"GET /engram/query":               queryEngrams,
		"GET /engram/query_by_embedding":  queryByEmbedding,
		"GET /engram/{id...}":             byID((*memory.Memory).GetEngram),
		"DELETE /engram/{id...}":          byID((*memory.Memory).DeleteEngram),
		"POST /pointer/deref":             derefPointer,
		"POST /message/validate":          validateMessage,
		"POST /message/submit":            submitMessage,
		"POST /grant":                     issueGrant,
		"GET /grants":                     listGrants,
		"GET /turn":                       turnLeft,
		"DELETE /grant/{id}":              byID((*memory.Memory).RevokeGrant),
		"POST /hooks/on_child_response":   onChildResponse,
		"POST /hooks/on_parent_broadcast": onParentBroadcast,
		"POST /hooks/on_rag_result":       onRAGResult,
		"POST /hooks/on_sam_read":         onSAMRead,
		"GET /facts/since":                factsSince,
		"GET /sessions":                   listSessions,
		"GET /sessions/{id}":              describeSession,
		"GET /sessions/{id}/events":       sessionEvents,
		"POST /sessions/{id}/events":      appendEvents,
		"POST /recall":                    recallEvents,
		"GET /tasks/{task}":               showTask,
		"POST /tasks/{task}":              setTask,
		"GET /tasks/{task}/history":       taskHistory,
		"POST /delegation":                delegateTask,
		"POST /delegation/result":         reportResult,
		"GET /delegation/findings":        taskFindings,
		"POST /context/compact":           compactWindow,
		"POST /context/pack":              packWindow,
		"GET /undecided":                  undecidedPairs,
		"POST /judge":                     judgePairs,
	}
}

// request is an HTTP request with the memory that answers it.
type request struct {
	*http.Request
	memory     *memory.Memory
	configured string // the agent that speaks if nobody names one
}

// created is an answer with a status other than 200.
type created struct {
	status int
	answer any
}

func (a *api) handler(run endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := &beginning{ReadCloser: r.Body}
		r.Body = body
		answer, err := a.run(r, run)
		if err != nil {
			notes := wire.NotesOf(r.Context())
			notes.Said = append(notes.Said, string(body.read))
			wire.Fail(w, r, err)
			return
		}
		status := http.StatusOK
		if c, ok := answer.(created); ok {
			status, answer = c.status, c.answer
		}
		wire.WriteJSON(w, status, answer)
	})
}

func (a *api) run(r *http.Request, run endpoint) (answer any, err error) {
	lent, giveBack, err := a.lend(r.Context())
	if err != nil {
		return nil, err
	}
	defer func() { giveBack(err) }()
	return run(r.Context(), &request{Request: r, memory: lent.Memory, configured: lent.Agent})
}

// byID is an endpoint about the one thing whose id its path ends in.
func byID[Out any](run func(m *memory.Memory, ctx context.Context, id, agent string) (Out, error)) endpoint {
	return func(ctx context.Context, r *request) (any, error) {
		if err := wire.NoQuery(r.Request); err != nil {
			return nil, err
		}
		agent, err := r.agent("")
		if err != nil {
			return nil, err
		}
		return run(r.memory, ctx, r.PathValue("id"), agent)
	}
}

// agent returns the agent that speaks: the one that the token names, else the one that
// the header or the request itself names, else the one that this engram is configured for;
// "" is a person. A request must name one agent.
func (r *request) agent(stated string) (string, error) {
	speaker := cmp.Or(wire.CallerOf(r.Context()).Agent, r.Header.Get(AgentHeader))
	if bound := wire.CallerOf(r.Context()).Agent; bound != "" {
		if named := r.Header.Get(AgentHeader); named != "" && named != bound {
			return "", notYou()
		}
	}
	if speaker != "" && stated != "" && stated != speaker {
		return "", notYou()
	}
	return cmp.Or(speaker, stated, r.configured), nil
}

// notYou names neither agent, so that trying a token does not reveal whose it is.
func notYou() error {
	return wire.NewError(http.StatusForbidden, memory.CodeRefused, "the request speaks for another agent than the one that sends it",
		"omit the other agent's name, or send that agent's own token")
}

// beginning keeps the first bytes of a body that were read, so that an error does not repeat
// the secrets in them.
type beginning struct {
	io.ReadCloser
	read []byte
}

func (b *beginning) Read(p []byte) (int, error) {
	const most = 128 << 10
	n, err := b.ReadCloser.Read(p)
	b.read = append(b.read, p[:min(n, most-len(b.read))]...)
	return n, err
}
