package export

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"

	"engram/dashboard/internal/site"
)

// place is where an address leads to in a copy.
type place struct {
	file     string // "" if a copy does not have it
	fragment string // of the address, or the filters of a list, which a script of the copy applies
	page     string // the address below site.Root that the file is made of
}

// placeOf finds the place of an address.
func placeOf(link *url.URL) place {
	path, below := strings.CutPrefix(link.Path, site.Root)
	if link.Host != "" || !below {
		return place{}
	}
	q, fragment := link.Query(), ""
	if link.Fragment != "" {
		fragment = "#" + link.Fragment
	}
	name, rest, _ := strings.Cut(strings.Trim(path, "/"), "/")
	if name == "" {
		name = "facts"
	}
	switch {
	case name == "static":
		return place{"static/" + rest, "", "/static/" + rest}
	case (name == "facts" || name == "conflicts") && rest != "":
		return place{name + "/" + safe(rest) + ".html", fragment, site.Path("/"+name, rest)}
	case name == "facts" && only(q, "from"):
		return place{numbered(name, "index", q), fragment, addressed(name, q)}
	case name == "facts":
		return place{"index.html", "#" + q.Encode(), "/facts"}
	case name == "timeline" && only(q, "from"), name == "conflicts" && only(q, "status"), name == "map" && only(q, "scope"), name == "agents" && len(q) == 0, name == "expiring" && len(q) == 0:
		return place{numbered(name, name, q), fragment, addressed(name, q)}
	}
	return place{}
}

// only reports whether a query has no other parameter.
func only(q url.Values, name string) bool {
	return len(q) == 0 || len(q) == 1 && q.Has(name)
}

// numbered is the file of a page that has parts, or of its first part.
func numbered(name, first string, q url.Values) string {
	for parameter := range q {
		if value := q.Get(parameter); value != "" && value != "0" {
			return name + "/" + parameter + "-" + safe(strings.ReplaceAll(value, "/", "--")) + ".html"
		}
	}
	return first + ".html"
}

func addressed(name string, q url.Values) string {
	if numbered(name, "", q) == ".html" {
		return "/" + name
	}
	return "/" + name + "?" + q.Encode()
}

// maxName is the maximum length of a part of a path: systems allow 255 bytes, or 260 for the whole.
const maxName = 80

// safe makes a path of which every part can be the name of a file on every system, and which no other
// text becomes: what is not plain is replaced, and a digest added. Keys have no names of devices.
func safe(text string) string {
	parts := strings.Split(text, "/")
	for i, part := range parts {
		plain := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
				return r
			}
			return '-'
		}, strings.ToLower(part))
		if plain != part || part == "" || len(part) > maxName {
			sum := sha256.Sum256([]byte(part))
			plain = plain[:min(len(plain), maxName)] + "." + hex.EncodeToString(sum[:6])
		}
		parts[i] = plain
	}
	return strings.Join(parts, "/")
}
