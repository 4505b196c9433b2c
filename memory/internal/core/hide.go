package core

import (
	"strings"

	"engram/internal/lazyregexp"
)

// HideSecrets returns a message without the secrets that it repeats of what was said: the
// arguments, the line or the request that it is about. Pieces of a secret that the message
// cuts, or writes with escapes, go as well. Errors are shown behind it, on every surface.
func HideSecrets(scanner Scanner, message string, said ...string) string {
	clean, _ := scanner.Redact(message)
	for _, text := range said {
		if _, found := scanner.Scan(text); found && text != "" {
			rest, _ := scanner.Redact(text)
			clean = withoutPieces(clean, text, rest)
		}
	}
	// What %q writes of an invisible character splits a token for whoever scans it.
	if plain := escapes.ReplaceAllString(clean, ""); plain != clean {
		if _, found := scanner.Scan(plain); found {
			clean, _ = scanner.Redact(plain)
		}
	}
	return clean
}

var escapes = lazyregexp.New(`\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\U[0-9a-f]{8}|\\[abfnrtv]|<U\+[0-9A-F]{4,6}>`)

// shortestPiece is how many bytes of a secret may stand in a message.
const shortestPiece = 8

// withoutPieces replaces what the message has of text and rest has not.
func withoutPieces(message, text, rest string) string {
	var b strings.Builder
	for i := 0; i < len(message); {
		n := 0
		for i+max(n+1, shortestPiece) <= len(message) && strings.Contains(text, message[i:i+max(n+1, shortestPiece)]) {
			n = max(n+1, shortestPiece)
		}
		if n > 0 && !strings.Contains(rest, message[i:i+n]) {
			b.WriteString("[redacted]")
			i += n
			continue
		}
		b.WriteByte(message[i])
		i++
	}
	return b.String()
}
