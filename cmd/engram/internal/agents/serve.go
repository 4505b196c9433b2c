package agents

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"engram/cmd/engram/internal/look"
	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
	"engram/dashboard"
	"engram/mcp"
	"engram/memory"
	"engram/skills/less"
	"engram/web"
)

const defaultListen = "127.0.0.1:7433"

type serveOptions struct {
	*app.Globals
	listen    string
	tokenFile string
	hosts     []string
	origins   []string
	profiles  []string
	newToken  bool
	dashboard bool
}

// serveResult says where the server listens; it is printed at the start.
type serveResult struct {
	SchemaVersion int      `json:"schema_version"`
	Address       string   `json:"address"`
	URL           string   `json:"url"`                     // of MCP, as this machine calls it
	Dashboard     string   `json:"dashboard_url,omitempty"` // with a token in it, it lets one browser in
	API           string   `json:"api_url"`                 // of the gateway: its paths go below it
	TokenRequired bool     `json:"token_required"`
	Agents        []string `json:"agents"` // that tokens are bound to
}

type newTokenResult struct {
	SchemaVersion int    `json:"schema_version"`
	Token         string `json:"token"`
}

const serveLong = `Serve the memory over HTTP: MCP (Streamable HTTP) at /mcp, the gateway between
agents (/engram, /pointer/deref, /message/submit and more, see /openapi.json),
/metrics, /healthz and /readyz. Stop it with Ctrl-C (exit code 0).

By default it listens on loopback, where every program on this machine has
access. If there are tokens, every request needs one. Tokens are in ENGRAM_TOKEN
or in --token-file, which only you may read: one to a line, as TOKEN or AGENT
TOKEN. A request with an agent's token reads and writes as that agent.
Without a token the server does not listen where other machines could reach it.

--dashboard serves the pages of "engram dashboard" at /dashboard/. People log in
with a token; they may only look, unless "write" stands behind it in the file.
Without tokens a link lets one browser in.

HTTP is not encrypted: for other machines, put a proxy with TLS before it and
name the proxy with --allow-host, or use a tunnel (ssh -L). See docs/serve.md.`

const serveExample = `  engram serve
  engram serve --listen 127.0.0.1:0 --json
  echo "claude $(engram serve --new-token)" >> ~/.config/engram/tokens
  chmod 600 ~/.config/engram/tokens
  engram serve --token-file ~/.config/engram/tokens --allow-host memory.example`

// NewServeCmd returns "engram serve".
func NewServeCmd(g *app.Globals) *cobra.Command {
	opts := serveOptions{Globals: g}
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the memory over HTTP", Long: serveLong, Example: serveExample,
		Args: app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), opts, g.Out) },
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.listen, "listen", defaultListen, "`ADDRESS` and port; port 0 takes a free one")
	flags.StringVar(&opts.tokenFile, "token-file", "", "`FILE` of the tokens that may speak (ENGRAM_TOKEN has one)")
	flags.StringSliceVar(&opts.hosts, "allow-host", nil, "`NAME` by which others call this machine; may be repeated")
	flags.StringSliceVar(&opts.origins, "allow-origin", nil, "`ORIGIN` of web pages that may speak; may be repeated")
	flags.BoolVar(&opts.dashboard, "dashboard", false, "serve the pages of \"engram dashboard\" as well")
	flags.BoolVar(&opts.newToken, "new-token", false, "print a new token and do nothing else")
	profileFlag(cmd, &opts.profiles)
	return cmd
}

func runServe(ctx context.Context, opts serveOptions, out *term.Streams) error {
	if opts.newToken {
		r := newTokenResult{memory.SchemaVersion, rand.Text()} // 130 random bits
		return term.Print(out, opts.JSON, r, func(out *term.Streams, r newTokenResult) { out.Printf("%s\n", r.Token) })
	}
	tokens, err := readTokens(opts.Globals, opts.tokenFile)
	if err != nil {
		return err
	}
	if couldBeCommitted(ctx, opts.tokenFile) {
		out.Message("warning: git does not ignore %s: the tokens in it could be committed", opts.tokenFile)
		out.Message("hint: move it out of the work tree, to ~/.config/engram/tokens, say")
	}
	routes, lend, done, err := routes(opts.Globals, opts.profiles)
	if err != nil {
		return err
	}
	defer done()
	options := &web.Options{
		Routes: routes, Tokens: tokens, AllowedHosts: opts.hosts, AllowedOrigins: opts.origins,
		Ready:  func(ctx context.Context) error { return readiness(ctx, opts.Globals) },
		Logger: serverLogger(opts.Globals), Hide: opts.Hide,
	}
	link := ""
	if opts.dashboard {
		d, secret, err := look.ForTeam(opts.Globals, lend, tokens, options.Logger)
		if err != nil {
			return err
		}
		options.Own, options.Streams = look.Own(d), []string{dashboard.Events()}
		link = dashboard.Root + "/" + secret
		go d.Follow(ctx)
	}
	server, err := web.New(options)
	if err != nil {
		return fault.Usage(err.Error(), "`engram serve --help` shows examples")
	}
	l, err := listen(ctx, server, opts.listen)
	if err != nil {
		return err
	}
	if err := opts.announce(ctx, l.Addr(), link, tokens, out); err != nil {
		_ = l.Close()
		return err
	}
	return app.Ended(ctx, server.Serve(ctx, l))
}

