// Package tool makes operations of the memory into tools: it describes their arguments,
// reads them strictly, runs the operation with the open memory, and writes the answer
// or the error. What the tools do is the business of the packages beside it, one for
// each set of tools.
package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/internal/visible"
	"engram/mcp/internal/holder"
	"engram/memory"
)

// Spec is what clients and models learn about a tool.
type Spec struct {
	Name, Title string
	Description string // a prompt, at most 2 KiB: clients cut longer ones
	// Takes names the fields of the input that are arguments, in order, as JSON has
	// them; "" means all. A tool takes fewer than its use case to save tokens.
	Takes      string
	Reads      bool // changes nothing
	Repeatable bool // doing it twice does it once
	Network    bool // reaches beyond this machine
	// Fields are memory's fields that are arguments by another name.
	Fields Fields
}

func (s Spec) annotations() *sdk.ToolAnnotations {
	destroys := false // no tool does: what is closed or retired stays in the history
	return &sdk.ToolAnnotations{
		Title: s.Title, ReadOnlyHint: s.Reads, DestructiveHint: &destroys, IdempotentHint: s.Reads || s.Repeatable, OpenWorldHint: &s.Network,
	}
}

// Call is one use of a tool, with the memory.
type Call struct {
	holder.Opened
	Caller string // the agent that calls; "" if nobody knows
	Server *Server
	News   func() int // conflicts found since a caller was last told of any
	Client Client
}

// Client is who calls.
type Client struct {
	Info    *sdk.Implementation
	Session *sdk.ServerSession
}

// Add gives the server a tool that needs the memory.
func Add[In, Out any](s *Server, spec Spec, run func(context.Context, *Call, In) (Out, error)) {
	Register(s, spec, func(ctx context.Context, client Client, in In) (Out, error) {
		return Use(ctx, s, client, func(c *Call) (out Out, err error) {
			if err := c.mayCall(spec.Name); err != nil {
				return out, err
			}
			return run(ctx, c, in)
		})
	})
}

// Register gives the server a tool. Arguments that its schema does not have are
// rejected: a model that misspells a filter must not get an unfiltered answer.
func Register[In, Out any](s *Server, spec Spec, run func(context.Context, Client, In) (Out, error)) {
	arguments := argumentsOf[In](spec)
	s.AddTool(&sdk.Tool{
		Name: spec.Name, Title: spec.Title, Description: spec.Description, Annotations: spec.annotations(),
		InputSchema: arguments.schema, OutputSchema: outputSchema[Out](),
	}, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in In
		if err := arguments.decode(req.Params.Arguments, &in); err != nil {
			return s.toolError(spec.Fields, err), nil
		}
		out, err := run(ctx, Client{req.ClientInfo(), req.Session}, in)
		if err != nil {
			return s.toolError(spec.Fields, err), nil
		}
		return toolResult(out)
	})
}

// Use runs a call with the memory.
func Use[Out any](ctx context.Context, s *Server, client Client, run func(*Call) (Out, error)) (out Out, err error) {
	lease, err := s.Memory.Take(ctx)
	if err != nil {
		return out, err
	}
	defer func() { s.Memory.GiveBack(lease, err) }()
	lease.Settle(ctx, s.Log)
	return run(&Call{Opened: lease.Opened, Caller: s.AgentOf(client.Info, lease.Agent), Server: s, News: lease.News, Client: client})
}

// Author returns the agent that writes: the stated one, else the caller. A client whose
// token names an agent writes only as that one.
func (c *Call) Author(stated string) (string, error) {
	if fixed := c.Server.Agent; fixed != "" && stated != "" && stated != fixed {
		return "", Reject("agent_id: this connection belongs to another agent", "omit agent_id")
	}
	return cmp.Or(stated, c.Caller), nil
}

// toolResult is an answer twice, as the protocol asks: as data, and as text for
// clients that read no data. In both, < and > of a claim are escaped, so that no
// claim looks like a tag that a chat is put together with, and invisible characters are
// made visible.
func toolResult(out any) (*sdk.CallToolResult, error) {
	b, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	b = visible.ShowJSON(b)
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(b)}}, StructuredContent: json.RawMessage(b)}, nil
}

// toolError tells a model what happened and what to do next, in the words of a tool. It is
// text alone: data would have to match the tool's output schema.
func (s *Server) toolError(arguments Fields, err error) *sdk.CallToolResult {
	err = arguments.name(err)
	code, advice := memory.Classify(err)
	said := advice.In(s.Words(arguments))
	if argument, ok := errors.AsType[*ArgumentError](err); ok {
		code, said = memory.CodeUsage, argument.Hint
	}
	if code == memory.CodeUnusable {
		said = strings.TrimPrefix(said+"; engram_status says how things stand", "; ")
	}
	text := fmt.Sprintf("error (%s): %s", code, err)
	if refused := refusalText(err); refused != "" {
		text += refused
	} else if said != "" {
		text += "\nhint: " + said
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}
