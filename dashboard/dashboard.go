// Package dashboard shows the memory to people in a browser: facts, conflicts, reviews, sessions and
// health, as pages that the server renders. It reads and writes through package memory alone.
//
// A page is added to the package of its section: a site.Page with its address, a template below
// pages/, and a function that reads what the template shows.
package dashboard

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"engram/dashboard/internal/knowledge"
	"engram/dashboard/internal/queue"
	"engram/dashboard/internal/site"
	"engram/dashboard/internal/upkeep"
	"engram/dashboard/internal/work"
)

// Root is where the dashboard is served.
const Root = site.Root

// Options are the settings of a Dashboard.
type Options = site.Options

// Dashboard serves the pages. It is safe for concurrent use.
type Dashboard struct {
	site *site.Site
	log  *slog.Logger
}

// New makes a dashboard.
func New(opts Options) (*Dashboard, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	s, err := site.New(opts, knowledge.Section(), queue.Section(), work.Section(), upkeep.Section())
	if err != nil {
		return nil, err
	}
	return &Dashboard{s, opts.Logger}, nil
}

// Handler serves the paths below Root. It decides by itself who may look.
func (d *Dashboard) Handler() http.Handler { return d.site }

// Events is the path of its stream of events, open while somebody looks.
func Events() string { return Root + "/events" }

// Follow tells viewers whenever the memory moves, until ctx is done.
func (d *Dashboard) Follow(ctx context.Context) {
	err := d.site.Follow(ctx)
	if err != nil && ctx.Err() == nil {
		d.log.Warn("the dashboard does not see any more that the memory moves", "error", err)
	}
}
