package dashboard_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"engram/dashboard"
	"engram/memory"
	"engram/secret"
)

// desk is a person before a browser that looks at a memory.
type desk struct {
	*memory.Memory
	t    *testing.T
	http *http.Client
	url  string
}

const link = "the-one-link-of-this-test"

// server serves the dashboard of a new memory.
func server(t *testing.T, change func(*dashboard.Options)) (m *memory.Memory, url string) {
	t.Helper()
	dir := t.TempDir()
	repository(t, dir)
	m, err := memory.Open(t.Context(), dir, secret.New(), nil)
	if err == nil {
		_, err = m.Init(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	opts := dashboard.Options{
		Lend: func(context.Context) (*memory.Memory, string, func(error), error) { return m, "", func(error) {}, nil },
		Name: "shop", Link: link,
	}
	if change != nil {
		change(&opts)
	}
	d, err := dashboard.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(d.Handler())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { d.Follow(ctx); close(done) }()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
		cancel()
		<-done
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m, s.URL
}

// repository makes a git repository of a folder.
func repository(t testing.TB, dir string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "user.name", "Ada"}, {"config", "user.email", "ada@example.com"}, {"commit", "-q", "--allow-empty", "-m", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s", out)
		}
	}
}

// sit is a desk whose browser has opened the link.
func sit(t *testing.T) *desk {
	t.Helper()
	m, address := server(t, nil)
	d := &desk{Memory: m, t: t, http: browser(t), url: address}
	if status, _ := d.get("/?token=" + link); status != http.StatusOK {
		t.Fatalf("the link leads to %d", status)
	}
	return d
}

func browser(t *testing.T) *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar}
}

func (d *desk) get(path string) (status int, page string) {
	d.t.Helper()
	r, err := d.http.Get(d.url + dashboard.Root + path)
	return d.read(r, err)
}

func (d *desk) read(r *http.Response, err error) (int, string) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// post sends a form, with the token that a page's forms have.
func (d *desk) post(path string, form url.Values) (status int, page string) {
	d.t.Helper()
	if form.Get("csrf") == "" {
		_, page := d.get("/facts/" + form.Get("key"))
		if found := csrfRE.FindStringSubmatch(page); found != nil {
			form.Set("csrf", found[1])
		}
	}
	r, err := d.http.PostForm(d.url+dashboard.Root+path, form)
	return d.read(r, err)
}

var csrfRE = regexp.MustCompile(`name="csrf" value="([0-9a-f]+)"`)

