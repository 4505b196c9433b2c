package mcp_test

import (
	"context"
	"net/http/httptest"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/mcp"
	"engram/memory"
)

// TestHTTPServesEveryVersion: each version that the SDK has, over one address.
func TestHTTPServesEveryVersion(t *testing.T) {
	server, err := mcp.New(nowhere, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	at := httptest.NewServer(server.Handler())
	defer at.Close()
	for _, version := range sdk.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			client := sdk.NewClient(&sdk.Implementation{Name: "Probe", Version: "1"}, nil)
			session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: at.URL}, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("speaks %s", got)
			}
			r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "engram_status"})
			if err != nil {
				t.Fatal(err)
			}
			want := "" // it was said once, to a session that is no more
			if version >= "2026-07-28" {
				want = "probe"
			}
			if said := r.StructuredContent.(map[string]any)["agent_id"]; said != want {
				t.Errorf("the agent is %v", said)
			}
		})
	}
}

// nowhere is a server in a folder that is in no repository.
func nowhere(context.Context) (mcp.Opened, func(), error) {
	return mcp.Opened{}, nil, memory.ErrNotRepository
}
