package mcp

// addTeam adds what sets a memory up and looks after it, for agents without a
// shell, and for those whom the user rather talks to.
func addTeam(s *surface) {
	addInit(s)
	addJoin(s)
	addPromote(s)
	addAudit(s)
}
