package facts

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxSegment is the longest segment of a key, in bytes.
const MaxSegment = 100

// FileSuffix ends the name of every file that holds a fact.
const FileSuffix = ".yml"

// Key is the identity of a fact across its versions:
// namespace/category/identifier, and optionally /sub. The zero Key is invalid.
// Keys are comparable.
type Key struct {
	Namespace, Category, Identifier, Sub string
}

// KeyError says why a text is not a valid key.
type KeyError struct {
	Text    string // what was given
	Problem string
}

func (e *KeyError) Error() string { return fmt.Sprintf("key %q: %s", e.Text, e.Problem) }

// ParseKey parses a key. Manifest.CheckKey checks its namespace. The error is a
// *KeyError.
//
// The rules are those of docs/format.md:
//  1. three or four segments between single slashes;
//  2. a segment is a slug: a letter or digit, then letters, digits, '.', '_', '-';
//  3. lower case, except identifier and sub in the namespaces paper and finding;
//  4. at most MaxSegment bytes a segment;
//  5. no name that a file system cannot store, and none that collides with the file
//     of another key.
func ParseKey(s string) (Key, error) {
	fail := func(format string, args ...any) (Key, error) {
		return Key{}, &KeyError{Text: abridge(s, 120), Problem: fmt.Sprintf(format, args...)}
	}
	if s == "" {
		return fail("is empty")
	}
	parts := strings.Split(s, "/")
	if len(parts) < 3 || len(parts) > 4 {
		return fail("has %d segments; it needs namespace/category/identifier or namespace/category/identifier/sub", len(parts))
	}
	mixedCase := parts[0] == "paper" || parts[0] == "finding"
	for i, part := range parts {
		if err := checkSegment(part, mixedCase && i >= 2); err != nil {
			return fail("%s: %v", segmentNames[i], err)
		}
	}
	k := Key{Namespace: parts[0], Category: parts[1], Identifier: parts[2]}
	if len(parts) == 4 {
		k.Sub = parts[3]
	}
	return k, nil
}

var segmentNames = [...]string{"namespace", "category", "identifier", "sub-identifier"}

func checkSegment(s string, mixedCase bool) error {
	switch {
	case s == "":
		return errors.New("is empty")
	case len(s) > MaxSegment:
		return fmt.Errorf("is %d bytes long; at most %d fit", len(s), MaxSegment)
	case !utf8.ValidString(s):
		return errors.New("is not UTF-8")
	}
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		case r >= 'A' && r <= 'Z':
			if !mixedCase {
				return fmt.Errorf("%q has upper case, which only identifiers in paper and finding may have", s)
			}
		case i > 0 && (r == '.' || r == '_' || r == '-'):
		default:
			return fmt.Errorf("has %q (%U); a segment starts with a letter or digit and holds letters, digits, '.', '_' and '-' of ASCII", r, r)
		}
	}
	return checkStorable(s)
}

// checkStorable rejects names that Windows cannot store, and names that end like a
// file: finding/icr/a.yml would be both a file and a folder.
func checkStorable(s string) error {
	if strings.HasSuffix(s, ".") {
		return fmt.Errorf("%q ends in a dot, which Windows drops", s)
	}
	lower := strings.ToLower(s)
	if strings.HasSuffix(lower, FileSuffix) {
		return fmt.Errorf("%q ends in %s, which is reserved for the files of facts", s, FileSuffix)
	}
	base, _, _ := strings.Cut(lower, ".")
	switch base {
	case "con", "prn", "aux", "nul":
		return fmt.Errorf("%q is a device name on Windows", s)
	}
	if len(base) == 4 && (base[:3] == "com" || base[:3] == "lpt") && base[3] >= '0' && base[3] <= '9' {
		return fmt.Errorf("%q is a device name on Windows", s)
	}
	return nil
}

// String returns the key as it is written: segments joined by slashes, and ""
// for the zero Key.
func (k Key) String() string {
	if k.IsZero() {
		return ""
	}
	s := k.Namespace + "/" + k.Category + "/" + k.Identifier
	if k.Sub != "" {
		s += "/" + k.Sub
	}
	return s
}

// IsZero reports whether the key was never set.
func (k Key) IsZero() bool { return k == Key{} }

// Path returns the file on the branch that has the key's current version, with
// forward slashes, relative to the root.
func (k Key) Path() string { return k.String() + FileSuffix }

// KeyOfPath is the inverse of Path. ok is false if no key has that path.
func KeyOfPath(path string) (k Key, ok bool) {
	name, found := strings.CutSuffix(path, FileSuffix)
	if !found {
		return Key{}, false
	}
	k, err := ParseKey(name)
	return k, err == nil
}

// MarshalText makes a key a string in JSON.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText is the inverse of MarshalText: an empty text is the zero Key.
// The error is a *KeyError.
func (k *Key) UnmarshalText(b []byte) (err error) {
	if *k = (Key{}); len(b) > 0 {
		*k, err = ParseKey(string(b))
	}
	return err
}

// HasPrefix reports whether the key lies under prefix, which is counted in
// whole segments: "sdd/icr" is a prefix of sdd/icr/spec, "sdd/ic" is not.
func (k Key) HasPrefix(prefix string) bool {
	prefix = strings.TrimSuffix(prefix, "/")
	s := k.String()
	return prefix == "" || s == prefix || strings.HasPrefix(s, prefix+"/")
}

// abridge cuts s to at most max bytes at a rune boundary, for error messages.
func abridge(s string, max int) string {
	if len(s) <= max {
		return s
	}
	cut := max
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
