package ask

import "testing"

// FuzzParseSyntax: no question makes a reader of --syntax panic.
func FuzzParseSyntax(f *testing.F) {
	f.Add(`"refund limit" -draft +eur`)
	f.Add(`"open - + "" -`)
	f.Fuzz(func(_ *testing.T, question string) { _, _ = parseSyntax(question) })
}
