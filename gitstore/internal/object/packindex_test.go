package object

import (
	"bytes"
	"crypto/sha1"
	"testing"
)

// TestIndexesAgree: our index of names of any length is go-git's where both can make one.
func TestIndexesAgree(t *testing.T) {
	for _, n := range []int{0, 1, 2, 500} {
		var entries []indexEntry
		for i := range n {
			sum := sha1.Sum([]byte{byte(i), byte(i >> 8)})
			entries = append(entries, indexEntry{hash: Hash(sum[:]), check: uint32(i * 7919), at: uint64(i)*1_000_000_007 + 12})
		}
		pack := sha1.Sum(nil)
		theirs, err := SHA1.encodeIndex(entries, pack[:])
		if err != nil {
			t.Fatal(err)
		}
		if ours := SHA1.encodeLongIndex(entries, pack[:]); !bytes.Equal(ours, theirs) {
			t.Errorf("%d entries: %d bytes are not go-git's %d", n, len(ours), len(theirs))
		}
	}
}
