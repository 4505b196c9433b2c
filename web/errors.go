package web

import (
	"encoding/json"
	"errors"
	"net/http"

	"engram/memory"
)

// Error is a refusal as a client sees it. It says nothing that only somebody on
// this machine may know.
type Error struct {
	Status  int // of HTTP
	Code    memory.Code
	Message string
	Hint    string
}

func (e *Error) Error() string { return e.Message }

// Status is the HTTP status of one of memory's codes; docs/errors.md has the
// table.
func Status(code memory.Code) int {
	switch code {
	case memory.CodeNo:
		return http.StatusNotFound
	case memory.CodeUsage:
		return http.StatusBadRequest
	case memory.CodeRefused:
		return http.StatusForbidden
	case memory.CodeLost:
		return http.StatusConflict
	case memory.CodeUnusable, memory.CodeCancelled:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// WriteError answers with an error: an *Error as it is, what a budget refuses with
// its refusals, any other as memory.Classify has it.
func WriteError(w http.ResponseWriter, err error) {
	var e *Error
	if !errors.As(err, &e) {
		code, hint := memory.Classify(err)
		e = &Error{Status(code), code, err.Error(), hint}
	}
	body := errorBody{Code: e.Code, Message: e.Message, Hint: e.Hint}
	status := e.Status
	if refused := refusalsOf(err); len(refused.Refusals) > 0 {
		status = refusalStatus(refused.Refusals[0].Code)
		body.Refusals, body.Resend, body.Hint = refused.Refusals, refused.Resend, refusalHint(refused)
	}
	writeJSON(w, status, struct {
		SchemaVersion int       `json:"schema_version"`
		Error         errorBody `json:"error"`
	}{memory.SchemaVersion, body})
}

type errorBody struct {
	Code     memory.Code      `json:"code"`
	Message  string           `json:"message"`
	Hint     string           `json:"hint"`
	Refusals []memory.Refusal `json:"refusals,omitempty"`
	Resend   string           `json:"resend,omitempty"`
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // the client is gone; nobody is left to be told
}

// refuse answers with an error of the door's own and logs it, with at most one
// thing about the request.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, e *Error, attrs ...any) {
	for i, a := range attrs {
		if text, ok := a.(string); ok && len(text) > 100 {
			attrs[i] = text[:100] + "…"
		}
	}
	s.opts.Logger.WarnContext(r.Context(), "refused", append([]any{"status", e.Status, "reason", e.Message}, attrs...)...)
	WriteError(w, e)
}
