package session

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"engram/facts"
	"engram/internal/lazyregexp"
)

// NewID returns the id of an event: a ULID with 48 bits of time and 80 bits of a digest
// of the session, the record, how many equal records were before it in its session
// (occurrence), and the number of the event within the record. So whoever reads the same
// transcript gets the same ids, however often and in whatever parts it is read.
func NewID(sessionID string, at time.Time, record []byte, occurrence, number int) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%d %s %d %d\n", len(sessionID), sessionID, occurrence, number) // a hash cannot fail
	_, _ = h.Write(record)
	var id ulid.ULID
	if ms := at.UnixMilli(); ms > 0 && !at.IsZero() {
		_ = id.SetTime(uint64(ms)) // fails after the year 10889
	}
	_ = id.SetEntropy(h.Sum(nil)[:10])
	return id.String()
}

// RecordKey is a digest by which equal records of a session are counted.
func RecordKey(record []byte) uint64 {
	sum := sha256.Sum256(record)
	return binary.BigEndian.Uint64(sum[:])
}

var validID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// CheckID returns whether a text can be the id of a session: 1 to 100 letters, digits,
// dots, hyphens and underscores that git accepts in the name of a reference.
func CheckID(id string) bool {
	return validID.MatchString(id) && !strings.Contains(id, "..") && !strings.HasSuffix(id, ".") && !strings.HasSuffix(id, ".lock")
}

// IDOf returns the id that a session gets: the client's own if it can be one, else a slug
// of it with a digest that keeps it apart from others.
func IDOf(own string) string {
	if CheckID(own) {
		return own
	}
	sum := sha256.Sum256([]byte(own))
	slug := facts.Slug(own)
	if len(slug) > 60 {
		slug = strings.TrimRight(slug[:60], "-")
	}
	return strings.TrimPrefix(slug+"-", "-") + hex.EncodeToString(sum[:4])
}

// IsEventID reports whether a text has the form of an event's id.
func IsEventID(id string) bool {
	parsed, err := ulid.ParseStrict(id)
	return err == nil && parsed.String() == id
}

// TimeOfID returns the time of the record that an event is of; ok is false if the id is none of
// an event.
func TimeOfID(id string) (at time.Time, ok bool) {
	parsed, err := ulid.ParseStrict(id)
	return ulid.Time(parsed.Time()).UTC(), err == nil
}

// Shard is the folder of a session below the references of all sessions.
func Shard(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:1])
}

// RefPrefix is where the references of sessions are.
const RefPrefix = "refs/engram/sessions/"

// Ref is the reference of a session.
func Ref(id string) string { return RefPrefix + Shard(id) + "/" + id }

// IDOfRef returns the session of a reference; "" if it is not one of a session.
func IDOfRef(ref string) string {
	rest, ok := strings.CutPrefix(ref, RefPrefix)
	shard, id, found := strings.Cut(rest, "/")
	if !ok || !found || !CheckID(id) || Shard(id) != shard {
		return ""
	}
	return id
}
