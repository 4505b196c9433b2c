package bus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"engram/facts"
)

// maxSpanText bounds a span, in characters.
const maxSpanText = 80

// pointerTypes are in the order of the bus document §4.2.
var pointerTypes = []string{"repo", "artifact", "sam", "url", "test", "diff"}

// pointer checks one pointer. Missing fields were rejected when it was read.
func (c *checker) pointer(p messagePointer) {
	if p.Type != "" && !slices.Contains(pointerTypes, p.Type) {
		c.invalid(p.path+".type", "is %q, which is not one of %s", abridged(p.Type), strings.Join(pointerTypes, ", "))
	}
	if n := utf8.RuneCountInString(p.Span); n > maxSpanText {
		c.invalid(p.path+".span", "has %d characters; at most %d fit", n, maxSpanText)
	}
	if p.Digest != "" && !facts.IsDigest(p.Digest) {
		c.invalid(p.path+".digest", "must have the form algorithm:hex")
	}
	if p.Ref == "" {
		return
	}
	ref := p.Ref
	if whole, lacks := lacksCommit(ref); lacks {
		c.refuse(Refusal{Code: Invalid, Path: p.path + ".ref", Name: "commit",
			Reason: fmt.Sprintf("%s.ref names no commit, so its lines may change: append @ and the commit's hexadecimal name", p.path),
			Resend: cmp.Or(c.allow.Commits[ref], whole+"@COMMIT")})
		ref = whole
	}
	a, err := facts.ParseRef(ref)
	if err != nil {
		c.invalid(p.path+".ref", "is not a reference: %v", err)
		return
	}
	if p.Type != "" && string(a.Type) != p.Type && slices.Contains(pointerTypes, p.Type) {
		c.invalid(p.path+".type", "is %s, but its ref is of type %s", p.Type, a.Type)
	}
	if p.Span != "" && !spanAgrees(p.Span, a) {
		c.invalid(p.path+".span", "is %q, which contradicts its ref: omit the span", abridged(p.Span))
	}
}

// lacksCommit reports whether a reference into the repository names no commit, and returns
// the reference without the part in the place of the commit: nothing after the @, or a name
// that moves, such as a branch.
func lacksCommit(ref string) (whole string, lacks bool) {
	kind, _, _ := strings.Cut(ref, ":")
	if !slices.Contains([]facts.PointerType{facts.PointRepo, facts.PointArtifact, facts.PointTest}, facts.PointerType(kind)) {
		return ref, false
	}
	a, err := facts.ParseRef(ref)
	if err == nil && (a.Commit != "" || a.InSession()) {
		return ref, false
	}
	at := strings.LastIndexByte(ref, '@')
	if at < 0 {
		return ref, err == nil
	}
	before, after := ref[:at], ref[at+1:]
	if after == "" || strings.Contains(before, "#") && !strings.ContainsAny(after, "/#") {
		return before, true
	}
	return ref, err == nil
}

// WithoutCommit lists, each once, the references of a message that must name a commit and
// do not. The caller looks the commits up for Allowance.Commits.
func WithoutCommit(text []byte) []string {
	m, _ := read(text)
	if m.Form == "" {
		if inner, _, found := fencedMessage(string(text)); found {
			m, _ = read([]byte(inner))
		}
	}
	var refs []string
	for _, p := range m.pointers() {
		if _, lacks := lacksCommit(p.Ref); lacks && !slices.Contains(refs, p.Ref) {
			refs = append(refs, p.Ref)
		}
	}
	return refs
}

// BareRef returns a reference without the part in the place of the commit.
func BareRef(ref string) string {
	whole, _ := lacksCommit(ref)
	return whole
}

// CheckGranted returns an error if a pointer of a grant contradicts its reference: by a
// type that ref does not begin with, or a span that ref does not have. With prefix, ref is
// the beginning of references, which has no span.
func CheckGranted(p Pointer, prefix bool) error {
	kind, _, _ := strings.Cut(p.Ref, ":")
	if p.Type != kind {
		return fmt.Errorf("pointer.type is %.20q, but its ref begins with %.20q", p.Type, kind)
	}
	if p.Span == "" {
		return nil
	}
	if a, err := facts.ParseRef(p.Ref); prefix || err != nil || !spanAgrees(p.Span, a) {
		return fmt.Errorf("pointer.span is %.40q, which its ref does not contain", p.Span)
	}
	return nil
}
