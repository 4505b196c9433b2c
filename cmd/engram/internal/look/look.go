// Package look has "engram dashboard", and what other commands need to serve the dashboard.
package look

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"engram/cmd/internal/app"
	"engram/cmd/internal/config"
	"engram/cmd/internal/fault"
	"engram/dashboard"
	"engram/memory"
	"engram/web"
)

type options struct {
	*app.Globals
	port   int
	noOpen bool
	export string // a folder
	reader string
}

const long = `Show the memory in the browser: facts with their evidence and history, the queue
of conflicts, reviews, sessions and health. It listens on this machine alone,
and lets in who opens the link that it prints, once. Stop it with Ctrl-C.

Changes that you make there are commits on the memory's branch like any other,
in the name of git's user.name and user.email.

With --json it prints the address and the link as one object. For a team, see
"engram serve --dashboard".

With --export it writes the pages into a folder instead, as files for a web
server or a browser alone: facts, conflicts, timeline, agents and map, with a
search. They show what you may read, excerpts of code included. --for AGENT
makes a copy of what that agent may read.`

// NewDashboardCmd returns "engram dashboard".
func NewDashboardCmd(g *app.Globals) *cobra.Command {
	opts := options{Globals: g}
	cmd := &cobra.Command{
		Use: "dashboard", Short: "Look at the memory in the browser", Long: long,
		Example: "  engram dashboard\n  engram dashboard --no-open --port 7434\n  engram dashboard --export site --for public",
		Args:    app.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.export != "" {
				return runExport(cmd.Context(), opts)
			}
			if opts.reader != "" {
				return fault.Usage("--for needs --export", `"engram serve --dashboard" shows the pages to the holders of tokens`)
			}
			return run(cmd.Context(), opts)
		},
	}
	cmd.Flags().IntVar(&opts.port, "port", 0, "`PORT` to listen on; 0 takes a free one")
	cmd.Flags().BoolVar(&opts.noOpen, "no-open", false, "print the link and open no browser")
	cmd.Flags().StringVar(&opts.export, "export", "", "write the pages as files into the folder `DIR` instead")
	cmd.Flags().StringVar(&opts.reader, "for", "", "`AGENT` whose permissions the exported pages follow")
	_ = cmd.MarkFlagDirname("export")
	return cmd
}

// opened says where the dashboard is.
type opened struct {
	SchemaVersion int    `json:"schema_version"`
	URL           string `json:"url"`
	Link          string `json:"link"` // lets one browser in
}

func run(ctx context.Context, opts options) error {
	if opts.port < 0 || opts.port > 65535 {
		return fault.Usage("--port "+strconv.Itoa(opts.port)+" is no port", "0 takes a free one")
	}
	opts.Scanner.Warm()
	opts.Out.Asks = false // nobody answers git at this terminal
	m, s, done, err := opts.OpenWithModel(ctx)
	if err != nil {
		return err
	}
	defer done()
	if status, err := m.Status(ctx, memory.StatusInput{}); err != nil {
		return err
	} else if !status.Ready {
		return memory.ErrNoBranch
	}
	link := rand.Text()
	d, err := dashboard.New(dashboard.Options{
		Lend: func(context.Context) (*memory.Memory, string, func(error), error) {
			return m, s.Agent, func(error) {}, nil
		},
		Name: name(m), Link: link, Logger: opts.Logger(), Now: opts.Now,
	})
	if err != nil {
		return err
	}
	server, err := web.New(&web.Options{Own: Own(d), Streams: []string{dashboard.Events()}, Logger: opts.Logger()})
	if err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(opts.port)))
	if err != nil {
		return fault.Usage(err.Error(), "--port 0 takes a free one")
	}
	if err := opts.announce("http://"+l.Addr().String(), link); err != nil {
		_ = l.Close()
		return err
	}
	following, stop := context.WithCancel(ctx)
	defer stop()
	go d.Follow(following)
	return app.Ended(ctx, server.Serve(ctx, l))
}

// announce prints the link and opens it.
func (o options) announce(address, link string) error {
	at := opened{memory.SchemaVersion, address + dashboard.Root + "/", address + dashboard.Root + "/?token=" + url.QueryEscape(link)}
	if o.JSON {
		if err := o.Out.JSON(at); err != nil {
			return err
		}
	} else {
		shown := *o.Out
		shown.Hide = nil // the link has a token, for the person who reads this
		shown.Message("the dashboard is at %s; Ctrl-C ends it", at.Link)
		o.Out.Message("hint: the link lets one browser in, once; others start their own")
	}
	if err := o.Out.Flush(); err != nil || o.noOpen || !o.Out.Terminal {
		return err
	}
	if err := open(at.Link); err != nil {
		o.Out.Message("note: no browser was opened (%s); open the link yourself", err.Error())
	}
	return nil
}

// open shows an address in the browser of the person.
func open(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}

// ForTeam makes the dashboard of a server with tokens or, without any, with a link, whose query is
// returned.
func ForTeam(g *app.Globals, lend web.Lend, tokens []web.Token, log *slog.Logger) (d *dashboard.Dashboard, query string, err error) {
	opts := dashboard.Options{
		Lend: func(ctx context.Context) (*memory.Memory, string, func(error), error) {
			lent, giveBack, err := lend(ctx)
			return lent.Memory, lent.Agent, giveBack, err
		},
		Name: filepath.Base(config.WorkTreeOf(g.Directory())), Logger: log, Now: g.Now,
	}
	if len(tokens) > 0 {
		opts.TokenOf, err = web.TokenOf(tokens)
	} else {
		opts.Link = rand.Text()
		query = "?token=" + opts.Link
	}
	if err == nil {
		d, err = dashboard.New(opts)
	}
	return d, query, err
}

// Own are the handlers of a dashboard for a server; the root leads there.
func Own(d *dashboard.Dashboard) map[string]http.Handler {
	return map[string]http.Handler{
		dashboard.Root + "/": d.Handler(),
		"GET /{$}": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, dashboard.Root+"/?"+r.URL.RawQuery, http.StatusSeeOther)
		}),
	}
}

// name is what a memory is called: the folder of its work tree.
func name(m *memory.Memory) string { return filepath.Base(m.WorkTree()) }
