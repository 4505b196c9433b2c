package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"engram/internal/hint"
	"engram/internal/visible"
	"engram/memory"
)

// Error is an error as a client sees it. It reveals nothing about this machine.
type Error struct {
	Status  int // of HTTP
	Code    memory.Code
	Message string
	Hint    string
}

// NewError makes an error for a client.
func NewError(status int, code memory.Code, message, hint string) *Error {
	return &Error{status, code, message, hint}
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
// its refusals, any other as memory.Classify has it, without what only this machine may
// know. The secrets of the request are not repeated.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	var e *Error
	if !errors.As(err, &e) {
		e = classified(err)
	}
	body := errorBody{Code: e.Code, Message: e.Message, Hint: e.Hint}
	status := e.Status
	if refused := refusalsOf(err); len(refused.refusals) > 0 {
		status = refusalStatus(refused.refusals[0].Code)
		body.Refusals, body.Resend, body.Hint = refused.refusals, refused.resend, refused.hint()
	}
	notes := NotesOf(r.Context())
	body.Message, body.Hint = notes.hide(body.Message), notes.hide(body.Hint)
	if text, ok := body.Resend.(string); ok {
		body.Resend = notes.hide(text)
	}
	body.Refusals = slices.Clone(body.Refusals)
	for i := range body.Refusals {
		refusal := &body.Refusals[i]
		refusal.Path, refusal.Reason, refusal.Resend = notes.hide(refusal.Path), notes.hide(refusal.Reason), notes.hide(refusal.Resend)
	}
	WriteJSON(w, status, struct {
		SchemaVersion int       `json:"schema_version"`
		Error         errorBody `json:"error"`
	}{memory.SchemaVersion, body})
}

// classified is an error of memory's as a client may see it: what broke on this machine
// names files of it, which the log alone has.
func classified(err error) *Error {
	code, advice := memory.Classify(err)
	switch code {
	case memory.CodeFailure:
		return NewError(Status(code), code, "engram failed", "the server's log says why")
	case memory.CodeUnusable:
		return NewError(Status(code), code, "the memory cannot be used", "`engram status` in the repository says why, and so does the server's log")
	}
	return NewError(Status(code), code, err.Error(), advice.In(words()))
}

// words name endpoints and their parameters. What no endpoint does is a command for
// whoever has a shell where the server runs.
func words() hint.Words {
	return hint.Words{
		Action: func(a hint.Action) string {
			return map[hint.Action]string{
				hint.Query: "GET /engram/query", hint.ListFacts: "GET /engram/query", hint.Commit: "POST /engram",
				hint.ReadPointer: "POST /pointer/deref", hint.ValidateMessage: "POST /message/validate", hint.ShowMessageForm: "GET /openapi.json",
				hint.ListGrants: "GET /grants", hint.IssueGrant: "POST /grant", hint.RevokeGrant: "DELETE /grant/%s",
				hint.ShowTurn: "GET /turn?child=%s", hint.ShareBrief: "POST /hooks/on_parent_broadcast",
				hint.DelegateTask: "POST /delegation", hint.ReportResult: "POST /delegation/result",
			}[a]
		},
		Command: "`%s` (on the server)",
		Field: func(f hint.Field) string {
			switch f {
			case hint.Text:
				return "q"
			case hint.Near:
				return "at /engram/query_by_embedding, embedding_ref"
			case hint.MemoryBranch:
				return "memory in .engram.yml"
			}
			return string(f)
		},
	}
}

// Fail answers with an error of a handler, and leaves to the log what it hides.
func Fail(w http.ResponseWriter, r *http.Request, err error) {
	var e *Error
	if !errors.As(err, &e) {
		if code, _ := memory.Classify(err); code == memory.CodeFailure || code == memory.CodeUnusable {
			NotesOf(r.Context()).Failure = err
		}
	}
	WriteError(w, r, err)
}

type errorBody struct {
	Code     memory.Code      `json:"code"`
	Message  string           `json:"message"`
	Hint     string           `json:"hint"`
	Refusals []memory.Refusal `json:"refusals,omitempty"`
	Resend   any              `json:"resend,omitempty"`
}

// WriteJSON answers with an object, with invisible characters made visible.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)                             // answers are plain values
	_, _ = w.Write(visible.ShowJSON(b.Bytes())) // the client is gone
}
