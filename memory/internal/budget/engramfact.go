package budget

import (
	"engram/facts"
)

// PointerOf is a pointer of a fact as agents exchange it.
func PointerOf(ref, digest string) EngramPointer {
	p := EngramPointer{Ref: ref, Digest: digest}
	if address, err := facts.ParseRef(ref); err == nil {
		p.Type = string(address.Type)
	}
	return p
}
