package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/memory"
)

// tool is what clients and models are told of a tool.
type tool struct {
	name, title string
	description string // a prompt, at most 2 KiB: clients cut longer ones
	reads       bool   // changes nothing
	repeatable  bool   // doing it twice does it once
	network     bool   // reaches beyond this machine
	enums       map[string][]string
	ranges      map[string][2]int // the least and the greatest number
	fields      fields            // memory's fields that are arguments by another name
}

func (t tool) annotations() *sdk.ToolAnnotations {
	destroys := false // no tool does: what is closed or retired stays in the history
	return &sdk.ToolAnnotations{
		Title: t.title, ReadOnlyHint: t.reads, DestructiveHint: &destroys, IdempotentHint: t.reads || t.repeatable, OpenWorldHint: &t.network,
	}
}

// call is one use of a tool, with the memory.
type call struct {
	Opened
	agent   string // who calls
	surface *surface
	news    func() int // conflicts that were found since somebody was told of any
}

// add gives the server a tool that needs the memory.
func add[In, Out any](s *surface, t tool, run func(context.Context, *call, In) (Out, error)) {
	register(s, t, func(ctx context.Context, client *sdk.Implementation, in In) (Out, error) {
		return use(ctx, s, client, func(c *call) (out Out, err error) {
			if err := c.mayCall(t.name); err != nil {
				return out, err
			}
			return run(ctx, c, in)
		})
	})
}

// register gives the server a tool. Arguments that its schema does not have are
// refused: a model that misspells a filter must not get an unfiltered answer.
func register[In, Out any](s *surface, t tool, run func(context.Context, *sdk.Implementation, In) (Out, error)) {
	schema := inputSchema[In](t)
	s.server.AddTool(&sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description, Annotations: t.annotations(),
		InputSchema: schema, OutputSchema: outputSchema[Out](),
	}, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in In
		if err := decode(t.name, schema, req.Params.Arguments, &in); err != nil {
			return s.toolError(t.fields, err), nil
		}
		out, err := run(ctx, req.ClientInfo(), in)
		if err != nil {
			return s.toolError(t.fields, err), nil
		}
		return toolResult(out)
	})
}

// Before each call, what was fetched is taken in, so that a colleague's push is in
// the first answer after git pull; in so much time, with so many facts audited.
// The watch does the rest.
const (
	settleTime = time.Second
	settleMost = 50
)

// use runs a call with the memory.
func use[Out any](ctx context.Context, s *surface, client *sdk.Implementation, run func(*call) (Out, error)) (out Out, err error) {
	l, err := s.room.take(ctx)
	if err != nil {
		return out, err
	}
	defer func() { s.room.giveBack(l, err) }()
	l.settle(ctx, s.log)
	return run(&call{
		Opened: l.Opened, agent: s.agentOf(client, l.Agent), surface: s,
		news: func() int { return int(l.news.Swap(0)) },
	})
}

func (l *lease) settle(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	settled, err := l.Memory.SettleFetched(ctx, memory.SettleInput{Most: settleMost, Budget: settleTime})
	if err != nil {
		log.Debug("what was fetched is not taken in yet", "error", err)
	}
	l.news.Add(int64(len(settled.Opened)))
}

// toolResult is an answer twice, as the protocol asks: as data, and as text for
// clients that read no data. In both, < and > of a claim are escaped, so that no
// claim looks like a tag that a chat is put together with.
func toolResult(out any) (*sdk.CallToolResult, error) {
	b, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(b)}}, StructuredContent: json.RawMessage(b)}, nil
}

// toolError tells a model what happened and what to do next, in the words of a tool. It is
// text alone: data would have to be as the tool's output schema says.
func (s *surface) toolError(arguments fields, err error) *sdk.CallToolResult {
	err = arguments.name(err)
	code, advice := memory.Classify(err)
	said := advice.In(s.words(arguments))
	if argument, ok := errors.AsType[*argumentError](err); ok {
		code, said = memory.CodeUsage, argument.hint
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
