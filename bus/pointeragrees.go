package bus

import (
	"fmt"
	"strings"

	"engram/facts"
)

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
