package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"engram/facts"
	"engram/internal/strictjson"
	"engram/memory"
)

// decode reads the body as one JSON object and nothing after it, strictly: a field that
// is misspelled must not be a field that was left away, and of one that is given twice
// nobody knows which was meant. Nothing is asked in the query then.
func decode[T any](r *request) (T, error) {
	var into T
	if _, err := r.params(); err != nil {
		return into, err
	}
	if err := wantType(r, "application/json"); err != nil {
		return into, err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return into, err
	}
	if len(bytes.TrimSpace(body)) == 0 || bytes.TrimSpace(body)[0] != '{' {
		return into, badRequest("the body is no JSON object", fieldsHint)
	}
	if err := strictjson.Check(body, reflect.TypeFor[T]()); err != nil {
		return into, badBody(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&into); err != nil {
		return into, badBody(err)
	}
	return into, nil
}

const fieldsHint = "/openapi.json says which fields there are"

// badBody says what is wrong with a body, and quotes no more of it than a field's name.
func badBody(err error) error {
	var fault *strictjson.Fault
	if errors.As(err, &fault) {
		return badRequest(fault.Message, fault.Hint)
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return badRequest(fmt.Sprintf("%s cannot be a %s", orBody(kind.Field), kind.Value), fieldsHint)
	}
	if name, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
		return badRequest(fmt.Sprintf("there is no field %.60s", name), fieldsHint)
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return badRequest(fmt.Sprintf("the body is no JSON (at byte %d)", syntax.Offset), "send one JSON object")
	}
	return badRequest(fmt.Sprintf("the body cannot be read: %.120s", err), fieldsHint)
}

func orBody(field string) string {
	if field == "" {
		return "the body"
	}
	return field
}

func badRequest(message, hint string) error {
	return &Error{Status: http.StatusBadRequest, Code: memory.CodeUsage, Message: message, Hint: hint}
}

// wantType refuses a body that says it is something else. A body that says nothing
// is refused as well: web pages can send those anywhere.
func wantType(r *request, types ...string) error {
	got, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && slices.Contains(types, got) {
		return nil
	}
	return &Error{Status: http.StatusUnsupportedMediaType, Code: memory.CodeUsage,
		Message: "the body is of another type than this path takes", Hint: "send the header Content-Type: " + strings.Join(types, " or ")}
}

// params are the query's parameters. One that is not known is refused: a filter that
// is misspelled must not give an unfiltered answer.
type params map[string]string

// params reads the query, whose parameters are given once each; those of many may be
// repeated, and are joined by commas.
func (r *request) params(known ...string) (params, error) {
	asked, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badQuery(err)
	}
	given := make(params)
	for name, values := range asked {
		if !slices.Contains(known, name) {
			return nil, badRequest(fmt.Sprintf("there is no parameter %.40q", name), thereIs(known))
		}
		if len(values) > 1 && name != "keys" {
			return nil, badRequest(name+" is given twice", "give it once")
		}
		given[name] = strings.Join(values, ",")
	}
	return given, nil
}

// badQuery is about a query of which net/url, unasked, drops what it cannot read.
func badQuery(err error) *Error {
	return &Error{Status: http.StatusBadRequest, Code: memory.CodeUsage, Message: fmt.Sprintf("the query cannot be read: %.80s", err),
		Hint: "write parameters as name=value with & between them, and %25, %3B and %26 for %, ; and & in a value"}
}

func thereIs(known []string) string {
	if len(known) == 0 {
		return "this path takes none"
	}
	return "there is " + strings.Join(known, ", ")
}

func (p params) number(name string) (int, error) {
	if p[name] == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(p[name])
	if err != nil || n < 1 {
		return 0, badRequest(fmt.Sprintf("%s cannot be %.40q", name, p[name]), "it is a number above 0")
	}
	return n, nil
}

func (p params) moment(name string) (time.Time, error) {
	if p[name] == "" {
		return time.Time{}, nil
	}
	t, err := facts.ParseTime(p[name])
	if err != nil {
		return t, badRequest(fmt.Sprintf("%s: %s", name, err), "write it as 2026-04-30T12:00:00Z")
	}
	return t, nil
}

func (p params) flag(name string) (bool, error) {
	switch p[name] {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, badRequest(fmt.Sprintf("%s cannot be %.40q", name, p[name]), "it is true or false")
}

// list is a parameter of several values with commas between them.
func (p params) list(name string) []string {
	var values []string
	for value := range strings.SplitSeq(p[name], ",") {
		if value = strings.TrimSpace(value); value != "" {
			values = append(values, value)
		}
	}
	return values
}
