package object

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// BlobName returns the object name that git gives to the content of a file.
func BlobName(data []byte) string { return nameOf("blob", data).String() }

func nameOf(kind string, data []byte) Hash {
	sum := sha1.New() // #nosec G401
	sum.Write(objectHeader(kind, len(data)))
	sum.Write(data)
	return Hash(sum.Sum(nil))
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
	if len(name) != hex.EncodedLen(len(h)) { // Decode panics if the name is longer
		return h, fmt.Errorf("%q is not an object name", name)
	}
	if _, err := hex.Decode(h[:], []byte(name)); err != nil {
		return h, fmt.Errorf("%q is not an object name", name)
	}
	return h, nil
}

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Zero is the name of no object: git writes it for what does not exist.
const Zero = "0000000000000000000000000000000000000000"

// CheckPath rejects a path that git could store but not check out, or that could
// attack a checkout.
func CheckPath(path string) error {
	control := strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' })
	if control || Hostile(path) || !utf8.ValidString(path) {
		return fmt.Errorf("%q is not a valid path for a file of the memory", path)
	}
	return nil
}

// Hostile reports whether path could attack a checkout: a segment of it is empty,
// . or .., or .git under any of the names that some file system accepts for it.
func Hostile(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		plain := strings.ToLower(strings.TrimRight(segment, " ."))
		plain, _, _ = strings.Cut(plain, ":")
		if plain == "" || plain == ".git" || plain == "git~1" {
			return true
		}
	}
	return false
}
