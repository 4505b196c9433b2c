package facts

import (
	"crypto/sha256"
	"fmt"
	"time"
)

// crockford is the alphabet of ULIDs.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// lastULID is the last millisecond since 1970 that a ULID can state.
const lastULID = 1<<48 - 1

// DerivedULID is the ULID of a moment whose other 80 bits are a digest of parts,
// so that what is derived from facts has the same id in every clone. A moment that no
// ULID can state becomes the nearest that one can.
func DerivedULID(at time.Time, parts ...string) string {
	b := make([]byte, 0, 26)
	for ms, shift := min(max(at.UnixMilli(), 0), lastULID), 45; shift >= 0; shift -= 5 {
		b = append(b, crockford[ms>>shift&31])
	}
	sum := DigestOf(parts...)
	for i := range 16 { // 80 bits, five at a time
		bits := uint16(sum[i*5/8])<<8 | uint16(sum[i*5/8+1])
		b = append(b, crockford[bits>>(11-i*5%8)&31])
	}
	return string(b)
}

// DigestOf is the SHA-256 of texts, each with its length in front, so that no two
// lists of them run together into one.
func DigestOf(parts ...string) []byte {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
	return h.Sum(nil)
}
