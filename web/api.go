package web

import (
	"cmp"
	"context"
	"io/fs"
	"net/http"

	"engram/memory"
)

// Lend lends the memory for one request; giveBack is told how that ended. Several
// requests have it at once.
type Lend func(context.Context) (l Lent, giveBack func(error), err error)

// Lent is a memory and whom it is configured for.
type Lent struct {
	Memory *memory.Memory
	Agent  string // who speaks where nobody says; "" is a person
}

// APIOptions are the settings of the API; the zero value is the default.
type APIOptions struct {
	// Schemas are the files that /schemas/{name} shows; nil is none.
	Schemas fs.FS
}

// AgentHeader says who speaks where no token does. Nothing proves it.
const AgentHeader = "Engram-Agent"

// API is the gateway between agents (seed 1 §6): its handlers, by pattern, for
// Options.Routes. docs/api.md and openapi.json describe them.
func API(lend Lend, opts *APIOptions) map[string]http.Handler {
	a := &api{lend: lend}
	if opts != nil {
		a.opts = *opts
	}
	routes := make(map[string]http.Handler)
	for pattern, run := range a.endpoints() {
		routes[pattern] = a.handler(run)
	}
	routes["GET /openapi.json"] = http.HandlerFunc(serveOpenAPI)
	routes["GET /schemas/{name}"] = http.HandlerFunc(a.schema)
	routes["GET /metrics"] = http.HandlerFunc(a.metrics)
	return routes
}

type api struct {
	lend Lend
	opts APIOptions
}

// endpoint answers a request with an HTTP status and an object.
type endpoint func(context.Context, *request) (status int, answer any, err error)

func (a *api) endpoints() map[string]endpoint {
	return map[string]endpoint{
		"POST /engram":                    putEngram,
		"GET /engram/query":               queryEngrams,
		"GET /engram/query_by_embedding":  queryByEmbedding,
		"GET /engram/{id...}":             getEngram,
		"DELETE /engram/{id...}":          deleteEngram,
		"POST /pointer/deref":             derefPointer,
		"POST /message/validate":          validateMessage,
		"POST /message/submit":            submitMessage,
		"POST /grant":                     issueGrant,
		"GET /grants":                     listGrants,
		"GET /turn":                       turnLeft,
		"DELETE /grant/{id}":              revokeGrant,
		"POST /hooks/on_child_response":   onChildResponse,
		"POST /hooks/on_parent_broadcast": onParentBroadcast,
		"POST /hooks/on_rag_result":       onRAGResult,
		"POST /hooks/on_sam_read":         onSAMRead,
		"GET /facts/since":                factsSince,
	}
}

// request is an HTTP request with the memory that answers it.
type request struct {
	*http.Request
	memory     *memory.Memory
	configured string // who speaks where nobody says
}

func (a *api) handler(run endpoint) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, answer, err := a.run(r, run)
		if err != nil {
			fail(w, r, err)
			return
		}
		writeJSON(w, status, answer)
	})
}

func (a *api) run(r *http.Request, run endpoint) (status int, answer any, err error) {
	lent, giveBack, err := a.lend(r.Context())
	if err != nil {
		return 0, nil, err
	}
	defer func() { giveBack(err) }()
	return run(r.Context(), &request{Request: r, memory: lent.Memory, configured: lent.Agent})
}

// agent is who speaks: whom the token names, else whom the header or the request
// itself names, else whom this engram is configured for; "" is a person. Nobody
// speaks as two.
func (r *request) agent(stated string) (string, error) {
	speaker := cmp.Or(AgentOf(r.Context()), r.Header.Get(AgentHeader))
	if bound := AgentOf(r.Context()); bound != "" {
		if named := r.Header.Get(AgentHeader); named != "" && named != bound {
			return "", notYou()
		}
	}
	if speaker != "" && stated != "" && stated != speaker {
		return "", notYou()
	}
	return cmp.Or(speaker, stated, r.configured), nil
}

// notYou names neither agent: a token may be tried to find out whose it is.
func notYou() error {
	return &Error{Status: http.StatusForbidden, Code: memory.CodeRefused, Message: "the request speaks for another agent than the one that sends it",
		Hint: "omit the other agent's name, or send that agent's own token"}
}
