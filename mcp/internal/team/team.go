// Package team is the profile of that name: it sets a memory up and looks after it, for
// agents without a shell, and for users who prefer to talk to theirs.
package team

import "engram/mcp/internal/tool"

// Add gives a server the tools.
func Add(s *tool.Server) {
	addInit(s)
	addJoin(s)
	addPromote(s)
	addAudit(s)
	addSession(s)
	addTask(s)
	addDelegate(s)
}
