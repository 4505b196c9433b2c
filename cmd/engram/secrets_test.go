package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"engram/cmd/internal/app"
	"engram/cmd/internal/fault"
	"engram/cmd/internal/term"
)

// walkedToken is what no refusal may repeat.
const walkedToken = "ghp" + "_q7Zr2LwK9xTb4VmN8cYd3HsG6pJf5RtX1aQe"

// walkedTexts are inputs with the token: alone, where a message would cut it, and split.
func walkedTexts() []string {
	return []string{walkedToken, "a sentence of words and " + walkedToken, walkedToken[:20] + "\u200b" + walkedToken[20:], walkedToken[:20] + "\x01" + walkedToken[20:]}
}

// repeats finds ten characters of the token in what was said.
func repeats(said string) bool {
	for i := 4; i+10 <= len(walkedToken); i++ {
		if strings.Contains(said, walkedToken[i:i+10]) {
			return true
		}
	}
	return false
}

// TestNoCommandRepeatsASecret gives each command a token in each option and argument.
func TestNoCommandRepeatsASecret(t *testing.T) {
	t.Chdir(testRepo(t))
	if r := runHere("", "init"); r.status != 0 {
		t.Fatal(r.stderr)
	}
	tried := 0
	try := func(stdin string, args ...string) {
		tried++
		r := runHere(stdin, args...) // status 1 is an answer, which may list files by their names
		if repeats(r.stderr) || r.status > fault.ExitNo && repeats(r.stdout) {
			t.Errorf("%q: %s%s", args, r.stdout, r.stderr)
		}
	}
	root, _ := newRootCmd(&app.App{Getenv: func(string) string { return "" }, Out: term.SystemStreams(time.Now)})
	var walk func(path []string, cmd *cobra.Command)
	walk = func(path []string, cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			name := sub.Name()
			if !slices.Contains([]string{"serve", "watch", "mcp", "dashboard", "browse", "demo", "help", "completion"}, name) {
				walk(append(slices.Clone(path), name), sub)
			}
		}
		texts := walkedTexts()
		if os.Getenv("ENGRAM_TEST_FULL") == "" {
			texts = texts[1:2]
		}
		for n, text := range texts {
			for count := range 2 {
				try(text, append(slices.Clone(path), slices.Repeat([]string{text}, count)...)...)
			}
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				if f.Value.Type() == "bool" && n > 0 {
					return
				}
				try("", append(slices.Clone(path), "--"+f.Name+"="+text)...)
				try("", append(slices.Clone(path), "--"+f.Name+"="+text, "one")...)
			})
			try("", append(slices.Clone(path), "--"+text)...)
			try("", append(slices.Clone(path), "--json", text)...)
		}
	}
	walk(nil, root)
	for _, text := range walkedTexts() {
		for _, field := range []string{"claim", "detail", "key", "scope", "kind", "fact_type", "reach", "agent_id", "source", "evidence", "session", "ttl", "valid_from", "durability", "operation", "lineage_id", "branch", "fact_id", text} {
			record := map[string]string{"claim": "A claim.", "key": "domain/x/y", "scope": "x"}
			record[field] = text
			line, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			try(string(line), "import", "-")
			try(string(line), "import", "-", "--json", "--skip-invalid")
		}
	}
	if tried < 400 {
		t.Errorf("only %d command lines", tried)
	}
	if branch, err := exec.Command("git", "log", "-p", "--all").Output(); err != nil || repeats(string(branch)) {
		t.Error("the token is in git", err)
	}
}

// TestNoToolRepeatsASecret gives each tool a token in each argument.
func TestNoToolRepeatsASecret(t *testing.T) {
	cmd := exec.Command("engram", "mcp", "--profile", "team,bus,compat")
	cmd.Dir, cmd.Stderr = freshRepo(t), os.Stderr
	session, err := sdk.NewClient(&sdk.Implementation{Name: "walker", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "engram_init", Arguments: map[string]any{"anonymous_mode": false, "anon_agents": false}}); err != nil {
		t.Fatal(err)
	}
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	call := func(name string, args map[string]any) {
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
		said := fmt.Sprint(err)
		if err == nil && r.IsError {
			said = r.Content[0].(*sdk.TextContent).Text
		}
		if repeats(said) {
			t.Errorf("%s %v: %s", name, args, said)
		}
	}
	for _, tool := range tools.Tools {
		var schema struct {
			Properties map[string]any `json:"properties"`
			Required   []string       `json:"required"`
		}
		text, err := json.Marshal(tool.InputSchema)
		if err == nil {
			err = json.Unmarshal(text, &schema)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range walkedTexts() {
			call(tool.Name, map[string]any{text: "x"})
			for name := range schema.Properties {
				for _, value := range []any{text, []string{text}, map[string]any{text: text}, []any{map[string]any{"ref": text}}} {
					args := map[string]any{}
					for _, required := range schema.Required {
						args[required] = "x"
					}
					args[name] = value
					call(tool.Name, args)
				}
			}
		}
	}
	for _, text := range walkedTexts() {
		call(text, nil)
		if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "engram://fact/" + text}); err == nil || repeats(err.Error()) {
			t.Errorf("resource: %v", err)
		}
	}
}

// TestNoEndpointRepeatsASecret gives each endpoint a token in each parameter and field.
func TestNoEndpointRepeatsASecret(t *testing.T) {
	repo := freshRepo(t)
	if out, err := exec.Command("engram", "--repo", repo, "init").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server := serveProcess(t, repo)
	text, err := os.ReadFile(filepath.Join("..", "..", "web", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	var api struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
			Body       struct {
				Content map[string]struct {
					Schema struct {
						Properties map[string]any
						Ref        string `json:"$ref"`
					}
				}
			} `json:"requestBody"`
		}
		Components struct {
			Schemas map[string]struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(text, &api); err != nil {
		t.Fatal(err)
	}
	ask := func(method, path string, body []byte) {
		req, err := http.NewRequestWithContext(t.Context(), method, server.API+path, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if said, _ := io.ReadAll(answer.Body); answer.StatusCode >= 400 && repeats(string(said)) {
			t.Errorf("%s %s %s: %s", method, path, body, said)
		}
	}
	for path, methods := range api.Paths {
		for method, endpoint := range methods {
			for _, text := range walkedTexts() {
				where := path
				for _, p := range endpoint.Parameters {
					if p.In == "path" {
						where = strings.ReplaceAll(where, "{"+p.Name+"}", url.PathEscape(text))
					}
				}
				ask(strings.ToUpper(method), where+"?"+url.QueryEscape(text)+"=1", nil)
				for _, p := range endpoint.Parameters {
					ask(strings.ToUpper(method), where+"?"+p.Name+"="+url.QueryEscape(text), nil)
				}
				fields := map[string]any{text: nil}
				for _, content := range endpoint.Body.Content {
					for name := range content.Schema.Properties {
						fields[name] = nil
					}
					for name := range api.Components.Schemas[filepath.Base(content.Schema.Ref)].Properties {
						fields[name] = nil
					}
				}
				for name := range fields {
					for _, value := range []any{text, []string{text}, map[string]string{text: text}} {
						body, err := json.Marshal(map[string]any{name: value})
						if err != nil {
							t.Fatal(err)
						}
						ask(strings.ToUpper(method), where, body)
					}
				}
			}
		}
	}
}
