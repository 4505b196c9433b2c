package gitstore_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"engram/gitstore"
)

// webRemote serves a bare repository with one branch over http, to anybody or to
// who knows the password.
func webRemote(t *testing.T, password string) string {
	t.Helper()
	dir := newRepo(t)
	bare := filepath.Join(t.TempDir(), "served", "team.git")
	gitIn(t, dir, "clone", "-q", "--bare", dir, bare)
	gitIn(t, bare, "update-server-info")
	files := http.FileServer(http.Dir(filepath.Dir(bare)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, given, _ := r.BasicAuth(); password != "" && given != password {
			w.Header().Set("WWW-Authenticate", `Basic realm="team"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/team.git"
}

func TestVisibility(t *testing.T) {
	store := open(t, newRepo(t))
	public, private := webRemote(t, ""), webRemote(t, "pw")
	withPassword := "http://ada:pw@" + private[len("http://"):]
	for address, want := range map[string]gitstore.Visibility{
		public:                       gitstore.Public,
		private:                      gitstore.Private,
		withPassword:                 gitstore.Private, // whoever has the password is somebody
		public + "-gone":             gitstore.Private,
		"http://127.0.0.1:1/x.git":   gitstore.Unknown,
		t.TempDir():                  gitstore.Local,
		"../relative/path":           gitstore.Local,
		"file:///srv/team.git":       gitstore.Local,
		`C:\repos\team.git`:          gitstore.Local,
		"git@127.0.0.1:1/team.git":   gitstore.Unknown, // asked by https, where nobody listens
		"ext::sh -c 'touch /tmp/no'": gitstore.Local,
	} {
		if got, err := store.VisibilityOf(t.Context(), address); err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", address, got, err, want)
		}
	}
}

// TestVisibilityKnowsNobody: what the user's configuration says who they are
// must not make a private remote look public.
func TestVisibilityKnowsNobody(t *testing.T) {
	dir := newRepo(t)
	private := webRemote(t, "pw")
	home := t.TempDir()
	t.Setenv("HOME", home)
	if err := os.WriteFile(filepath.Join(home, ".netrc"), []byte("machine 127.0.0.1 login ada password pw\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	gitIn(t, dir, "ls-remote", private) // with .netrc it can be read
	gitIn(t, dir, "config", "http.extraHeader", "Authorization: Basic YWRhOnB3")
	gitIn(t, dir, "config", "http."+private+".extraHeader", "Authorization: Basic YWRhOnB3")
	gitIn(t, dir, "config", "credential.helper", "!echo username=ada; echo password=pw; :")
	if got, err := open(t, dir).VisibilityOf(t.Context(), private); err != nil || got != gitstore.Private {
		t.Errorf("it is %s, %v", got, err)
	}
}

func TestVisibilityIsBounded(t *testing.T) {
	t.Parallel() // it waits for the bound of 5 seconds
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-done:
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	defer close(done)
	store := open(t, newRepo(t))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if got, err := store.VisibilityOf(ctx, server.URL+"/x.git"); err != nil || got != gitstore.Unknown {
		t.Errorf("a server that says nothing: %s, %v", got, err)
	}
}

func TestSameAddress(t *testing.T) {
	same := []string{
		"git@github.com:team/code.git", "ssh://git@github.com/team/code", "ssh://git@github.com:22/team/code.git",
		"https://github.com/team/code.git", "https://ada:token@GitHub.com/team/code/", "github.com:team/code",
	}
	for _, a := range same {
		if !gitstore.SameAddress(a, same[0]) {
			t.Errorf("%s is another than %s", a, same[0])
		}
	}
	for _, b := range []string{
		"git@github.com:team/other.git", "git@gitlab.com:team/code.git", "https://github.com:8443/team/code.git", "/team/code.git", "team/code",
	} {
		if gitstore.SameAddress(same[0], b) {
			t.Errorf("%s is the same as %s", b, same[0])
		}
	}
	if !gitstore.SameAddress("/srv/team.git", "file:///srv/team") {
		t.Error("a path and its file: address differ")
	}
}

func TestWithoutSecrets(t *testing.T) {
	for address, want := range map[string]string{
		"https://ada:pw@example.com/x.git?private_token=abc#f": "https://example.com/x.git",
		"https://ghp_token@example.com/x.git":                  "https://example.com/x.git",
		"ssh://git:pw@example.com:2222/x.git":                  "ssh://git@example.com:2222/x.git",
		"git@example.com:x.git":                                "git@example.com:x.git",
		"/srv/x.git":                                           "/srv/x.git",
		`C:\x.git`:                                             `C:\x.git`,
	} {
		if got := gitstore.WithoutSecrets(address); got != want {
			t.Errorf("%s becomes %s, want %s", address, got, want)
		}
	}
}

func TestLook(t *testing.T) {
	dir := newRepo(t)
	store := open(t, dir)
	remote := filepath.Join(t.TempDir(), "r.git")
	gitIn(t, dir, "init", "-q", "--bare", remote)
	look := func() gitstore.Looked { return must(store.Look(t.Context(), remote)) }
	if got := look(); got != (gitstore.Looked{}) {
		t.Errorf("an empty one: %+v", got)
	}
	gitIn(t, dir, "push", "-q", remote, "main", "main:engram")
	if got := look(); got != (gitstore.Looked{Memory: true, Others: true}) {
		t.Errorf("one with a memory: %+v", got)
	}
	if _, err := store.Look(t.Context(), remote+"-gone"); err == nil {
		t.Error("nothing was found at an address with nothing there, without an error")
	}
}