// routes are MCP and the gateway between agents, which share one memory. done ends both
// and closes the memory.
func routes(g *app.Globals, profiles []string) (routes map[string]http.Handler, lend web.Lend, done func(), err error) {
	server, err := newServer(g, profiles, func(o *mcp.Options) {
		o.AgentOf = func(r *http.Request) string { return web.AgentOf(r.Context()) }
	})
	if err != nil {
		return nil, nil, nil, err
	}
	lend = func(ctx context.Context) (web.Lent, func(error), error) {
		o, giveBack, err := server.Lend(ctx)
		return web.Lent{Memory: o.Memory, Agent: o.Agent}, giveBack, err
	}
	routes = web.API(lend, &web.APIOptions{Schemas: less.SchemaFiles()})
	routes["/mcp"] = server.Handler()
	return routes, lend, func() { _ = server.Close() }, nil
}

// listen opens the port, if the server may listen there.
func listen(ctx context.Context, server *web.Server, address string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fault.Usage(err.Error(), listenHint(err))
	}
	if err := server.MayListen(l.Addr()); err != nil {
		_ = l.Close()
		return nil, fault.Usage(err.Error(), "`engram serve --new-token` makes one; put it into a file for --token-file, or into ENGRAM_TOKEN")
	}
	return l, nil
}

// listenHint tells a port that is taken from one that is reserved and from a bad address.
func listenHint(err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "another engram serve may have that port; --listen 127.0.0.1:0 takes a free one"
	case errors.Is(err, syscall.EACCES):
		return "ports below 1024 are the system's; --listen 127.0.0.1:0 takes a free one"
	}
	return "an address is HOST:PORT of this machine, as in " + defaultListen
}

// readiness is an error if no fact can be read.
func readiness(ctx context.Context, g *app.Globals) error {
	s, err := app.Ask(ctx, g.Open, func(m *memory.Memory, _ config.Settings) (memory.StatusResult, error) {
		return m.Status(ctx, memory.StatusInput{})
	})
	if err == nil && !s.Ready {
		err = fmt.Errorf("%w: %s does not exist", memory.ErrNoBranch, s.Branch)
	}
	return err
}

// announce prints the address of the server and how to use it.
func (o serveOptions) announce(ctx context.Context, addr net.Addr, link string, tokens []web.Token, out *term.Streams) error {
	r := serveResult{SchemaVersion: memory.SchemaVersion, Address: addr.String(), URL: localURL(addr) + "/mcp", API: localURL(addr), TokenRequired: len(tokens) > 0, Agents: []string{}}
	for _, t := range tokens {
		if t.Agent != "" {
			r.Agents = append(r.Agents, t.Agent)
		}
	}
	if link != "" {
		r.Dashboard = r.API + link
		out.Message("the dashboard is at %s%s", r.Dashboard, term.Either(r.TokenRequired, "; it asks for a token", ""))
	}
	header := term.Either(r.TokenRequired, ` --header "Authorization: Bearer TOKEN"`, "")
	out.Message("serving MCP at %s and the gateway at %s; Ctrl-C ends it", r.URL, r.API)
	out.Message("hint: an MCP client takes that address, as in claude mcp add --transport http engram %s", r.URL+header)
	if !web.Loopback(addr) {
		out.Message("warning: others can reach this address, and HTTP is not encrypted: put a proxy with TLS before it, or use a tunnel")
	}
	if err := readiness(ctx, o.Globals); err != nil && ctx.Err() == nil {
		f := fault.FailureOf(ctx, err)
		out.Message("warning: %s", strings.TrimSuffix(f.Message+" ("+f.Hint+")", " ()"))
	}
	if !o.JSON {
		return nil
	}
	return errors.Join(out.JSON(r), out.Flush())
}

// localURL is where this machine finds a server that listens at an address.
func localURL(addr net.Addr) string {
	host, port, _ := net.SplitHostPort(addr.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// serverLogger logs rejected requests even without --verbose.
func serverLogger(g *app.Globals) *slog.Logger {
	if g.Verbose {
		return g.Logger()
	}
	return slog.New(slog.NewTextHandler(g.Out.LogWriter(), &slog.HandlerOptions{Level: slog.LevelWarn}))
}
