//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"
)

// screen is engram in a terminal.
type screen struct {
	t    *testing.T
	tty  *os.File
	term vt10x.Terminal
	cmd  *exec.Cmd
	done chan error
}

// onScreen runs engram in a terminal of a size.
func onScreen(t *testing.T, repo string, columns, rows int, args ...string) *screen {
	t.Helper()
	cmd := exec.Command("engram", append([]string{"--repo", repo}, args...)...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "NO_COLOR=1")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(rows), Cols: uint16(columns)})
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, tty: tty, cmd: cmd, done: make(chan error, 1)}
	s.term = vt10x.New(vt10x.WithSize(columns, rows), vt10x.WithWriter(tty))
	go func() {
		_, err := io.Copy(s.term, tty)
		_ = err // a terminal whose last process has ended gives EIO
		s.done <- cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = tty.Close()
	})
	return s
}

// shows waits until the screen has all of some texts.
func (s *screen) shows(texts ...string) string {
	s.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		now := s.term.String()
		missing := ""
		for _, text := range texts {
			if !strings.Contains(now, text) {
				missing = text
			}
		}
		if missing == "" {
			return now
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("the screen lacks %q:\n%s", missing, now)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (s *screen) press(keys string) {
	s.t.Helper()
	if _, err := s.tty.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

func (s *screen) ends(status int) {
	s.t.Helper()
	select {
	case err := <-s.done:
		var exit *exec.ExitError
		if err == nil && status == 0 || errors.As(err, &exit) && exit.ExitCode() == status {
			return
		}
		s.t.Errorf("it ended with %v", err)
	case <-time.After(10 * time.Second):
		s.t.Errorf("it does not end:\n%s", s.term.String())
	}
}

// TestBrowse: in a real terminal, facts are found while a question is typed, a conflict is settled
// with a reason, and a history and a session are read.
func TestBrowse(t *testing.T) {
	repo := testRepo(t)
	run := func(args ...string) {
		t.Helper()
		if r := runHere("", append([]string{"--repo", repo}, args...)...); r.status != 0 {
			t.Fatalf("%v: %+v", args, r)
		}
	}
	run("init")
	run("commit", "Sessions live 30 minutes, sliding.", "--key", "domain/auth/session", "--scope", "auth")
	run("commit", "Sessions live 45 minutes, sliding.", "--key", "domain/auth/session", "--scope", "auth", "--operation", "update")
	run("commit", "The gateway listens on port 8443.", "--key", "domain/infra/gateway", "--scope", "infra", "--agent", "claude")
	run("commit", "The gateway listens on port 9443.", "--key", "domain/infra/port", "--scope", "infra", "--agent", "codex")
	run("commit", "Invoices are odd, <b>not</b> even.", "--key", "domain/billing/odd", "--scope", "billing")

	s := onScreen(t, repo, 120, 30, "browse")
	s.shows("[1 Facts]", "the newest 4 of 4", "The gateway listens on port 9443.", "domain/auth/session")
	s.press("/")
	s.press("how long do sessions live")
	s.shows("Sessions live 45 minutes", "1 of ", "scope")
	s.press("\r")
	s.press("h")
	s.shows("Sessions live 30 minutes", "add", "update")
	s.press("2")
	s.shows("[2 Conflicts]", "1 open conflict", "port 8443", "port 9443", "codex")
	s.press("b")
	s.shows("B stands, because: ")
	s.press("\r")
	s.shows("a reason is needed")
	s.press("moved in March\r")
	s.shows("settled: B stands", "no open conflicts")
	s.press("3")
	s.shows("no sessions; `engram session import` brings them")
	s.press("?")
	s.shows("settle a conflict: A stands")
	s.press("x")
	s.press("q")
	s.ends(0)
	if r := runHere("", "--repo", repo, "log", "risk/conflict", "--json"); r.status == 0 {
		t.Logf("%s", r.stdout)
	}
	if r := runHere("", "--repo", repo, "conflicts", "--status", "resolved", "--json"); !strings.Contains(r.stdout, "moved in March") {
		t.Errorf("the resolution is not on the branch:\n%s", r.stdout)
	}

	// A narrow terminal shows the list or the text..
	s = onScreen(t, repo, 50, 12, "browse", "invoices", "odd")
	s.shows(`Invoices are`, "domain/billing/odd")
	s.press("\r")
	s.shows("scope", "billing")
	s.press("\x1b")
	s.shows("[1 Facts]", "› Invoices")
	s.press("\x03")
	s.ends(0)
}

// TestBrowseNeedsATerminal: in a pipe it says what to use instead.
func TestBrowseNeedsATerminal(t *testing.T) {
	if r := runHere("", "--repo", testRepo(t), "browse"); r.status != 2 || !strings.Contains(r.stderr, "browse needs a terminal") || !strings.Contains(r.stderr, "engram query") {
		t.Errorf("%+v", r)
	}
}
