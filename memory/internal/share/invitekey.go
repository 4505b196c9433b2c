package share

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"engram/gitstore"
	"engram/internal/lazyregexp"
)

// ErrInviteKey reports that a text is not an invitation that this engram can read.
var ErrInviteKey = errors.New("not an invitation")

const (
	invitePrefixV1 = "engram1_"
	secretBytes    = 16
	sumBytes       = 4
	maxInviteKey   = 4096 // characters
)

// InviteKey is the content of an invitation. It grants no access:
// the remote decides who may read and write. docs/format.md §14 has its form.
type InviteKey struct {
	Remote  string    // address, without what only one person may use
	Branch  string    // the memory branch
	Expires time.Time // as was said when it was made; the branch has the last word
	Uses    int       // 0: no limit
	secret  []byte
}

// packed is the key as JSON, with short names because people send it around.
type packed struct {
	Remote  string `json:"r"`
	Branch  string `json:"b"`
	Expires int64  `json:"e"` // seconds since 1970
	Uses    int    `json:"u,omitempty"`
	Secret  []byte `json:"s"`
}

// String returns the key as text, which ParseInviteKey reads.
func (k InviteKey) String() string {
	text, err := json.Marshal(packed{k.Remote, k.Branch, k.Expires.Unix(), k.Uses, k.secret})
	if err != nil { // strings and numbers
		panic(err)
	}
	sum := sha256.Sum256(text)
	return invitePrefixV1 + base64.RawURLEncoding.EncodeToString(append(text, sum[:sumBytes]...))
}

// ID names the invitation on the branch, without telling the secret.
func (k InviteKey) ID() string {
	sum := sha256.Sum256(k.secret)
	return hex.EncodeToString(sum[:])[:12]
}

var laterKey = lazyregexp.New(`^engram[0-9]+_`)

// ParseInviteKey reads a key as somebody pasted it: in quotes, or broken into
// lines by a mail. The error wraps ErrInviteKey and says what is wrong.
func ParseInviteKey(text string) (InviteKey, error) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || strings.ContainsRune("\"'`<>", r) {
			return -1
		}
		return r
	}, text)
	rest, ok := strings.CutPrefix(text, invitePrefixV1)
	switch {
	case !ok && laterKey.MatchString(text):
		return InviteKey{}, fmt.Errorf("%w that this engram knows: a later one made it", ErrInviteKey)
	case !ok:
		return InviteKey{}, fmt.Errorf("%w: one begins with %s", ErrInviteKey, invitePrefixV1)
	case len(text) > maxInviteKey:
		return InviteKey{}, fmt.Errorf("%w: the text is longer than any invitation", ErrInviteKey)
	}
	raw, err := base64.RawURLEncoding.DecodeString(rest)
	if err != nil || len(raw) <= sumBytes {
		return InviteKey{}, fmt.Errorf("%w as it was sent: it was cut off, or characters were changed", ErrInviteKey)
	}
	body, sum := raw[:len(raw)-sumBytes], sha256.Sum256(raw[:len(raw)-sumBytes])
	if string(sum[:sumBytes]) != string(raw[len(raw)-sumBytes:]) {
		return InviteKey{}, fmt.Errorf("%w as it was sent: it was cut off, or characters were changed", ErrInviteKey)
	}
	var p packed
	if err := json.Unmarshal(body, &p); err != nil {
		return InviteKey{}, fmt.Errorf("%w: %w", ErrInviteKey, err)
	}
	k := InviteKey{Remote: p.Remote, Branch: p.Branch, Expires: time.Unix(p.Expires, 0).UTC(), Uses: p.Uses, secret: p.Secret}
	if !usableAddress(k.Remote) || k.Remote != gitstore.WithoutSecrets(k.Remote) || k.Branch == "" || k.Uses < 0 || len(k.secret) != secretBytes {
		return InviteKey{}, fmt.Errorf("%w: its contents are invalid", ErrInviteKey)
	}
	return k, nil
}
