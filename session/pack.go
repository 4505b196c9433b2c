package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"engram/facts"
)

// Bounds of what an event contains.
const (
	ArtifactAbove = 4 << 10  // bytes of a tool result, or of a string in a record; more becomes an artifact
	textAbove     = 64 << 10 // bytes of any other text
	cutAbove      = 64       // bytes of a string in a record that repeats a text
)

// Record is a record of a transcript with the events that were read from it. The texts of
// its events are whole.
type Record struct {
	Format string
	Stream string
	Item   int
	Open   bool
	Raw    []byte // without secrets and what cannot be read
	Events []Content
	// Redacted and Omitted say what Raw does not have any more.
	Redacted []Redaction
	Omitted  []Omission
	// Unique says that Raw has an id of its own, so no other record of the session is equal.
	Unique bool
}

// Content is an event with what was attached to it. Assemble sets the fields ID, Turn,
// Tokens, Artifacts, Redacted, Omitted and Source.
type Content struct {
	Event
	Blobs []Blob
}

// Blob is an attachment: an image or a document.
type Blob struct {
	MediaType string
	Name      string
	Data      []byte
}

// Stored is the content of an artifact.
type Stored struct {
	Digest string
	Data   []byte
}

// Place is where a record stands in its session.
type Place struct {
	Session    string
	Turn       int       // of the event before
	At         time.Time // of the event before, for records without a time
	Occurrence int       // equal records before this one
}

// Previewer makes the preview of a content; tool and name say where it comes from and may
// be "". mediaType is a guess by the content if it was "".
type Previewer func(tool, name, mediaType string, data []byte) (preview, guessed string)

// Assemble makes the events of a record, and the artifacts that they mention. limit is the
// size in bytes above which a tool result becomes an artifact; 0 means ArtifactAbove. The
// result depends on the arguments alone.
func Assemble(r Record, p Place, limit int, preview Previewer) (events []Event, artifacts []Stored) {
	if limit <= 0 {
		limit = ArtifactAbove
	}
	a := &assembly{limit: limit, preview: preview}
	turn, last := p.Turn, p.At
	for number, c := range r.Events {
		if c.At.IsZero() {
			c.At = last
		}
		last = c.At
		if c.Kind == UserMessage && c.SubAgent == "" {
			turn++
		}
		c.ID, c.Turn = NewID(p.Session, c.At, r.Raw, p.Occurrence, number), turn
		slices.Sort(c.Tags)
		a.add(c)
	}
	if len(a.events) == 0 {
		return nil, nil
	}
	first := &a.events[0]
	first.Redacted, first.Omitted = r.Redacted, r.Omitted
	source := &Source{Format: r.Format, Stream: r.Stream, Item: r.Item, Open: r.Open, Events: len(a.events)}
	source.Raw, source.Cuts = a.cut(r.Raw)
	first.Source = source
	return a.events, a.artifacts
}

// assembly is the work of one Assemble.
type assembly struct {
	limit     int
	preview   Previewer
	events    []Event
	artifacts []Stored
	places    []place // where the content of the record is kept
}

// place is where a content is kept: in an artifact, or in the text of an event.
type place struct {
	text   string
	base64 bool // in the record it is in base64
	digest string
	event  int
}

func (a *assembly) add(c Content) {
	e := c.Event
	for _, b := range c.Blobs {
		artifact := a.store(b.Data)
		artifact.MediaType, artifact.Name = b.MediaType, b.Name
		artifact.Preview, artifact.MediaType = a.preview(e.Tool, b.Name, b.MediaType, b.Data)
		e.Artifacts = append(e.Artifacts, artifact)
		a.places = append(a.places, place{text: string(b.Data), base64: true, digest: artifact.Digest})
	}
	e.Tokens = facts.Tokens(e.Text)
	most := textAbove
	if e.Kind == ToolResult {
		most = a.limit
	}
	kept := place{text: e.Text, event: len(a.events)}
	if len(e.Text) > most {
		artifact := a.store([]byte(e.Text))
		name := ""
		if len(e.Paths) > 0 {
			name = e.Paths[0]
		}
		artifact.Name = name
		e.Text, artifact.MediaType = a.preview(e.Tool, name, "", []byte(e.Text))
		e.Artifacts = append(e.Artifacts, artifact)
		kept.digest = artifact.Digest
	}
	if len(kept.text) >= cutAbove {
		a.places = append(a.places, kept)
	}
	a.events = append(a.events, e)
}

