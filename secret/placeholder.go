package secret

import (
	"net/url"
	"strings"
)

// isPassword reports whether the password of a connection string is one. It
// asks for no randomness: a weak password is a secret too. These are none:
//
//  1. fewer than four characters, as in u:p@host;
//  2. the user's name again, as in postgres:postgres@: a public default;
//  3. a masked value: ****, xxxx, abc…;
//  4. a variable or template: $DB_PASS, ${DB_PASS}, {{ .Pass }}, <password>, %s;
//  5. words that stand for a value: password, your-password, changeme.
func isPassword(user, password string) bool {
	if s, err := url.PathUnescape(password); err == nil {
		password = s
	}
	password = strings.TrimRight(password, ".,;)")
	switch {
	case len(password) < 4 || password == user: // 1, 2
		return false
	case isMasked(password): // 3
		return false
	case isTemplate(password): // 4
		return false
	}
	return !isStandIn(strings.ToLower(password)) // 5
}

func isMasked(s string) bool {
	return containsAny(s, "***", "xxx", "XXX", "...", "…", "•") || strings.Trim(s, s[:1]) == ""
}

func isTemplate(s string) bool {
	if containsAny(s, "${", "$(", "{{", "#{", "<%") {
		return true
	}
	last := s[len(s)-1]
	if at := strings.IndexByte("<{[(", s[0]); at >= 0 {
		return last == ">}])"[at]
	}
	switch s[0] {
	case '%', '@':
		return last == s[0] || len(s) <= len("%[1]s")
	case '$', ':':
		return isVariable(s[1:])
	}
	return isConstant(s)
}

// isVariable takes names in one case without digits, and names that say
// password; the rest, such as $ecr3t, may well be a password.
func isVariable(s string) bool {
	lower := strings.ToLower(s)
	oneCase := s == lower || s == strings.ToUpper(s)
	return saysPassword(lower) || oneCase && strings.Trim(lower, "abcdefghijklmnopqrstuvwxyz_") == ""
}

// isConstant recognises DB_PASSWORD without its sigil.
func isConstant(s string) bool {
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" && saysPassword(strings.ToLower(s))
}

func saysPassword(lower string) bool { return containsAny(lower, "pass", "pwd", "secret", "token") }

// isStandIn reports whether the text consists of words that stand for a
// value. Longer words come before their own beginnings.
func isStandIn(lower string) bool {
	words := []string{
		"passphrase", "password", "passwd", "passwort", "pass", "pwd", "secret", "token", "key",
		"credentials", "credential", "your", "my", "the", "some", "this", "a", "an", "db", "database",
		"user", "name", "here", "goes", "example", "placeholder", "changeme", "changeit", "change",
		"me", "redacted", "removed", "hidden", "masked", "value", "string", "required", "optional",
		"none", "null", "nil", "empty", "true", "false", "foo", "bar", "baz", "test", "sample", "dummy",
		"fake", "must", "todo", "-", "_", " ", ".", "<", ">",
	}
next:
	for lower != "" {
		for _, w := range words {
			if rest, ok := strings.CutPrefix(lower, w); ok {
				lower = rest
				continue next
			}
		}
		return false
	}
	return true
}
