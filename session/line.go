package session

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// AppendLine appends the line of an event, with its newline: a JSON object with the fields
// of Event. The first event of a record has "source" and, last, one of
//
//	"raw"         the record itself, if it is a JSON object in UTF-8 without space around it or a newline
//	"raw_text"    the record as a string, if it is UTF-8
//	"raw_base64"  the record in base64
func AppendLine(b []byte, e *Event) ([]byte, error) {
	start := len(b)
	b, err := appendJSON(b, e)
	if err != nil || e.Source == nil {
		return append(b, '\n'), err
	}
	b = append(b[:len(b)-1], `,"source":`...)
	if b, err = appendJSON(b, e.Source); err != nil {
		return b[:start], err
	}
	b = append(b, ',')
	raw := e.Source.Raw
	switch {
	case isObject(raw) && utf8.Valid(raw) && json.Valid(raw):
		b = append(append(b, `"raw":`...), raw...)
	case utf8.Valid(raw):
		b = append(b, `"raw_text":`...)
		b, err = appendJSON(b, string(raw))
	default:
		b = append(b, `"raw_base64":"`...)
		b = base64.StdEncoding.AppendEncode(b, raw)
		b = append(b, '"')
	}
	return append(b, '}', '\n'), err
}

// isObject reports whether a record has no space around an object, and no newline.
func isObject(raw []byte) bool {
	return len(raw) > 1 && raw[0] == '{' && raw[len(raw)-1] == '}' && bytes.IndexByte(raw, '\n') < 0
}

// appendJSON appends a value without a newline; HTML is not escaped.
func appendJSON(b []byte, value any) ([]byte, error) {
	buffer := bytes.NewBuffer(b)
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return b, fmt.Errorf("write an event: %w", err)
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}

// line is the JSON form of an event.
type line struct {
	Event
	Source *struct {
		Source
	} `json:"source"`
	Raw       json.RawMessage `json:"raw"`
	RawText   *string         `json:"raw_text"`
	RawBase64 []byte          `json:"raw_base64"`
}

// ParseLine reads the line of an event. Fields that are not known are ignored.
func ParseLine(text []byte) (Event, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return Event{}, fmt.Errorf("read an event: %w", err)
	}
	if l.ID == "" || l.Kind == "" {
		return Event{}, fmt.Errorf("read an event: it has no id or no kind")
	}
	if l.Source != nil {
		source := l.Source.Source
		switch {
		case l.Raw != nil:
			source.Raw = l.Raw
		case l.RawText != nil:
			source.Raw = []byte(*l.RawText)
		default:
			source.Raw = l.RawBase64
		}
		l.Event.Source = &source
	}
	return l.Event, nil
}

// LineID returns the id in the line of an event without reading the rest; "" if it does
// not begin with one.
func LineID(line []byte) string {
	const head, length = `{"id":"`, 26
	if len(line) < len(head)+length || string(line[:len(head)]) != head {
		return ""
	}
	return string(line[len(head) : len(head)+length])
}

// LineTurn returns the turn in the line of an event without reading the rest; 0 if the
// line does not have it behind the id.
func LineTurn(line []byte) (turn int) {
	const head = len(`{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV"`)
	if len(line) < head {
		return 0
	}
	rest, _ := bytes.CutPrefix(line[head:], []byte(`,"turn":`))
	for _, digit := range rest[:min(len(rest), 9)] {
		if digit < '0' || digit > '9' {
			break
		}
		turn = 10*turn + int(digit-'0')
	}
	return turn
}

// AppendHeader appends session.json.
func AppendHeader(b []byte, h Header) ([]byte, error) {
	b, err := appendJSON(b, h)
	return append(b, '\n'), err
}

// ParseHeader reads session.json.
func ParseHeader(text []byte) (h Header, err error) {
	if err := json.Unmarshal(text, &h); err != nil {
		return h, fmt.Errorf("read session.json: %w", err)
	}
	return h, nil
}
