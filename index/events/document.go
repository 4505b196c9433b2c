package events

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	bleveapi "github.com/blevesearch/bleve_index_api"
	"github.com/oklog/ulid/v2"

	"engram/index/internal/version"
	"engram/internal/terms"
)

// What is indexed of a long text. The beginning says what was done, the end how it
// ended; what lies between in a log of many megabytes makes the index large and finds little.
const (
	maxHead = 768 << 10
	maxTail = 256 << 10
	// maxPaths and maxCommits bound what one event can be found by.
	maxPaths   = 256
	maxCommits = 256
)

// The letters of filter terms.
const (
	bySession = "s"
	byKind    = "n"
	byAgent   = "a"
	byTool    = "o"
	byClient  = "c"
	byLabel   = "l"
	byPath    = "p" // the path and every folder above it
	byBranch  = "b"
	byTag     = "g"
	byOld     = "u" // the event that this one supersedes
	byCommit  = "h" // followed by the digits themselves, so that a prefix can be looked up
	isTip     = "T" // the document of a session
	isEvent   = "E" // the document of an event
)

// The moments of events are also filter terms: a letter and the number of the day or the
// hour since 1970, in order of time.
const (
	byDay  = 'D'
	byHour = 'H'
	hour   = time.Hour
	day    = 24 * hour
	hours  = int64(day / hour)
	// The first and the last period that there is a term for.
	minPeriod = math.MinInt32
	maxPeriod = math.MaxInt32
)

// period is the number of the day or hour that a moment lies in.
func period(at time.Time, length time.Duration) int64 {
	return min(max(floorDiv(at.UnixMilli(), length.Milliseconds()), minPeriod), maxPeriod-1)
}

func periodTerm(letter byte, period int64) string {
	return string(binary.BigEndian.AppendUint32([]byte{letter}, uint32(period-minPeriod)))
}

