package capture

import (
	"context"
	"io"
	"os"

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
	if err != nil { // cut off in the middle: kept as it is
		clean := scrub.Line(doc, r.redactor, nil)
		rec, meta := format.Line(clean.Raw, r.cursor.Meta)
		rec.Redacted, rec.Omitted = removed(clean)
		rec.Open = true
		return r.take(ctx, doc, rec, meta)
	}
	clean := scrub.Line(frame, r.redactor, nil)
	rec, meta := format.Frame(clean.Raw, r.cursor.Meta)
	rec.Item = frameItem
	rec.Redacted, rec.Omitted = removed(clean)
	rec.Unique = true // the newest frame is the one that counts
	if err := r.takeItem(ctx, frame, rec, meta); err != nil {
		return err
	}
	for i, item := range items {
		clean := scrub.Line(item.Raw, r.redactor, nil)
		rec, next := format.Line(clean.Raw, meta)
		rec.Item = i
		rec.Redacted, rec.Omitted = removed(clean)
		if err := r.takeItem(ctx, item.Raw, rec, next); err != nil {
			return err
		}
		meta = next
	}
	r.cursor.Meta = meta
	return nil
}

// Items that are none of the list.
const (
	frameItem = -1
	noItem    = -2
)

// takeItem takes an item of a document. One that was there before with other bytes is
// superseded.
func (r *reading) takeItem(ctx context.Context, raw []byte, rec session.Record, meta transcript.Meta) error {
	r.replaces = rec.Item
	defer func() { r.replaces = noItem }()
	return r.take(ctx, raw, rec, meta)
}
