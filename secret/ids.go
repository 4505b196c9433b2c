package secret

import (
	"slices"
	"strings"

	"engram/internal/lazyregexp"
)

// isIdentifier reports whether a finding is no secret but an identifier that
// facts are full of. A secret with a vendor's prefix never is: the prefix
// spoils the shape. By shape and by the name in front of the operator:
//
//  1. no identifier's shape: a secret, whatever the name says;
//  2. the name ends in a word for identifiers ("commit", "sha256"): passes;
//  3. a vendor's rule: passes unless the name has a word for credentials, so
//     that "datadog: <commit>" passes and "DATADOG_API_KEY=<40 hex>" does not;
//  4. the generic rule, a shape that is an identifier's alone: passes, also as
//     "api_key", unless the name is one that nobody gives to an identifier
//     ("password", "client_secret");
//  5. the generic rule, a UUID or hexadecimal of more than 16 digits, which keys
//     have as well as digests: passes unless the name is explicitly a
//     credential's ("api_key", SLACK_TOKEN; not "key", "token").
func isIdentifier(rule, match, secret string) bool {
	shape := shapeOf(secret)
	if shape == shapeNone {
		return false // 1
	}
	name, _, _ := strings.Cut(match, secret)
	name = strings.TrimRight(name, "`'\" \t\r\n=:>|?,")
	switch {
	case endsInIdentifierWord(name):
		return true // 2
	case rule != genericRule:
		return !hasCredentialWord(name) // 3
	case shape == shapeIdentifier:
		return !endsInSecretName(name) // 4
	default:
		return !endsInCredentialName(name) // 5
	}
}

type idShape int

const (
	shapeNone       idShape = iota
	shapeKey                // a UUID, or hexadecimal of more than 16 digits
	shapeIdentifier         // abbreviated object id, ULID or module version
)

// shapeOf says what the secret of a finding looks like. gitleaks lets a
// secret end in the full stop of its sentence and start with a digest's name.
func shapeOf(secret string) idShape {
	s := trimDigestName(strings.Trim(secret, "."))
	switch n := len(s); {
	case uuidForm.MatchString(s):
		return shapeKey
	case identifierForm.MatchString(s):
		return shapeIdentifier
	case !isHex(s):
		return shapeNone
	case n == 96, n == 128: // SHA-384, SHA-512
		return shapeIdentifier
	case n >= 7 && n <= 16: // abbreviated object ids
		return shapeIdentifier
	case n > 16 && n <= 64: // git object ids, SHA-1 and SHA-256 among them
		return shapeKey
	}
	return shapeNone
}

// trimDigestName turns sha256-9f86… into 9f86….
func trimDigestName(s string) string {
	name, digest, ok := strings.Cut(s, "-")
	if ok && isIdentifierWord(strings.ToLower(name)) {
		return digest
	}
	return s
}

// isHex wants one case throughout: digests have it, random text does not.
func isHex(s string) bool {
	return s != "" && (strings.Trim(s, "0123456789abcdef") == "" || strings.Trim(s, "0123456789ABCDEF") == "")
}

var uuidForm = lazyregexp.New(`^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12})$`)

// identifierForm matches a ULID, or a Go module version made of a commit, such as
// v0.0.0-20180306012644-bacd9c7ef1dd. Hexadecimal digits and ULIDs have one case throughout.
var identifierForm = lazyregexp.New(`(?s)^(` +
	`[0-7][0-9A-HJKMNP-TV-Z]{25}|[0-7][0-9a-hjkmnp-tv-z]{25}|` +
	`v.*-([^-]*\.)?[0-9]{14}-([0-9a-f]{12}|[0-9A-F]{12}))$`)

func isIdentifierWord(lower string) bool {
	switch lower {
	case "commit", "commits", "sha", "sha1", "sha256", "sha384", "sha512", "md5", "blake3",
		"digest", "hash", "checksum", "rev", "revision", "oid", "object", "blob", "tree",
		"parent", "head", "ref", "uuid", "guid", "ulid", "etag", "fingerprint", "version":
		return true
	}
	return false
}

// endsInIdentifierWord looks at the last word of a name, in prose, snake_case
// or camelCase.
func endsInIdentifierWord(name string) bool {
	start := len(name)
	for start > 0 && isAlnum(name[start-1]) {
		start--
		if start > 0 && isUpper(name[start]) && isLower(name[start-1]) {
			break
		}
	}
	return isIdentifierWord(strings.ToLower(name[start:]))
}

func hasCredentialWord(name string) bool {
	return containsAny(strings.ToLower(name), "key", "token", "secret", "passw", "pwd", "auth", "cred", "api")
}

// endsInSecretName reports whether a name is given to secrets only.
func endsInSecretName(name string) bool {
	return endsInCompound(name, "secret") || hasAnySuffix(squeeze(name),
		"password", "passwd", "passphrase", "secretkey", "credential", "credentials")
}

// endsInCredentialName reports whether a name says that its value is secret,
// though identifiers are seen under such names too.
func endsInCredentialName(name string) bool {
	return endsInSecretName(name) || endsInCompound(name, "token") || hasAnySuffix(squeeze(name),
		"apikey", "appkey", "authkey", "accesskey", "privatekey", "secret", "creds")
}

// endsInCompound takes SLACK_TOKEN and accessToken for token, and leaves "the
// token", which in a sentence may be followed by anything.
func endsInCompound(name, word string) bool {
	rest, ok := strings.CutSuffix(strings.ToLower(name), word)
	if !ok || rest == "" {
		return false
	}
	c := rest[len(rest)-1]
	return isAlnum(c) || c == '_' || c == '-'
}

func squeeze(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(strings.ToLower(name))
}

func hasAnySuffix(s string, suffixes ...string) bool {
	return slices.ContainsFunc(suffixes, func(suffix string) bool { return strings.HasSuffix(s, suffix) })
}

func isAlnum(c byte) bool { return isLower(c) || isUpper(c) || '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
