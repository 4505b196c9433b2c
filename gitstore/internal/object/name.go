package object

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
)

// BlobName is the name that git gives a file's content.
func BlobName(data []byte) string {
	h := sha1.New() // #nosec G401
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// OrAbsent is a name as git prints it in a list of changes, or "" if it is Zero,
// which stands for an absent file there.
func OrAbsent(name string) string {
	if name == Zero {
		return ""
	}
	return name
}

// EmptyTree is the name of the tree without entries, which git knows by heart.
const EmptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// Hash is the name of an object, as trees store it.
type Hash [20]byte

// ParseHash reads a name of 40 hex digits.
func ParseHash(name string) (h Hash, err error) {
	if n, err := hex.Decode(h[:], []byte(name)); err != nil || n != len(h) {
		return h, fmt.Errorf("%q is no object name", name)
	}
	return h, nil
}

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Zero is the name of no object: git writes it for what does not exist.
const Zero = "0000000000000000000000000000000000000000"
