package compare

import (
	"engram/memory/internal/core"
)

// ClashWith is a clash with a fact. SpanA is of the claim that was asked about.
type ClashWith struct {
	core.Clash
	Fact core.Fact `json:"fact"`
}
