package mcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestResources(t *testing.T) {
	for name, connect := range over {
		t.Run(name, func(t *testing.T) {
			c := connect(t, newServer(t, newMemory(t), false))
			key := c.call("engram_commit", object{"content": "Logs go to stderr.", "scope": "logging"})["key"].(string)
			uris := make([]string, 0)
			for r, err := range c.Resources(t.Context(), nil) {
				if err != nil {
					t.Fatal(err)
				}
				uris = append(uris, r.URI)
			}
			if !slices.Contains(uris, "engram://conflicts") || !slices.Contains(uris, "engram://brief") {
				t.Errorf("there is %v", uris)
			}
			for _, uri := range []string{"engram://conflicts", "engram://fact/" + key, "engram://fact/" + strings.ReplaceAll(key, "/", "%2F")} {
				read, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
				if err != nil {
					t.Fatal(uri, err)
				}
				if len(read.Contents) != 1 || read.Contents[0].MIMEType != "application/json" || !json.Valid([]byte(read.Contents[0].Text)) {
					t.Errorf("%s: %+v", uri, read.Contents)
				}
			}
			if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "engram://brief"}); err != nil {
				t.Error(err)
			}
			for _, uri := range []string{"engram://fact/no/such/key", "engram://fact/%zz", "engram://fact/", "engram://nothing", "file:///etc/passwd", "engram://fact/../../x"} {
				if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
					t.Errorf("%s could be read", uri)
				}
			}
		})
	}
}

func TestPrompts(t *testing.T) {
	c := overPipes(t, newServer(t, newMemory(t), false))
	args := map[string]map[string]string{
		"recall": {"topic": "the gateway", "scope": "gateway"}, "record-decision": {"decision": "We use Postgres"}, "review-conflicts": nil,
	}
	var names []string
	for p, err := range c.Prompts(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, p.Name)
		if p.Title == "" || p.Description == "" {
			t.Errorf("%s has no title or description", p.Name)
		}
		got, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name, Arguments: args[p.Name]})
		if err != nil {
			t.Fatal(p.Name, err)
		}
		text := got.Messages[0].Content.(*sdk.TextContent).Text
		for _, value := range args[p.Name] {
			if !strings.Contains(text, value) {
				t.Errorf("%s leaves out %q", p.Name, value)
			}
		}
	}
	if want := []string{"recall", "record-decision", "review-conflicts"}; !slices.Equal(names, want) {
		t.Errorf("there is %v", names)
	}
	if _, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "nothing"}); err == nil {
		t.Error("there is a prompt of any name")
	}
}

func TestCompletion(t *testing.T) {
	c := overHTTP(t, newServer(t, newMemory(t), false))
	key := c.call("engram_commit", object{"content": "Logs go to stderr.", "scope": "logging/format"})["key"].(string)
	c.call("engram_commit", object{"content": "Tokens live for an hour.", "scope": "auth"})
	fact := &sdk.CompleteReference{Type: "ref/resource", URI: "engram://fact/{+key}"}
	recall := &sdk.CompleteReference{Type: "ref/prompt", Name: "recall"}
	for _, tt := range []struct {
		ref            *sdk.CompleteReference
		argument, text string
		want           []string
	}{
		{fact, "key", key[:len(key)-2], []string{key}},
		{fact, "key", "zzz", nil},
		{recall, "scope", "", []string{"auth", "logging/format"}},
		{recall, "scope", "log", []string{"logging/format"}},
		{recall, "topic", "log", nil},
	} {
		r, err := c.Complete(t.Context(), &sdk.CompleteParams{Ref: tt.ref, Argument: sdk.CompleteParamsArgument{Name: tt.argument, Value: tt.text}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Completion.Values, tt.want) {
			t.Errorf("%s %q: %v, want %v", tt.argument, tt.text, r.Completion.Values, tt.want)
		}
	}
}
