package main

import (
	"bufio"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

var linkRE = regexp.MustCompile(`http://127\.0\.0\.1:\d+/dashboard/\?token=\w+`)

// pathRE is the address of a conflict, below that of the dashboard.
var pathRE = regexp.MustCompile(`conflicts/[0-9a-f]{8,}`)

// lookAt starts a command that serves the dashboard and returns a client that has opened its link,
// and the address of the dashboard. The command is interrupted at the end, and ends with status 0.
func lookAt(t *testing.T, env []string, args ...string) (client *http.Client, address string) {
	t.Helper()
	cmd := exec.Command("engram", args...)
	cmd.Env = append(os.Environ(), env...)
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 100)
	go func() {
		for s := bufio.NewScanner(said); s.Scan(); {
			lines <- s.Text()
		}
		close(lines)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		for range lines { // until its end
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v ended with %v", args, err)
		}
	})
	deadline := time.After(60 * time.Second)
	for {
		select {
		case line, more := <-lines:
			if link := linkRE.FindString(line); link != "" {
				jar, _ := cookiejar.New(nil) // never fails
				client = &http.Client{Jar: jar}
				if status, _ := fetch(t, client, link); status != http.StatusOK {
					t.Fatalf("the link leads to %d", status)
				}
				address, _, _ := strings.Cut(link, "?")
				return client, address
			}
			if !more {
				t.Fatal("it ended without a link")
			}
		case <-deadline:
			t.Fatal("no link was printed")
		}
	}
}

func fetch(t *testing.T, client *http.Client, url string) (status int, page string) {
	t.Helper()
	r, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// TestDashboardProcess: the command serves a real memory, and says where as JSON if asked.
func TestDashboardProcess(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes are not interrupted there")
	}
	repo := testRepo(t)
	if r := runHere("", "--repo", repo, "dashboard", "--no-open"); r.status == 0 || !strings.Contains(r.stderr, "engram init") {
		t.Errorf("without a memory: %+v", r)
	}
	for _, args := range [][]string{{"init"}, {"commit", "Sessions live 30 minutes.", "--scope", "auth"}} {
		if r := runHere("", append([]string{"--repo", repo}, args...)...); r.status != 0 {
			t.Fatalf("%+v", r)
		}
	}
	client, address := lookAt(t, nil, "--repo", repo, "dashboard", "--no-open")
	if status, page := fetch(t, client, address+"facts"); status != http.StatusOK || !strings.Contains(page, "Sessions live 30 minutes.") {
		t.Errorf("%d", status)
	}
	if status, _ := fetch(t, http.DefaultClient, address+"facts"); status != http.StatusUnauthorized {
		t.Errorf("anybody gets %d", status)
	}
	if r := runHere("", "--repo", repo, "dashboard", "--port", "70000"); r.status != 2 {
		t.Errorf("port 70000: %+v", r)
	}
}

// TestDemoDashboard: the demo's memory has something on every page, and is gone in the end.
func TestDemoDashboard(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes are not interrupted there")
	}
	folder := t.TempDir()
	t.Cleanup(func() { // runs after the command has ended
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("the demo leaves %v, %v", left, err)
		}
	})
	client, address := lookAt(t, []string{"TMPDIR=" + folder}, "demo", "--dashboard", "--no-open")
	for page, want := range map[string][]string{
		"facts":                            {"of 33 facts", "gemini", "constraint"},
		"facts/domain/auth/session":        {"<ins>45 </ins>"},
		"conflicts":                        {"8443", "9443"},
		"sessions":                         {"Customers lose half a cent"},
		"agents":                           {"claude", "codex", "gemini"},
		"map":                              {"billing", "infra"},
		"review":                           {"half up"},
		"expiring":                         {"reset every night"},
		"facts/domain/infra/gateway-limit": {"drifted"},
	} {
		status, text := fetch(t, client, address+page)
		for _, w := range want {
			if status != http.StatusOK || !strings.Contains(text, w) {
				t.Errorf("%s: %d, without %q", page, status, w)
			}
		}
	}
}

// TestServeDashboard: beside MCP and the gateway, for people with a token.
func TestServeDashboard(t *testing.T) {
	repo := testRepo(t)
	if r := runHere("", "--repo", repo, "init"); r.status != 0 {
		t.Fatalf("%+v", r)
	}
	s := serveProcess(t, repo, "--dashboard")
	link := linkRE.FindString(s.start)
	if !strings.Contains(s.start, `"dashboard_url"`) || link == "" {
		t.Fatalf("serve says %s", s.start)
	}
	jar, _ := cookiejar.New(nil) // never fails
	client := &http.Client{Jar: jar}
	if status, page := fetch(t, client, link); status != http.StatusOK || !strings.Contains(page, "No facts yet") {
		t.Errorf("the dashboard: %d", status)
	}
	if status, _ := fetch(t, client, s.API+"/openapi.json"); status != http.StatusOK {
		t.Errorf("the gateway beside it: %d", status)
	}
}
