package wire

import (
	"bytes"
	"cmp"
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
	"engram/internal/fields"
	"engram/internal/strictjson"
	"engram/memory"
)

// Body reads the body as one JSON object and nothing after it, strictly: a misspelled
// field must not count as an omitted one, and a field that is given twice is ambiguous.
// The URL has no parameters then.
func Body[T any](r *http.Request) (T, error) {
	var into T
	if err := NoQuery(r); err != nil {
		return into, err
	}
	if err := WantType(r, "application/json"); err != nil {
		return into, err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return into, err
	}
	if len(bytes.TrimSpace(body)) == 0 || bytes.TrimSpace(body)[0] != '{' {
		return into, BadRequest("the body is not a JSON object", fieldsHint)
	}
	if err := strictjson.Check(body, reflect.TypeFor[T]()); err != nil {
		return into, BadBody(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&into); err != nil {
		return into, BadBody(err)
	}
	return into, nil
}

const fieldsHint = "/openapi.json says which fields there are"

// BadBody says what is wrong with a body, and quotes no more of it than a field's name.
func BadBody(err error) error {
	var fault *strictjson.Fault
	if errors.As(err, &fault) {
		return BadRequest(fault.Message, fault.Hint)
	}
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return BadRequest(fmt.Sprintf("%s cannot be a %s", cmp.Or(kind.Field, "the body"), kind.Value), fieldsHint)
	}
	if name, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
		return BadRequest(fmt.Sprintf("there is no field %.60s", name), fieldsHint)
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return BadRequest(fmt.Sprintf("the body is not JSON (at byte %d)", syntax.Offset), "send one JSON object")
	}
	return BadRequest(fmt.Sprintf("the body cannot be read: %.120s", err), fieldsHint)
}

// BadRequest says what is wrong with a request, and what to do about it.
func BadRequest(message, hint string) error {
	return NewError(http.StatusBadRequest, memory.CodeUsage, message, hint)
}

// WantType rejects a body of another type, and one without a type: web pages can send
// those anywhere.
func WantType(r *http.Request, types ...string) error {
	got, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && slices.Contains(types, got) {
		return nil
	}
	return NewError(http.StatusUnsupportedMediaType, memory.CodeUsage,
		"the body is of another type than this path takes", "send the header Content-Type: "+strings.Join(types, " or "))
}

// Query reads the parameters of a request's URL into the named fields of an input, or
// into all of them. An unknown parameter is rejected: a misspelled filter must not get an
// unfiltered answer. Each is given once; one of many values may be repeated, or has commas
// between them.
func Query[T any](r *http.Request, names ...string) (T, error) {
	var into T
	asked, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return into, BadQuery(err)
	}
	known := fields.Of(reflect.TypeFor[T](), names...)
	for name, values := range asked {
		at := slices.IndexFunc(known, func(f fields.Field) bool { return f.Query == name })
		if at < 0 {
			return into, BadRequest(fmt.Sprintf("there is no parameter %.40q", name), thereIs(known))
		}
		if len(values) > 1 && known[at].Type.Kind() != reflect.Slice {
			return into, BadRequest(name+" is given twice", "give it once")
		}
		if err := set(known[at].In(reflect.ValueOf(&into)), name, strings.Join(values, ",")); err != nil {
			return into, err
		}
	}
	return into, nil
}

// NoQuery rejects a request with parameters.
func NoQuery(r *http.Request) error {
	_, err := Query[struct{}](r)
	return err
}

// BadQuery reports a query that cannot be read: net/http would ignore a part of it.
func BadQuery(err error) *Error {
	return NewError(http.StatusBadRequest, memory.CodeUsage, fmt.Sprintf("the query cannot be read: %.80s", err),
		"write parameters as name=value with & between them, and %25, %3B and %26 for %, ; and & in a value")
}

func thereIs(known []fields.Field) string {
	if len(known) == 0 {
		return "this path takes none"
	}
	names := make([]string, len(known))
	for i, f := range known {
		names[i] = f.Query
	}
	return "there is " + strings.Join(names, ", ")
}

// set reads a parameter's value; "" is the zero value.
func set(field reflect.Value, name, text string) error {
	if text == "" {
		return nil
	}
	cannot := fmt.Sprintf("%s cannot be %.40q", name, text)
	switch into := field.Addr().Interface().(type) {
	case *string:
		*into = text
	case *[]string:
		for value := range strings.SplitSeq(text, ",") {
			if value = strings.TrimSpace(value); value != "" {
				*into = append(*into, value)
			}
		}
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return BadRequest(cannot, "it is a number above 0")
		}
		*into = n
	case *bool:
		if text != "true" && text != "false" {
			return BadRequest(cannot, "it is true or false")
		}
		*into = text == "true"
	case *time.Time:
		t, err := facts.ParseTime(text)
		if err != nil {
			return BadRequest(fmt.Sprintf("%s: %s", name, err), "write it as 2026-04-30T12:00:00Z")
		}
		*into = t
	default:
		panic(fmt.Sprintf("a parameter cannot be a %T", into))
	}
	return nil
}
