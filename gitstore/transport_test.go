package gitstore_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"engram/gitstore"
	"engram/gitstore/internal/remote"
)

// bareRemote is a bare repository that already has the code of dir on main.
func bareRemote(t testing.TB, dir string) string {
	t.Helper()
	bare := filepath.Join(t.TempDir(), "remote.git")
	gitIn(t, dir, "init", "-q", "--bare", "-b", "main", bare)
	gitIn(t, dir, "push", "-q", bare, "main")
	return bare
}

// twoClones are clones of one remote, and the remote.
func twoClones(t testing.TB) (one, two, bare string) {
	t.Helper()
	bare = bareRemote(t, newRepo(t))
	gitIn(t, bare, "config", "user.name", "Ada")
	gitIn(t, bare, "config", "user.email", "ada@example.com")
	clones := []string{filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "two")}
	for _, clone := range clones {
		gitIn(t, bare, "clone", "-q", bare, clone)
		gitIn(t, clone, "config", "user.name", "Ada")
		gitIn(t, clone, "config", "user.email", "ada@example.com")
	}
	return clones[0], clones[1], bare
}

func standing(t testing.TB, store *gitstore.Store, ahead, behind int) {
	t.Helper()
	a, b, err := store.Standing(t.Context(), "origin")
	if a != ahead || b != behind || err != nil {
		t.Errorf("%d ahead, %d behind, %v; want %d and %d", a, b, err, ahead, behind)
	}
}

// TestShare: two clones bring their memories together through a remote, and
// nothing of the users' changes on the way.
func TestShare(t *testing.T) {
	one, two, bare := twoClones(t)
	a, b := open(t, one), open(t, two)
	standing(t, a, 0, 0)
	if err := a.Push(t.Context(), "origin"); !errors.Is(err, gitstore.ErrNoBranch) {
		t.Errorf("push of nothing: %v", err)
	}
	if got, err := a.Fetch(t.Context(), "origin"); err != nil || got != (remote.Fetched{Ref: "refs/remotes/origin/engram"}) {
		t.Errorf("fetch of nothing: %+v %v", got, err)
	}
	first := write(t, a, files{"d/x": "1", "d/y": "1"})
	standing(t, a, 1, 0)
	mustDo(t, a.Push(t.Context(), "origin"))
	mustDo(t, a.Push(t.Context(), "origin"))
	standing(t, a, 0, 0)
	gitIn(t, bare, "tag", "v1", "engram")
	mustDo(t, os.WriteFile(filepath.Join(two, ".git/FETCH_HEAD"), []byte("the user's\n"), 0o644))
	before := snapshot(t, two)
	got, err := b.Fetch(t.Context(), "origin")
	if err != nil || got != (remote.Fetched{Ref: "refs/remotes/origin/engram", Found: true, After: first}) {
		t.Errorf("fetch: %+v %v", got, err)
	}
	standing(t, b, 0, 1)
	after := snapshot(t, two)
	for path := range after {
		if strings.Contains(path, "refs/remotes/origin") {
			delete(after, path)
			delete(before, path)
		}
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the user's state changed:\n%s", diff)
	}
	message := func(gitstore.MergeResult) gitstore.Meta { return gitstore.Meta{Message: "merge\n"} }
	if r, err := b.Merge(t.Context(), got.After, greater{}, message); err != nil || r.Kind != gitstore.Began {
		t.Errorf("%+v %v", r, err)
	}
	write(t, a, files{"d/x": "2"})
	write(t, b, files{"d/x": "3", "d/z": "1"})
	mustDo(t, b.Push(t.Context(), "origin"))
	if err := a.Push(t.Context(), "origin"); !errors.Is(err, gitstore.ErrRejected) {
		t.Errorf("push over another's: %v", err)
	}
	got, err = a.Fetch(t.Context(), "origin")
	if err != nil || got.Before != first || !got.Found {
		t.Errorf("%+v %v", got, err)
	}
	standing(t, a, 1, 1)
	if _, err := a.Merge(t.Context(), got.Ref, greater{}, message); err != nil {
		t.Error(err)
	}
	mustDo(t, a.Push(t.Context(), "origin"))
	if diff := cmp.Diff(files{"d/x": "3", "d/y": "1", "d/z": "1"}, treeText(t, bare, "engram")); diff != "" {
		t.Error(diff)
	}
	gitIn(t, bare, "update-ref", "-d", "refs/heads/engram")
	if got, err := a.Fetch(t.Context(), "origin"); err != nil || got.Found || got.After == "" {
		t.Errorf("what was fetched is gone with the remote's: %+v %v", got, err)
	}
	fsck(t, one)
	fsck(t, bare)
}