// periodOf is the inverse of periodTerm.
func periodOf(term string) int64 {
	return int64(binary.BigEndian.Uint32([]byte(term[1:]))) + minPeriod
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// document analyzes an event.
func document(a *terms.Analyzer, d Doc) *version.Document {
	paths := d.Paths[:min(len(d.Paths), maxPaths)]
	head, tail := ends(d.Text)
	if tail != "" {
		head += "\n" + tail
	}
	found := a.Terms(head + "\n" + strings.Join(paths, "\n"))
	slices.Sort(found)
	distinct := 0
	for i, term := range found {
		if i == 0 || found[i-1] != term {
			distinct++
		}
	}
	text := make(bleveapi.TokenFrequencies, distinct)
	for i, n := 0, 0; i < len(found); i = n {
		for n = i; n < len(found) && found[n] == found[i]; n++ {
		}
		text[found[i]] = version.Frequency(n - i)
	}
	return version.MakeDocument(eventName(d), text, len(found), filterTerms(d, paths), d.Stored)
}

// ends cuts the middle out of a long text.
func ends(text string) (head, tail string) {
	if len(text) <= maxHead+maxTail {
		return text, ""
	}
	head, tail = text[:maxHead], text[len(text)-maxTail:]
	for len(head) > 0 && !utf8.RuneStart(text[len(head)]) {
		head = head[:len(head)-1]
	}
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return head, tail
}

func filterTerms(d Doc, paths []string) bleveapi.TokenFrequencies {
	found := make(bleveapi.TokenFrequencies, 16)
	flag := func(term string) { found[term] = version.Frequency(0) }
	add := func(kind, value string) {
		if value != "" {
			flag(version.FilterTerm(kind, value))
		}
	}
	flag(isEvent)
	flag(periodTerm(byDay, period(d.At, day)))
	flag(periodTerm(byHour, period(d.At, hour)))
	add(bySession, d.Session)
	add(byKind, d.Kind)
	add(byAgent, d.Agent)
	add(byAgent, d.Sub)
	add(byTool, d.Tool)
	add(byClient, d.Client)
	add(byLabel, d.Label)
	add(byBranch, d.Branch)
	add(byOld, d.Supersedes)
	for _, tag := range d.Tags {
		add(byTag, strings.ToLower(tag))
	}
	for _, path := range paths {
		path = cleanPath(path)
		for i := range len(path) {
			if path[i] == '/' && i > 0 {
				add(byPath, path[:i])
			}
		}
		add(byPath, path)
	}
	for _, commit := range d.Commits[:min(len(d.Commits), maxCommits)] {
		flag(byCommit + strings.ToLower(commit))
	}
	return found
}

// cleanPath is a path as it is filtered by: with slashes, without ./ before and a slash
// behind it.
func cleanPath(path string) string {
	path = strings.ReplaceAll(path, `\`, "/")
	for strings.HasPrefix(path, "./") {
		path = path[2:]
	}
	if trimmed := strings.TrimRight(path, "/"); trimmed != "" {
		return trimmed
	}
	return path
}

// The name of an event's document is flags, the event, its turn, time and kind, then the
// session. That of a session's document is flagTip, the session, a zero byte, the tip.
const (
	flagTip  = 1 << iota
	flagULID // the event is a ULID, packed
	flagUUID // the session is a UUID, packed
)

func eventName(d Doc) string {
	b := make([]byte, 1, 64)
	if id, err := ulid.ParseStrict(d.Event); err == nil && id.String() == d.Event {
		b[0] |= flagULID
		b = append(b, id[:]...)
	} else {
		b = appendText(b, d.Event)
	}
	b = binary.AppendUvarint(b, uint64(max(0, d.Turn)))
	b = binary.AppendVarint(b, d.At.UnixMilli())
	b = appendText(b, d.Kind)
	if id, ok := packUUID(d.Session); ok {
		b[0] |= flagUUID
		return string(append(b, id...))
	}
	return string(append(b, d.Session...))
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

var errName = errors.New("an event has a broken name")

// decodeEvent is the inverse of eventName. An error means that the index is damaged.
func decodeEvent(name []byte) (h Hit, err error) {
	if len(name) == 0 || name[0]&flagTip != 0 {
		return h, errName
	}
	r := reader{name[1:], nil}
	if name[0]&flagULID != 0 {
		var id ulid.ULID
		copy(id[:], r.bytes(len(id)))
		h.Event = id.String()
	} else {
		h.Event = r.text()
	}
	h.Turn = int(r.uvarint())
	h.At = time.UnixMilli(r.varint()).UTC()
	h.Kind = r.text()
	h.Session = string(r.rest)
	if name[0]&flagUUID != 0 {
		h.Session = unpackUUID(r.rest)
	}
	return h, r.err
}

// decodeTime reads the time alone, without allocating.
func decodeTime(name []byte) (millis int64, err error) {
	if len(name) == 0 || name[0]&flagTip != 0 {
		return 0, errName
	}
	r := reader{name[1:], nil}
	if name[0]&flagULID != 0 {
		r.bytes(len(ulid.ULID{}))
	} else {
		r.bytes(int(min(r.uvarint(), uint64(len(r.rest)))))
	}
	r.uvarint()
	return r.varint(), r.err
}

func tipName(session, tip string) string { return string(rune(flagTip)) + session + "\x00" + tip }

func decodeTip(name []byte) (session, tip string, err error) {
	if len(name) == 0 || name[0] != flagTip {
		return "", "", errName
	}
	session, tip, ok := strings.Cut(string(name[1:]), "\x00")
	if !ok {
		return "", "", errName
	}
	return session, tip, nil
}

// tipDocument says which tip of a session the index reflects.
func tipDocument(session, tip string) *version.Document {
	found := make(bleveapi.TokenFrequencies, 2)
	for _, term := range []string{isTip, tipTerm(session)} {
		found[term] = &bleveapi.TokenFreq{Term: []byte(term)}
	}
	return version.MakeDocument(tipName(session, tip), nil, 0, found, nil)
}

// tipTerm is the filter term of a session's own document.
func tipTerm(session string) string { return version.FilterTerm(isTip, session) }

// reader reads a name; its error is kept.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.err, n = errName, len(r.rest)
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.err, n = errName, 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.rest)
	if n <= 0 {
		r.err, n = errName, 0
	}
	r.rest = r.rest[n:]
	return v
}

func (r *reader) text() string { return string(r.bytes(int(min(r.uvarint(), 1<<20)))) }

// packUUID packs a UUID as it is usually written.
func packUUID(s string) ([]byte, bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return nil, false
	}
	raw, err := hex.DecodeString(strings.ReplaceAll(s, "-", ""))
	return raw, err == nil && unpackUUID(raw) == s
}

func unpackUUID(raw []byte) string {
	s := hex.EncodeToString(raw)
	if len(s) != 32 {
		return s
	}
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
