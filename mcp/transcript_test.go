package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/mcp"
	"engram/memory"
	"engram/secret"
)

// asked are the requests of a transcript after the client has introduced itself,
// as method and fields of params; what begins with a brace is sent as it is.
var asked = []string{
	`tools/list`,
	`tools/call "name":"engram_status","arguments":{}`,
	`tools/call "name":"engram_commit","arguments":{"content":"The gateway times out after 30 seconds.","scope":"gateway","key":"architecture/limits/timeout","provenance":"gateway.go:12","confidence":1}`,
	`tools/call "name":"engram_query","arguments":{"topic":"When does the gateway time out?"}`,
	`tools/call "name":"engram_get","arguments":{"key":"architecture/limits/nothing"}`,
	`tools/call "name":"engram_query","arguments":{"topik":"timeouts"}`,
	`tools/call "name":"engram_nothing","arguments":{}`,
	`resources/list`,
	`resources/templates/list`,
	`resources/read "uri":"engram://fact/architecture/limits/timeout"`,
	`resources/read "uri":"engram://fact/architecture/limits/nothing"`,
	`prompts/list`,
	`prompts/get "name":"recall","arguments":{"topic":"the gateway"}`,
	`completion/complete "ref":{"type":"ref/resource","uri":"engram://fact/{+key}"},"argument":{"name":"key","value":"arch"}`,
	`no/such`,
	`{"jsonrpc":"2.0","id":`,
}

// TestTranscripts speaks each version of the protocol as it is on the wire. What a
// client of a version is told is a file in testdata/transcripts; -update writes it.
func TestTranscripts(t *testing.T) {
	for _, version := range sdk.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			server, _ := fixedServer(t, "")
			sameTranscript(t, version, record(t, version, server, asked))
		})
	}
}

// askedOfBus is a turn of a child, whose parent lets it read more.
var askedOfBus = []string{
	`tools/list`,
	`tools/call "name":"less_put_engram","arguments":{"kind":"risk","claim":"Refresh does nothing.","pointers":[{"type":"repo","ref":"repo:auth.go#L6-L7@COMMIT"}],"confidence":0.8,"ttl":"P7D","scope":"project","tags":["refresh"],"agent_id":"child"}`,
	`tools/call "name":"less_put_engram","arguments":{"kind":"risk","claim":"It names no commit.","pointers":[{"type":"repo","ref":"repo:auth.go#L6-L7"}],"confidence":0.8,"ttl":"P7D","scope":"project","agent_id":"child"}`,
	`tools/call "name":"less_query_engrams","arguments":{"keys":["refresh"],"agent_id":"child"}`,
	`tools/call "name":"less_deref_pointer","arguments":{"pointer":{"type":"repo","ref":"repo:auth.go#L1@COMMIT"},"agent_id":"child"}`,
	`tools/call "name":"less_deref_pointer","arguments":{"pointer":{"type":"repo","ref":"repo:auth.go#L3@COMMIT"},"agent_id":"child"}`,
	`tools/call "name":"less_deref_pointer","arguments":{"pointer":{"type":"repo","ref":"repo:auth.go#L4@COMMIT"},"agent_id":"child"}`,
	`tools/call "name":"less_deref_pointer","arguments":{"pointer":{"type":"repo","ref":"repo:auth.go#L7@COMMIT"},"agent_id":"child"}`,
	`tools/call "name":"less_request_deref","arguments":{"pointer":{"type":"repo","ref":"repo:auth.go#L7@COMMIT"},"reason":"What it does.","agent_id":"child"}`,
	`tools/call "name":"less_issue_grant","arguments":{"child":"child","pointer":{"type":"repo","ref":"repo:auth.go#L7@COMMIT"},"agent_id":"child"}`,
	`tools/call "name":"less_issue_grant","arguments":{"child":"child","pointer":{"type":"repo","ref":"repo:auth.go#L7@COMMIT"},"agent_id":"planner"}`,
	`tools/call "name":"less_submit_message","arguments":{"message":"I am done.","agent_id":"child"}`,
	`tools/call "name":"less_submit_message","arguments":{"message":"ROLE: programmer\nTASK_STATUS: done\nENGRAMS: []\nOUTPUT:\n  summary: Nothing more.\n","agent_id":"child"}`,
}

// TestTranscriptOfTheBus is what a client of the bus profile is told, in the version of
// the protocol that most speak.
func TestTranscriptOfTheBus(t *testing.T) {
	server, commit := fixedServer(t, "bus")
	requests := make([]string, len(askedOfBus))
	for i, request := range askedOfBus {
		requests[i] = strings.ReplaceAll(request, "COMMIT", commit)
	}
	got := record(t, "2025-06-18", server, requests)
	sameTranscript(t, "bus", bytes.ReplaceAll(got, []byte(commit), []byte("COMMIT")))
}