// store adds the content of an artifact, once.
func (a *assembly) store(data []byte) Artifact {
	artifact := Artifact{Digest: Digest(data), Size: int64(len(data))}
	if !slices.ContainsFunc(a.artifacts, func(s Stored) bool { return s.Digest == artifact.Digest }) {
		a.artifacts = append(a.artifacts, Stored{artifact.Digest, data})
	}
	return artifact
}

// Digest is the digest of an artifact: its SHA-256 in hexadecimal.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// cut takes out of a record what is kept elsewhere.
func (a *assembly) cut(raw []byte) (rest []byte, cuts []Cut) {
	if !json.Valid(raw) {
		if len(raw) <= a.limit {
			return raw, nil
		}
		return nil, []Cut{{Digest: a.store(raw).Digest, Form: AsBytes}}
	}
	rest = make([]byte, 0, min(len(raw), 2*a.limit))
	from := 0
	for token := range tokens(raw, a.objects(raw)) {
		c, ok := a.replace(raw[token.start:token.end])
		if !ok {
			continue
		}
		rest = append(rest, raw[from:token.start]...)
		c.At = len(rest)
		rest = append(rest, `""`...)
		cuts = append(cuts, c)
		from = token.end
	}
	return append(rest, raw[from:]...), cuts
}

// objects returns where texts that are JSON stand in a record, by their starts.
func (a *assembly) objects(raw []byte) map[int]int {
	found := map[int]int{}
	for _, p := range a.places {
		if p.base64 || p.text == "" || p.text[0] != '{' && p.text[0] != '[' {
			continue
		}
		if at := bytes.Index(raw, []byte(p.text)); at >= 0 {
			found[at] = at + len(p.text)
		}
	}
	return found
}

// replace decides what becomes of a token of a record: a string, or a text that is JSON.
func (a *assembly) replace(token []byte) (c Cut, ok bool) {
	if len(token) < cutAbove {
		return c, false
	}
	if token[0] != '"' {
		i := slices.IndexFunc(a.places, func(p place) bool { return !p.base64 && p.text == string(token) })
		if i < 0 {
			return c, false
		}
		return Cut{Digest: a.places[i].digest, Event: a.places[i].number(), Form: AsBytes}, true
	}
	var text string
	if json.Unmarshal(token, &text) != nil {
		return c, false
	}
	for _, p := range a.places {
		switch {
		case p.base64 && len(text) == base64.StdEncoding.EncodedLen(len(p.text)) && text == base64.StdEncoding.EncodeToString([]byte(p.text)) &&
			bytes.Equal(write(AsBase64, []byte(p.text)), token):
			return Cut{Digest: p.digest, Form: AsBase64}, true
		case !p.base64 && p.text == text:
			if form := formOf(token, text); form != "" {
				return Cut{Digest: p.digest, Event: p.number(), Form: form}, true
			}
		}
	}
	if len(text) <= a.limit {
		return c, false
	}
	if form := formOf(token, text); form != "" {
		return Cut{Digest: a.store([]byte(text)).Digest, Form: form}, true
	}
	return Cut{Digest: a.store(token).Digest, Form: AsBytes}, true
}

// number is the event that has the text; 0 if an artifact has it.
func (p place) number() int {
	if p.digest != "" {
		return 0
	}
	return p.event
}
