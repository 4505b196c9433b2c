package object

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
)

// Format is how a repository names its objects. The zero Format is SHA1.
type Format uint8

// The formats that git has (extensions.objectFormat).
const (
	SHA1 Format = iota
	SHA256
)

// FormatNamed is the format that git calls name.
func FormatNamed(name string) (f Format, known bool) {
	switch name {
	case "sha1":
		return SHA1, true
	case "sha256":
		return SHA256, true
	}
	return SHA1, false
}

// New is the hash that names are made with.
func (f Format) New() hash.Hash {
	if f == SHA256 {
		return sha256.New()
	}
	return sha1.New() // #nosec G401
}

// size is the number of bytes of a name.
func (f Format) size() int {
	if f == SHA256 {
		return sha256.Size
	}
	return sha1.Size
}

// EmptyTree is the name of the tree without entries, which git knows by heart.
func (f Format) EmptyTree() string { return f.name("tree", nil).String() }

// Zero is the name of no object: git writes it for what does not exist.
func (f Format) Zero() string { return strings.Repeat("0", 2*f.size()) }

// BlobName is the name that git gives to the content of a file.
func (f Format) BlobName(data []byte) string { return f.name("blob", data).String() }

func (f Format) name(kind string, data []byte) Hash {
	sum := f.New()
	sum.Write(objectHeader(kind, len(data)))
	sum.Write(data)
	return Hash(sum.Sum(nil))
}

// Hash is the name of an object, as trees store it: 20 bytes of SHA-1 or 32 of SHA-256.
// "" names nothing.
type Hash string

// ParseHash reads a full name: 40 or 64 hex digits.
func ParseHash(name string) (Hash, error) {
	raw, err := hex.DecodeString(name)
	if err != nil || len(raw) != sha1.Size && len(raw) != sha256.Size {
		return "", fmt.Errorf("%q is not an object name", name)
	}
	return Hash(raw), nil
}

func (h Hash) String() string { return hex.EncodeToString([]byte(h)) }

// IsFull reports whether a revision has the length of a full name of an object.
func IsFull(revision string) bool {
	return len(revision) == 2*sha1.Size || len(revision) == 2*sha256.Size
}

// OrAbsent is a name as git prints it in a list of changes, or "" if it is all zeros,
// which stands for an absent file there.
func OrAbsent(name string) string {
	if strings.Trim(name, "0") == "" {
		return ""
	}
	return name
}
