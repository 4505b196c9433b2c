package site

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
)

// copied marks a request of a page for a copy, and has its reader.
type copied struct{}

// Copy renders what GET shows at a path below Root, with its query, as a part of a copy that no server
// stands behind: without forms and what changes. agent is the reader whose permissions hold; "" is a
// person.
func (s *Site) Copy(ctx context.Context, path, agent string) ([]byte, error) {
	v := &visitor{id: "copy", agent: agent, copies: true}
	r, err := http.NewRequestWithContext(context.WithValue(ctx, copied{}, v), http.MethodGet, Root+path, nil)
	if err != nil {
		return nil, err
	}
	w := &page{header: make(http.Header)}
	s.ServeHTTP(w, r)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case w.status != http.StatusOK:
		return nil, fmt.Errorf("the page %s cannot be made (status %d); the dashboard shows why", path, w.status)
	}
	return w.body.Bytes(), nil
}

// Copied lists the addresses below Root with which a copy begins: those of the pages in its navigation.
func (s *Site) Copied() (paths []string) {
	for _, l := range s.nav {
		if l.Copied {
			paths = append(paths, l.Path[len(Root):])
		}
	}
	return paths
}

// page is a response in memory.
type page struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (p *page) Header() http.Header { return p.header }

func (p *page) WriteHeader(status int) { p.status = status }

func (p *page) Write(data []byte) (int, error) { return p.body.Write(data) }