func (d *desk) state(claim, key string) memory.CommitResult {
	d.t.Helper()
	r, err := d.Commit(d.t.Context(), memory.CommitInput{Claim: claim, Key: key, Scope: "auth", Operation: "update"})
	if errors.Is(err, memory.ErrNotFound) {
		r, err = d.Commit(d.t.Context(), memory.CommitInput{Claim: claim, Key: key, Scope: "auth"})
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// byHand changes the file of a fact by git, as somebody does who has no engram.
func byHand(t *testing.T, m *memory.Memory, key string, change *strings.Replacer) {
	t.Helper()
	tree := filepath.Join(t.TempDir(), "tree")
	git := func(dir string, args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	git(m.WorkTree(), "worktree", "add", "-q", tree, "engram")
	path := filepath.Join(tree, key+".yml")
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(change.Replace(string(data))), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	git(tree, "commit", "-qam", "by hand")
	git(m.WorkTree(), "worktree", "remove", "--force", tree)
}

// TestTheLinkLetsOneBrowserIn: without it every page is refused, and a second browser cannot use
// it.
func TestTheLinkLetsOneBrowserIn(t *testing.T) {
	d := sit(t)
	paths := []string{"/", "/facts", "/facts/domain/auth/session", "/timeline", "/agents", "/map", "/events", "/nowhere"}
	for _, path := range paths {
		other := &desk{Memory: d.Memory, t: t, http: browser(t), url: d.url}
		if status, page := other.get(path); status != http.StatusUnauthorized || strings.Contains(page, "Sessions live") {
			t.Errorf("%s is shown to anybody: %d", path, status)
		}
	}
	other := &desk{Memory: d.Memory, t: t, http: browser(t), url: d.url}
	if status, page := other.get("/?token=" + link); status != http.StatusUnauthorized || !strings.Contains(page, "was used before") {
		t.Errorf("the link works twice: %d", status)
	}
	if status, _ := other.post("/retire", url.Values{"key": {"domain/auth/session"}, "reason": {"no"}, "csrf": {"0"}}); status != http.StatusUnauthorized {
		t.Errorf("a stranger may write: %d", status)
	}
}

// TestTokensSayWhoMayWrite: a team logs in with tokens; one without "write" may only look.
func TestTokensSayWhoMayWrite(t *testing.T) {
	m, address := server(t, func(o *dashboard.Options) {
		o.Link = ""
		o.TokenOf = func(secret string) (string, bool, bool) {
			return "", secret == "may-write-0123456789", strings.HasPrefix(secret, "may-")
		}
	})
	for token, status := range map[string]int{"may-write-0123456789": http.StatusOK, "may-read-0123456789": http.StatusForbidden} {
		d := &desk{Memory: m, t: t, http: browser(t), url: address}
		d.state("Sessions live 30 minutes.", "domain/auth/session")
		if got, _ := d.post("/login", url.Values{"token": {"wrong"}, "csrf": {"none"}}); got != http.StatusUnauthorized {
			t.Errorf("a wrong token gives %d", got)
		}
		got, page := d.post("/login", url.Values{"token": {token}, "next": {dashboard.Root + "/facts"}, "csrf": {"none"}})
		if got != http.StatusOK || !strings.Contains(page, "Sessions live 30 minutes.") {
			t.Fatalf("logged in: %d\n%s", got, page)
		}
		if got, _ := d.post("/retire", url.Values{"key": {"domain/auth/session"}, "reason": {"tried"}}); got != status {
			t.Errorf("with %s retiring gives %d, not %d", token, got, status)
		}
	}
}

// TestFormsNeedTheirToken: a change without the token of the form is refused, and changes nothing.
func TestFormsNeedTheirToken(t *testing.T) {
	d := sit(t)
	d.state("Sessions live 30 minutes.", "domain/auth/session")
	for _, csrf := range []string{"0", strings.Repeat("a", 64)} {
		if status, page := d.post("/retire", url.Values{"key": {"domain/auth/session"}, "reason": {"because"}, "csrf": {csrf}}); status != http.StatusForbidden || !strings.Contains(page, "load the page again") {
			t.Errorf("with the token %q: %d", csrf, status)
		}
	}
	if f, err := d.Get(t.Context(), memory.GetInput{Key: "domain/auth/session"}); err != nil || f.Fact.State != "current" {
		t.Errorf("the fact is %s, %v", f.Fact.State, err)
	}
}

// TestFactsAreFoundAndShown: the list, its search and filters, a fact with its versions, and as of
// a moment.
func TestFactsAreFoundAndShown(t *testing.T) {
	d := sit(t)
	if _, page := d.get("/facts"); !strings.Contains(page, "engram commit") {
		t.Error("an empty memory does not say how to begin")
	}
	d.state("Sessions live 30 minutes.", "domain/auth/session")
	time.Sleep(1100 * time.Millisecond)
	between := time.Now().UTC() // an address has no fractions of a second
	time.Sleep(1100 * time.Millisecond)
	d.state("Sessions live 45 minutes.", "domain/auth/session")
	d.state(`A <script>alert("x")</script> & a </title> stay text.`, "domain/auth/odd")
	for path, want := range map[string][]string{
		"/facts":                             {"Sessions live 45 minutes.", "1 to 2 of 2 facts", "&lt;script&gt;"},
		"/facts?q=how+long+do+sessions+live": {"Sessions live 45 minutes.", "1 fact matches"},
		"/facts?q=zebra":                     {"No fact has these words."},
		"/facts?scope=auth":                  {"Scope: auth", "Sessions live"},
		"/facts?scope=nowhere":               {"No fact passes these filters."},
		"/facts?as_of=" + url.QueryEscape(between.Format(time.RFC3339)): {"Sessions live 30 minutes.", "/session?as_of=", "1 to 1 of 1 fact"},
		"/facts/domain/auth/session":                                    {"<ins>45 </ins>", "<del>30 </del>", "Save as a new version", "Ada"},
		"/timeline":                                                     {"domain/auth/session", "As a table"},
		"/agents":                                                       {"people", "3"},
		"/map":                                                          {"auth", "2 facts"},
	} {
		status, page := d.get(path)
		if status != http.StatusOK || strings.Contains(page, "<script>alert") {
			t.Errorf("%s: %d", path, status)
		}
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s lacks %q:\n%s", path, text, page)
			}
		}
	}
	for path, want := range map[string]int{"/facts/domain/no/such": 404, "/nowhere": 404, "/facts?kind=zebra": 409} {
		if status, page := d.get(path); status != want || !strings.Contains(page, "This could not be shown") {
			t.Errorf("%s: %d, not %d", path, status, want)
		}
	}
}

// TestEditMeetsAnotherEdit: a form that shows an older version changes nothing and says so.
func TestEditMeetsAnotherEdit(t *testing.T) {
	d := sit(t)
	const key = "domain/auth/session"
	first := d.state("Sessions live 30 minutes.", key)
	edit := func(claim, seen string) (int, string) {
		return d.post("/edit", url.Values{"key": {key}, "seen": {seen}, "claim": {claim}, "detail": {"As the contract says."}})
	}
	if status, page := edit("Sessions live 40 minutes.", first.FactID); status != http.StatusOK || !strings.Contains(page, "has a new version") || !strings.Contains(page, "As the contract says.") {
		t.Errorf("edited: %d", status)
	}
	if status, page := edit("Sessions live 50 minutes.", first.FactID); status != http.StatusConflict || !strings.Contains(page, "somebody changed") {
		t.Errorf("edited from an old page: %d", status)
	}
	got, err := d.Get(t.Context(), memory.GetInput{Key: key})
	if err != nil || got.Fact.Claim != "Sessions live 40 minutes." || got.Fact.Scope != "auth" || !strings.HasPrefix(got.Fact.Engineer, "Ada") {
		t.Errorf("the fact is %+v, %v", got.Fact, err)
	}
}

// TestHeaders: pages allow no script or style but their own, are not kept, and are packed; files
// are kept for good.
func TestHeaders(t *testing.T) {
	d := sit(t)
	for range 30 {
		d.state("Sessions live 30 minutes.", "domain/auth/session")
	}
	get := func(path string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept-Encoding", "gzip")
		r, err := d.http.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Body.Close() })
		return r
	}
	r := get(dashboard.Root + "/facts")
	csp := r.Header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || r.Header.Get("Cache-Control") != "no-store" || r.Header.Get("Content-Encoding") != "gzip" {
		t.Errorf("headers %v", r.Header)
	}
	_, page := d.get("/facts")
	if strings.Contains(page, "style=") || regexp.MustCompile(`<script[^>]*>[^<]`).MatchString(page) {
		t.Error("a style or script is inline")
	}
	for _, path := range regexp.MustCompile(`"(/dashboard/static/[^"]+)"`).FindAllStringSubmatch(page, -1) {
		if r := get(path[1]); r.StatusCode != http.StatusOK || !strings.Contains(r.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d", path[1], r.StatusCode)
		}
	}
}

// TestViewersAreTold: an open stream hears of a commit.
func TestViewersAreTold(t *testing.T) {
	d := sit(t)
	r, err := d.http.Get(d.url + dashboard.Events())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	lines := make(chan string, 100)
	go func() {
		for s := bufio.NewScanner(r.Body); s.Scan(); {
			lines <- s.Text()
		}
	}()
	time.Sleep(50 * time.Millisecond)
	done := d.state("Sessions live 30 minutes.", "domain/auth/session")
	deadline := time.After(10 * time.Second)
	for {
		select {
		case line := <-lines:
			if line == "data: "+done.Revision {
				return
			}
		case <-deadline:
			t.Fatal("nobody told the viewer of the commit")
		}
	}
}

// commit commits what is in a work tree.
func commit(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"add", "-A"}, {"commit", "-q", "-m", "more"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s", out)
		}
	}
}
