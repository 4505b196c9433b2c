package facts

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"engram/internal/lazyregexp"
)

// Ref returns the reference that ParseRef parses into this address.
func (a Address) Ref() string {
	with := func(mark, s string) string {
		if s == "" {
			return ""
		}
		return mark + s
	}
	switch a.Type {
	case PointRepo:
		return "repo:" + a.Path + a.lines() + with("@", a.Commit)
	case PointArtifact:
		return "artifact:" + a.Path + with("#sec=", a.Name) + with("@", a.Commit)
	case PointTest:
		return "test:" + a.Path + with("#", a.Name) + with("@", a.Commit)
	case PointSAM:
		return "sam:" + a.Path + with("@", a.Version)
	case PointDiff:
		return "diff:" + a.From + ".." + a.To + "#" + a.Path + a.lines()
	case PointURL:
		return "url:" + a.URL
	}
	return ""
}

func (a Address) lines() string {
	switch {
	case a.FirstLine == 0:
		return ""
	case a.FirstLine == a.LastLine:
		return fmt.Sprintf("#L%d", a.FirstLine)
	}
	return fmt.Sprintf("#L%d-L%d", a.FirstLine, a.LastLine)
}

// InRepository reports whether the address is of a file in the repository, which a
// commit pins.
func (a Address) InRepository() bool {
	return (a.Type == PointRepo || a.Type == PointArtifact || a.Type == PointTest) && !a.InSession()
}

// InSession reports whether the address is of a session or one of its events
// (sam:SESSION@EVENT), or of content that a session keeps (artifact:SHA256).
func (a Address) InSession() bool {
	switch a.Type {
	case PointSAM:
		return !strings.Contains(a.Path, "/")
	case PointArtifact:
		return a.Commit == "" && sessionArtifact.MatchString(a.Path)
	}
	return false
}

// sessionArtifact matches the digest of an artifact of a session.
var sessionArtifact = lazyregexp.New(`^[0-9a-f]{64}$`)

// IsRef reports whether a text begins with a pointer type, whatever follows.
func IsRef(text string) bool {
	kind, _, ok := strings.Cut(text, ":")
	switch PointerType(kind) {
	case PointRepo, PointArtifact, PointSAM, PointDiff, PointTest, PointURL:
		return ok
	}
	return false
}

// colonLines matches lines as compilers and editors write them, with a column.
var colonLines = lazyregexp.New(`:L?([1-9][0-9]{0,8})(?:-L?([1-9][0-9]{0,8})|:[0-9]{1,9})?:?$`)

// ParseShort parses the short form of a reference that a person types:
//
//	path            a file, a folder or the key of a fact, which the caller tells
//	                apart; the address is that of a path
//	path:12         a line, as compilers write it; path:12:5 as well
//	path:12-40      lines
//	path#L12-L40    lines
//	path#Heading    a section, of a document (.md, .rst, .txt, .adoc)
//	path#TestName   a test, of a file whose path says test or spec
//	https://…       a page
//
// A commit may follow after an '@'. A full reference is parsed by ParseRef.
func ParseShort(text string) (Address, error) {
	if IsRef(text) {
		return ParseRef(text)
	}
	a, err := parseShort(text)
	if err != nil {
		return Address{}, fmt.Errorf("pointer %q: %w", abridge(text, 120), err)
	}
	return ParseRef(a.Ref())
}

func parseShort(text string) (Address, error) {
	if strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://") {
		return Address{Type: PointURL, URL: text}, nil
	}
	a := Address{Type: PointRepo}
	rest := a.cutCommit(text)
	before := rest
	rest, err := a.cutLines(rest)
	if m := colonLines.FindStringSubmatch(rest); err == nil && rest == before && m != nil {
		err = a.setLines(m[1], m[2])
		rest = rest[:len(rest)-len(m[0])]
	}
	if err != nil {
		return a, err
	}
	if a.FirstLine == 0 {
		rest = a.cutName(rest)
	}
	if rest == "" {
		return a, errors.New("has no path")
	}
	a.Path = path.Clean(rest)
	return a, nil
}

// cutName removes the name of a section or a test from rest and sets it in a.
func (a *Address) cutName(rest string) string {
	at := strings.IndexByte(rest, '#')
	if at <= 0 || at == len(rest)-1 {
		return rest
	}
	file, name := rest[:at], rest[at+1:]
	lower := strings.ToLower(file)
	switch path.Ext(lower) {
	case ".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc":
		a.Type, a.Name = PointArtifact, strings.TrimPrefix(name, "sec=")
		return file
	}
	if strings.Contains(lower, "test") || strings.Contains(lower, "spec") {
		a.Type, a.Name = PointTest, name
		return file
	}
	return rest
}
