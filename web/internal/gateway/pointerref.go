package gateway

import (
	"fmt"

	"engram/facts"
	"engram/memory"
	"engram/web/internal/wire"
)

// wholeRef is the reference of a pointer on the wire, whose type and span have to
// agree with it.
func wholeRef(p memory.EngramPointer) (string, error) {
	if p.Ref == "" {
		return "", wire.BadRequest("pointer.ref is missing", "a pointer is a type and a ref such as repo:internal/auth.go#L12-L40@COMMIT")
	}
	a, err := facts.ParseRef(p.Ref)
	if err != nil {
		return "", wire.BadRequest("pointer.ref: "+err.Error(), "it looks like repo:internal/auth.go#L12-L40@COMMIT")
	}
	if p.Type != string(a.Type) {
		return "", wire.BadRequest(fmt.Sprintf("pointer.type is %.20q, but its ref begins with %s", p.Type, a.Type), "the type is what the ref begins with")
	}
	if p.Span != "" && p.Span != spanOf(a) {
		return "", wire.BadRequest(fmt.Sprintf("pointer.span is %.40q, and its ref has %q", p.Span, spanOf(a)), "the span stands in the ref; omit span, or repeat it")
	}
	return p.Ref, nil
}

// spanOf is what of a file an address names: lines, or a section.
func spanOf(a facts.Address) string {
	switch {
	case a.FirstLine == 0:
		return a.Name
	case a.LastLine == a.FirstLine:
		return fmt.Sprintf("L%d", a.FirstLine)
	}
	return fmt.Sprintf("L%d-L%d", a.FirstLine, a.LastLine)
}
