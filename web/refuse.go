package web

import (
	"net/http"

	"engram/web/internal/wire"
)

// refuse answers with an error of a guard and logs it, with at most one thing about the
// request.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, e *wire.Error, attrs ...any) {
	for i, a := range attrs {
		if text, ok := a.(string); ok && len(text) > 100 {
			attrs[i] = text[:100] + "…"
		}
	}
	s.opts.Logger.WarnContext(r.Context(), "refused", append([]any{"status", e.Status, "reason", e.Message}, attrs...)...)
	wire.WriteError(w, r, e)
}
