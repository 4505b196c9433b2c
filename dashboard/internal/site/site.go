// Package site is the frame of the dashboard: who may look, what every page has around it, files,
// and telling viewers that the memory moved. A page is a Page: an address, a template and a
// function that reads.
package site

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"engram/memory"
)

// Root is where the dashboard is served. Addresses of pages are below it.
const Root = "/dashboard"

// Lend lends the memory for one request, and names the agent that asks by default; giveBack takes
// the error of the last call.
type Lend func(context.Context) (m *memory.Memory, agent string, giveBack func(error), err error)

// Page is a page: what GET shows and what POST does.
type Page struct {
	Path string // below Root, as http.ServeMux has it
	Name string // in the navigation; "" leaves it out
	// Copied: a copy of the dashboard has it. Other pages are of this machine or of a person.
	Copied bool
	// File has the template, which defines "page". It is executed with View.Data.
	File  string
	Read  func(*Request) (View, error)              // nil: there is nothing to see
	Write func(*Request) (Said, error)              // nil: there is nothing to do
	Raw   func(http.ResponseWriter, *Request) error // in place of Read, for what is no page
}

// View is what a page shows.
type View struct {
	Title    string
	Revision string // of the memory that it reflects; "" if it reflects none
	Code     bool   // has code to highlight
	Data     any
}

// Said says where to go after a change, and what was done.
type Said struct {
	Path string // below Root
	Done string // a key of what is said there
	// Revision is the commit that was made, which can be taken back; "" if there is none.
	Revision string
}

// Request is a request of somebody who may look.
type Request struct {
	*http.Request
	Memory *memory.Memory
	Agent  string // that asks; "" is the person whom the server was started by
	// Bound: whoever looks has the token of an agent, and may do what that agent may.
	Bound    bool
	MayWrite bool
	Now      time.Time
}

// Reader is the agent whose permissions and budget count when an excerpt is read: that of the token;
// "" for a person, who has neither.
func (r *Request) Reader() string {
	if r.Bound {
		return r.Agent
	}
	return ""
}

// Section is the pages of one package, with their templates.
type Section struct {
	Templates fs.FS
	Pages     []Page
}

// Options are the settings of a site.
type Options struct {
	Lend Lend
	Name string // of the repository
	// Link is the secret of the one link that lets a person in; "" if tokens do.
	Link string
	// TokenOf finds the holder of a token, and whether it may write; nil if there are no tokens.
	TokenOf func(secret string) (agent string, mayWrite, ok bool)
	Logger  *slog.Logger // nil discards, as Now nil is time.Now
	Now     func() time.Time
}

// Site serves pages. It is safe for concurrent use.
type Site struct {
	opts  Options
	doors *doors
	bell  *bell
	made  made
	nav   []link
	mux   *http.ServeMux
}

type link struct {
	Name, Path   string
	Here, Copied bool
}

//go:embed pages/*.html
var own embed.FS

// New makes a site of sections.
func New(opts Options, sections ...Section) (*Site, error) {
	s := &Site{opts: opts, doors: newDoors(opts), bell: newBell(), mux: http.NewServeMux()}
	base, err := template.New("base.html").Funcs(s.funcs()).ParseFS(own, "pages/base.html")
	if err != nil {
		return nil, err
	}
	for _, section := range sections {
		for _, p := range section.Pages {
			if p.Name != "" {
				s.nav = append(s.nav, link{Name: p.Name, Path: Root + p.Path, Copied: p.Copied})
			}
			if err := s.add(base, section.Templates, p); err != nil {
				return nil, fmt.Errorf("page %s: %w", p.Path, err)
			}
		}
	}
	failure, err := clone(base, own, "pages/failure.html")
	if err != nil {
		return nil, err
	}
	login, err := clone(base, own, "pages/login.html")
	if err != nil {
		return nil, err
	}
	s.doors.page, s.doors.failure = s.page(login), s.page(failure)
	s.mux.HandleFunc("GET "+Root+"/static/{file}", serveStatic)
	s.mux.HandleFunc("GET "+Root+"/events", s.guarded(s.events))
	s.mux.HandleFunc("POST "+Root+"/login", s.doors.login)
	s.mux.HandleFunc("GET "+Root+"/{$}", s.doors.enter(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, s.nav[0].Path, http.StatusSeeOther)
	}))
	s.mux.HandleFunc(Root+"/", s.guarded(func(w http.ResponseWriter, r *http.Request, v *visitor) {
		s.fail(w, r, v, fmt.Errorf("%w: there is no page at %s", memory.ErrNotFound, r.URL.Path))
	}))
	return s, nil
}

func clone(base *template.Template, files fs.FS, name string) (*template.Template, error) {
	t, err := base.Clone()
	if err != nil {
		return nil, err
	}
	return t.ParseFS(files, name)
}

// ServeHTTP is that of http.Handler, for paths below Root.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	s.mux.ServeHTTP(w, r)
}