// TestNotFirst: the memory is not the first branch of a remote.
func TestNotFirst(t *testing.T) {
	dir := newRepo(t)
	bare := filepath.Join(t.TempDir(), "empty.git")
	gitIn(t, dir, "init", "-q", "--bare", bare)
	gitIn(t, dir, "remote", "add", "origin", bare)
	store := open(t, dir)
	write(t, store, files{"x": "1"})
	if err := store.Push(t.Context(), "origin"); !errors.Is(err, gitstore.ErrEmptyRemote) {
		t.Errorf("got %v", err)
	}
	gitIn(t, dir, "push", "-q", bare, "main") // leaves no tracking branch
	mustDo(t, store.Push(t.Context(), "origin"))
}

// TestRemoteRefuses: rules of the remote's own, and how they are told.
func TestRemoteRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(bare, one string)
		want    error
		text    string
	}{
		"hook": {func(bare, _ string) {
			mustDo(t, os.MkdirAll(filepath.Join(bare, "hooks"), 0o755))
			mustDo(t, os.WriteFile(filepath.Join(bare, "hooks/pre-receive"), []byte("#!/bin/sh\nprintf 'Permission denied\\033[31m: no memory here\\n' >&2\nexit 1\n"), 0o755))
		}, gitstore.ErrRefused, "no memory here"},
		"checked out": {func(bare, _ string) {
			gitIn(t, bare, "symbolic-ref", "HEAD", "refs/heads/engram")
			gitIn(t, bare, "config", "core.bare", "false")
		}, gitstore.ErrRefused, "checked out"},
		"rewound": {func(bare, one string) {
			gitIn(t, bare, "update-ref", "refs/heads/engram", commitTree(t, bare, files{"other": "1"}))
			gitIn(t, one, "update-ref", "-d", "refs/remotes/origin/engram")
			gitIn(t, one, "config", "remote.origin.push", "+refs/heads/*:refs/heads/*")
			gitIn(t, bare, "config", "receive.denyNonFastForwards", "false")
		}, gitstore.ErrRejected, "fetch first"},
		"mirror": {func(bare, one string) {
			gitIn(t, bare, "update-ref", "refs/heads/engram", commitTree(t, bare, files{"other": "1"}))
			gitIn(t, one, "config", "remote.origin.mirror", "true")
		}, gitstore.ErrRejected, "fetch first"},
		"gone": {func(bare, _ string) { mustDo(t, os.RemoveAll(bare)) }, gitstore.ErrUnreachable, "does not appear"},
		"read-only": {func(bare, _ string) {
			if os.Geteuid() == 0 {
				return
			}
			mustDo(t, os.Chmod(filepath.Join(bare, "objects"), 0o555))
			t.Cleanup(func() { _ = os.Chmod(filepath.Join(bare, "objects"), 0o755) })
		}, gitstore.ErrRefused, ""},
	} {
		t.Run(name, func(t *testing.T) {
			one, _, bare := twoClones(t)
			store := open(t, one)
			write(t, store, files{"x": "1"})
			test.prepare(bare, one)
			err := store.Push(t.Context(), "origin")
			if name == "read-only" && os.Geteuid() == 0 {
				return
			}
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) || strings.Contains(err.Error(), "\033") {
				t.Errorf("got %v", err)
			}
			t.Log(err)
		})
	}
}

