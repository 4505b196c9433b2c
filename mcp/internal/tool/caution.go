package tool

import "engram/facts"

// Cautioned warns a model of a text that addresses it.
type Cautioned struct {
	Caution string `json:"caution,omitempty"`
}

// CautionOf marks a text that reads like an instruction to whoever reads it. An
// unmarked text is no instruction either: all claims are data.
func CautionOf(texts ...string) Cautioned { return Cautioned{facts.Caution(texts...)} }
