package mcp

import "engram/internal/hint"

// HintWords are the words of the server's hints.
func (s *Server) HintWords() hint.Words { return s.newServer("").Words(nil) }
