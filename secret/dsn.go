package secret

import (
	"slices"
	"strings"
)

// connectionPasswords reports where the text has a connection string's password
// that is not a placeholder, until report returns false. The forms:
//
//  1. scheme://user:password@host, any scheme, the user may be missing;
//  2. user:password@tcp(host)/db, the DSN of Go's MySQL driver;
//  3. jdbc:oracle:thin:user/password@host;
//  4. Server=db;Password=…; as ADO.NET and ODBC write it;
//  5. host=db password=…, the DSN of libpq;
//  6. scheme://host/db?user=app&password=….
func connectionPasswords(text string, report func(start, end int) bool) bool {
	return urlPasswords(text, report) && driverPasswords(text, report) && keyedPasswords(text, report)
}

// urlPasswords covers form 1.
func urlPasswords(text string, report func(start, end int) bool) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], "://")
		if i < 0 {
			return true
		}
		i += from
		from = i + len("://")
		if i == 0 || !isAlnum(text[i-1]) {
			continue
		}
		run := text[from:min(len(text), from+maxRun)]
		if start, end, ok := passwordIn(authorityOf(run[:indexAnyOrEnd(run, stops)])); ok && !report(from+start, from+end) {
			return false
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

// passwordIn takes what stands between :// and the path. The last @ counts: a
// raw password may have one too. An image reference (name:tag@sha256:…) has
// the same form and is none.
func passwordIn(authority string) (start, end int, ok bool) {
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return 0, 0, false
	}
	user, password, ok := strings.Cut(authority[:at], ":")
	host, _, _ := strings.Cut(strings.Trim(authority[at+1:], ".,;)>]"), ":")
	if !ok || host == "" || isIdentifierWord(host) || shapeOf(host) != shapeNone {
		return 0, 0, false
	}
	return len(user) + 1, at, isPassword(user, password)
}

// driverPasswords covers forms 2 and 3, whose login is not behind ://.
func driverPasswords(text string, report func(start, end int) bool) bool {
	for _, network := range []string{"@tcp(", "@tcp6(", "@unix(", "@cloudsql("} {
		for from := 0; ; {
			i := strings.Index(text[from:], network)
			if i < 0 {
				break
			}
			end := from + i
			before := text[max(from, end-maxRun):end]
			login := before[strings.LastIndexAny(before, stops+"=")+1:]
			if user, password, ok := strings.Cut(login, ":"); ok && isPassword(user, password) && !report(end-len(password), end) {
				return false
			}
			from = end + len(network)
		}
	}
	const oracle = "jdbc:oracle:"
	i := strings.Index(text, oracle)
	if i < 0 {
		return true
	}
	from := i + len(oracle)
	run := text[from:]
	login, _, ok := strings.Cut(run[:indexAnyOrEnd(run, stops)], "@")
	user, password, split := strings.Cut(login[strings.LastIndexByte(login, ':')+1:], "/")
	end := from + len(login)
	return !ok || !split || !isPassword(user, password) || report(end-len(password), end)
}

// keyedPasswords covers forms 4, 5 and 6: password=value on a line with a
// key that only a connection string has. gitleaks looks at password=value
// alone and wants the value to look random; in a connection string it need not.
func keyedPasswords(text string, report func(start, end int) bool) bool {
	lineEnd, keyed := -1, false // of the line that was looked at last
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '=')
		if i < 0 {
			return true
		}
		at := from + i
		from = at + 1
		name := at
		if at > 0 && text[at-1] == ' ' {
			name--
		}
		switch before := text[:name]; {
		case hasSuffixLower(before, "password"):
			name -= len("password")
		case hasSuffixLower(before, "pwd"):
			name -= len("pwd")
		default:
			continue
		}
		start := strings.LastIndexByte(text[:at], '\n') + 1
		if at >= lineEnd {
			lineEnd = at + indexAnyOrEnd(text[at:], "\n")
			keyed = hasConnectionKey(asciiLower(text[start:lineEnd]))
		}
		before := text[max(start, name-maxRun):name]
		if !keyed && !isInURL(asciiLower(before)) || isRedacted(text[from:lineEnd]) {
			continue
		}
		value := valueOf(text[from:lineEnd])
		if isPassword("", value) {
			valueAt := from + strings.Index(text[from:lineEnd], value)
			if !report(valueAt, valueAt+len(value)) {
				return false
			}
		}
	}
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
