package main

import (
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
)

// TestGatewayOutlivesItsRepository: one that goes away is missed, and found again when
// it is back, by both surfaces.
func TestGatewayOutlivesItsRepository(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows moves no folder that is in use")
	}
	repo := testRepo(t)
	if r := runHere("", "--repo", repo, "init"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	s := serveProcess(t, repo)
	ask := func() int {
		resp, err := http.Get(s.API + "/engram/query?keys=x")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if got := ask(); got != 200 {
		t.Fatalf("before: %d", got)
	}
	away := strings.TrimSuffix(repo, "/") + "-away"
	if err := os.Rename(repo, away); err != nil {
		t.Fatal(err)
	}
	if got := ask(); got != 503 {
		t.Errorf("without it: %d", got)
	}
	if err := os.Rename(away, repo); err != nil {
		t.Fatal(err)
	}
	if got := ask(); got != 200 {
		t.Errorf("when it is back: %d", got)
	}
	c, err := mcpClient(t, s.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	if status, text := callTool(t, c, "engram_status", nil); status["status"] != "ready" {
		t.Errorf("over MCP: %s", text)
	}
}
