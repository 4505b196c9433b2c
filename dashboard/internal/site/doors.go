package site

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Bounds of logins.
const (
	stays    = 30 * 24 * time.Hour // a login, while the server runs
	maxDoors = 1000                // logins at once; the oldest ends
)

// errForbidden is a change that somebody may not make.
var errForbidden = errors.New("this may not be done")

// visitor is somebody who logged in.
type visitor struct {
	id       string
	agent    string
	mayWrite bool
	copies   bool // makes a copy of the pages
	since    time.Time
}

// doors are who may look.
type doors struct {
	opts    Options
	key     []byte // of CSRF tokens
	page    func(http.ResponseWriter, *http.Request, *visitor, int, View)
	failure func(http.ResponseWriter, *http.Request, *visitor, int, View)

	mu       sync.Mutex
	link     string // "" once it was used
	visitors map[string]*visitor
}

func newDoors(opts Options) *doors {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return &doors{opts: opts, key: key, link: opts.Link, visitors: make(map[string]*visitor)}
}

// cookieName is of one port: cookies are of a host, whatever the port.
func cookieName(r *http.Request) string {
	_, port, _ := strings.Cut(r.Host, ":")
	return "engram-" + strings.Trim(port, "]:") + "-dashboard"
}

// visitor is who sends a request; nil if that is unknown.
func (d *doors) visitor(r *http.Request) *visitor {
	if v, ok := r.Context().Value(copied{}).(*visitor); ok { // of this process
		return v
	}
	if d.opts.Link == "" && d.opts.TokenOf == nil {
		return nil
	}
	if secret, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && d.opts.TokenOf != nil {
		if agent, mayWrite, ok := d.opts.TokenOf(secret); ok {
			return &visitor{id: "token of " + agent, agent: agent, mayWrite: mayWrite}
		}
	}
	c, err := r.Cookie(cookieName(r))
	if err != nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	v := d.visitors[digest(c.Value)]
	if v != nil && d.opts.Now().Sub(v.since) > stays {
		delete(d.visitors, digest(c.Value))
		return nil
	}
	return v
}

func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// let logs somebody in.
func (d *doors) let(w http.ResponseWriter, r *http.Request, agent string, mayWrite bool) {
	secret := rand.Text()
	v := &visitor{id: digest(secret), agent: agent, mayWrite: mayWrite, since: d.opts.Now()}
	d.mu.Lock()
	if len(d.visitors) >= maxDoors {
		oldest := v
		for _, other := range d.visitors {
			if other.since.Before(oldest.since) {
				oldest = other
			}
		}
		delete(d.visitors, oldest.id)
	}
	d.visitors[v.id] = v
	d.mu.Unlock()
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: secret, Path: Root, HttpOnly: true, SameSite: http.SameSiteLaxMode, MaxAge: int(stays / time.Second),
		Secure: r.Header.Get("X-Forwarded-Proto") == "https",
	})
}

// use takes the one-time link.
func (d *doors) use(secret string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.link == "" || subtle.ConstantTimeCompare([]byte(secret), []byte(d.link)) != 1 {
		return false
	}
	d.link = ""
	return true
}

// enter lets in who has the link, and shows the login to others.
func (d *doors) enter(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch secret := r.URL.Query().Get("token"); {
		case d.visitor(r) != nil:
			next(w, r)
		case secret != "" && d.use(secret):
			d.let(w, r, "", true)
			next(w, r)
		default:
			d.refuse(w, r, secret != "")
		}
	}
}

// refused says why somebody is not let in.
type refused struct {
	Tokens bool // a token lets in, else a link does
	Wrong  bool // what was given is not known, or was used before
	Next   string
}

func (d *doors) refuse(w http.ResponseWriter, r *http.Request, wrong bool) {
	next := r.URL.RequestURI()
	if r.Method != http.MethodGet || r.URL.Path == Root+"/login" || r.URL.Path == Root+"/" {
		next = Root + "/"
	}
	d.page(w, r, nil, http.StatusUnauthorized, View{Title: "Log in", Data: refused{d.opts.TokenOf != nil, wrong, next}})
}

// login takes a token.
func (d *doors) login(w http.ResponseWriter, r *http.Request) {
	if d.opts.TokenOf == nil || !sameOrigin(r) {
		d.refuse(w, r, true)
		return
	}
	agent, mayWrite, ok := d.opts.TokenOf(strings.TrimSpace(r.PostFormValue("token")))
	if !ok {
		d.refuse(w, r, true)
		return
	}
	d.let(w, r, agent, mayWrite)
	next := r.PostFormValue("next")
	if !strings.HasPrefix(next, Root+"/") {
		next = Root + "/"
	}
	http.Redirect(w, r, next, http.StatusSeeOther)
}

// sameOrigin reports whether a page of this server sent a request. Browsers say so.
func sameOrigin(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin" || site == "none"
}

// csrf is the token that each form of a visitor has.
func (d *doors) csrf(v *visitor) string {
	mac := hmac.New(sha256.New, d.key)
	_, _ = mac.Write([]byte(v.id))
	return hex.EncodeToString(mac.Sum(nil))
}

// mayWrite is an error unless a request came from a form of this visitor, who may write.
func (d *doors) mayWrite(r *http.Request, v *visitor) error {
	switch {
	case !v.mayWrite:
		return Forbidden("this token may only read; the server's file of tokens says which may write")
	case !sameOrigin(r) || subtle.ConstantTimeCompare([]byte(r.PostFormValue("csrf")), []byte(d.csrf(v))) != 1:
		return Forbidden("this form is not of this login; go back, load the page again and send it once more")
	}
	return nil
}

// guarded lets only visitors pass.
func (s *Site) guarded(next func(http.ResponseWriter, *http.Request, *visitor)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := s.doors.visitor(r)
		if v == nil {
			s.doors.refuse(w, r, false)
			return
		}
		next(w, r, v)
	}
}
