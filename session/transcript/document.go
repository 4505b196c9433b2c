package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"

	"engram/session"
)

// Item is a message of a document.
type Item struct {
	// Key is the client's id of the item. One with a key that was there before and other
	// bytes is that item, changed; "" if the client gives no ids.
	Key string
	Raw []byte
}

// Document reports whether a file of the format is one document, for Split, and not lines.
func (f Format) Document() bool { return f == Gemini || f == OpenCode || f == SWEAgent }

// list is the field of a document that has the items.
func (f Format) list() string {
	if f == SWEAgent {
		return "history"
	}
	return "messages"
}

// Split takes the items out of a document. Where they were, frame has how many they are
// and what stood between them: one text if it was the same everywhere. A document that is
// no JSON object, as one that is cut off, is an error: it can be kept whole by Line, which
// says that it is malformed.
func (f Format) Split(doc []byte) (items []Item, frame []byte, err error) {
	if !json.Valid(doc) || !bytes.HasPrefix(bytes.TrimSpace(doc), []byte("{")) {
		return nil, nil, fmt.Errorf("the document is no whole JSON object")
	}
	start, list := f.find(doc)
	if list == nil {
		return nil, doc, nil
	}
	var between []string
	first, last := -1, 0
	for at, element := range list.Elements() {
		if first < 0 {
			first = at
		} else {
			between = append(between, string(list[last:at]))
		}
		last = at + len(element)
		items = append(items, Item{Key: f.key(element), Raw: element})
	}
	if len(items) == 0 {
		return nil, doc, nil
	}
	same := true
	for _, text := range between {
		same = same && text == between[0]
	}
	if same && len(between) > 1 {
		between = between[:1]
	}
	place := []any{len(items)}
	for _, text := range between {
		place = append(place, text)
	}
	written, err := json.Marshal(place)
	if err != nil {
		return nil, nil, fmt.Errorf("write the place of the items: %w", err)
	}
	frame = append(append(bytes.Clone(doc[:start+first]), written...), doc[start+last:]...)
	return items, frame, nil
}

// Join puts the items of a document back into its frame: the inverse of Split.
func (f Format) Join(frame []byte, items [][]byte) ([]byte, error) {
	if len(items) == 0 {
		return frame, nil
	}
	start, list := f.find(frame)
	for at, element := range list.Elements() {
		var place []any
		if err := json.Unmarshal(element, &place); err != nil || len(place) == 0 || place[0] != float64(len(items)) || len(place) != 1 && len(place) != 2 && len(place) != len(items) {
			break
		}
		doc := bytes.Clone(frame[:start+at])
		for i, item := range items {
			if i > 0 {
				between, ok := place[min(i, len(place)-1)].(string)
				if !ok {
					return nil, fmt.Errorf("the frame does not say what stands between its items")
				}
				doc = append(doc, between...)
			}
			doc = append(doc, item...)
		}
		return append(doc, frame[start+at+len(element):]...), nil
	}
	return nil, fmt.Errorf("the frame has no place for %d items", len(items))
}

// find returns the array of the items and where it begins. If a document has several, it
// is the first one.
func (f Format) find(doc []byte) (start int, list value) {
	v := value(doc)
	for key, field := range v.Fields() {
		if key == f.list() && field.Is('[') {
			return cap(doc) - cap(field), field // both end in the same array
		}
	}
	return 0, nil
}

// Canonical returns a text that tells whether an item of a document has changed: the item, and
// for OpenCode the item with its fields in order, as two ways to ask it give two orders.
func (f Format) Canonical(item []byte) []byte {
	if f != OpenCode {
		return item
	}
	var fields map[string]any
	in := json.NewDecoder(bytes.NewReader(item))
	in.UseNumber()
	if err := in.Decode(&fields); err != nil {
		return item
	}
	ordered, err := json.Marshal(fields)
	if err != nil {
		return item
	}
	return ordered
}

// key returns the client's id of an item.
func (f Format) key(item value) string {
	if f == OpenCode {
		return item.At("info", "id").Text()
	}
	return item.At("id").Text()
}

// Frame reads the frame of a document: one note, and what the document says of its
// session. It is read before the items.
func (f Format) Frame(frame []byte, before Meta) (session.Record, Meta) {
	r := &reader{format: f, meta: before, record: session.Record{Format: string(f), Raw: frame}}
	r.base.Agent = f.agent()
	switch v := value(bytes.TrimSpace(frame)); f {
	case OpenCode:
		r.openSession(v.At("info"))
		r.record.Events = nil
	default:
		set(&r.meta.Session, v.At("sessionId"))
		r.base.At = moment(v.At("startTime"))
	}
	if r.meta.Started.IsZero() {
		r.meta.Started = r.base.At
	}
	r.note(session.TagFrame)
	return r.record, r.meta
}
