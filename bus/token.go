package bus

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/oklog/ulid/v2"
)

// Errors of budget tokens.
var (
	// ErrForged reports a token that was not signed with this key, or was truncated.
	ErrForged = errors.New("the token was not signed here")
	// ErrUnknownGrant reports a token whose grant is not in the ledger.
	ErrUnknownGrant = errors.New("its grant was not issued here or no longer exists")
)

// A token is tokenPrefix and 40 characters of URL-safe base64: the 16 bytes of the grant's
// id, and the first 14 bytes of an HMAC-SHA256 over all fields of the grant. Models copy
// it, so it is short: the ledger has the fields, and NIST SP 800-131A requires a strength
// of 112 bits of a MAC. 30 bytes leave no spare bits, so there is only one way to write a
// token.
const (
	tokenPrefix = "eg1."
	idBytes     = 16
	macBytes    = 14
	tokenChars  = 40
)

// Sign returns the grant's budget token. The id must be a ULID (see Check).
func (g Grant) Sign(key []byte) string {
	id, _ := ulid.ParseStrict(g.ID)
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(append(id[:], g.mac(key)...))
}

// OpenToken returns the grant of a token. It compares the signature in constant time.
// find looks a grant up by its id. The error wraps ErrForged or
// ErrUnknownGrant.
func OpenToken(token string, key []byte, find func(id string) (Grant, bool)) (Grant, error) {
	rest, ok := strings.CutPrefix(token, tokenPrefix)
	raw, err := base64.RawURLEncoding.Strict().DecodeString(rest)
	if !ok || err != nil || len(raw) != idBytes+macBytes || len(rest) != tokenChars { // the decoder skips line breaks
		return Grant{}, fmt.Errorf("budget token: %w: it must be %s… with %d characters", ErrForged, tokenPrefix, tokenChars)
	}
	id := ulid.ULID(raw).String()
	g, ok := find(id)
	if !ok {
		return Grant{}, fmt.Errorf("budget token of grant %s: %w", id, ErrUnknownGrant)
	}
	if !hmac.Equal(raw[idBytes:], g.mac(key)) {
		return Grant{}, fmt.Errorf("budget token of grant %s: %w", id, ErrForged)
	}
	return g, nil
}

func (g Grant) mac(key []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(g.canonical())
	return mac.Sum(nil)[:macBytes]
}

// canonical encodes all fields of a grant, each text prefixed with its length.
func (g Grant) canonical() []byte {
	b := []byte(tokenPrefix)
	for _, text := range []string{g.ID, g.Parent, g.Child, string(g.Purpose), g.Pointer, g.From} {
		b = binary.AppendUvarint(b, uint64(len(text)))
		b = append(b, text...)
	}
	for _, n := range []int64{int64(g.Cap), int64(g.Uses), g.Issued.UnixMilli(), g.Expires.UnixMilli()} {
		b = binary.AppendVarint(b, n)
	}
	flags := byte(0)
	if g.Prefix {
		flags |= 1
	}
	if g.PassOn {
		flags |= 2
	}
	return append(b, flags)
}
