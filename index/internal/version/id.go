package version

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"engram/facts"
)

// ID is what the index knows about one version, and at the same time its name in Bleve: a
// hit needs nothing else, so a search loads no stored fields, and a version whose window
// changes becomes another document. The name consists of the key, a zero byte, flags, the
// length and bytes of the blob, the start and, if there is one, the end of the window in
// milliseconds, then the traits.
type ID struct {
	Key    string
	Blob   string
	Window facts.Window
	Tip    bool
	// Planned: its start was meant to be later than its creation (facts.Fact).
	Planned bool
	Traits
}

// Holds reports whether the version holds at a moment. At present, a start that nobody
// planned counts as reached, whatever the reader's clock says.
func (d ID) Holds(moment time.Time, present bool) bool {
	if present && !d.Planned && moment.Before(d.Window.From) {
		return !d.Window.Empty()
	}
	return d.Window.Contains(moment)
}

const (
	flagTip   = 1 << iota
	flagUntil // the window has an end
	flagHex   // the blob is hex digits, packed
	flagPlanned
)

// Encode returns the name of the document.
func (d ID) Encode() string {
	b := make([]byte, 0, len(d.Key)+40)
	b = append(b, d.Key...)
	blob, flags := d.Blob, byte(0)
	if raw, err := hex.DecodeString(d.Blob); err == nil && hex.EncodeToString(raw) == d.Blob {
		blob, flags = string(raw), flagHex
	}
	if d.Tip {
		flags |= flagTip
	}
	if !d.Window.Until.IsZero() {
		flags |= flagUntil
	}
	if d.Planned {
		flags |= flagPlanned
	}
	b = append(b, 0, flags)
	b = append(binary.AppendUvarint(b, uint64(len(blob))), blob...)
	b = binary.AppendVarint(b, d.Window.From.UnixMilli())
	if !d.Window.Until.IsZero() {
		b = binary.AppendVarint(b, d.Window.Until.UnixMilli())
	}
	return string(d.Traits.append(b, d.Window.From))
}

// DecodeID is the inverse of Encode. An error means that the index is damaged.
func DecodeID(s string) (ID, error) {
	d, err := DecodeNameless(s)
	if err == nil && d.hex {
		d.Blob = hex.EncodeToString([]byte(d.Blob))
	}
	return d.ID, err
}

// Nameless is an ID whose Blob is not readable: it takes no memory beside the name.
type Nameless struct {
	ID
	hex bool
}

// DecodeNameless is DecodeID for callers that need no Blob.
func DecodeNameless(s string) (d Nameless, err error) {
	key, rest, ok := strings.Cut(s, "\x00")
	if !ok || rest == "" {
		return d, errors.New("document name without a key")
	}
	flags := rest[0]
	blob, rest, ok := cutText(rest[1:])
	if !ok {
		return d, errors.New("document name without a blob")
	}
	d.hex = flags&flagHex != 0
	d.ID = ID{Key: key, Blob: blob, Tip: flags&flagTip != 0, Planned: flags&flagPlanned != 0}
	from, rest, ok := cutNumber(rest)
	d.Window.From = time.UnixMilli(from).UTC()
	if ok && flags&flagUntil != 0 {
		var until int64
		until, rest, ok = cutNumber(rest)
		d.Window.Until = time.UnixMilli(until).UTC()
	}
	if !ok {
		return d, errors.New("document name without a window")
	}
	d.Traits, err = decodeTraits(rest, d.Window.From)
	return d, err
}

// cutNumber splits what follows a number from the number.
func cutNumber(s string) (n int64, rest string, ok bool) {
	n, length := binary.Varint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
	if length <= 0 {
		return 0, s, false
	}
	return n, s[length:], true
}

// Summary is the part of an ID that can be read without allocating: enough to tell whether
// a document holds, when it was committed, and which vector its claim has.
type Summary struct {
	Window    facts.Window
	planned   bool
	Text      uint64
	Committed time.Time
}

// Holds is ID.Holds.
func (g Summary) Holds(moment time.Time, present bool) bool {
	return ID{Window: g.Window, Planned: g.planned}.Holds(moment, present)
}

// Summarize reads the summary of a document with a name.
func Summarize(name []byte) (g Summary, err error) {
	damage := errors.New("document name without a window")
	at := bytes.IndexByte(name, 0)
	if at < 0 || at+2 >= len(name) {
		return g, damage
	}
	flags, rest := name[at+1], name[at+2:]
	length, n := binary.Uvarint(rest)
	if n <= 0 || length > uint64(len(rest)-n) {
		return g, damage
	}
	rest = rest[n+int(length):]
	from, n := binary.Varint(rest)
	if n <= 0 {
		return g, damage
	}
	rest = rest[n:]
	g.Window.From, g.planned = time.UnixMilli(from).UTC(), flags&flagPlanned != 0
	if flags&flagUntil != 0 {
		until, n := binary.Varint(rest)
		if n <= 0 {
			return g, damage
		}
		rest = rest[n:]
		g.Window.Until = time.UnixMilli(until).UTC()
	}
	if len(rest) < fixedTraits {
		return g, damage
	}
	g.Text = binary.BigEndian.Uint64(rest[fixedTraits-8:])
	committed, n := binary.Varint(rest[fixedTraits:])
	if n <= 0 {
		return g, damage
	}
	g.Committed = time.UnixMilli(from + committed).UTC()
	return g, nil
}
