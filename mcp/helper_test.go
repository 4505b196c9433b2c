package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/internal/gittest"
	"engram/mcp"
	"engram/memory"
	"engram/secret"
)

var update = flag.Bool("update", false, "rewrite the expected outputs in testdata")

// TestMain shuts out the configuration of whoever runs the tests.
func TestMain(m *testing.M) {
	remove := gittest.Isolate()
	code := m.Run()
	remove()
	os.Exit(code)
}

// opener opens the memory of a folder as cmd/engram does.
func opener(dir string) mcp.Opener {
	return func(ctx context.Context) (mcp.Opened, func(), error) {
		m, err := memory.Open(ctx, dir, secret.New(), &memory.Options{Bus: memory.BusOptions{Parents: []string{"test-client", "raw"}}})
		if err != nil {
			return mcp.Opened{}, nil, err
		}
		return mcp.Opened{Memory: m}, func() { _ = m.Close() }, nil
	}
}

// newServer serves a folder with all profiles, and closes at the end of the test.
func newServer(t testing.TB, dir string, watch bool) *mcp.Server {
	t.Helper()
	s, err := mcp.New(opener(dir), &mcp.Options{Version: "v0", Profiles: mcp.Profiles(), Watch: watch})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// client is a session of the official SDK's client.
type client struct {
	*sdk.ClientSession
	t       testing.TB
	outputs map[string]*jsonschema.Resolved // schemas of answers, by tool
}

// over are the ways in which a client reaches a server.
var over = map[string]func(testing.TB, *mcp.Server) client{"stdio": overPipes, "http": overHTTP}

// overPipes connects as a client does that has started the process.
func overPipes(t testing.TB, server *mcp.Server) client {
	t.Helper()
	return overPipesWith(t, server, "", nil)
}

func overPipesWith(t testing.TB, server *mcp.Server, version string, options *sdk.ClientOptions) client {
	t.Helper()
	theirs, toServer := pipe(t)
	fromServer, ours := pipe(t)
	served := make(chan error, 1)
	go func() { served <- server.Serve(context.Background(), theirs, ours) }()
	c := connectWith(t, &sdk.IOTransport{Reader: fromServer, Writer: toServer}, version, options)
	t.Cleanup(func() {
		c.Close()
		if err := <-served; err != nil {
			t.Error("the session ended with", err)
		}
	})
	return c
}

func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

func overHTTP(t testing.TB, server *mcp.Server) client {
	t.Helper()
	listener := httptest.NewServer(server.Handler())
	t.Cleanup(listener.Close)
	c := connect(t, &sdk.StreamableClientTransport{Endpoint: listener.URL}, "")
	t.Cleanup(func() { c.Close() })
	return c
}

func connect(t testing.TB, transport sdk.Transport, version string) client {
	t.Helper()
	return connectWith(t, transport, version, nil)
}

func connectWith(t testing.TB, transport sdk.Transport, version string, options *sdk.ClientOptions) client {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "Test Client", Version: "v1"}, options).
		Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	c := client{session, t, make(map[string]*jsonschema.Resolved)}
	for _, tool := range c.tools() {
		c.outputs[tool.Name] = resolved(t, tool.OutputSchema)
	}
	return c
}

func (c client) tools() []*sdk.Tool {
	c.t.Helper()
	list, err := c.ListTools(c.t.Context(), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return list.Tools
}

// resolved is a schema as a client got it; it fails where that is none.
func resolved(t testing.TB, got any) *jsonschema.Resolved {
	t.Helper()
	var schema jsonschema.Schema
	b, err := json.Marshal(got)
	if err == nil {
		err = json.Unmarshal(b, &schema)
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := schema.Resolve(nil)
	if err != nil {
		t.Fatalf("%s\n%s", err, b)
	}
	return r
}

type object = map[string]any

// call uses a tool. The answer has to be as the tool's schema says, and the same
// as data and as text.
func (c client) call(tool string, args any) object {
	c.t.Helper()
	answer, err := c.try(tool, args)
	if err != nil {
		c.t.Fatalf("%s %v: %s", tool, args, err)
	}
	return answer
}

// refused is what a tool says to a call that it does not carry out.
func (c client) refused(tool string, args any) string {
	c.t.Helper()
	answer, err := c.try(tool, args)
	if err == nil {
		c.t.Fatalf("%s %.200v was carried out: %v", tool, args, answer)
	}
	return err.Error()
}

func (c client) try(tool string, args any) (object, error) {
	c.t.Helper()
	result, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	if len(result.Content) != 1 {
		c.t.Fatalf("%s: %d contents", tool, len(result.Content))
	}
	text := result.Content[0].(*sdk.TextContent).Text
	if result.IsError {
		return nil, errors.New(text)
	}
	var fromText object
	if err := json.Unmarshal([]byte(text), &fromText); err != nil {
		c.t.Fatal(err)
	}
	data, err := json.Marshal(result.StructuredContent)
	if err != nil {
		c.t.Fatal(err)
	}
	again, _ := json.Marshal(fromText) // both with sorted keys
	if string(data) != string(again) {
		c.t.Errorf("%s: the text is not the data:\n%s\n%s", tool, again, data)
	}
	if err := c.outputs[tool].Validate(fromText); err != nil {
		c.t.Errorf("%s: the answer is not as its schema says: %v\n%s", tool, err, text)
	}
	return fromText, nil
}

// newMemory is a repository with an empty memory.
func newMemory(t testing.TB) string {
	t.Helper()
	dir := gittest.New(t)
	withMemory(t, dir, func(m *memory.Memory) error {
		_, err := m.Init(t.Context())
		return err
	})
	return dir
}

// withMemory is another process at the same memory.
func withMemory(t testing.TB, dir string, do func(*memory.Memory) error) {
	t.Helper()
	opened, done, err := opener(dir)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := do(opened.Memory); err != nil {
		t.Fatal(err)
	}
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// list is a list of objects in an answer.
func list(o object, field string) []object {
	var objects []object
	values, _ := o[field].([]any)
	for _, v := range values {
		objects = append(objects, v.(object))
	}
	return objects
}
