package capture

import (
	"context"
	"io"
	"os"

	"engram/memory/internal/clone"
	"engram/session"
	"engram/session/scrub"
	"engram/session/transcript"
)

// maxDocument is the largest document that is read, in bytes.
const maxDocument = 512 << 20

// document reads a transcript that is one document: its frame, then its items. What is
// there already is dropped, so only items that are new or changed are added.
func (r *reading) document(ctx context.Context, f *os.File) error {
	doc, err := io.ReadAll(io.NewSectionReader(f, 0, maxDocument))
	if err != nil {
		return err
	}
	r.bytes += int64(len(doc))
	format := r.cursor.Format
	r.cursor.Item = 0
	items, frame, err := format.Split(doc)
	if err != nil && !r.whole { // its client is writing it
		return nil
	}
	if err != nil { // cut off in the middle: kept as it is
		clean := scrub.Line(doc, r.redactor, nil)
		r.first = session.Digest(clean.Raw)[:firstDigits]
		rec, meta := format.Line(clean.Raw, r.cursor.Meta)
		rec.Redacted, rec.Omitted = clean.Redacted, clean.Omitted
		rec.Open = true
		return r.take(ctx, doc, rec, meta)
	}
	first := frame
	if len(items) > 0 {
		first = items[0].Raw
	}
	r.first = session.Digest(scrub.Line(first, r.redactor, nil).Raw)[:firstDigits]
	meta, err := r.item(ctx, frame, frameItem, r.cursor.Meta, format.Frame)
	if err != nil {
		return err
	}
	for i, item := range items {
		if meta, err = r.item(ctx, item.Raw, i, meta, format.Line); err != nil {
			return err
		}
	}
	r.cursor.Meta = meta
	return nil
}

// Numbers that are not places in the list.
const (
	frameItem = -1
	noItem    = -2
)

// item takes an item of a document, read by read. One that was there before with other
// bytes is superseded, and hooks skip one that is there.
func (r *reading) item(
	ctx context.Context, raw []byte, at int, before transcript.Meta, read func([]byte, transcript.Meta) (session.Record, transcript.Meta),
) (transcript.Meta, error) {
	sum := session.Digest(r.cursor.Format.Canonical(raw))[:16]
	was := r.cursor.Items[at]
	if was.Sum == sum {
		r.occurrence(raw) // equal ones that follow count it
		return before, nil
	}
	clean := scrub.Line(raw, r.redactor, nil)
	rec, meta := read(clean.Raw, before)
	rec.Item = at
	rec.Redacted, rec.Omitted = clean.Redacted, clean.Omitted
	rec.Unique = rec.Unique || at == frameItem // the newest frame is the one that counts
	r.replaces, r.taken = at, was.Event
	defer func() { r.replaces = noItem }()
	if err := r.take(ctx, raw, rec, meta); err != nil {
		return before, err
	}
	if r.cursor.Items == nil {
		r.cursor.Items = map[int]clone.Item{}
	}
	r.cursor.Items[at] = clone.Item{Sum: sum, Event: r.taken}
	return meta, nil
}
