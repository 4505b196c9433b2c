package secret

import (
	"slices"
	"strings"
)

// hasConnectionPassword reports whether the text has a connection string with
// a password that is not a placeholder. The forms:
//
//  1. scheme://user:password@host, any scheme, the user may be missing;
//  2. user:password@tcp(host)/db, the DSN of Go's MySQL driver;
//  3. jdbc:oracle:thin:user/password@host;
//  4. Server=db;Password=…; as ADO.NET and ODBC write it;
//  5. host=db password=…, the DSN of libpq;
//  6. scheme://host/db?user=app&password=….
func hasConnectionPassword(text string) bool {
	return hasURLPassword(text) || hasDriverPassword(text) || hasKeyedPassword(text)
}

// hasURLPassword covers form 1.
func hasURLPassword(text string) bool {
	for {
		i := strings.Index(text, "://")
		if i < 0 {
			return false
		}
		named := i > 0 && isAlnum(text[i-1])
		text = text[i+len("://"):]
		run := text[:min(len(text), maxRun)]
		if named && isUserinfo(authorityOf(run[:indexAnyOrEnd(run, stops)])) {
			return true
		}
	}
}

// stops end a connection string in running text. maxRun is as far as a login
// or a value is followed; without it a text without stops would cost the
// square of its length.
const (
	stops  = " \t\r\n\"'`\\"
	maxRun = 512
)

// authorityOf cuts the path from a URL without its scheme. Where what follows
// the colon is no port, the slash may be one of an unescaped password.
func authorityOf(run string) string {
	authority := run[:indexAnyOrEnd(run, "/?#")]
	_, port, ok := strings.Cut(authority, ":")
	ipv6 := strings.HasPrefix(authority, "[")
	if ok && !ipv6 && !strings.Contains(port, "@") && strings.Trim(port, "0123456789") != "" {
		return run
	}
	return authority
}

// isUserinfo takes what stands between :// and the path. The last @ counts: a
// raw password may have one too. An image reference (name:tag@sha256:…) has
// the same form and is none.
func isUserinfo(authority string) bool {
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return false
	}
	user, password, ok := strings.Cut(authority[:at], ":")
	host, _, _ := strings.Cut(strings.Trim(authority[at+1:], ".,;)>]"), ":")
	if !ok || host == "" || isIdentifierWord(host) || shapeOf(host) != shapeNone {
		return false
	}
	return isPassword(user, password)
}

// hasDriverPassword covers forms 2 and 3, whose login is not behind ://.
func hasDriverPassword(text string) bool {
	for _, network := range []string{"@tcp(", "@tcp6(", "@unix(", "@cloudsql("} {
		for rest := text; ; {
			before, after, ok := strings.Cut(rest, network)
			if !ok {
				break
			}
			before = before[max(0, len(before)-maxRun):]
			login := before[strings.LastIndexAny(before, stops+"=")+1:]
			if user, password, ok := strings.Cut(login, ":"); ok && isPassword(user, password) {
				return true
			}
			rest = after
		}
	}
	_, oracle, _ := strings.Cut(text, "jdbc:oracle:")
	login, _, ok := strings.Cut(oracle[:indexAnyOrEnd(oracle, stops)], "@")
	user, password, split := strings.Cut(login[strings.LastIndexByte(login, ':')+1:], "/")
	return ok && split && isPassword(user, password)
}

// hasKeyedPassword covers forms 4, 5 and 6: password=value on a line with a
// key that only a connection string has. gitleaks looks at password=value
// alone and wants the value to look random; in a connection string it need not.
func hasKeyedPassword(text string) bool {
	for line := range strings.Lines(text) {
		lower := asciiLower(line)
		if !containsAny(lower, "password", "pwd") {
			continue
		}
		keyed := hasConnectionKey(lower)
		for _, k := range []string{"password=", "password =", "pwd=", "pwd ="} {
			for from := 0; ; {
				i := strings.Index(lower[from:], k)
				if i < 0 {
					break
				}
				inURL := isInURL(lower[:from+i])
				from += i + len(k)
				if (keyed || inURL) && isPassword("", valueOf(line[from:])) {
					return true
				}
			}
		}
	}
	return false
}

// isInURL reports whether what follows belongs to a URL.
func isInURL(before string) bool {
	before = before[max(0, len(before)-maxRun):]
	run := before[strings.LastIndexAny(before, stops)+1:]
	return containsAny(run, "://", "jdbc:")
}

func hasConnectionKey(lower string) bool {
	return containsAny(lower,
		"server=", "data source=", "datasource=", "host=", "hostaddr=", "dbname=", "database=",
		"databasename=", "initial catalog=", "user=", "user id=", "uid=", "username=", "dsn=")
}

// containsAny reports whether a text contains one of several.
func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// valueOf reads a value up to its closing quote, or up to a separator.
func valueOf(s string) string {
	s = strings.TrimLeft(s[:min(len(s), maxRun)], " ")
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		return s[1 : 1+indexAnyOrEnd(s[1:], s[:1]+"\r\n")]
	}
	return s[:indexAnyOrEnd(s, stops+";&")]
}

// asciiLower keeps every byte at its offset, which strings.ToLower does not.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if isUpper(c) {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func indexAnyOrEnd(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}
