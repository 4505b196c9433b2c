//lint:file-ignore SA1019 clients of the versions that have sampling are tested

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMCPSampling: the setting lets the real process ask the model of its client, whose verdict
// is on the branch afterwards.
func TestMCPSampling(t *testing.T) {
	repo := freshRepo(t)
	if r := runHere("", "--repo", repo, "init"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	if err := os.WriteFile(filepath.Join(repo, ".engram.yml"), []byte("detect:\n  sampling: on\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	answer := func(_ context.Context, req *sdk.CreateMessageRequest) (*sdk.CreateMessageResult, error) {
		return &sdk.CreateMessageResult{Model: "haiku", Role: "assistant", Content: &sdk.TextContent{Text: `{"verdict":"compatible","reason":"Two shops.","newer":""}`}}, nil
	}
	cmd := exec.Command("engram", "mcp")
	cmd.Dir, cmd.Stderr = repo, os.Stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "scripted", Version: "1"}, &sdk.ClientOptions{CreateMessageHandler: answer})
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range []string{"The checkout service keeps sessions for returning customers.", "Returning customers of the checkout service begin afresh."} {
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "engram_commit", Arguments: map[string]any{"content": claim, "scope": "shop"}})
		if err != nil || r.IsError {
			t.Fatal(r, err)
		}
	}
	judged := ""
	for start := time.Now(); !strings.Contains(judged, "\tdismissed\t") && time.Since(start) < 30*time.Second; time.Sleep(50 * time.Millisecond) {
		judged = runHere("", "--repo", repo, "conflicts", "--status", "all").stdout
	}
	if !strings.Contains(judged, "\tdismissed\thaiku\t") || !strings.Contains(judged, "compatible: Two shops.") {
		t.Errorf("on the branch:\n%s", judged)
	}
	if err := session.Close(); err != nil {
		t.Error("it ended with", err)
	}
}