// TestHooksStayOut: the user's pre-push hook does not run, and whatever hook
// does sees that engram is at work.
func TestHooksStayOut(t *testing.T) {
	one, _, _ := twoClones(t)
	for hook, text := range map[string]string{"pre-push": "exit 1", "reference-transaction": `[ "$ENGRAM_INSIDE" = 1 ]`} {
		mustDo(t, os.MkdirAll(filepath.Join(one, ".git/hooks"), 0o755))
		mustDo(t, os.WriteFile(filepath.Join(one, ".git/hooks", hook), []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	store := open(t, one)
	write(t, store, files{"x": "1"})
	mustDo(t, store.Push(t.Context(), "origin"))
	if _, err := store.Fetch(t.Context(), "origin"); err != nil {
		t.Error(err)
	}
}

// TestRelativeRemote: a path is relative to the work tree, as it is to git.
func TestRelativeRemote(t *testing.T) {
	one, _, bare := twoClones(t)
	gitIn(t, one, "remote", "set-url", "origin", must(filepath.Rel(one, bare)))
	sub := filepath.Join(one, "sub")
	mustDo(t, os.Mkdir(sub, 0o755))
	store := open(t, sub)
	write(t, store, files{"x": "1"})
	mustDo(t, store.Push(t.Context(), "origin"))
	gitIn(t, one, "fetch", "-q", "origin")
}

// TestFetchersAtOnce: several fetch into one repository; none fails.
func TestFetchersAtOnce(t *testing.T) {
	one, two, _ := twoClones(t)
	a := open(t, one)
	for i := range 4 {
		write(t, a, files{"x": fmt.Sprint(i)})
		mustDo(t, a.Push(t.Context(), "origin"))
		var wg sync.WaitGroup
		for range 4 {
			b := open(t, two)
			wg.Go(func() {
				if _, err := b.Fetch(t.Context(), "origin"); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
}

// httpRemote serves folder with git's own program, behind a door.
func httpRemote(t *testing.T, folder string, door http.HandlerFunc) string {
	t.Helper()
	backend := filepath.Join(gitIn(t, folder, "--exec-path"), "git-http-backend")
	if !exists(backend) {
		t.Skip("git has no http-backend here")
	}
	handler := &cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + folder, "GIT_HTTP_EXPORT_ALL=1"}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user == "ada" && password == "secret" {
			r.Header.Set("Authorization", "")
			handler.Env = append(handler.Env[:2:2], "REMOTE_USER=ada")
			handler.ServeHTTP(w, r)
			return
		}
		door(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestHTTP: a server that lets in who has the password, and others that do not.
func TestHTTP(t *testing.T) {
	dir := newRepo(t)
	bare := bareRemote(t, dir)
	store := open(t, dir)
	write(t, store, files{"x": "1"})
	status := 401
	url := httpRemote(t, filepath.Dir(bare), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(status)
	})
	gitIn(t, dir, "remote", "add", "origin", url+"/remote.git")
	for code, want := range map[int]error{401: gitstore.ErrDenied, 403: gitstore.ErrDenied, 404: gitstore.ErrUnreachable, 500: gitstore.ErrUnreachable, 503: gitstore.ErrUnreachable} {
		status = code
		if _, err := store.Fetch(t.Context(), "origin"); !errors.Is(err, want) {
			t.Errorf("%d: fetch: %v", code, err)
		} else {
			t.Log(err)
		}
		if err := store.Push(t.Context(), "origin"); !errors.Is(err, want) {
			t.Errorf("%d: push: %v", code, err)
		}
	}
	status = 401
	askpass := filepath.Join(t.TempDir(), "askpass")
	mustDo(t, os.WriteFile(askpass, []byte("#!/bin/sh\ncase $1 in User*) echo ada;; *) echo $ENGRAM_TEST_PASSWORD;; esac\n"), 0o755))
	t.Setenv("GIT_ASKPASS", askpass)
	t.Setenv("ENGRAM_TEST_PASSWORD", "wrong")
	if err := store.Push(t.Context(), "origin"); !errors.Is(err, gitstore.ErrDenied) {
		t.Errorf("wrong password: %v", err)
	}
	t.Setenv("ENGRAM_TEST_PASSWORD", "secret")
	mustDo(t, store.Push(t.Context(), "origin"))
	if got, err := store.Fetch(t.Context(), "origin"); err != nil || !got.Found {
		t.Errorf("%+v %v", got, err)
	}
	gitIn(t, dir, "remote", "set-url", "origin", strings.Replace(url, "://", "://ada:hidden@", 1)+"/nothing.git")
	_, err := store.Fetch(t.Context(), "origin")
	if err == nil || strings.Contains(err.Error(), "hidden") {
		t.Errorf("got %v", err)
	}
}

// TestUnreachable: addresses where nobody answers.
func TestUnreachable(t *testing.T) {
	dir := newRepo(t)
	closed := httptest.NewServer(nil)
	closed.Close()
	host := strings.TrimPrefix(closed.URL, "http://")
	store := open(t, dir)
	write(t, store, files{"x": "1"})
	for _, url := range []string{"http://" + host + "/x.git", "https://" + host + "/x.git", "git://" + host + "/x.git", "http://nothing.invalid/x.git", "git://nothing.invalid/x", "/nothing/there", "file:///nothing/there", "ssh://nothing.invalid/x", "weird://x/y"} {
		gitIn(t, dir, "config", "remote.origin.url", url)
		if _, err := store.Fetch(t.Context(), "origin"); !errors.Is(err, gitstore.ErrUnreachable) {
			t.Errorf("%s: %v", url, err)
		} else {
			t.Log(err)
		}
		if err := store.Push(t.Context(), "origin"); !errors.Is(err, gitstore.ErrUnreachable) {
			t.Errorf("%s: %v", url, err)
		}
	}
	if _, err := store.Fetch(t.Context(), "nothing"); !errors.Is(err, gitstore.ErrNoRemote) {
		t.Errorf("got %v", err)
	}
	if err := store.Push(t.Context(), bareRemote(t, dir)); !errors.Is(err, gitstore.ErrNoRemote) {
		t.Errorf("a path is no remote: %v", err)
	}
}

// TestSSH: git's variable and setting for ssh are honoured, and what ssh says
// is understood.
func TestSSH(t *testing.T) {
	dir := newRepo(t)
	bare := bareRemote(t, dir)
	gitIn(t, dir, "remote", "add", "origin", "ssh://git@example.com"+bare)
	store := open(t, dir)
	write(t, store, files{"x": "1"})
	ssh := filepath.Join(t.TempDir(), "ssh")
	script := func(text string) { mustDo(t, os.WriteFile(ssh, []byte("#!/bin/sh\n"+text+"\n"), 0o755)) }
	for text, want := range map[string]error{
		"echo 'git@example.com: Permission denied (publickey).' >&2; exit 255":                        gitstore.ErrDenied,
		"echo 'Host key verification failed.' >&2; exit 255":                                          gitstore.ErrDenied,
		"echo 'ssh: Could not resolve hostname example.com: Name or service not known' >&2; exit 255": gitstore.ErrUnreachable,
		"echo 'ssh: connect to host example.com port 22: Connection refused' >&2; exit 255":           gitstore.ErrUnreachable,
		"echo 'ssh: connect to host example.com port 22: Connection timed out' >&2; exit 255":         gitstore.ErrUnreachable,
		"echo 'ERROR: Repository not found.' >&2; exit 1":                                             gitstore.ErrUnreachable,
		"exit 255": gitstore.ErrUnreachable,
	} {
		script(text)
		t.Setenv("GIT_SSH_COMMAND", ssh)
		if _, err := store.Fetch(t.Context(), "origin"); !errors.Is(err, want) {
			t.Errorf("%s: %v", text, err)
		} else {
			t.Log(err)
		}
		if err := store.Push(t.Context(), "origin"); !errors.Is(err, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	script(`for last; do :; done; eval "$last"`)
	mustDo(t, store.Push(t.Context(), "origin"))
	os.Unsetenv("GIT_SSH_COMMAND")
	gitIn(t, dir, "config", "core.sshCommand", ssh)
	if got, err := store.Fetch(t.Context(), "origin"); err != nil || !got.Found {
		t.Errorf("%+v %v", got, err)
	}
}

// TestCancelTransport: an ssh that hangs ends with the call that waits for it.
func TestCancelTransport(t *testing.T) {
	dir := newRepo(t)
	gitIn(t, dir, "remote", "add", "origin", "ssh://example.com/x")
	folder := t.TempDir()
	ssh, pid := filepath.Join(folder, "ssh"), filepath.Join(folder, "pid")
	mustDo(t, os.WriteFile(ssh, []byte("#!/bin/sh\ntrap '' TERM\necho $$ > "+pid+"\nwhile :; do sleep 1; done\n"), 0o755))
	gitIn(t, dir, "config", "core.sshCommand", ssh)
	store := open(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := store.Fetch(ctx, "origin"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	t.Logf("gave up after %s", time.Since(start).Round(10*time.Millisecond))
	hung := strings.TrimSpace(string(must(os.ReadFile(pid))))
	for range 40 {
		if stat, err := os.ReadFile("/proc/" + hung + "/stat"); err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("process %s goes on", hung)
}

// TestTransportEnvironment: what belongs to transport reaches the ssh that git
// starts, what belongs to a repository does not, and nothing asks unless
// somebody is there to answer.
func TestTransportEnvironment(t *testing.T) {
	dir := newRepo(t)
	gitIn(t, dir, "remote", "add", "origin", "ssh://example.com/x")
	ssh, seen := filepath.Join(t.TempDir(), "ssh"), filepath.Join(t.TempDir(), "seen")
	mustDo(t, os.WriteFile(ssh, []byte("#!/bin/sh\nenv > "+seen+"\nexit 255\n"), 0o755))
	for name, value := range map[string]string{
		"GIT_SSH": ssh, "GIT_SSH_VARIANT": "ssh", "GIT_SSL_CAINFO": "/ca", "GIT_HTTP_USER_AGENT": "me", "GIT_TRACE_PACKET": "1", "GIT_TRACE2": "/nothing/trace",
		"GIT_INDEX_FILE": "/index", "GIT_WORK_TREE": "/work", "GIT_CONFIG_PARAMETERS": "'a.b=c'", "GIT_QUARANTINE_PATH": "/q", "GIT_CONFIG_GLOBAL": "/dev/null", "SSH_ASKPASS": "/ask",
	} {
		t.Setenv(name, value)
	}
	for _, prompt := range []bool{false, true} {
		store := must(gitstore.Open(t.Context(), dir, &gitstore.Options{Prompt: prompt}))
		if _, err := store.Fetch(t.Context(), "origin"); !errors.Is(err, gitstore.ErrUnreachable) {
			t.Errorf("got %v", err)
		}
		mustDo(t, store.Close())
		env := "\n" + string(must(os.ReadFile(seen)))
		wanted := map[string]bool{
			"GIT_SSL_CAINFO=/ca": true, "GIT_HTTP_USER_AGENT=me": true, "GIT_TRACE2=/nothing/trace": true, "GIT_CONFIG_GLOBAL=/dev/null": true, "ENGRAM_INSIDE=1": true, "LC_ALL=C": true,
			"GIT_TERMINAL_PROMPT=0": !prompt, "GIT_TERMINAL_PROMPT=1": prompt, "SSH_ASKPASS_REQUIRE=never": !prompt, "SSH_ASKPASS=/ask": prompt,
			"GIT_TRACE_PACKET=": false, "GIT_INDEX_FILE=": false, "GIT_WORK_TREE=": false, "GIT_CONFIG_PARAMETERS='a.b": false, "GIT_QUARANTINE_PATH=": false,
		}
		for entry, want := range wanted {
			if strings.Contains(env, "\n"+entry) != want {
				t.Errorf("prompt %v: %s there: %v", prompt, entry, !want)
			}
		}
	}
}
