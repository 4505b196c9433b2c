package core

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/mcp/internal/tool"
	"engram/memory"
)

// briefPatience is how long a brief waits for the index to be up to date.
const briefPatience = 5 * time.Second

func (r reader) readBrief(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	text, err := tool.Use(ctx, r.Server, tool.Client{Info: req.ClientInfo(), Session: req.Session}, func(c *tool.Call) (string, error) {
		in := memory.BriefInput{AskedBy: c.Caller, Patience: briefPatience}
		if c.Changed != nil {
			in.Files = c.Changed(ctx)
		}
		brief, err := c.Memory.Brief(ctx, in)
		if err != nil {
			return "", err
		}
		return brief.Text(), nil
	})
	if err != nil {
		return nil, resourceError(r.Server, req, err)
	}
	return content(req, mimeText, text), nil
}
