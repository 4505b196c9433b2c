package mcp

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"engram/memory"
)

// briefPatience is how long a brief waits for the index to be up to date.
const briefPatience = 5 * time.Second

func (s *surface) readBrief(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	text, err := use(ctx, s, req.ClientInfo(), func(c *call) (string, error) {
		in := memory.BriefInput{AskedBy: c.agent, Patience: briefPatience}
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
		return nil, s.resourceError(req, err)
	}
	return content(req, mimeText, text), nil
}