func (s *Site) add(base *template.Template, files fs.FS, p Page) error {
	if p.Raw != nil {
		s.mux.HandleFunc("GET "+Root+p.Path, s.guarded(func(w http.ResponseWriter, r *http.Request, v *visitor) {
			s.with(w, r, v, func(req *Request) error { return p.Raw(w, req) })
		}))
		return nil
	}
	if p.Read != nil {
		t, err := clone(base, files, p.File)
		if err != nil {
			return err
		}
		show := s.page(t)
		s.mux.HandleFunc("GET "+Root+p.Path, s.guarded(func(w http.ResponseWriter, r *http.Request, v *visitor) {
			s.with(w, r, v, func(req *Request) error {
				view, err := p.Read(req)
				if err == nil {
					show(w, r, v, http.StatusOK, view)
				}
				return err
			})
		}))
	}
	if p.Write != nil {
		s.mux.HandleFunc("POST "+Root+p.Path, s.guarded(func(w http.ResponseWriter, r *http.Request, v *visitor) {
			if err := s.doors.mayWrite(r, v); err != nil {
				s.fail(w, r, v, err)
				return
			}
			s.with(w, r, v, func(req *Request) error {
				said, err := p.Write(req)
				if err == nil {
					http.Redirect(w, r, s.landing(said), http.StatusSeeOther)
				}
				return err
			})
		}))
	}
	return nil
}

// landing is the address after a change.
func (s *Site) landing(said Said) string {
	q := url.Values{}
	if said.Done != "" {
		q.Set("done", said.Done)
	}
	if said.Revision != "" {
		s.made.add(said.Revision)
		q.Set("undo", said.Revision)
	}
	if len(q) == 0 {
		return Root + said.Path
	}
	return Root + said.Path + "?" + q.Encode()
}

// with lends the memory to a page.
func (s *Site) with(w http.ResponseWriter, r *http.Request, v *visitor, do func(*Request) error) {
	m, agent, giveBack, err := s.opts.Lend(r.Context())
	if err == nil {
		if v.agent != "" {
			agent = v.agent
		}
		err = do(&Request{r, m, agent, v.agent != "", v.mayWrite, s.opts.Now()})
		giveBack(err)
	}
	if err != nil && r.Context().Err() == nil {
		s.fail(w, r, v, err)
	}
}

// frame is what the base template is executed with.
type frame struct {
	View
	Site     string // name of the repository
	Nav      []link
	Root     string
	CSRF     string
	MayWrite bool
	Done     string
	Undo     string // the commit that was just made here, to be taken back
	Path     string // of this page, with its query
	In       bool   // somebody is logged in
	Copy     bool   // this is a part of a copy, which no server stands behind
	Now      time.Time
}

// page returns a function that shows a template in the frame.
func (s *Site) page(t *template.Template) func(http.ResponseWriter, *http.Request, *visitor, int, View) {
	return func(w http.ResponseWriter, r *http.Request, v *visitor, status int, view View) {
		f := frame{View: view, Site: s.opts.Name, Root: Root, Path: r.URL.RequestURI(), Now: s.opts.Now(), Done: done[r.URL.Query().Get("done")]}
		if v != nil {
			f.In, f.CSRF, f.MayWrite = true, s.doors.csrf(v), v.mayWrite
			if made := r.URL.Query().Get("undo"); f.Done != "" && f.MayWrite && s.made.has(made) {
				f.Undo = made
			}
			f.Copy = v.copies
			for _, l := range s.nav {
				if v.copies && !l.Copied {
					continue
				}
				l.Here = r.URL.Path == l.Path || strings.HasPrefix(r.URL.Path, l.Path+"/")
				f.Nav = append(f.Nav, l)
			}
		}
		var body bytes.Buffer
		if err := t.ExecuteTemplate(&body, "base.html", f); err != nil {
			s.opts.Logger.Error("a page of the dashboard failed", "path", r.URL.Path, "error", err)
			http.Error(w, "this page could not be made; the log of the server says why", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		write(w, r, status, Visible(body.Bytes()))
	}
}

// failure is a page that could not be shown.
type failure struct {
	Message, Hint string
}

func (s *Site) fail(w http.ResponseWriter, r *http.Request, v *visitor, err error) {
	code, hint := memory.Classify(err)
	status := http.StatusInternalServerError
	var denied *memory.PermissionError
	var old outdated
	switch {
	case errors.Is(err, memory.ErrNotFound) || errors.Is(err, memory.ErrNoConflict):
		status = http.StatusNotFound
	case errors.Is(err, errForbidden) || errors.As(err, &denied):
		status = http.StatusForbidden
	case errors.As(err, &old) || code == memory.CodeUsage || code == memory.CodeNo:
		status = http.StatusConflict
	}
	if status == http.StatusInternalServerError {
		s.opts.Logger.Warn("a page of the dashboard failed", "path", r.URL.Path, "error", err)
	}
	s.doors.failure(w, r, v, status, View{Title: "Not shown", Data: failure{err.Error(), hint.String()}})
}

// done is what is said after a change.
var done = map[string]string{
	"settled":   "The conflict is settled, in a commit on the memory's branch.",
	"dismissed": "The conflict is dismissed: both facts stand.",
	"retired":   "The fact is retired. Its history stays.",
	"edited":    "The claim has a new version.",
	"proposed":  "Proposed: the team reviews these facts first.",
	"accepted":  "Accepted: the fact holds.",
	"rejected":  "Rejected. The reason is on record.",
	"verified":  "All evidence was compared with this checkout.",
	"slow":      "The comparison was ended after a minute, with nothing to show. On the command line, engram verify takes as long as it needs.",
	"overtaken": "Somebody changed this since you opened the page, so nothing was done. This is how it stands now.",
	"renewed":   "Confirmed: a new version points at what stands there now.",
	"dropped":   "It is not offered again.",
	"undone":    "Taken back, in a commit of its own.",
}

// Forbidden returns an error for what somebody may not do here.
func Forbidden(message string) error { return fmt.Errorf("%w: %s", errForbidden, message) }

// outdated is a change of what somebody else changed meanwhile.
type outdated string

func (o outdated) Error() string { return string(o) }

// Outdated returns an error for a form that shows what no longer stands.
func Outdated(message string) error { return outdated(message) }
