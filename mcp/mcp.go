// Package mcp is engram's server of the Model Context Protocol: what agents see
// of the memory, as tools, resources and prompts.
//
// What a tool does is package memory's. Here is how a model is told of it, what
// it may pass, and how answers and errors reach it: a fact as data that somebody
// else wrote, with author, age, trust, freshness and open conflicts, and never
// more of them than the token budget allows.
//
// The packages under internal have the tools, one package for each profile, and what
// tools have in common. Package mcp is not for HTTP's own matters, such as who may
// connect: those are package web's. How clients learn of the server is package setup's.
package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/mcp/internal/holder"
	"engram/mcp/internal/sampling"
	"engram/mcp/internal/tool"
)

// Opener opens the memory of the repository that a server is for. done closes it,
// once, after the last call.
type Opener = holder.Opener

// Opened is a memory and what its configuration says.
type Opened = holder.Opened

// maxMessage bounds one message of a client, in bytes; the largest honest one is
// an engram_commit of about 10 KiB.
const maxMessage = 16 << 20

// Options are the settings of a server; the zero value is the default.
type Options struct {
	Version  string       // of engram, as clients are told
	Profiles []string     // tools beside the core ones; Profiles lists what there is
	Logger   *slog.Logger // nil discards
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Watch keeps index and branch up to date while the server runs, as
	// memory.Watch does.
	Watch bool
	// AgentOf names the agent behind a request over HTTP; if it is nil, or returns "",
	// the client's own name is used.
	AgentOf func(*http.Request) string
	// Hide removes from an error the secrets of the request that it is about; nil removes
	// nothing.
	Hide func(message string, said ...string) string
}

// Server serves any number of clients at once. Close it.
type Server struct {
	opts   Options
	memory *holder.Holder
	models *sampling.Asker

	mu      sync.Mutex
	byAgent map[string]*tool.Server // of HTTP clients, by the agent that the token names
}

// New makes a server; open is called when a client first needs the memory, and
// again if that failed or the repository has gone. The error names an unknown
// profile.
func New(open Opener, opts *Options) (*Server, error) {
	s := &Server{byAgent: make(map[string]*tool.Server)}
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Logger == nil {
		s.opts.Logger = slog.New(slog.DiscardHandler)
	}
	if s.opts.Now == nil {
		s.opts.Now = time.Now
	}
	if err := checkProfiles(s.opts.Profiles); err != nil {
		return nil, err
	}
	s.memory = holder.New(open, s.opts.Watch, s.opts.Logger)
	s.models = sampling.New(s.opts.Logger)
	return s, nil
}

// Serve speaks with one client over a pair of streams, one JSON-RPC message a
// line, until the client closes its side or ctx is done. Requests take turns (atWork).
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	s.memory.Warm()
	client := newLines(in, out)
	ended := make(chan error, 1)
	server := s.newServer("").Server // HTTP has limits of its own (package web)
	server.AddReceivingMiddleware(takingTurns(atWork))
	go func() { ended <- server.Run(ctx, client) }()
	select {
	case err := <-ended:
		if errors.Is(err, io.EOF) || errors.Is(err, sdk.ErrConnectionClosed) {
			return nil
		}
		return err
	case <-client.deaf: // a write that nobody reads would keep it for good
		return nil
	}
}

// Close waits for calls that are under way, and closes the memory.
func (s *Server) Close() error {
	s.models.Close()
	s.memory.Close()
	return nil
}

// sdkServer is the server that clients of one agent share; "" is any.
func (s *Server) sdkServer(agent string) *sdk.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byAgent[agent] == nil {
		s.byAgent[agent] = s.newServer(agent)
	}
	return s.byAgent[agent].Server
}

// Lend lends the memory to another surface of this process, for one call, after merging
// what was fetched, as before a tool's. giveBack is told how the call ended: a memory
// that has become unusable is opened again for the next one.
func (s *Server) Lend(ctx context.Context) (o Opened, giveBack func(error), err error) {
	lease, err := s.memory.Take(ctx)
	if err != nil {
		return o, nil, err
	}
	lease.Settle(ctx, s.opts.Logger)
	return lease.Opened, func(err error) { s.memory.GiveBack(lease, err) }, nil
}