func sameTranscript(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "transcripts", name+".jsonl")
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}

// record is a session, requests after ">" and what came back after "<".
func record(t *testing.T, version string, of *mcp.Server, asked []string) []byte {
	t.Helper()
	client, server := talk(t, of)
	var transcript bytes.Buffer
	lines := bufio.NewScanner(server)
	lines.Buffer(nil, 1<<20)
	say := func(line string, answers int) {
		fmt.Fprintf(&transcript, "> %s\n", line)
		if _, err := fmt.Fprintln(client, line); err != nil {
			t.Fatal(err)
		}
		for range answers {
			if !lines.Scan() {
				t.Fatalf("no answer to %s: %v", line, lines.Err())
			}
			fmt.Fprintf(&transcript, "< %s\n", steady(t, lines.Bytes()))
		}
	}
	meta := introduce(version, say)
	for i, request := range asked {
		method, fields, _ := strings.Cut(request, " ")
		if strings.HasPrefix(request, "{") {
			say(request, 1)
			continue
		}
		say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, i+2, method, strings.Trim(meta+","+fields, ",")), 1)
	}
	if version == "2025-03-26" { // the one version with batches
		say(`[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}},{"jsonrpc":"2.0","id":"last","method":"ping"}]`, 1)
	}
	return transcript.Bytes()
}

// introduce begins a session. From 2026-07-28 on there is nothing to begin, and
// every request carries what the introduction said.
func introduce(version string, say func(string, int)) (meta string) {
	const who = `{"name":"transcript","version":"1"}`
	if version >= "2026-07-28" {
		fields := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientInfo":%s,"io.modelcontextprotocol/clientCapabilities":{}}`, version, who)
		say(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{%s}}`, fields), 1)
		return fields
	}
	say(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":%s}}`, version, who), 1)
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, 0)
	say(`{"jsonrpc":"2.0","id":"a","method":"ping"}`, 1)
	return ""
}

// talk serves one client, whose side of the streams it returns.
func talk(t testing.TB, server *mcp.Server) (client, answers *os.File) {
	t.Helper()
	theirs, client := pipe(t)
	answers, ours := pipe(t)
	served := make(chan error, 1)
	go func() { served <- server.Serve(context.Background(), theirs, ours) }()
	t.Cleanup(func() {
		client.Close()
		if err := <-served; err != nil {
			t.Error("the session ended with", err)
		}
		answers.Close()
	})
	return client, answers
}

// fixedServer has core tools and those of a profile, a clock that stands and ids that
// count. It says what commit the code is at; planner is a parent.
func fixedServer(t *testing.T, profile string) (server *mcp.Server, commit string) {
	t.Helper()
	dir := newMemory(t)
	opts := mcp.Options{Version: "v0"}
	if profile != "" {
		opts.Profiles = []string{profile}
		commit = someAuth(t, dir)
	}
	now := func() time.Time { return time.Date(2026, 4, 30, 12, 0, 0, 0, time.UTC) }
	opts.Now = now
	var n atomic.Int64
	id := func(time.Time) string { return fmt.Sprintf("01ARZ3NDEKTSV4RRFFQ%07d", n.Add(1)) }
	s, err := mcp.New(func(ctx context.Context) (mcp.Opened, func(), error) {
		m, err := memory.Open(ctx, dir, secret.New(), &memory.Options{Now: now, NewID: id, EvidenceTime: time.Minute, Bus: memory.BusOptions{Parents: []string{"planner"}}})
		return mcp.Opened{Memory: m}, func() { _ = m.Close() }, err
	}, &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, commit
}

// steady is a message without what other tests look at: schemas, data, long texts.
func steady(t *testing.T, message []byte) []byte {
	t.Helper()
	var v any
	if err := json.Unmarshal(message, &v); err != nil {
		t.Fatalf("%s: %s", err, message)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(steadied("", v)); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(out.Bytes())
}

func steadied(field string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name := range v {
			v[name] = steadied(name, v[name])
		}
		switch field {
		case "inputSchema", "outputSchema":
			return "SCHEMA"
		case "structuredContent":
			return "DATA"
		}
	case []any:
		for i := range v {
			v[i] = steadied(field, v[i])
		}
	case string:
		switch {
		case field == "text" && strings.HasPrefix(v, "{") && json.Valid([]byte(v)):
			return "DATA AS TEXT"
		case (field == "description" || field == "instructions") && len(v) > 100:
			return "LONG TEXT"
		}
	}
	return v
}
