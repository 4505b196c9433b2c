package torture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// entities is the adapter for the reference memory server of MCP
// (@modelcontextprotocol/server-memory): a graph of entities in one JSONL file. A fact is
// an entity with one observation. Each request starts a server, as each client does.
type entities struct{ server string }

// NewEntities returns the adapter for the memory server at a path.
func NewEntities(server string) Tool { return entities{server} }

func (entities) Setup(_ context.Context, dir string, n int) ([]string, error) { return folders(dir, n) }

// session starts a server and calls its tools.
func (t entities) session(ctx context.Context, clone string, work func(call caller) error) error {
	cmd := command(ctx, filepath.Dir(clone), clone, t.server)
	cmd.Env = append(cmd.Env, "MEMORY_FILE_PATH="+filepath.Join(clone, "memory.jsonl"))
	client := mcp.NewClient(&mcp.Implementation{Name: "engram-eval"}, nil)
	s, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return err
	}
	defer s.Close() // what the server answered is acknowledged, whatever happens to it now
	return work(func(tool string, arguments any) (string, error) {
		result, err := s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			return "", err
		}
		var text string
		for _, c := range result.Content {
			if t, ok := c.(*mcp.TextContent); ok {
				text += t.Text
			}
		}
		if result.IsError {
			return "", errors.New(text)
		}
		return text, nil
	})
}

type caller func(tool string, arguments any) (string, error)

type graph struct {
	Entities []entity `json:"entities"`
}

type entity struct {
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
}

// Commit adds the new observation before it removes the earlier ones, so that a kill in
// between loses neither.
func (t entities) Commit(ctx context.Context, clone string, f Fact) error {
	if f.Scope != "" {
		return ErrUnsupported
	}
	return t.session(ctx, clone, func(call caller) error {
		said, err := call("open_nodes", map[string]any{"names": []string{f.Key}})
		if err != nil {
			return err
		}
		var before graph
		if err := json.Unmarshal([]byte(said), &before); err != nil {
			return fmt.Errorf("open_nodes answered %q: %w", said, err)
		}
		if len(before.Entities) == 0 {
			_, err := call("create_entities", graph{[]entity{{f.Key, "fact", []string{f.Text}}}})
			return err
		}
		_, err = call("add_observations", map[string]any{"observations": []any{map[string]any{"entityName": f.Key, "contents": []string{f.Text}}}})
		if err != nil {
			return err
		}
		_, err = call("delete_observations", map[string]any{"deletions": []any{map[string]any{"entityName": f.Key, "observations": before.Entities[0].Observations}}})
		return err
	})
}

func (t entities) Read(ctx context.Context, clone string, q Question) (answer Answer, err error) {
	err = t.session(ctx, clone, func(call caller) (err error) {
		if q.About == "" {
			answer.Raw, err = call("read_graph", map[string]any{})
		} else {
			answer.Raw, err = call("search_nodes", map[string]any{"query": q.About})
		}
		return err
	})
	if err != nil {
		return answer, err
	}
	var g graph
	if err := json.Unmarshal([]byte(answer.Raw), &g); err != nil {
		return answer, err
	}
	for _, e := range g.Entities {
		for _, text := range e.Observations {
			answer.Facts = append(answer.Facts, Fact{Key: e.Name, Text: text})
		}
	}
	return answer, nil
}

// Sync is not supported: the server has one file.
func (entities) Sync(context.Context, string) error { return ErrUnsupported }
