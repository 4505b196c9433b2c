package facts

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode"

	"engram/internal/lazyregexp"
)

// Pointer is a typed address of evidence, as stored in a fact.
type Pointer struct {
	Ref     string // see ParseRef for its forms
	Digest  string // algorithm:hex of the target when the fact was written
	Unknown []Unknown
}

// PointerType is the first part of a reference.
type PointerType string

// The pointer types.
const (
	PointRepo     PointerType = "repo"
	PointArtifact PointerType = "artifact"
	PointSAM      PointerType = "sam"
	PointDiff     PointerType = "diff"
	PointTest     PointerType = "test"
	PointURL      PointerType = "url"
)

// Address is a parsed reference. Which fields are set depends on Type:
//
//	repo:path#L12-L40@commit        Path, FirstLine, LastLine, Commit
//	artifact:path#sec=Name@commit   Path, Name, Commit
//	sam:key@version                 Path (the key), Version
//	sam:session@event               Path (the session), Version
//	artifact:sha256#sec=Name        Path (the digest of an artifact of a session), Name
//	diff:a..b#path                  From, To, Path, FirstLine, LastLine
//	test:path#Name@commit           Path, Name, Commit
//	url:https://…                   URL
//
// Lines, names, commits and versions may be absent; lines count from 1 and the
// last is included. Whether a commit is demanded is the caller's decision.
//
// A path may hold '@' and '#', and nothing escapes them: what ends a reference
// in the form of a commit or of lines is that, the name of an artifact's
// section begins after the last "#sec=", that of a test after the first '#'
// (Go names subtests #01), and the path of a diff after the first '#'.
type Address struct {
	Type                PointerType
	Path                string
	FirstLine, LastLine int
	Name                string
	Commit              string
	Version             string
	From, To            string
	URL                 string
}

var (
	commitSuffix = lazyregexp.New(`@([0-9a-f]{7,64})$`)
	lineSuffix   = lazyregexp.New(`#L([1-9][0-9]{0,8})(?:-L?([1-9][0-9]{0,8}))?$`)
	samRef       = lazyregexp.New(`^([A-Za-z0-9][A-Za-z0-9._:/-]*?)(?:@([A-Za-z0-9][A-Za-z0-9._:-]*))?$`)
	revisionForm = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._/~^-]*$`)
	digestForm   = lazyregexp.New(`^[a-z0-9]+:[0-9a-f]{8,128}$`)
)

// IsDigest reports whether a text has the form of a digest, algorithm:hex.
func IsDigest(text string) bool { return digestForm.MatchString(text) }

// ParseRef parses a reference of at most MaxRef bytes. It checks syntax only and looks
// nothing up.
func ParseRef(ref string) (Address, error) {
	a, err := parseRef(ref)
	if err != nil {
		return Address{}, fmt.Errorf("pointer %q: %w", abridge(ref, 120), err)
	}
	return a, nil
}

func parseRef(ref string) (Address, error) {
	if len(ref) > MaxRef {
		return Address{}, fmt.Errorf("is %d bytes long; at most %d fit", len(ref), MaxRef)
	}
	if strings.IndexFunc(ref, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }) >= 0 {
		return Address{}, errors.New("has a control character or is not UTF-8")
	}
	kind, rest, ok := strings.Cut(ref, ":")
	if !ok || rest == "" {
		return Address{}, errors.New("needs a type and an address, such as repo:path#L12-L40@commit")
	}
	a := Address{Type: PointerType(kind)}
	switch a.Type {
	case PointRepo:
		return a.parseRepo(rest)
	case PointArtifact:
		return a.parseNamed(rest, "#sec=", strings.LastIndex)
	case PointTest:
		return a.parseNamed(rest, "#", strings.Index)
	case PointSAM:
		return a.parseSAM(rest)
	case PointDiff:
		return a.parseDiff(rest)
	case PointURL:
		return a.parseURL(rest)
	}
	return Address{}, fmt.Errorf("type %q is not one of repo, artifact, sam, diff, test, url", abridge(kind, 40))
}

func (a Address) parseRepo(rest string) (Address, error) {
	rest = a.cutCommit(rest)
	rest, err := a.cutLines(rest)
	if err != nil {
		return a, err
	}
	a.Path = rest
	return a, CheckPath(a.Path)
}

func (a Address) parseNamed(rest, mark string, index func(s, mark string) int) (Address, error) {
	rest = a.cutCommit(rest)
	if at := index(rest, mark); at >= 0 {
		rest, a.Name = rest[:at], rest[at+len(mark):]
		if a.Name == "" {
			return a, fmt.Errorf("has no name after %q", mark)
		}
	}
	a.Path = rest
	return a, CheckPath(a.Path)
}

func (a Address) parseSAM(rest string) (Address, error) {
	m := samRef.FindStringSubmatch(rest)
	if m == nil {
		return a, errors.New("needs the form sam:key@version")
	}
	a.Path, a.Version = m[1], m[2]
	return a, nil
}

func (a Address) parseDiff(rest string) (Address, error) {
	span, file, hasPath := strings.Cut(rest, "#")
	from, to, ok := strings.Cut(span, "..")
	if !ok || !revisionForm.MatchString(from) || !revisionForm.MatchString(to) || !hasPath {
		return a, errors.New("needs the form diff:a..b#path")
	}
	a.From, a.To = from, to
	file, err := a.cutLines(file)
	if err != nil {
		return a, err
	}
	a.Path = file
	return a, CheckPath(a.Path)
}

func (a Address) parseURL(rest string) (Address, error) {
	u, err := url.Parse(rest)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return a, errors.New("needs an absolute http or https address")
	}
	a.URL = rest
	return a, nil
}

func (a *Address) cutCommit(rest string) string {
	if m := commitSuffix.FindStringSubmatch(rest); m != nil {
		a.Commit = m[1]
		return rest[:len(rest)-len(m[0])]
	}
	return rest
}

func (a *Address) cutLines(rest string) (string, error) {
	m := lineSuffix.FindStringSubmatch(rest)
	if m == nil {
		return rest, nil
	}
	return rest[:len(rest)-len(m[0])], a.setLines(m[1], m[2])
}

// setLines sets the range of lines; last may be "".
func (a *Address) setLines(first, last string) error {
	a.FirstLine, _ = strconv.Atoi(first)
	a.LastLine, _ = strconv.Atoi(cmp.Or(last, first))
	if a.LastLine < a.FirstLine {
		return fmt.Errorf("ends at line %d, before its first line %d", a.LastLine, a.FirstLine)
	}
	return nil
}

// CheckPath accepts a clean path inside the repository, with forward slashes. It
// rejects paths into .git, where credentials are stored.
func CheckPath(p string) error {
	switch {
	case p == "":
		return errors.New("has no path")
	case strings.HasPrefix(p, "/"), strings.Contains(p, `\`):
		return errors.New("needs a path relative to the repository, with forward slashes")
	case path.Clean(p) != p || p == ".." || strings.HasPrefix(p, "../") || p == ".":
		return errors.New("has a path that is not clean or leaves the repository")
	}
	for segment := range strings.SplitSeq(p, "/") {
		if strings.EqualFold(segment, ".git") {
			return errors.New("has a path into .git")
		}
	}
	return nil
}
